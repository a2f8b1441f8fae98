"""Exchange: workers that learn beside each other tell one another what they learnt."""

import ctypes
import multiprocessing

import numpy as np

from bot.backgammon.kernels.network import Floats, Layers
from bot.workers import LIMIT

LAG = 2
"""Exchanges that a step takes to the others, and that a worker may be ahead of them."""

_SLOTS = 2 * LAG


class Exchange:
    """The latest steps of every worker, in memory that all of them share.

    What a worker has learnt between two of its exchanges is its step. LAG exchanges later, never
    earlier, every worker takes the mean of all their steps in the place of its own: so what is
    learnt does not depend on who was faster, and nobody waits but for one who is LAG exchanges
    behind. The mean, not the sum, for all mend the same mistakes before they hear of each other:
    sums of two swing to and fro, and with four the weights grew out of all bounds. The exchange
    goes to the workers when they are started; its memory has no name, and is gone with the last
    process that has it.
    """

    def __init__(self, workers: int, weights: int) -> None:
        """weights: of the network, in number."""
        context = multiprocessing.get_context("spawn")
        self._shape = (workers, _SLOTS, weights)
        self._steps = context.RawArray(ctypes.c_float, workers * _SLOTS * weights)
        self._done = context.RawArray(ctypes.c_int64, workers)
        self._news = context.Condition()

    def begin(self) -> None:
        """Count exchanges from 0 again, while no worker makes any."""
        self._done[:] = [0] * len(self._done)

    def make(self, worker: int, number: int, weights: Floats, before: Floats) -> None:
        """One worker's exchange of this number, from 0; no steps come before the last LAG of all.

        weights, before: float32[weights], now and after the worker's previous exchange; both become
        what the worker goes on with. Raises ChildProcessError if another worker is not heard of for
        LIMIT seconds.
        """
        # the others have then also taken the step whose place the new one gets
        self._wait_for(number - LAG)
        steps = np.ctypeslib.as_array(self._steps).reshape(self._shape)
        # weights that come apart are told when they are tested
        with np.errstate(over="ignore", invalid="ignore"):
            np.subtract(weights, before, out=steps[worker, number % _SLOTS])
            if number >= LAG:
                known = steps[:, (number - LAG) % _SLOTS]
                change = known.sum(axis=0)
                change /= len(known)
                change -= known[worker]
                weights += change
        before[:] = weights
        with self._news:
            self._done[worker] = number + 1
            self._news.notify_all()

    def _wait_for(self, number: int) -> None:
        """Wait until every worker has made the exchange of this number."""
        with self._news:
            if not self._news.wait_for(lambda: min(self._done) > number, LIMIT):
                raise ChildProcessError(f"a worker process was not heard of for {LIMIT:g} seconds")


def in_one_row(layers: Layers) -> tuple[Floats, Layers]:
    """A copy of the layers, all weights in one row, float32[weights]: the row and the layers."""
    row = np.concatenate([array.ravel() for array in layers])
    places = np.cumsum([array.size for array in layers])[:-1]
    return row, Layers(
        *(
            part.reshape(array.shape)
            for part, array in zip(np.split(row, places), layers, strict=True)
        )
    )
