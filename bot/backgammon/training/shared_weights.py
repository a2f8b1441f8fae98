"""Shared weights: one network in the memory of several workers, who learn it in turn."""

import ctypes
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from bot.backgammon.kernels.network import Layers
from bot.workers import LIMIT


class SharedWeights:
    """Layers that every worker sees and changes, and the number of the turn whose worker may.

    It goes to the workers when they are started; its memory has no name, and is gone with the last
    process that has it.
    """

    def __init__(self, layers: Layers) -> None:
        context = multiprocessing.get_context("spawn")
        self._shapes = [array.shape for array in layers]
        self._memory = context.RawArray(ctypes.c_float, sum(array.size for array in layers))
        self._turn = context.RawArray(ctypes.c_int64, 1)
        self._passed = context.Condition()
        self.begin(layers)

    @property
    def layers(self) -> Layers:
        """The layers themselves, no copies."""
        row = np.ctypeslib.as_array(self._memory)
        ends = np.cumsum([np.prod(shape, dtype=int) for shape in self._shapes])
        parts = np.split(row, ends[:-1])
        return Layers(
            *(part.reshape(shape) for part, shape in zip(parts, self._shapes, strict=True))
        )

    def begin(self, layers: Layers) -> None:
        """Take these weights and begin with turn 0, while no worker is at work."""
        copy_layers(layers, self.layers)
        self._turn[0] = 0

    @contextmanager
    def turn(self, number: int) -> Iterator[Layers]:
        """The layers, to be changed until the turn is passed on: every number has its turn once.

        Raises ChildProcessError if it does not come in LIMIT seconds.
        """
        with self._passed:
            if not self._passed.wait_for(lambda: self._turn[0] == number, LIMIT):
                raise ChildProcessError(f"a worker process waited {LIMIT:g} seconds for its turn")
        yield self.layers
        with self._passed:
            self._turn[0] = number + 1
            self._passed.notify_all()


def copy_layers(source: Layers, target: Layers) -> None:
    """Give the target, layers of the same shapes, the source's weights."""
    for array, new in zip(target, source, strict=True):
        array[...] = new
