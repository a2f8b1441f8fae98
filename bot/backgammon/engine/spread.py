"""Spread: how far a position's equity is spread so many rolls ahead, its volatility."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.rollout_dice import first_throws, generator_of
from bot.backgammon.evaluation.evaluator import Evaluator
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.rollout import THROWS, next_roll
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.position import Position, turned_boards
from bot.backgammon.rules.roll import ROLLS

TRIALS = THROWS**2
"""Games that are played: every pair of first two throws comes once, so that the spreads after one
and two rolls are exact."""

MAX_ROLLS = 20
EDGES = tuple(edge / 4 for edge in range(-6, 7))
"""Edges of the histogram in points; what lies outside is counted in its first and last part."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Cubeless equities of one side once so many rolls are played; float64[n], each as likely."""

    rolls: int
    equities: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """Mean equity: that of looking so far ahead."""
        return float(self.equities.mean())

    @property
    def deviation(self) -> float:
        """Standard deviation of the equity: the volatility."""
        return float(self.equities.std())

    @property
    def shares(self) -> tuple[float, ...]:
        """The part of the equities between two edges each, from the lowest on."""
        inside = np.clip(self.equities, EDGES[0], np.nextafter(EDGES[-1], 0.0))
        counts, _ = np.histogram(inside, EDGES)
        return tuple(float(count) / len(inside) for count in counts)


def spreads(
    position: Position, evaluator: Evaluator, rolls: int, *, seed: int = 1, is_own: bool = True
) -> Sequence[Spread]:
    """The spreads after 1, 2 and so on to so many rolls; plays are the best as seen 0-ply.

    position: seen by the player on roll; is_own: whether equities are his, or the other side's.
    Raises ValueError for other than 1 to MAX_ROLLS rolls.
    """
    if not 1 <= rolls <= MAX_ROLLS:
        raise ValueError(f"equities are spread 1 to {MAX_ROLLS} rolls ahead, not {rolls}")
    player = Engine(evaluator)
    throws = first_throws(seed, 0, TRIALS)
    generators = [generator_of(seed, trial) for trial in range(TRIALS)]
    boards: Boards = np.repeat(position.board[np.newaxis], TRIALS, axis=0)
    equities = cubeless_equities(evaluator.outcomes(boards)).astype(np.float64)
    equities *= 1 if is_own else -1
    goes_on = np.asarray((boards < 0).any(axis=1))  # a play may have ended the game
    found = []
    for ply in range(rolls):
        thrown = [ROLLS[next_roll(throws[i], ply, generators[i])] for i in np.flatnonzero(goes_on)]
        if thrown:
            dice = np.array([(roll.high, roll.low) for roll in thrown], np.int8)
            after = turned_boards(player.boards_chosen(boards[goes_on], dice))
            boards[goes_on] = after
            sign = 1 if (ply % 2 == 1) == is_own else -1
            equities[goes_on] = sign * cubeless_equities(evaluator.outcomes(after))
            goes_on[goes_on] = (after < 0).any(axis=1)
        found.append(Spread(ply + 1, equities.copy()))
    return found
