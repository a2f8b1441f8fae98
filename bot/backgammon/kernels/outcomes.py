"""Chances held to what the board allows."""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import CHECKERS, Boards
from bot.kernels import inner

Floats = NDArray[np.float32]


@inner
def clamp_outcomes(board: Boards, checkers: int, outcomes: Floats) -> None:
    """Hold five chances to what the board allows; int8[26], checkers of a side, float32[5].

    Nobody loses a gammon with a checker off, or a backgammon if the checkers have passed each other
    and none is on the bar or in the winner's home. Worse ways to end are no likelier than better.
    """
    own = 0
    other = 0
    own_rearmost = 0
    other_rearmost = 25
    for point in range(26):
        count = int(board[point])
        if count > 0:
            own += count
            own_rearmost = point
        elif count < 0:
            other -= count
            other_rearmost = min(other_rearmost, point)
    has_contact = other_rearmost < own_rearmost
    win = min(max(outcomes[0], np.float32(0.0)), np.float32(1.0))
    outcomes[0] = win
    _clamp_side(outcomes[1:3], win, other == checkers, has_contact or other_rearmost <= 6)
    _clamp_side(
        outcomes[3:5], np.float32(1.0) - win, own == checkers, has_contact or own_rearmost >= 19
    )


@inner
def _clamp_side(chances: Floats, most: float, gammon: bool, backgammon: bool) -> None:
    """Hold the chances of a gammon and a backgammon, float32[2], to those of the whole, most."""
    chances[0] = min(max(chances[0], np.float32(0.0)), most) if gammon else np.float32(0.0)
    chances[1] = (
        min(max(chances[1], np.float32(0.0)), chances[0]) if backgammon else np.float32(0.0)
    )


@inner
def fill_clamped(boards: Boards, outcomes: Floats) -> None:
    """Hold the chances of each board to what it allows; int8[n, 26], float32[n, 5]."""
    for i in range(boards.shape[0]):
        clamp_outcomes(boards[i], CHECKERS, outcomes[i])
