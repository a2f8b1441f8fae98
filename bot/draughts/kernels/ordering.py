"""Ordering: which move of a position is looked at first."""

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import Board, count, index
from bot.draughts.kernels.moves import Moves
from bot.kernels import inlined, inner

History = NDArray[np.int64]

SQUARES = 64
"""Numbers of bits; a history has a row for each pair of start and end."""

_TABLE_MOVE = 1 << 40
_CAPTURE = 1 << 32
_KILLER = 1 << 31
_LIMIT = 1 << 24
_ROWS = 1 << 10


@inlined
def step_number(start: int, end: int) -> int:
    """The number of a step, by which histories and killers know it; 1 or more."""
    return index(start) * SQUARES + index(end)


@inlined
def _gain(captured: int, board: Board) -> int:
    """Worth of what a capture takes: a king as much as two men."""
    return count(captured) + count(captured & board.other_kings)


@inner
def fill_order(
    board: Board,
    moves: Moves,
    number: int,
    best: int,
    killers: tuple[int, int],
    history: History,
    order: NDArray[np.int64],
) -> None:
    """Set the first rows of the order to moves by rank, to be taken by next_move.

    best: row of the move that the table tells, -1 if none. killers: numbers of steps.
    """
    for row in range(number):
        rank = 0
        captured = int(moves[row, 2])
        if row == best:
            rank = _TABLE_MOVE
        elif captured != 0:
            rank = _CAPTURE + _gain(captured, board)
        else:
            step = step_number(int(moves[row, 0]), int(moves[row, 1]))
            if step == killers[0]:
                rank = _KILLER + 1
            elif step == killers[1]:
                rank = _KILLER
            else:
                rank = int(history[step]) + _LIMIT
        order[row] = rank * _ROWS + (_ROWS - 1 - row)


@inlined
def row_of(ranked: int) -> int:
    """Row of the move that a number of the order stands for, see fill_order."""
    return _ROWS - 1 - (ranked & (_ROWS - 1))


@inner
def next_move(order: NDArray[np.int64], tried: int, number: int) -> int:
    """Row of the best move that is left, which changes places with the first of those left."""
    best = tried
    for row in range(tried + 1, number):
        if order[row] > order[best]:
            best = row
    chosen = int(order[best])
    order[best] = order[tried]
    order[tried] = chosen
    return int(row_of(chosen))


@inlined
def reward(history: History, step: int, bonus: int) -> None:
    """Move a step up in the history, down if the bonus is below 0; no rank leaves the limit."""
    bonus = max(-_LIMIT // 16, min(bonus, _LIMIT // 16))
    known = int(history[step])
    history[step] = known + bonus - known * abs(bonus) // _LIMIT
