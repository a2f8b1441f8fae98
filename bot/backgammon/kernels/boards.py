"""Boards: turning them round, counting them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.kernels import inner, kernel

Boards = NDArray[np.int8]
Counts = NDArray[np.int16]

POINTS = 26
BAR = 25
CHECKERS = 15


@inner
def fill_copy(source: NDArray[Any], copy: NDArray[Any]) -> None:
    """Set copy to source, both of one dimension and as long.

    Written as `copy[:] = source` it takes a second to compile, with all that numba says of shapes
    that differ.
    """
    for i in range(copy.shape[0]):
        copy[i] = source[i]


@inner
def turn_board(board: Boards, turned: Boards) -> None:
    """Set turned to the board as the other player sees it; both int8[26]."""
    for point in range(POINTS):
        turned[point] = -int(board[POINTS - 1 - point])


@kernel
def fill_turned(boards: Boards, turned: Boards) -> None:
    """Set turned[i] to boards[i] as the other player sees it; both int8[n, 26]."""
    for i in range(boards.shape[0]):
        turn_board(boards[i], turned[i])


@kernel
def fill_pip_counts(boards: Boards, counts: Counts) -> None:
    """Set counts[i] to the pip count of boards[i]; int8[n, 26] in, int16[n] filled."""
    for i in range(boards.shape[0]):
        pips = 0
        for point in range(1, 26):
            pips += point * max(int(boards[i, point]), 0)
        counts[i] = pips


@kernel
def first_refused(boards: Boards) -> int:
    """The first board that is no position by its counts; int8[n, 26]. -1 if all are positions."""
    for i in range(boards.shape[0]):
        own = other = 0
        for point in range(POINTS):
            count = int(boards[i, point])
            own += max(count, 0)
            other -= min(count, 0)
        if max(own, other) > CHECKERS or boards[i, 0] > 0 or boards[i, BAR] < 0:
            return i
    return -1


@inner
def side_checkers(board: Boards) -> int:
    """Checkers of the player on roll that are not off; int8[26]."""
    own = 0
    for point in range(1, 26):
        own += max(int(board[point]), 0)
    return own


@kernel
def points_lost(board: Boards) -> int:
    """Points the player on roll has lost on this board: 0 while the other still has checkers.

    board: int8[26] seen by the player on roll. 1, 2 (gammon: none borne off) or 3 (backgammon:
    and one on the bar or in the winner's home).
    """
    return points_lost_of(board, CHECKERS)


@inner
def points_lost_of(board: Boards, checkers: int) -> int:
    """Points lost, see points_lost, in a game in which each side begins with so many checkers."""
    own = 0
    for point in range(26):
        count = int(board[point])
        if count < 0:
            return 0
        own += count
    if own < checkers:
        return 1
    for point in range(19, 26):
        if board[point] > 0:
            return 3
    return 2


@kernel
def has_contact(board: Boards) -> bool:
    """Whether some checker still has to pass one of the other side; int8[26]."""
    rearmost = 25
    while rearmost > 0 and board[rearmost] <= 0:
        rearmost -= 1
    foremost = 0
    while foremost < rearmost and board[foremost] >= 0:
        foremost += 1
    return foremost < rearmost
