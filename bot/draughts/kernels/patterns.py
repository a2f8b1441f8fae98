"""Patterns: what stands in small regions of the board, looked up and added to a score.

A region is four rows high and two squares wide. What men stand in it is a number of eight digits
in base 3: 0 for no man, 1 for one of the mover's, 2 for one of the other's. Regions overlap, and
there is one at every place: 28 on 50 squares, 15 on 32. Beside them a few terms are counted, such
as the men and the kings. Every weight is a pair, of the full board and of the empty one; between
them it changes evenly with each piece that goes.

Source of the idea: F. Letouzey's Scan, which has larger regions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import Board, Rules, count
from bot.kernels import inlined, inner, kernel

HEIGHT = 4
"""Rows of a region."""

CONTENTS = 3**8
"""Numbers of what can stand in a region."""

TERMS = 5
"""Terms counted beside the regions: men, first king, further kings, kings on the long diagonal,
each the mover's less the other's, and 1 for being on move."""

MEN, FIRST_KING, KINGS, LONG_DIAGONAL, MOVE = range(TERMS)

UNIT = 1000
"""Weights are in thousandths of a man."""

SCORE = 100
"""Scores are in hundredths of a man."""


class Patterns(NamedTuple):
    """A linear evaluation.

    regions: int16[regions, 6561, 2], by place and content; a place is its first row plus the number
    of places in a column of them for each square to the left. terms: int64[5, 2]. diagonal: the
    squares of the long diagonal.
    """

    regions: NDArray[np.int16]
    terms: NDArray[np.int64]
    diagonal: int


@inlined
def full_board(rules: Rules) -> int:
    """Number of pieces at the beginning."""
    return 2 * rules.short * (rules.short - 1)


@inlined
def _digits(squares: int) -> int:
    """Two squares as digits in base 3."""
    return squares + (squares >> 1)


@inlined
def digit_pair(board: Board, row: int, column: int, rules: Rules) -> int:
    """The men on two neighbouring squares of a row as a number below 9."""
    first = row * rules.short + (row >> 1) + column
    own = (board.own_men >> first) & 3
    return _digits(own) + 2 * _digits((board.other_men >> first) & 3)


@inlined
def kings_ahead(board: Board) -> int:
    """1 if only the mover has a king, -1 if only the other, else 0."""
    return int(board.own_kings != 0) - int(board.other_kings != 0)


@inner
def evaluation(board: Board, rules: Rules, patterns: Patterns) -> int:
    """Score of a board for the mover, in hundredths of a man."""
    full, empty = 0, 0
    rows = 2 * rules.short
    places = rows - HEIGHT + 1
    for column in range(rules.short - 1):
        content = 0
        for row in range(rows):
            content = (content * 9 + digit_pair(board, row, column, rules)) % CONTENTS
            if row >= HEIGHT - 1:
                place = column * places + row - HEIGHT + 1
                full += int(patterns.regions[place, content, 0])
                empty += int(patterns.regions[place, content, 1])
    men = count(board.own_men) - count(board.other_men)
    first = kings_ahead(board)
    kings = count(board.own_kings) - count(board.other_kings) - first
    along = count(board.own_kings & patterns.diagonal) - count(
        board.other_kings & patterns.diagonal
    )
    terms = patterns.terms
    full += men * int(terms[MEN, 0]) + first * int(terms[FIRST_KING, 0]) + int(terms[MOVE, 0])
    full += kings * int(terms[KINGS, 0]) + along * int(terms[LONG_DIAGONAL, 0])
    empty += men * int(terms[MEN, 1]) + first * int(terms[FIRST_KING, 1]) + int(terms[MOVE, 1])
    empty += kings * int(terms[KINGS, 1]) + along * int(terms[LONG_DIAGONAL, 1])
    whole = full_board(rules)
    pieces = count(board.own_men | board.own_kings | board.other_men | board.other_kings)
    pieces = min(pieces, whole)
    return (full * pieces + empty * (whole - pieces)) * SCORE // (UNIT * whole)


@kernel
def fill_evaluations(
    boards: NDArray[np.int64], rules: Rules, patterns: Patterns, scores: NDArray[np.int64]
) -> None:
    """Set scores[i] to the evaluation of boards[i], int64[n, 4]."""
    for row in range(boards.shape[0]):
        board = Board(
            int(boards[row, 0]), int(boards[row, 1]), int(boards[row, 2]), int(boards[row, 3])
        )
        scores[row] = evaluation(board, rules, patterns)
