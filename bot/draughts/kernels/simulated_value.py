"""The simulated value of a board: what stands on it, counted."""

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import Board, Boards, Rules, board_at, count, index
from bot.kernels import inlined, kernel

Worths = NDArray[np.int64]
"""int64[2, bits]: hundredths of a man that an own man, and an own king, is worth on each bit."""

UNITS = 10_000.0
"""Hundredths of a man, and hundredths again, in a value of 1 a piece."""


@inlined
def _worth(squares: int, worths: Worths, kind: int, bits: int, is_own: bool) -> int:
    """Hundredths of a man that the pieces on these squares are worth."""
    total = 0
    while squares != 0:
        bit = index(squares & -squares)
        total += worths[kind, bit if is_own else bits - 1 - bit]
        squares &= squares - 1
    return total


@inlined
def simulated_value(board: Board, rules: Rules, worths: Worths) -> float:
    """The value of a board for the player to move; see bot.draughts.evaluation.simulated_value."""
    balance = (
        _worth(board.own_men, worths, 0, rules.bits, True)
        + _worth(board.own_kings, worths, 1, rules.bits, True)
        - _worth(board.other_men, worths, 0, rules.bits, False)
        - _worth(board.other_kings, worths, 1, rules.bits, False)
    )
    pieces = board.own_men | board.own_kings | board.other_men | board.other_kings
    return balance / (UNITS * max(count(pieces), 1))


@kernel
def fill_simulated_values(
    boards: Boards, rules: Rules, worths: Worths, values: NDArray[np.float64]
) -> None:
    """Set values, float64[n], to the simulated values of boards, int64[n, 4]."""
    for row in range(boards.shape[0]):
        values[row] = simulated_value(board_at(boards, row), rules, worths)
