"""Phases of the game: for each, a network may have upper layers of its own."""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.kernels import inner, kernel

PHASES = 8
"""A race; a crashed board; else by the checkers back: up to one of the player on roll or more, and
none, one or more of the other's."""

_RACE = 0
_CRASHED = 7
_LEAST_LIVE = 9
"""A side with no more checkers than these that can still move to some purpose has crashed."""


@inner
def phase_of(board: Boards) -> int:
    """The phase of a board, int8[26], on which both have checkers; from 0 to PHASES - 1."""
    own = 0
    other = 0
    checkers = 0
    other_checkers = 0
    for point in range(26):
        count = int(board[point])
        own |= int(count > 0) << point
        other |= int(count < 0) << point
        checkers += max(count, 0)
        other_checkers += max(-count, 0)
    back = 0
    other_back = 0
    for point in range(7):
        back += max(int(board[19 + point]), 0)
        other_back += max(-int(board[point]), 0)
    has_contact = own >= (other & -other)
    return phase_by(board, has_contact, checkers, other_checkers, back, other_back)


@inner
def phase_by(
    board: Boards,
    has_contact: bool,
    checkers: int,
    other_checkers: int,
    back: int,
    other_back: int,
) -> int:
    """The phase of a board whose checkers, and those of them that are back, are counted already.

    Checkers back are on the other side's home points or on the bar. Live ones are on the board, and
    not beyond the second on the player's ace or deuce point.
    """
    if not has_contact:
        return _RACE
    live = checkers - max(int(board[1]) - 2, 0) - max(int(board[2]) - 2, 0)
    other_live = other_checkers - max(-int(board[24]) - 2, 0) - max(-int(board[23]) - 2, 0)
    if min(live, other_live) <= _LEAST_LIVE:
        return _CRASHED
    return 1 + 3 * int(back >= 2) + min(other_back, 2)


@kernel
def fill_phases(boards: Boards, phases: NDArray[np.int64]) -> None:
    """Set phases[i] to the phase of boards[i]; int8[n, 26] in."""
    for i in range(boards.shape[0]):
        phases[i] = phase_of(boards[i])
