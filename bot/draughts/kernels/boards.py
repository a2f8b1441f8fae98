"""Boards: sets of squares as bits of an integer, always seen by the player to move.

Bits stand along the rows from the far row on: the mover's men go towards bit 0, as White's go
towards square 1. After every two rows one bit is left out, so that the four neighbours of a square
lie four fixed shifts away and whoever leaves the board lands on a bit that is no square. With 10
rows the shifts are 5 and 6 and the board takes 54 bits, with 8 rows 4, 5 and 35.

Source of the layout: the draughts programs of F. Letouzey (Scan) and R. Halbersma (dctl).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.kernels import inlined

Boards = NDArray[np.int64]
"""int64[n, 4]: own men, own kings, the other's men, the other's kings."""

BOARD = 4
"""Length of a row of boards."""

DIRECTIONS = 4
"""Forward to the left and to the right, backward to the left and to the right."""

FORWARD = 2
"""Number of the directions that lead forward; they come first, and 3 - d leads back from d."""


class Board(NamedTuple):
    """Sets of squares: men and kings of the player to move and of the other."""

    own_men: int
    own_kings: int
    other_men: int
    other_kings: int


class Rules(NamedTuple):
    """A variant as kernels see it.

    squares: all squares; far: those on which the mover's man becomes a king. bits: how many the
    board takes. short, long: the shifts to the neighbours. distinct: whether captures of the same
    pieces are one move, as in play; perft counts them apart too. The rest is as in Variant.
    """

    squares: int
    far: int
    bits: int
    short: int
    long: int
    men_capture_backward: bool
    takes_most: bool
    kings_capture_first: bool
    distinct: bool


@inlined
def board_at(boards: Boards, row: int) -> Board:
    """The board in a row."""
    return Board(int(boards[row, 0]), int(boards[row, 1]), int(boards[row, 2]), int(boards[row, 3]))


@inlined
def put_board(board: Board, boards: Boards, row: int) -> None:
    """Write a board into a row."""
    boards[row, 0] = board.own_men
    boards[row, 1] = board.own_kings
    boards[row, 2] = board.other_men
    boards[row, 3] = board.other_kings


@inlined
def count(squares: int) -> int:
    """Number of squares in a set."""
    # The compiler knows this loop as the processor's own count of bits.
    number = 0
    while squares != 0:
        squares &= squares - 1
        number += 1
    return number


@inlined
def index(square: int) -> int:
    """The number of the bit of a set of one square, 0 to rules.bits - 1."""
    return count(square - 1)


@inlined
def reversed_bits(squares: int, bits: int) -> int:
    """The set with bit i at bits - 1 - i, for 32 to 63 bits."""
    squares = ((squares >> 1) & 0x5555555555555555) | ((squares & 0x5555555555555555) << 1)
    squares = ((squares >> 2) & 0x3333333333333333) | ((squares & 0x3333333333333333) << 2)
    squares = ((squares >> 4) & 0x0F0F0F0F0F0F0F0F) | ((squares & 0x0F0F0F0F0F0F0F0F) << 4)
    squares = ((squares >> 8) & 0x00FF00FF00FF00FF) | ((squares & 0x00FF00FF00FF00FF) << 8)
    low = ((squares >> 16) & 0xFFFF) | ((squares & 0xFFFF) << 16)
    high = ((squares >> 48) & 0xFFFF) | (((squares >> 32) & 0xFFFF) << 16)
    return (low << (bits - 32)) | (high >> (64 - bits))


@inlined
def turned(board: Board, rules: Rules) -> Board:
    """The board as the other player sees it: turned by half a turn, who moves and who waits."""
    return Board(
        reversed_bits(board.other_men, rules.bits),
        reversed_bits(board.other_kings, rules.bits),
        reversed_bits(board.own_men, rules.bits),
        reversed_bits(board.own_kings, rules.bits),
    )


@inlined
def neighbours(squares: int, direction: int, rules: Rules) -> int:
    """The next bits in a direction, 0 to 3; some may be no squares."""
    if direction < FORWARD:
        return squares >> (rules.long if direction == 0 else rules.short)
    return squares << (rules.short if direction == FORWARD else rules.long)


@inlined
def after(board: Board, start: int, end: int, captured: int, rules: Rules) -> Board:
    """The board after a move, as the other player sees it; the move is three sets of squares."""
    own_men, own_kings = board.own_men, board.own_kings
    if own_kings & start != 0:
        own_kings = (own_kings ^ start) | end
    elif end & rules.far != 0:
        own_men, own_kings = own_men ^ start, own_kings | end
    else:
        own_men = (own_men ^ start) | end
    left = ~captured
    moved = Board(own_men, own_kings, board.other_men & left, board.other_kings & left)
    return turned(moved, rules)
