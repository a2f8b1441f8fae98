"""Table of states: learnt values of boards, found by open addressing, and how they are learnt."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import BOARD, Board, Boards, board_at, put_board
from bot.kernels import inlined, inner, kernel

Values = NDArray[np.float64]
Visits = NDArray[np.int64]

_MASK = 0x7FFFFFFFFFFFFFFF
_FACTOR = 0x1E3779B97F4A7C15


class States(NamedTuple):
    """Boards in a power of 2 of places, some of them free, with value and visits.

    keys: int64[n, 4]; values: for the player to move, -1 to 1; visits: since the first value, 0 in
    a free place.
    """

    keys: Boards
    values: Values
    visits: Visits


def new_states(places: int) -> States:
    """An empty table of so many places, a power of 2."""
    keys = np.zeros((places, BOARD), np.int64)
    return States(keys, np.zeros(places, np.float64), np.zeros(places, np.int64))


@inlined
def _mixed(key: int, squares: int) -> int:
    # Python's numbers do not overflow: the bits that compiled code loses are taken away.
    key = ((key ^ squares) * _FACTOR) & _MASK
    return key ^ (key >> 31)


@inner
def place_of(board: Board, states: States) -> int:
    """The place of a board, or the free one where it would stand."""
    last = states.visits.shape[0] - 1
    key = _mixed(_mixed(0, board.own_men), board.own_kings)
    key = _mixed(_mixed(key, board.other_men), board.other_kings)
    place: int = (key >> 8) & last
    while states.visits[place] != 0 and not (
        states.keys[place, 0] == board.own_men
        and states.keys[place, 1] == board.own_kings
        and states.keys[place, 2] == board.other_men
        and states.keys[place, 3] == board.other_kings
    ):
        place = (place + 1) & last
    return place


@kernel
def fill_known(boards: Boards, states: States, values: Values, visits: Visits) -> None:
    """Set values and visits, [n] each, to those of boards, int64[n, 4]; 0 for unknown ones."""
    for row in range(boards.shape[0]):
        place = place_of(board_at(boards, row), states)
        values[row] = states.values[place] if states.visits[place] > 0 else 0.0
        visits[row] = states.visits[place]


@kernel
def put_states(boards: Boards, values: Values, visits: Visits, states: States) -> None:
    """Write boards with visits, int64[n, 4], and the rest into a table that has room for them."""
    for row in range(boards.shape[0]):
        if visits[row] > 0:
            board = board_at(boards, row)
            place = place_of(board, states)
            put_board(board, states.keys, place)
            states.values[place] = values[row]
            states.visits[place] = visits[row]


@kernel
def learn_game(
    boards: Boards, end: float, discount: float, is_backward: bool, states: States
) -> int:
    """Learn the boards of a game by TD(0); the number of those that were not known before.

    boards: int64[n, 4] before each ply, seen by the player to move; end: what the board after them
    is worth to the player to move there. A board learns the discounted value of its successor, if
    that has one, by 1 / visits. is_backward: whether the last board learns first, so that the end
    reaches all of them at once. There is room for all.
    """
    plies = boards.shape[0]
    added = 0
    for i in range(plies):
        ply = plies - 1 - i if is_backward else i
        target = -discount * end
        if ply < plies - 1:
            later = place_of(board_at(boards, ply + 1), states)
            if states.visits[later] == 0:
                continue
            target = -discount * states.values[later]
        board = board_at(boards, ply)
        place = place_of(board, states)
        if states.visits[place] == 0:
            put_board(board, states.keys, place)
            states.values[place] = 0.0
            added += 1
        states.visits[place] += 1
        states.values[place] += (target - states.values[place]) / states.visits[place]
    return added
