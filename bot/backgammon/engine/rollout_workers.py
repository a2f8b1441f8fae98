"""Rollout workers: who plays trials, this process alone or several that stay for the next ones."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Self

import numpy as np

from bot.backgammon.engine.rollout_start import Start, roll_start
from bot.backgammon.engine.rollout_trials import (
    RolloutPlayer,
    RolloutSettings,
    piece_of_rollout,
)
from bot.backgammon.kernels.rollout import COLUMNS, Samples
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START
from bot.workers import Pool, all_results, results_by, worker_pool, works_alone

TRIALS_AT_ONCE = (36, 12, 4, 2)
"""Trials in a piece of work, for 0 to 3 plies."""


Piece = tuple[RolloutPlayer, RolloutSettings, Start, int, int]
"""The arguments of piece_of_rollout."""


class RolloutWorkers:
    """Processes that play trials, started when they are needed; this one alone if it is one.

    Whatever goes wrong ends them, and the next trials start others. Use them in a `with`, or close
    them. Raises ValueError for less than one.
    """

    def __init__(self, count: int) -> None:
        if count < 1:
            raise ValueError(f"trials need at least one worker, not {count}")
        self.count = count
        self._pool: Pool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes, whatever they do."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()

    def prepare(self, player: RolloutPlayer, settings: RolloutSettings) -> None:
        """Start the processes and have each play once; raises as trials does."""
        if works_alone(self.count):
            play_once(player, settings)
            return
        with self._pool_in_use() as pool:
            all_results(pool, play_once, [(player, settings)] * self.count)

    def trials(
        self,
        player: RolloutPlayer,
        settings: RolloutSettings,
        starts: Sequence[Start],
        first: int,
        end: int,
        *,
        at_once: int | None = None,
        until: float = math.inf,
    ) -> Samples | None:
        """Trials of all starts from the first up to the end; float64[len(starts), 2, n, 6].

        at_once: trials in a piece of work. until: time.monotonic at which no piece is begun any
        more; None if some were left then. Raises ValueError if there are no such weights,
        ChildProcessError if a worker dies.
        """
        step = at_once or TRIALS_AT_ONCE[settings.ply]
        parts = [(at, min(at + step, end)) for at in range(first, end, step)]
        pieces = [(player, settings, start, *part) for part in parts for start in starts]
        found = self._played(pieces, until)
        if found is None:
            return None
        trials: Samples = np.empty((len(starts), 2, end - first, COLUMNS))
        for i, (*_, at, part_end) in enumerate(pieces):
            trials[i % len(starts), :, at - first : part_end - first] = found[i]
        return trials

    def _played(self, pieces: list[Piece], until: float) -> list[Samples] | None:
        if not works_alone(self.count):
            with self._pool_in_use() as pool:
                return results_by(pool, piece_of_rollout, pieces, until)
        found = []
        for piece in pieces:
            if time.monotonic() >= until:
                return None
            found.append(piece_of_rollout(*piece))
        return found

    @contextmanager
    def _pool_in_use(self) -> Iterator[Pool]:
        """The processes, which are of no use any more after an error or an interruption."""
        if self._pool is None:
            self._pool = worker_pool(self.count)
        try:
            yield self._pool
        except BaseException:
            self.close()
            raise


def play_once(player: RolloutPlayer, settings: RolloutSettings) -> None:
    """Have this process load, and use, what the player needs."""
    once = replace(settings, truncate=1)
    piece_of_rollout(player, once, roll_start(GameState(START)), 0, 1)
