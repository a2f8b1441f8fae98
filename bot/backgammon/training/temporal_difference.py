"""TD(lambda): after each game the network learns from its end back to its beginning."""

from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.archive import Arrays
from bot.backgammon.kernels.boards import POINTS, Boards
from bot.backgammon.kernels.network import Layers
from bot.backgammon.kernels.selfplay import (
    Counts,
    learn_by_selfplay,
    learn_from_games,
    play_games,
)
from bot.backgammon.network import Network, random_network
from bot.backgammon.selfplay import Tally, new_generator
from bot.backgammon.training.settings import Settings
from bot.workers import result_of, submitted, worker_pool

PIECE = 100
"""Games that a worker plays with the same weights; with fewer, messages cost too much."""

Played = tuple[Boards, Counts, Counts]
"""Positions of games one after another, the plies of each, and the points its last mover won."""


class TemporalDifference:
    """A network playing itself; what it learns depends on nothing but the settings.

    One worker learns from each game before the next. Several play pieces of a round, a few pieces
    ahead, while this process learns from one game after another as they were given out: the games
    are as many and every step is made on the newest weights, but moves are chosen by weights that
    are a few pieces old. Close it when done.
    """

    name = "temporal difference"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tally = Tally()
        self._layers = random_network(settings.hidden_units, settings.seed).layers
        self._generator = new_generator(settings.seed)
        self._pieces = np.zeros(1, np.int64)
        self._pool: ProcessPoolExecutor | None = None

    @property
    def round_games(self) -> int:
        """Games of a round that takes some tenths of a second."""
        workers = self.settings.workers
        return 100 if workers == 1 else 10 * PIECE * workers

    def advance(self, games: int) -> None:
        """Play a round of so many games and learn from each.

        A round of none makes ready: kernels are compiled and workers started. Raises
        ChildProcessError if a worker dies; nothing has changed then.
        """
        settings = self.settings
        if settings.workers > 1:
            before = {name: array.copy() for name, array in self.state().items()}
            try:
                self._advance_together(games)
            except BaseException:
                self.restore(before)
                raise
        else:
            learn_by_selfplay(
                games,
                settings.most_plies,
                settings.rate_at(self.tally.games),
                settings.trace,
                self._generator,
                self._layers,
                self.tally.counts,
            )

    def _advance_together(self, games: int) -> None:
        """A round in pieces, which workers play while this process learns from those before."""
        settings = self.settings
        if self._pool is None:
            self._pool = worker_pool(settings.workers)
        sizes = deque([PIECE] * (games // PIECE) + [games % PIECE] * (games % PIECE > 0))
        if not sizes:
            sizes.extend([0] * settings.workers)
        playing: deque[Future[Played]] = deque()
        while sizes or playing:
            while sizes and len(playing) <= settings.workers:
                self._pieces += 1 if sizes[0] else 0
                # a copy, for the pool reads it later, when learning has gone on
                piece = (settings, sizes.popleft(), self._copy_of_layers(), int(self._pieces[0]))
                playing.extend(submitted(self._pool, _played, [piece]))
            played = result_of(self._pool, playing.popleft())
            rate = settings.rate_at(self.tally.games)
            learn_from_games(*played, rate, settings.trace, self._layers, self.tally.counts)

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    @property
    def network(self) -> Network:
        """The network as it is now, a copy."""
        return Network(self._copy_of_layers())

    def _copy_of_layers(self) -> Layers:
        return Layers(*(array.copy() for array in self._layers))

    def state(self) -> Arrays:
        """All that advance changes, as arrays by name."""
        arrays: dict[str, NDArray[Any]] = dict(self._layers._asdict())
        counts = {"pieces": self._pieces, "tally": self.tally.counts}
        return {**arrays, "generator": self._generator, **counts}

    def restore(self, state: Arrays) -> None:
        """Go back to a state; raises ValueError if it is of another network."""
        for name, array in self.state().items():
            saved = state.get(name)
            if saved is None or saved.shape != array.shape or saved.dtype != array.dtype:
                raise ValueError(f"{name} in the checkpoint does not fit these settings")
            array[...] = saved


def _played(settings: Settings, games: int, layers: Layers, piece: int) -> Played:
    """A piece's games, played with the weights; its number decides the dice."""
    positions = np.empty((games * (settings.most_plies + 1), POINTS), np.int8)
    plies, points = np.empty((2, games), np.int32)
    rows = play_games(new_generator(settings.seed, piece), layers, positions, plies, points)
    return positions[:rows], plies, points
