"""Outcome: how a game may end, and how it ended."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import points_lost
from bot.backgammon.rules.position import Position, turned

Outcomes = NDArray[np.float32]
Equities = NDArray[np.float32]
Floating = TypeVar("Floating", np.float32, np.float64)

OUTPUTS = 5
"""Win, gammon win, backgammon win, gammon loss, backgammon loss; each contains the worse ones."""


@dataclass(frozen=True, slots=True)
class Chances:
    """The five chances of the player on roll, 0 to 1; a gammon chance contains the backgammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float

    @property
    def equity(self) -> float:
        """Cubeless money equity, points per game, from -3 to 3."""
        won = self.win + self.win_gammon + self.win_backgammon
        return won - (1 - self.win) - self.lose_gammon - self.lose_backgammon

    def turned(self) -> "Chances":
        """The chances of the other player."""
        return Chances(
            1 - self.win,
            self.lose_gammon,
            self.lose_backgammon,
            self.win_gammon,
            self.win_backgammon,
        )


def chances_of(outcomes: Outcomes) -> Chances:
    """The chances in one row, float32[5]."""
    return Chances(*outcomes.tolist())


def cubeless_equities(outcomes: NDArray[Floating]) -> NDArray[Floating]:
    """Cubeless money equity of each outcome distribution, for the player on roll.

    outcomes: [n, 5], chances of win, gammon win, backgammon win, gammon loss and backgammon loss,
    each containing the worse ones. Returns [n] of the same precision, from -3 to 3.
    Raises ValueError unless there are five columns.
    Source: GNU Backgammon, eval.c, UtilityME.
    """
    if outcomes.ndim != 2 or outcomes.shape[1] != OUTPUTS:
        raise ValueError(f"outcomes have shape (n, 5), not {outcomes.shape}")
    won = 2 * outcomes[:, 0] - 1 + outcomes[:, 1] + outcomes[:, 2]
    equities: NDArray[Floating] = won - outcomes[:, 3] - outcomes[:, 4]
    return equities


def points_won(position: Position) -> int:
    """Points for the player on roll in a finished game at cube 1; 0 while it goes on.

    The player on roll has won when all checkers are off, lost when the other side's are.
    """
    if position.checkers == 0:
        return int(points_lost(turned(position).board))
    return -int(points_lost(position.board))
