"""Roller: what a search leaves close, decided by truncated rollouts with the same dice for all.

The name, and the way, are those of eXtreme Gammon's levels.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bot.backgammon.engine.move_filter import FILTERS, MoveFilter
from bot.backgammon.engine.rollout_result import RolledOutCube, Rollout, rollout_of
from bot.backgammon.engine.rollout_start import Start, roll_start, take_start
from bot.backgammon.engine.rollout_trials import MAX_WORKERS, RolloutPlayer, RolloutSettings
from bot.backgammon.engine.rollout_workers import RolloutWorkers
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.kernels.rollout import Samples
from bot.backgammon.rules.match import GameState
from bot.workers import processor_count

TRIALS_BETWEEN_LOOKS = 36
"""Each of the 36 ways in which two dice fall comes first once among them."""

LEAST_OF_DECISION = 72
"""A standard error of fewer trials is too uncertain to decide by."""

ENOUGH_ERRORS = 2.0
"""So many standard errors behind the best, and a choice is played out no more."""

_TRIALS_AT_ONCE = (12, 4, 2, 1)
"""Trials in a piece of work, for 0 to 3 plies: so few that many workers share a decision evenly,
and the last ones begun end soon after the time is up."""

SHARE_OF_SEARCH = 0.25
"""Part of the seconds for a decision that the search takes before."""


@dataclass(frozen=True, slots=True)
class RollerSettings:
    """Which decisions are rolled out, how, and for how long.

    margin: a choice no further behind the best after the search, in points of equity, is rolled
    out; most: so many plays at most. trials, truncate, ply, seed: as in RolloutSettings. workers:
    processes at once, None for one a core, 1 for none but this. seconds: for a decision, search and
    rollouts; None to finish whatever it takes. Raises ValueError for what no rollout can be.
    """

    margin: float = 0.03
    most: int = 3
    trials: int = 432
    truncate: int = 5
    ply: int = 1
    seed: int = 1
    workers: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.margin < math.inf:
            raise ValueError(f"a margin to roll out is more than 0 points, not {self.margin:g}")
        if self.most < 2:
            raise ValueError(f"two plays at least are rolled out, not {self.most}")
        if self.trials < LEAST_OF_DECISION:
            raise ValueError(
                f"{LEAST_OF_DECISION} trials at least decide what is close, not {self.trials}"
            )
        if self.workers is not None and not 1 <= self.workers <= MAX_WORKERS:
            raise ValueError(f"a rollout has 1 to {MAX_WORKERS} workers, not {self.workers}")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise ValueError(f"a time limit is more than 0 seconds, not {self.seconds:g}")
        _ = self.rollout  # refuses the rest

    @property
    def move_filter(self) -> MoveFilter:
        """The plays that are rolled out, of those a search has evaluated deepest."""
        return MoveFilter(most=self.most, margin=self.margin)

    def is_close(self, margin: float) -> bool:
        """Whether a cube decision that a search leaves with such a margin is rolled out."""
        return margin <= self.margin

    @property
    def rollout(self) -> RolloutSettings:
        """Settings of the rollout.

        Its players have the filter tiny: it takes two thirds of the time of normal, and what it
        changes is small beside the standard error.
        """
        filters = FILTERS["tiny"]
        return RolloutSettings(self.trials, self.truncate, self.ply, self.seed, filters=filters)


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A play by its number, what the mover has after it, and what it loses against the best one.

    equity: what it is worth, no more than any play can be. loss: points of equity, 0 or more, of
    the trials that both have.
    """

    number: int
    rollout: Rollout
    equity: float
    loss: float


