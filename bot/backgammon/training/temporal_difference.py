"""TD(lambda): after each game the network learns from its end back to its beginning."""

from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.archive import Arrays
from bot.backgammon.kernels.dice import Generator
from bot.backgammon.kernels.network import Layers
from bot.backgammon.kernels.selfplay import learn_by_selfplay
from bot.backgammon.network import Network, random_network
from bot.backgammon.selfplay import Tally, new_generator
from bot.backgammon.training.settings import Settings
from bot.workers import all_results, worker_pool

Played = tuple[Layers, Generator, NDArray[np.int64]]


class TemporalDifference:
    """A network playing itself; what it learns depends on nothing but the settings.

    With several workers each plays its share of a round from the same weights, and what each has
    learnt is added up. Close it when done.
    """

    name = "temporal difference"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tally = Tally()
        self._layers = random_network(settings.hidden_units, settings.seed).layers
        streams = range(settings.workers)
        self._generators = np.stack([new_generator(settings.seed, stream) for stream in streams])
        self._pool: ProcessPoolExecutor | None = None

    def advance(self, games: int) -> None:
        """Play a round of so many games and learn from each.

        A round of none makes ready: kernels are compiled and workers started. Raises
        ChildProcessError if a worker dies; nothing has changed then.
        """
        rate = self.settings.rate_at(self.tally.games)
        workers = self.settings.workers
        if workers == 1:
            _learn(self.settings, games, rate, self._layers, self._generators[0], self.tally.counts)
            return
        if self._pool is None:
            self._pool = worker_pool(workers)
        shares = [games // workers + (worker < games % workers) for worker in range(workers)]
        rounds = all_results(
            self._pool,
            _played,
            [
                (self.settings, share, rate, self._layers, generator)
                for share, generator in zip(shares, self._generators, strict=True)
            ],
        )
        start = [array.copy() for array in self._layers]
        for worker, (layers, generator, counts) in enumerate(rounds):
            for array, learnt, before in zip(self._layers, layers, start, strict=True):
                array += learnt - before
            self._generators[worker] = generator
            self.tally.counts += counts

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    @property
    def network(self) -> Network:
        """The network as it is now, a copy."""
        return Network(Layers(*(array.copy() for array in self._layers)))

    def state(self) -> Arrays:
        """All that advance changes, as arrays by name."""
        arrays: dict[str, NDArray[Any]] = dict(self._layers._asdict())
        return {**arrays, "generators": self._generators, "tally": self.tally.counts}

    def restore(self, state: Arrays) -> None:
        """Go back to a state; raises ValueError if it is of another network."""
        for name, array in self.state().items():
            saved = state.get(name)
            if saved is None or saved.shape != array.shape or saved.dtype != array.dtype:
                raise ValueError(f"{name} in the checkpoint does not fit these settings")
            array[...] = saved


def _learn(
    settings: Settings,
    games: int,
    rate: float,
    layers: Layers,
    generator: Generator,
    counts: NDArray[np.int64],
) -> None:
    learn_by_selfplay(games, settings.most_plies, rate, settings.trace, generator, layers, counts)


def _played(
    settings: Settings, games: int, rate: float, layers: Layers, generator: Generator
) -> Played:
    """A worker's share of a round: the weights it comes to, its dice and what it counted."""
    counts = np.zeros(3, np.int64)
    _learn(settings, games, rate, layers, generator, counts)
    return layers, generator, counts
