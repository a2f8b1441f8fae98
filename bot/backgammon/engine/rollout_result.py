"""Rollout result: what trials have shown of a position, and how far it can be trusted."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bot.backgammon.kernels.rollout import Samples
from bot.backgammon.rules.outcome import OUTPUTS, Chances

LEAST_TRIALS = 144
"""A standard error of fewer trials is too uncertain to stop by, and so is what luck is worth."""

_TURNED = [0, 3, 4, 1, 2]


class RolledOut(Protocol):
    """Whatever has an equity from every trial."""

    @property
    def equities(self) -> Samples:
        """Equity that each trial found; float64[n]."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """What is known of one position; trial i of two rollouts with one seed has the same dice.

    results, lucks: float64[n, 5], the chances of the player on roll at the end of each trial, and
    the luck on the way there, zero if it is left in. Errors are standard errors; they leave out
    that the first rolls are spread evenly, which makes the answer a little better than they say.
    """

    results: Samples
    lucks: Samples

    @property
    def trials(self) -> int:
        """Games played."""
        return len(self.results)

    @property
    def luck_worth(self) -> float:
        """What a point of luck is worth, so that the equities vary least without it."""
        return _luck_worth(_equities(self.results), _equities(self.lucks))

    @property
    def samples(self) -> Samples:
        """The chances each trial found, less the luck: also below 0 or above 1; float64[n, 5]."""
        samples: Samples = self.results - self.luck_worth * self.lucks
        return samples

    @property
    def chances(self) -> Chances:
        """Mean of the five chances."""
        return Chances(*map(float, self.samples.mean(axis=0)))

    @property
    def chance_errors(self) -> tuple[float, ...]:
        """Standard errors of the five chances."""
        return tuple(standard_error(self.samples[:, i]) for i in range(OUTPUTS))

    @property
    def equity(self) -> float:
        """Cubeless money equity, points per game."""
        return self.chances.equity

    @property
    def equities(self) -> Samples:
        """Cubeless money equity that each trial found; float64[n]."""
        return _equities(self.samples)

    @property
    def equity_error(self) -> float:
        """Standard error of the equity."""
        return standard_error(self.equities)

    def loss_error(self, best: RolledOut) -> float:
        """Standard error of the difference in equity from a rollout with the same dice."""
        return standard_error(best.equities - self.equities)

    def turned(self) -> "Rollout":
        """The same for the other player."""
        results, lucks = self.results[:, _TURNED], self.lucks[:, _TURNED]
        results[:, 0] = 1 - results[:, 0]
        lucks[:, 0] = -lucks[:, 0]
        return Rollout(results, lucks)


@dataclass(frozen=True, slots=True)
class CubefulRollout:
    """What is known of one start of games with the cube, for its player on roll; see Rollout.

    cubeless: the chances, of games that a dropped double ended as they stood then; results, lucks:
    float64[n], utility (see CubeTable) at the end of each trial, and the luck on the way there, in
    utility. won, lost: utilities of winning and losing the unit.
    """

    cubeless: Rollout
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
        """What luck is worth, so that the results vary least without it."""
        return _luck_worth(self.results, self.lucks)

    @property
    def samples(self) -> Samples:
        """Utility of each trial less its luck; float64[n]."""
        samples: Samples = self.results - self.luck_worth * self.lucks
        return samples

    @property
    def chances(self) -> Chances:
        """Mean of the five chances."""
        return self.cubeless.chances

    @property
    def chance_errors(self) -> tuple[float, ...]:
        """Standard errors of the five chances."""
        return self.cubeless.chance_errors

    @property
    def equities(self) -> Samples:
        """Cubeful equity that each trial found: points at the unit, or as in RatedPlay."""
        equities: Samples = (2 * self.samples - self.won - self.lost) / (self.won - self.lost)
        return equities

    @property
    def equity(self) -> float:
        """Cubeful equity: points at the unit, or in a match as in RatedPlay."""
        return float(self.equities.mean())

    @property
    def equity_error(self) -> float:
        """Standard error of the equity."""
        return standard_error(self.equities)

    @property
    def mwc(self) -> float | None:
        """Match-winning chance, None in money games."""
        return 0.5 + 0.5 * float(self.samples.mean()) if self.is_match else None

    @property
    def mwc_error(self) -> float | None:
        """Standard error of the match-winning chance."""
        return 0.5 * standard_error(self.samples) if self.is_match else None

    def loss_error(self, best: RolledOut) -> float:
        """Standard error of the difference in equity from a rollout with the same dice."""
        return standard_error(best.equities - self.equities)

    def turned(self) -> "CubefulRollout":
        """The same for the other player."""
        return CubefulRollout(
            self.cubeless.turned(),
            -self.results,
            -self.lucks,
            -self.lost,
            -self.won,
            self.is_match,
        )


def _luck_worth(results: Samples, lucks: Samples) -> float:
    """By how much of the luck each result is changed so that they vary least; float64[n] both.

    Less than 1 if the evaluator overrates swings; 1 for few trials, which cannot tell. Found from
    the same trials, it shifts the answer by a small part of its error.
    """
    spread = float(lucks.var())
    if len(results) < LEAST_TRIALS or spread == 0:
        return 1.0
    return float(np.cov(results, lucks, bias=True)[0, 1]) / spread


def _equities(samples: Samples) -> Samples:
    equities: Samples = (
        2 * samples[:, 0] - 1 + samples[:, 1] + samples[:, 2] - samples[:, 3] - samples[:, 4]
    )
    return equities


def standard_error(values: Samples) -> float:
    """Standard error of the mean of float64[n]."""
    return float(values.std(ddof=1) / len(values) ** 0.5)
