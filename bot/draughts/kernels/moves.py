"""Every legal move of a board, found without recursion.

A move is a row of three sets: the square it starts from, the one it ends on, the pieces captured.
"""

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import (
    DIRECTIONS,
    FORWARD,
    Board,
    Rules,
    count,
    neighbours,
)
from bot.kernels import inlined, inner

Moves = NDArray[np.int64]
Jumps = NDArray[np.int64]

MOVE = 3
"""Length of a row of moves: start, end, captured."""

JUMP = 3
"""Length of a row of jumps: piece, direction, all captured so far."""

MAX_MOVES = 512
"""Rows that hold the moves of any position of play.

Steps are 196 at most, as each of 49 empty squares sees four kings at most. Captures have no such
bound: the most found by climbing from random sets of pieces are 253. A move that finds no room is
left out.
"""

MAX_JUMPS = 640
"""Rows that hold any jumps that wait: at most 32 pieces of a 10 x 10 board have a square behind,
and after each jump a king chooses one of 16 turns and the way straight on."""


def new_moves(capacity: int = MAX_MOVES) -> Moves:
    """Room for the moves of one board, int64[capacity, 3]."""
    return np.zeros((capacity, MOVE), np.int64)


def new_jumps() -> Jumps:
    """Workspace for captures: int64[MAX_JUMPS, 3]."""
    return np.zeros((MAX_JUMPS, JUMP), np.int64)


@inlined
def empty_squares(board: Board, rules: Rules) -> int:
    """The set of squares without a piece."""
    pieces = board.own_men | board.own_kings | board.other_men | board.other_kings
    return rules.squares & ~pieces


@inlined
def kings_that_capture(board: Board, rules: Rules) -> int:
    """The set of the mover's kings that can jump."""
    found = 0
    if board.own_kings != 0:
        empty = empty_squares(board, rules)
        others = board.other_men | board.other_kings
        for back in range(DIRECTIONS):
            reached = neighbours(neighbours(empty, back, rules) & others, back, rules)
            while reached != 0:
                found |= reached & board.own_kings
                reached = neighbours(reached & empty, back, rules)
    return found


@inlined
def men_that_capture(board: Board, rules: Rules) -> int:
    """The set of the mover's men that can jump, even where a king must."""
    empty = empty_squares(board, rules)
    others = board.other_men | board.other_kings
    found = 0
    for back in range(DIRECTIONS):
        if back >= FORWARD or rules.men_capture_backward:
            jumped = neighbours(empty, back, rules) & others
            found |= neighbours(jumped, back, rules) & board.own_men
    return found


@inlined
def _jumped(here: int, direction: int, flies: bool, empty: int, prey: int, rules: Rules) -> int:
    """The piece that can be jumped from a square in a direction, as a set; 0 if there is none."""
    piece = neighbours(here, direction, rules)
    while flies and piece & empty != 0:
        piece = neighbours(piece, direction, rules)
    if piece & prey == 0 or neighbours(piece, direction, rules) & empty == 0:
        return 0
    return piece


@inlined
def _push(piece: int, direction: int, captured: int, jumps: Jumps, waiting: int) -> None:
    """Write a jump that waits."""
    jumps[waiting, 0] = piece
    jumps[waiting, 1] = direction
    jumps[waiting, 2] = captured


@inlined
def _write(start: int, end: int, captured: int, moves: Moves, number: int) -> int:
    """Write a move at a number if there is room; the number after it."""
    if number == moves.shape[0]:
        return number
    moves[number, 0] = start
    moves[number, 1] = end
    moves[number, 2] = captured
    return number + 1


@inlined
def _is_known(end: int, captured: int, moves: Moves, since: int, number: int) -> bool:
    """Whether a capture from the same start already stands among the moves since a number."""
    row = since
    while row < number and not (moves[row, 2] == captured and moves[row, 1] == end):
        row += 1
    return row < number