class Roller:
    """Rolls out for one player, one decision at a time; see RolloutWorkers for its processes.

    tell: told in a sentence when a process died; the decision goes on with others.
    """

    def __init__(
        self,
        player: RolloutPlayer,
        settings: RollerSettings,
        tell: Callable[[str], None],
    ) -> None:
        self.settings = settings
        self._is_closed = False
        self._player = player
        self._rollout = settings.rollout
        self._tell = tell
        self._workers = RolloutWorkers(settings.workers or processor_count())

    def close(self) -> None:
        """End the processes, and what another thread decides; a later decision starts others."""
        self._is_closed = True
        self._workers.close()

    def prepare(self) -> None:
        """Start the processes and have each play once, so that no decision waits for them."""
        self._workers.prepare(self._player, self._rollout)

    def deadline(self) -> float:
        """Begin a decision: the time.monotonic at which it has to end."""
        self._is_closed = False
        seconds = self.settings.seconds
        return math.inf if seconds is None else time.monotonic() + seconds

    def ranked(
        self, starts: Sequence[Start], until: float = math.inf, most: float = math.inf
    ) -> list[RankedPlay]:
        """Plays from the best on; those left behind on the way follow the others.

        starts: of the other side after each play, the likelier best first. until: see deadline; no
        plays if it comes too soon to tell anything. most: the equity that no play exceeds; where
        the other side errs in its takes rollouts say more.
        """
        known = self._rolled_out(starts, _contenders, until)
        ours = [each.turned() for each in known]
        order = sorted(
            range(len(ours)), key=lambda i: (-ours[i].trials, -min(ours[i].equity, most))
        )
        ranked = []
        for i in order:
            loss = _loss(ours[i], ours[order[0]], most)
            ranked.append(RankedPlay(i, ours[i], min(ours[order[0]].equity, most) - loss, loss))
        return ranked

    def double(
        self, state: GameState, met: MatchEquityTable | None, until: float = math.inf
    ) -> RolledOutCube | None:
        """Whether the player on roll should double; None if time is up too soon, see ranked."""

        def undecided(known: Sequence[Rollout]) -> list[int]:
            margin, error = RolledOutCube(*known, may_beaver=state.may_beaver).margin
            return [0, 1] if abs(margin) < ENOUGH_ERRORS * error else []

        starts = [roll_start(state, met), take_start(state, met)]
        known = self._rolled_out(starts, undecided, until)
        return RolledOutCube(*known, may_beaver=state.may_beaver) if known else None

    def take(
        self, state: GameState, met: MatchEquityTable | None, until: float = math.inf
    ) -> Rollout | None:
        """The rollout after a double and a take, for the player on roll; None as for a double.

        It is decided once that clearly differs from a drop, and where beavers are allowed from 0.
        """
        borders = (1.0, 0.0) if state.may_beaver else (1.0,)

        def undecided(known: Sequence[Rollout]) -> list[int]:
            least = min(abs(known[0].equity - border) for border in borders)
            return [0] if least < ENOUGH_ERRORS * known[0].equity_error else []

        known = self._rolled_out([take_start(state, met)], undecided, until)
        return known[0] if known else None

    def _rolled_out(
        self,
        starts: Sequence[Start],
        undecided: Callable[[Sequence[Rollout]], list[int]],
        until: float,
    ) -> list[Rollout]:
        """The rollout of each start; none if the time was up too soon, or it is closed meanwhile.

        undecided: which of those still played out need more trials, by what is known of them.
        """
        trials: list[Samples] = [np.empty((2, 0, 0))] * len(starts)
        known: list[Rollout | None] = [None] * len(starts)
        standing = list(range(len(starts)))
        for first in range(0, self._rollout.trials, TRIALS_BETWEEN_LOOKS):
            end = min(first + TRIALS_BETWEEN_LOOKS, self._rollout.trials)
            found = self._trials([starts[i] for i in standing], first, end, until)
            if found is None:
                break
            for i, part in zip(standing, found, strict=True):
                trials[i] = np.concatenate((trials[i], part), axis=1) if first else part
            if end < LEAST_OF_DECISION:
                continue
            looked_at = [rollout_of(starts[i], trials[i]) for i in standing]
            for i, each in zip(standing, looked_at, strict=True):
                known[i] = each
            standing = [standing[i] for i in undecided(looked_at)]
            if not standing:
                break
        return [each for each in known if each is not None]  # all at the first look, or none

    def _trials(
        self, starts: Sequence[Start], first: int, end: int, until: float
    ) -> Samples | None:
        """Trials of the starts, None if the time is up or it is closed.

        A second death of a worker in one go is an error.
        """
        if self._is_closed:
            return None
        at_once, found = _TRIALS_AT_ONCE[self._rollout.ply], None
        asked = self._player, self._rollout, starts, first, end
        try:
            found = self._workers.trials(*asked, at_once=at_once, until=until)
        except ChildProcessError as error:
            if not self._is_closed:
                self._tell(f"{error}; rolling out with another")
                found = self._workers.trials(*asked, at_once=at_once, until=until)
        if self._is_closed:  # meanwhile, perhaps before there were processes to end
            self._workers.close()
            return None
        return found


def _contenders(known: Sequence[Rollout]) -> list[int]:
    """The starts, of the other side, that are not clearly better for it than the best one.

    Empty if that is the best alone.
    """
    best = min(known, key=lambda each: each.equity)
    close = [
        i
        for i, each in enumerate(known)
        if each is best or each.equity - best.equity < ENOUGH_ERRORS * each.loss_error(best)
    ]
    return close if len(close) > 1 else []


def _loss(play: Rollout, best: Rollout, most: float) -> float:
    if best.equity > most:
        return max(most - play.equity, 0.0)
    return max(float((best.equities[: play.trials] - play.equities).mean()), 0.0)
