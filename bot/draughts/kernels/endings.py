"""Endings: exact values of all boards with few pieces, found backwards from the ends of games.

A table is a row of boards that have the same number of own men, own kings, other's men and other's
kings. A value of 0 is a draw; d, 1 or more, a win in d plies; -d a loss in d - 1 plies. Draws by
counted moves and by repetition are not in it: who can win at all has a win.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import (
    DIRECTIONS,
    FORWARD,
    Board,
    Rules,
    after,
    count,
    index,
    neighbours,
    turned,
)
from bot.draughts.kernels.moves import Jumps, Moves, empty_squares, fill_moves
from bot.kernels import inlined, inner, kernel

IMPOSSIBLE = -128
"""Value of a number that is no board: two pieces on a square, or a man where it would be a king."""

LONGEST = 120
"""Plies that a value can hold."""

NEVER_DUE = 255
"""Distance of a board that is not to be looked at again."""

MAX_PIECES = 4

_LOST = -1


class Endings(NamedTuple):
    """Tables of endings.

    values: int8[n], of all tables one after the other. starts: int64[5, 5, 5, 5], by the numbers of
    own men, own kings, other's men and other's kings, first row of a table, -1 where there is none.
    binomials: int64[65, 5], ways to choose some of so many squares. most: pieces of the boards.
    """

    values: NDArray[np.int8]
    starts: NDArray[np.int64]
    binomials: NDArray[np.int64]
    most: int


class Table(NamedTuple):
    """The numbers of own men, own kings, other's men and other's kings."""

    own_men: int
    own_kings: int
    other_men: int
    other_kings: int


@inlined
def piece_count(board: Board) -> int:
    """Number of all pieces."""
    return count(board.own_men | board.own_kings | board.other_men | board.other_kings)


@inlined
def _rank(squares: int, rules: Rules, binomials: NDArray[np.int64]) -> int:
    """The number of a set among those with as many squares, in the combinatorial number system."""
    rank, chosen = 0, 0
    gap = 2 * rules.short + 1
    while squares != 0:
        bit = index(squares & -squares)
        chosen += 1
        rank += int(binomials[bit - bit // gap, chosen])
        squares &= squares - 1
    return rank


@inlined
def _set_of(rank: int, chosen: int, rules: Rules, binomials: NDArray[np.int64]) -> int:
    """The set of so many squares that has a rank."""
    squares = 0
    gap = 2 * rules.short
    square = gap * rules.short
    while chosen > 0:
        square -= 1
        while int(binomials[square, chosen]) > rank:
            square -= 1
        rank -= int(binomials[square, chosen])
        squares |= 1 << (square + square // gap)
        chosen -= 1
    return squares


@inlined
def _square_count(rules: Rules) -> int:
    return 2 * rules.short * rules.short


@inner
def row_of(board: Board, rules: Rules, endings: Endings) -> int:
    """The row of a board among the values, -1 if it is in no table."""
    men, kings = count(board.own_men), count(board.own_kings)
    other_men, other_kings = count(board.other_men), count(board.other_kings)
    start = int(endings.starts[men, kings, other_men, other_kings])
    if start < 0:
        return -1
    ways = endings.binomials[_square_count(rules)]
    rank = _rank(board.own_men, rules, endings.binomials) * int(ways[kings])
    rank = (rank + _rank(board.own_kings, rules, endings.binomials)) * int(ways[other_men])
    rank = (rank + _rank(board.other_men, rules, endings.binomials)) * int(ways[other_kings])
    return start + rank + _rank(board.other_kings, rules, endings.binomials)


@inner
def board_of(rank: int, table: Table, rules: Rules, endings: Endings) -> Board:
    """The board of a rank in a table; pieces may stand on each other."""
    binomials = endings.binomials
    squares = _square_count(rules)
    ways = int(binomials[squares, table.other_kings])
    other_kings = _set_of(rank % ways, table.other_kings, rules, binomials)
    rank //= ways
    ways = int(binomials[squares, table.other_men])
    other_men = _set_of(rank % ways, table.other_men, rules, binomials)
    rank //= ways
    ways = int(binomials[squares, table.own_kings])
    own_kings = _set_of(rank % ways, table.own_kings, rules, binomials)
    own_men = _set_of(rank // ways, table.own_men, rules, binomials)
    return Board(own_men, own_kings, other_men, other_kings)


@inlined
def _is_possible(board: Board, table: Table, rules: Rules) -> bool:
    pieces = table.own_men + table.own_kings + table.other_men + table.other_kings
    near = rules.far << (rules.bits - rules.short)
    men_stand = board.own_men & rules.far == 0 and board.other_men & near == 0
    return men_stand and piece_count(board) == pieces


@inner
def ending_value(board: Board, rules: Rules, endings: Endings) -> int:
    """Value of a board with few enough pieces; see Endings."""
    if board.own_men | board.own_kings == 0:
        return _LOST
    return int(endings.values[row_of(board, rules, endings)])


@inner
def value_of_moves(board: Board, rules: Rules, endings: Endings, moves: Moves, jumps: Jumps) -> int:
    """Value of a board as far as it follows from the values after its moves."""
    number = fill_moves(board, rules, moves, jumps)
    shortest, longest, is_lost = LONGEST + 1, -1, True
    for row in range(number):
        start, end = int(moves[row, 0]), int(moves[row, 1])
        child = after(board, start, end, int(moves[row, 2]), rules)
        value = ending_value(child, rules, endings)
        if value < 0:
            shortest = min(shortest, -value)
        is_lost = is_lost and value > 0
        longest = max(longest, value)
    if shortest <= LONGEST:
        return shortest
    return -(longest + 2) if is_lost else 0


@inlined
def _touch(
    board: Board, distance: int, rules: Rules, endings: Endings, due: NDArray[np.uint8]
) -> None:
    """Make the boards due from which a move that takes nothing may have led here."""
    before = turned(board, rules)
    empty = empty_squares(before, rules)
    for direction in range(DIRECTIONS):
        pieces = before.own_kings
        if direction >= FORWARD:
            pieces |= before.own_men
        while pieces != 0:
            piece = pieces & -pieces
            pieces ^= piece
            is_king = before.own_kings & piece != 0
            start = neighbours(piece, direction, rules)
            while start & empty != 0:
                if is_king:
                    kings = (before.own_kings ^ piece) | start
                    came = Board(before.own_men, kings, before.other_men, before.other_kings)
                else:
                    men = (before.own_men ^ piece) | start
                    came = Board(men, before.own_kings, before.other_men, before.other_kings)
                row = row_of(came, rules, endings)
                if due[row] > distance:
                    due[row] = distance
                start = neighbours(start, direction, rules) if is_king else 0


@inlined
def _start_and_size(table: Table, rules: Rules, endings: Endings) -> tuple[int, int]:
    """The first row of a table, and how many it has."""
    ways = endings.binomials[_square_count(rules)]
    size = int(ways[table.own_men] * ways[table.own_kings])
    size *= int(ways[table.other_men] * ways[table.other_kings])
    start = endings.starts[table.own_men, table.own_kings, table.other_men, table.other_kings]
    return int(start), size


@kernel
def begin_table(table: Table, rules: Rules, endings: Endings, due: NDArray[np.uint8]) -> None:
    """Mark the numbers of a table that are no boards, and make all others due at once.

    due: uint8[n], the distance at which a board is looked at next, NEVER_DUE for none.
    """
    start, size = _start_and_size(table, rules, endings)
    for rank in range(size):
        board = board_of(rank, table, rules, endings)
        if _is_possible(board, table, rules):
            due[start + rank] = 0
        else:
            endings.values[start + rank] = IMPOSSIBLE


@kernel
def go_back(
    table: Table,
    distance: int,
    rules: Rules,
    endings: Endings,
    due: NDArray[np.uint8],
    moves: Moves,
    jumps: Jumps,
) -> int:
    """Set the values of a table's boards that end at a distance in plies; how many are due later.

    due: see begin_table. A board whose value is known to end later is due then, one before a board
    that is set now a ply from here.
    """
    start, size = _start_and_size(table, rules, endings)
    left = 0
    for rank in range(size):
        row = start + rank
        if due[row] != distance:
            left += due[row] != NEVER_DUE
            continue
        due[row] = NEVER_DUE
        if endings.values[row] != 0:
            continue
        board = board_of(rank, table, rules, endings)
        value = value_of_moves(board, rules, endings, moves, jumps)
        end = value if value > 0 else -value - 1
        if value != 0 and end > distance:
            due[row] = end
            left += 1
        elif value != 0:
            endings.values[row] = value
            _touch(board, distance + 1, rules, endings, due)
            left += 1
    return left


@kernel
def count_wrong(
    table: Table, rules: Rules, endings: Endings, moves: Moves, jumps: Jumps
) -> tuple[int, int]:
    """Number of a table's values, and of those that do not follow from the values after the moves.

    If none is wrong in any table all are right: those that are the end of a game are, then those a
    ply from these, and so on, and what is left is a draw. Each board must be in its own row too.
    """
    start, size = _start_and_size(table, rules, endings)
    checked, wrong = 0, 0
    for rank in range(size):
        value = int(endings.values[start + rank])
        board = board_of(rank, table, rules, endings)
        if not _is_possible(board, table, rules):
            wrong += value != IMPOSSIBLE
            continue
        checked += 1
        is_here = row_of(board, rules, endings) == start + rank
        if not is_here or value_of_moves(board, rules, endings, moves, jumps) != value:
            wrong += 1
    return checked, wrong