@inner
def _fill_captures_from(
    start: int, flies: bool, board: Board, rules: Rules, moves: Moves, jumps: Jumps, known: int
) -> int:
    """Add the captures by the piece on one square to those known; the number of all.

    Under the majority rule captures of fewer pieces than others are dropped, those known as well.
    """
    empty = empty_squares(board, rules) | start
    others = board.other_men | board.other_kings
    directions = DIRECTIONS if flies or rules.men_capture_backward else FORWARD
    number = since = known
    most = count(int(moves[0, 2])) if known > 0 else 0
    waiting = 0
    for direction in range(directions):
        piece = _jumped(start, direction, flies, empty, others, rules)
        if piece != 0:
            _push(piece, direction, piece, jumps, waiting)
            waiting += 1
    while waiting > 0:
        waiting -= 1
        direction = int(jumps[waiting, 1])
        captured = int(jumps[waiting, 2])
        landing = neighbours(int(jumps[waiting, 0]), direction, rules)
        before = waiting
        square = landing
        while square & empty != 0:
            for onward in range(directions):
                # Straight on is the same jump from every square of the row.
                if onward == 3 - direction or (onward == direction and square != landing):
                    continue
                piece = _jumped(square, onward, flies, empty, others & ~captured, rules)
                if piece != 0:
                    _push(piece, onward, captured | piece, jumps, waiting)
                    waiting += 1
            square = neighbours(square, direction, rules) if flies else 0
        if waiting > before:
            continue
        if rules.takes_most:
            taken = count(captured)
            if taken < most:
                continue
            if taken > most:
                number, since, most = 0, 0, taken
        square = landing
        while square & empty != 0:
            if not (rules.distinct and _is_known(square, captured, moves, since, number)):
                number = _write(start, square, captured, moves, number)
            square = neighbours(square, direction, rules) if flies else 0
    return number


@inlined
def fill_captures(board: Board, rules: Rules, moves: Moves, jumps: Jumps) -> int:
    """Set the first rows of moves to the legal captures; their number, 0 if there is none.

    moves: int64[m, 3]; what finds no room is left out. jumps: workspace.
    """
    number = 0
    kings = kings_that_capture(board, rules)
    while kings != 0:
        number = _fill_captures_from(kings & -kings, True, board, rules, moves, jumps, number)
        kings &= kings - 1
    if number > 0 and rules.kings_capture_first:
        return number
    men = men_that_capture(board, rules)
    while men != 0:
        number = _fill_captures_from(men & -men, False, board, rules, moves, jumps, number)
        men &= men - 1
    return number


@inlined
def fill_steps(board: Board, rules: Rules, moves: Moves) -> int:
    """Set the first rows of moves to the moves that take nothing; their number."""
    empty = empty_squares(board, rules)
    number = 0
    for direction in range(FORWARD):
        ends = neighbours(board.own_men, direction, rules) & empty
        while ends != 0:
            end = ends & -ends
            number = _write(neighbours(end, 3 - direction, rules), end, 0, moves, number)
            ends ^= end
    kings = board.own_kings
    while kings != 0:
        start = kings & -kings
        for direction in range(DIRECTIONS):
            end = neighbours(start, direction, rules)
            while end & empty != 0:
                number = _write(start, end, 0, moves, number)
                end = neighbours(end, direction, rules)
        kings ^= start
    return number


@inlined
def fill_moves(board: Board, rules: Rules, moves: Moves, jumps: Jumps) -> int:
    """Set the first rows of moves to the legal moves; their number, 0 if the mover has lost."""
    number = fill_captures(board, rules, moves, jumps)
    return number if number > 0 else fill_steps(board, rules, moves)


@inlined
def step_count(board: Board, rules: Rules) -> int:
    """Number of the moves that take nothing."""
    empty = empty_squares(board, rules)
    number = 0
    for direction in range(FORWARD):
        number += count(neighbours(board.own_men, direction, rules) & empty)
    for direction in range(DIRECTIONS):
        reached = neighbours(board.own_kings, direction, rules) & empty
        while reached != 0:
            number += count(reached)
            reached = neighbours(reached, direction, rules) & empty
    return number


@inlined
def move_count(board: Board, rules: Rules, moves: Moves, jumps: Jumps) -> int:
    """Number of the legal moves; rows of moves are written over."""
    number = fill_captures(board, rules, moves, jumps)
    return number if number > 0 else step_count(board, rules)
