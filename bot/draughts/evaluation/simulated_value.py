"""Simulated value: what a position is worth by its pieces alone, when nothing is known about it.

Source: J. Knoflíček, thesis (Brno 2011), known at second hand: a man counts 1 and a king 2, a man
nearer to the far row more, a piece on the edge 1.1 times as much, and the difference of both sides
is divided by the number of men and by 100. The rest is ours: a man gains 0.1 with each row, so that
none is worth a king; all border squares are edge, for kings too; the men divided by are all the
pieces on the board. A value is then -0.022 to 0.022, far below a game that is won, which is 1.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import Boards
from bot.draughts.kernels.simulated_value import UNITS, Worths, fill_simulated_values
from bot.draughts.rules.board import boards_of, kernel_squares, rules_of
from bot.draughts.rules.position import Position, set_of, squares_of
from bot.draughts.rules.variant import Side, Variant

MAN, KING, ROW = 100, 200, 10
"""Hundredths of a man that a man on its first row, a king, and each row further are worth."""

EDGE = 110
"""Hundredths of its worth that a piece on the edge counts."""


@cache
def worths_of(variant: Variant) -> Worths:
    """The worths of the mover's men and kings on each bit of a kernel's board."""
    worths = np.zeros((2, rules_of(variant).bits), np.int64)
    for square in squares_of((1 << variant.squares) - 1):
        row = (square - 1) // variant.row_length
        factor = EDGE if square in edge_of(variant) else 100
        bit = kernel_squares(set_of([square]), variant, Side.WHITE).bit_length() - 1
        worths[0, bit] = (MAN + ROW * (variant.rows - 1 - row)) * factor // 100
        worths[1, bit] = KING * factor // 100
    worths.flags.writeable = False
    return worths


@cache
def edge_of(variant: Variant) -> frozenset[int]:
    """The squares on the border of the board."""
    length, last = variant.row_length, variant.squares
    rows = {*range(1, length + 1), *range(last - length + 1, last + 1)}
    left = range(length + 1, last, 2 * length)
    right = range(length, last, 2 * length)
    return frozenset(rows | {*left} | {*right})


def simulated_values(boards: Boards, variant: Variant) -> NDArray[np.float64]:
    """The simulated values of boards for the player to move; int64[n, 4] in, float64[n] out."""
    values = np.empty(len(boards), np.float64)
    fill_simulated_values(boards, rules_of(variant), worths_of(variant), values)
    return values


def simulated_value(position: Position) -> float:
    """The simulated value of a position for the player to move."""
    return float(simulated_values(boards_of([position]), position.variant)[0])


def men_of(value: float, position: Position) -> float:
    """A value as so many men on the board of a position."""
    pieces = sum(position.pieces(side).bit_count() for side in Side)
    return value * pieces * UNITS / MAN
