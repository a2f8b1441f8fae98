"""Resignation: what a player on roll is sure to lose, and what he may offer without a loss."""

import math

import numpy as np

from bot.backgammon.evaluation.bearoff import known_outcomes
from bot.backgammon.kernels.bearoff import BearoffDatabases, home_numbers
from bot.backgammon.kernels.boards import BAR, CHECKERS, Boards, has_contact
from bot.backgammon.kernels.cube import CubeTable, Values, fill_node_values, level_of

NEVER = 1e-6
"""A chance of less is none."""

_MAX_PIPS = 24
_MAX_LEGS = 4
_HOME = 6
_OTHERS_HOME = 18


def sure_loss(board: Boards, databases: BearoffDatabases) -> tuple[int, int] | None:
    """Fewest and most points, at cube 1, that the player on roll loses; None unless he must lose.

    board: int8[26]. He must if the contact is over, the other side bears off, and its rolls are too
    few even for the best of his own. Nothing is known without bear-off databases.
    """
    if has_contact(board):
        return None
    others = np.minimum(board, 0)
    others[1] = 1  # a position of the databases has checkers of both sides
    number = home_numbers(others)[1]
    if not 0 <= number < len(databases.all_off.fewest):
        return None

    def comes_too_late(rolls: int) -> bool:
        """Whether the other side is off before this one has rolled so often."""
        start, end = databases.all_off.starts[number : number + 2]
        taken = np.arange(end - start) + int(databases.all_off.fewest[number])
        return float(databases.all_off.chances[start:end][taken >= rolls].sum()) < NEVER

    own = np.maximum(board, 0)
    if not comes_too_late(_fewest_rolls(own, 0)):
        return None
    outcomes, is_known = known_outcomes(board[np.newaxis], databases)
    if own.sum() < CHECKERS or (is_known[0] and outcomes[0, 3] < NEVER):
        return 1, 1
    in_others_home = _fewest_rolls(own, _OTHERS_HOME)
    most = 3 if in_others_home > 0 else 2
    if not comes_too_late(_fewest_rolls(own, _HOME, 1)):
        return 1, most
    return 3 if comes_too_late(in_others_home) else 2, most


def _fewest_rolls(own: Boards, border: int, more: int = 0) -> int:
    """Rolls that bring every checker to the border point or below, and so many one pip further."""
    beyond = np.maximum(np.arange(BAR + 1) - border, 0)
    pips = int((own * beyond).sum()) + more
    legs = int(own[border + 1 :].sum()) + more
    return max(math.ceil(pips / _MAX_PIPS), math.ceil(legs / _MAX_LEGS))


def resignation_utility(points: int, cube: CubeTable) -> float:
    """Utility at the root for its player on roll who loses points times the cube, 1 to 3.

    A gammon counts single while the Jacoby rule holds.
    """
    if cube.has_jacoby:
        points = 1
    return float(cube.utilities[0, level_of(cube.root), 2 + points])


def gain_of_accepting(points: int, rolled: Values, cube: CubeTable) -> float:
    """Utility that the other side gains by accepting so many points instead of playing on.

    rolled: float64[K], what rolling is worth to the player on roll, who offers them.
    """
    played_on = np.empty_like(rolled)
    fill_node_values(rolled, 0, cube, played_on)
    return float(played_on[cube.root]) - resignation_utility(points, cube)


def points_to_offer(board: Boards, cube: CubeTable, databases: BearoffDatabases) -> int:
    """For how many points, at cube 1, the player on roll can resign without a loss; 0 for none.

    board: int8[26]. The fewest of those that are worth just what he is sure to lose.
    """
    loss = sure_loss(board, databases)
    if loss is None:
        return 0
    least, most = (resignation_utility(points, cube) for points in loss)
    if abs(least - most) > NEVER:
        return 0
    return next(n for n in (1, 2, 3) if abs(resignation_utility(n, cube) - least) <= NEVER)
