"""Rollout result: what trials have shown, of a start, a play or a double, and how surely."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from bot.backgammon.engine.rollout_start import Start
from bot.backgammon.kernels.rollout import UTILITY, Samples
from bot.backgammon.rules.decision import CubeEvaluation
from bot.backgammon.rules.outcome import Chances, cubeless_equities
from bot.backgammon.rules.play import CheckerPlay
from bot.estimate import standard_error, two_sided_p

LEAST_TRIALS = 144
"""A standard error of fewer trials is too uncertain to stop by, and so is what luck is worth."""

_TURNED = [0, 3, 4, 1, 2, UTILITY]

LEAST_SPREAD = 1e-12
"""Variance of luck that is more than rounding: where all rolls are worth the same there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Rollout:
    """Figures of one start that was rolled out, for its player on roll.

    results, lucks: float64[n, 6], the five chances and the utility (see CubeTable) at the end of
    each of two trials or more, and the luck on the way there, zero if it is left in; trial i of two
    rollouts with one seed has the same dice. Without the cube utility is cubeless equity; the
    chances of a game that a dropped double ended are those it had then. won, lost: utilities of
    winning and losing the unit. Errors are standard errors; they leave out that the first rolls are
    spread evenly, which makes the answer a little better than they say.
    """

    results: Samples
    lucks: Samples
    won: float = 1.0
    lost: float = -1.0
    is_match: bool = False

    @property
    def trials(self) -> int:
        """Games played."""
        return len(self.results)

    @property
    def luck_worth(self) -> float:
        """Share of the luck to subtract so that the utilities vary least."""
        return _luck_worth(self.results[:, UTILITY], self.lucks[:, UTILITY])

    @property
    def chance_samples(self) -> Samples:
        """The chances each trial found, less the luck: also below 0 or above 1; float64[n, 5]."""
        results, lucks = self.results[:, :UTILITY], self.lucks[:, :UTILITY]
        worth = _luck_worth(cubeless_equities(results), cubeless_equities(lucks))
        samples: Samples = results - worth * lucks
        return samples

    @property
    def utilities(self) -> Samples:
        """The utility each trial found, less the luck; float64[n]."""
        utilities: Samples = self.results[:, UTILITY] - self.luck_worth * self.lucks[:, UTILITY]
        return utilities

    @property
    def chances(self) -> Chances:
        """Mean of the five chances."""
        return Chances(*map(float, self.chance_samples.mean(axis=0)))

    @property
    def chance_errors(self) -> tuple[float, ...]:
        """Standard errors of the five chances."""
        return tuple(map(_error, self.chance_samples.T))

    @property
    def equities(self) -> Samples:
        """Equity that each trial found: points at the unit, or in a match as in Candidate."""
        equities: Samples = (2 * self.utilities - self.won - self.lost) / (self.won - self.lost)
        return equities

    @property
    def equity(self) -> float:
        """Equity, cubeful or cubeless: points at the unit, or in a match as in Candidate."""
        return float(self.equities.mean())

    @property
    def equity_error(self) -> float:
        """Standard error of the equity."""
        return _error(self.equities)

    @property
    def mwc(self) -> float | None:
        """Match-winning chance, None in money games."""
        return 0.5 + 0.5 * float(self.utilities.mean()) if self.is_match else None

    @property
    def mwc_error(self) -> float | None:
        """Standard error of the match-winning chance."""
        return 0.5 * _error(self.utilities) if self.is_match else None

    def loss_error(self, best: "Rollout") -> float:
        """Standard error of the difference in equity from a rollout with the same dice."""
        return _error(best.equities - self.equities)

    def p_value(self, best: "Rollout") -> float | None:
        """Chance that luck alone makes so great a difference in equity from another rollout.

        best: the other one, with the same dice. By a paired z-test, two-sided; None for fewer than
        LEAST_TRIALS trials.
        """
        return p_of((best.equity - self.equity, self.loss_error(best)), self.trials)

    def turned(self) -> "Rollout":
        """The rollout as the other player sees it."""
        results, lucks = self.results[:, _TURNED], self.lucks[:, _TURNED]
        results[:, 0] = 1 - results[:, 0]
        results[:, UTILITY] *= -1
        lucks[:, [0, UTILITY]] *= -1
        return Rollout(results, lucks, -self.lost, -self.won, self.is_match)


def rollout_of(start: Start, trials: Samples) -> Rollout:
    """The rollout that trials make of their start; float64[2, n, 6], results and lucks."""
    won, lost = start.utility(start.unit), start.utility(-start.unit)
    results, lucks = trials
    return Rollout(results, lucks, won, lost, start.met is not None)


@dataclass(frozen=True, slots=True)
class RolledOutPlay:
    """A play, and the rollout of what is left by it, as the mover sees it."""

    play: CheckerPlay
    rollout: Rollout


@dataclass(frozen=True, slots=True)
class RolledOutCube:
    """A cube decision: what the player on roll has if he rolls, and after a double and take.

    counts_gammons: whether a gammon brings more than a single game if nobody doubles.
    may_beaver: whether the other side may beaver.
    """

    no_double: Rollout
    double_take: Rollout
    counts_gammons: bool = field(default=True, kw_only=True)
    may_beaver: bool = field(default=False, kw_only=True)

    @property
    def evaluation(self) -> CubeEvaluation:
        """Evaluation of the cube, from rollouts of each action; what a drop costs is exact."""
        mwc = None
        if self.no_double.mwc is not None and self.double_take.mwc is not None:
            dropped = 0.5 + 0.5 * self.no_double.won
            mwc = (self.no_double.mwc, self.double_take.mwc, dropped)
        gammons = self.counts_gammons and bool(self.no_double.results[:, 1].any())
        equities = self.no_double.equity, self.double_take.equity, 1.0
        return CubeEvaluation(*equities, mwc, self.may_beaver, may_win_gammon=gammons)

    @property
    def margin(self) -> tuple[float, float]:
        """The gain of the player on roll by doubling, below 0 for a loss, and its standard error.

        In the unit of Rollout.equity.
        """
        evaluation = self.evaluation
        error = self.no_double.equity_error
        if evaluation.double_take <= evaluation.double_drop:
            times = 2 if evaluation.beavers else 1
            error = _error(times * self.double_take.equities - self.no_double.equities)
        return evaluation.doubled - evaluation.no_double, error

    @property
    def take_margin(self) -> tuple[float, float]:
        """The gain of the other side by taking and not dropping, and its standard error.

        In the unit of Rollout.equity; below 0 if it loses.
        """
        return 1.0 - self.double_take.equity, self.double_take.equity_error


def p_of(margin: tuple[float, float], trials: int) -> float | None:
    """Chance that luck alone makes so great a margin; see Rollout.p_value."""
    return None if trials < LEAST_TRIALS else two_sided_p(*margin)


RolledOut = Sequence[RolledOutPlay] | RolledOutCube | Rollout
"""Results of a rollout: plays, the best first, none if there are none; a double; a position."""


def _luck_worth(results: Samples, lucks: Samples) -> float:
    """Share of the luck to subtract so that the results vary least; float64[n] both.

    Less than 1 if the evaluator overrates swings; 1 for few trials, which cannot tell. Found from
    the same trials, it shifts the answer by a small part of its error.
    """
    spread = float(lucks.var())
    if len(results) < LEAST_TRIALS or spread < LEAST_SPREAD:
        return 1.0
    return float(np.cov(results, lucks, bias=True)[0, 1]) / spread


def _error(samples: Samples) -> float:
    error = standard_error(samples)
    assert error is not None, "a rollout has two trials at the least"
    return error
