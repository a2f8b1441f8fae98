"""Chances held to what the board allows, and what they are worth."""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import CHECKERS, Boards
from bot.kernels import inner

Floats = NDArray[np.float32]

Weights = tuple[float, float, float, float, float, float]
"""Worth of a game to the player on roll: a constant, then what each of the chances adds."""

MONEY: Weights = (-1.0, 2.0, 1.0, 1.0, -1.0, -1.0)
"""Points per game without a cube."""


@inner
def clamp_outcomes(board: Boards, checkers: int, is_after_play: bool, outcomes: Floats) -> None:
    """Hold five chances to what the board allows; int8[26], checkers of a side, float32[5].

    board: seen by the player on roll, or, after a play, by who has made it; the chances are those
    of the player on roll in either case. Nobody loses a gammon with a checker off, or a backgammon
    if the checkers have passed each other and none is on the bar or in the winner's home. Worse
    ways to end are no likelier than better.
    """
    own = 0
    other = 0
    own_checkers = 0
    other_checkers = 0
    for point in range(26):
        count = int(board[point])
        own |= int(count > 0) << point
        other |= int(count < 0) << point
        own_checkers += max(count, 0)
        other_checkers += max(-count, 0)
    has_contact = own >= (other & -other)
    own_gammon, own_backgammon = own_checkers == checkers, has_contact or own >> 19 != 0
    other_gammon, other_backgammon = other_checkers == checkers, has_contact or other & 127 != 0
    win = min(max(outcomes[0], np.float32(0.0)), np.float32(1.0))
    loss = np.float32(1.0) - win
    outcomes[0] = win
    if is_after_play:
        _clamp_side(outcomes[1:3], win, own_gammon, own_backgammon)
        _clamp_side(outcomes[3:5], loss, other_gammon, other_backgammon)
    else:
        _clamp_side(outcomes[1:3], win, other_gammon, other_backgammon)
        _clamp_side(outcomes[3:5], loss, own_gammon, own_backgammon)


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
        clamp_outcomes(boards[i], CHECKERS, False, outcomes[i])


@inner
def equity_at(outcomes: Floats, i: int) -> float:
    """Cubeless equity of the chances in a row of float32[n, 5], for the player they are of."""
    won = 2.0 * outcomes[i, 0] - 1.0 + outcomes[i, 1] + outcomes[i, 2]
    return float(won - outcomes[i, 3] - outcomes[i, 4])


@inner
def worth_at(outcomes: Floats, i: int, worth: Weights) -> float:
    """Worth of the chances in a row of float32[n, 5] to the player they are of."""
    good = worth[0] + worth[1] * outcomes[i, 0] + worth[2] * outcomes[i, 1]
    good += worth[3] * outcomes[i, 2]
    return float(good + worth[4] * outcomes[i, 3] + worth[5] * outcomes[i, 4])
