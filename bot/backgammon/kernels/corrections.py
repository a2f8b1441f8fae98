"""Corrections: chances that networks give, overruled by the rules and the bear-off databases."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import BearoffDatabases, bearoff_outcomes
from bot.backgammon.kernels.boards import Boards, points_lost_of, turn_board
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.outcomes import clamp_outcomes
from bot.backgammon.kernels.plays import MAX_LEGS
from bot.kernels import inner


class Evaluations(NamedTuple):
    """Boards evaluated, a row for each.

    outcomes: float32[n, 5], chances of the player who is on roll then, and flat the same memory in
    one row; is_exact: bool[n], chances that no search can better.
    """

    outcomes: Floats
    flat: Floats
    is_exact: NDArray[np.bool_]


def new_evaluations(most: int) -> Evaluations:
    """A workspace for so many boards."""
    flat = np.empty(5 * most, np.float32)
    return Evaluations(flat.reshape(most, 5), flat, np.empty(most, np.bool_))


@inner
def is_calm(root: Boards, checkers: int) -> bool:
    """Whether no play of one roll can bear a checker off or end the contact, and none is off."""
    own = 0
    other = 0
    other_rearmost = 25
    for point in range(26):
        own += max(int(root[point]), 0)
        other += max(-int(root[point]), 0)
        if root[point] < 0:
            other_rearmost = min(other_rearmost, point)
    # checkers outside home and still in contact, less as many as one roll can move
    staying = -MAX_LEGS
    for point in range(max(other_rearmost, 6) + 1, 26):
        staying += max(int(root[point]), 0)
    return own == checkers and other == checkers and staying > 0


@inner
def correct(
    root: Boards,
    is_root_calm: bool,
    boards: Boards,
    count: int,
    databases: BearoffDatabases,
    checkers: int,
    turned: Boards,
    evaluated: Evaluations,
) -> None:
    """Overrule a network where the rules or the databases know better; sets evaluated.is_exact.

    boards: int8[n, 26], of which the first so many come of plays from the root, as the mover sees
    them; is_root_calm: what is_calm says of it; checkers: of each side in the game; turned:
    int8[26], workspace.
    """
    outcomes, is_exact = evaluated.outcomes, evaluated.is_exact
    if is_root_calm:
        for i in range(count):
            is_exact[i] = False
            outcomes[i, 1] = min(outcomes[i, 1], outcomes[i, 0])
            outcomes[i, 2] = min(outcomes[i, 2], outcomes[i, 1])
            outcomes[i, 3] = min(outcomes[i, 3], np.float32(1.0) - outcomes[i, 0])
            outcomes[i, 4] = min(outcomes[i, 4], outcomes[i, 3])
        return
    own = 0
    other_is_home = True
    for point in range(26):
        own += max(int(root[point]), 0)
        other_is_home = other_is_home and (point >= 19 or root[point] >= 0)
    may_be_known = own <= MAX_LEGS or other_is_home
    for i in range(count):
        is_exact[i] = may_be_known and _set_if_known(
            boards[i], databases, checkers, turned, outcomes[i]
        )
        if not is_exact[i]:
            clamp_outcomes(boards[i], checkers, True, outcomes[i])


@inner
def _set_if_known(
    board: Boards, databases: BearoffDatabases, checkers: int, turned: Boards, outcomes: Floats
) -> bool:
    """Set the chances after a play if the game is over or a database has them; whether so."""
    turn_board(board, turned)
    points = points_lost_of(turned, checkers)
    if points == 0:
        return bool(bearoff_outcomes(turned, databases, outcomes))
    for chance in range(5):
        outcomes[chance] = 0.0
    outcomes[3] = 1.0 if points >= 2 else 0.0
    outcomes[4] = 1.0 if points >= 3 else 0.0
    return True
