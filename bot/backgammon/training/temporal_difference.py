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
from bot.backgammon.training.exchange import LAG, Exchange, in_one_row
from bot.backgammon.training.settings import Settings
from bot.workers import joint_results, shared_with_workers, worker_pool

GAMES_APART = 8
"""Games of a worker between two exchanges; with four, memory that goes to and fro costs a tenth."""

GAMES_OF_ROUND = 1000
"""Games of each worker in a round, at the end of which they wait for each other."""

Learnt = tuple[Layers | None, Generator, NDArray[np.int64]]
"""What a worker brings back: weights (only the first), its dice, and what it counted."""


class TemporalDifference:
    """A network playing itself; what it learns depends on nothing but the settings.

    One worker learns from each game before the next. Several do so, each on a copy of its own and
    at so many times the rate, and every few games they average what they have learnt. Close it
    when done.
    Source for rate and average: Goyal et al., Accurate, large minibatch SGD (2017).
    """

    name = "temporal difference"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tally = Tally()
        self._layers = random_network(settings.hidden_units, settings.seed).layers
        self._generators = np.stack(
            [new_generator(settings.seed, stream) for stream in range(settings.workers)]
        )
        self._exchange: Exchange | None = None
        self._pool: ProcessPoolExecutor | None = None

    @property
    def round_games(self) -> int:
        """Games of a round that takes some tenths of a second."""
        workers = self.settings.workers
        return 100 if workers == 1 else GAMES_OF_ROUND * workers

    def advance(self, games: int) -> None:
        """Play a round of so many games and learn from each.

        A round of none makes ready: kernels are compiled and workers started. Raises
        ChildProcessError if a worker dies; nothing has changed then.
        """
        settings = self.settings
        if settings.workers > 1:
            self._advance_together(games)
        else:
            learn_by_selfplay(
                games,
                settings.most_plies,
                settings.rate_at(self.tally.games),
                settings.trace,
                self._generators[0],
                self._layers,
                self.tally.counts,
            )

    def _advance_together(self, games: int) -> None:
        """A round whose games are shared out; all workers end it with the same weights."""
        if self._pool is None or self._exchange is None:
            weights = sum(array.size for array in self._layers)
            self._exchange = Exchange(self.settings.workers, weights)
            self._pool = worker_pool(self.settings.workers, self._exchange)
        self._exchange.begin()
        done = self.tally.games
        pieces = [
            (self.settings, done, games, worker, self._layers, generator)
            for worker, generator in enumerate(self._generators)
        ]
        learnt = joint_results(self._pool, _learnt, pieces)
        for worker, (layers, generator, counts) in enumerate(learnt):
            if layers is not None:
                self._layers = layers
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
        generators = self._generators.reshape(-1)
        return {**arrays, "generator": generators, "tally": self.tally.counts}

    def restore(self, state: Arrays) -> None:
        """Go back to a state; raises ValueError if it is of another network."""
        for name, array in self.state().items():
            saved = state.get(name)
            if saved is None or saved.shape != array.shape or saved.dtype != array.dtype:
                raise ValueError(f"{name} in the checkpoint does not fit these settings")
            array[...] = saved


def _learnt(
    settings: Settings, done: int, games: int, worker: int, layers: Layers, generator: Generator
) -> Learnt:
    """A worker's share of a round of so many games, after so many were done in earlier ones."""
    exchange = shared_with_workers()
    assert isinstance(exchange, Exchange)
    weights, layers = in_one_row(layers)
    before = weights.copy()
    counts = np.zeros(3, np.int64)
    workers = settings.workers
    together = GAMES_APART * workers
    share = games // workers + (worker < games % workers)
    numbers = max(-(-games // together), 1) + LAG
    for number in range(numbers):
        learn_by_selfplay(
            max(min(GAMES_APART, share - number * GAMES_APART), 0),
            settings.most_plies,
            # the steps of all are averaged, so that together they go as far as one worker does
            settings.rate_at(done + number * together) * workers,
            settings.trace,
            generator,
            layers,
            counts,
        )
        exchange.make(worker, number, weights, before)
    return layers if worker == 0 else None, generator, counts
