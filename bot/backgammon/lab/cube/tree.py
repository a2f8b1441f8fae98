"""Cube tree: what positions are worth with the cube for money, two plies ahead in all variations.

Both sides are free to double at every turn. Money games without Jacoby and beavers.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.engine.candidates import CUBELESS
from bot.backgammon.engine.nets import nets_of
from bot.backgammon.evaluation.bearoff import known_equities
from bot.backgammon.evaluation.cube import Values, rolled_values, static_values
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.kernels.boards import Boards, points_lost
from bot.backgammon.kernels.cube import CubeTable
from bot.backgammon.kernels.dice import CHANCES, ROLL_COUNT
from bot.backgammon.kernels.expectations import fill_expectations
from bot.backgammon.kernels.outcomes import MONEY
from bot.backgammon.kernels.search import Tools, fill_replies_of, search_tools
from bot.backgammon.rules.outcome import OUTPUTS, Outcomes
from bot.kernels.held import Held

_OTHERS_STATES = [0, 2, 1]
"""The places of the other side's values of a cube centred, owned, and owned by its opponent."""


class CubeTree(NamedTuple):
    """Two plies from n roots on: boards and chances of who is on roll, after every roll's reply.

    roots: [n, ...], chances two plies deep; middles: [n, 21, ...]; ends: [n, 21, 21, ...],
    not used below a middle that is an end itself: a finished game, or one that the table has.
    """

    roots: Boards
    root_chances: Outcomes
    middles: Boards
    middle_chances: Outcomes
    is_end: NDArray[np.bool_]
    ends: Boards
    end_chances: Outcomes


def cube_tree(roots: Boards, evaluator: CompositeEvaluator) -> CubeTree:
    """The tree below these boards, int8[n, 26]; replies are chosen by cubeless equity."""
    tools = search_tools(nets_of(evaluator, None))
    middles, middle_chances = _replies(roots, tools)
    each = middles.reshape(-1, 26)
    is_end = known_equities(each, evaluator.databases)[1]
    is_end |= np.array([points_lost(board) > 0 for board in each], np.bool_)
    is_end = is_end.reshape(middles.shape[:2])
    ends = np.zeros((*middles.shape[:2], ROLL_COUNT, 26), np.int8)
    end_chances = np.zeros((*middles.shape[:2], ROLL_COUNT, OUTPUTS), np.float32)
    ends[~is_end], end_chances[~is_end] = _replies(middles[~is_end], tools)
    middle_chances[~is_end] = _expected_chances(end_chances[~is_end])
    root_chances = _expected_chances(middle_chances)
    return CubeTree(roots, root_chances, middles, middle_chances, is_end, ends, end_chances)


def _replies(boards: Boards, tools: Held[Tools]) -> tuple[Boards, Outcomes]:
    """The best replies to each roll on boards, int8[n, 26]: int8[n, 21, 26], float32[n, 21, 5]."""
    size = (len(boards), ROLL_COUNT)
    replies, chances = np.empty((*size, 26), np.int8), np.empty((*size, OUTPUTS), np.float32)
    is_exact, values = np.empty(size, np.bool_), np.empty((*size, 0))
    fill_replies_of(boards, 0, MONEY, CUBELESS, tools, replies, chances, is_exact, values)
    return replies, chances


def _expected_chances(chances: Outcomes) -> Outcomes:
    """Chances before the roll, float32[n, 5], from those after each, float32[n, 21, 5]."""
    expected: Outcomes = np.empty((len(chances), OUTPUTS), np.float32)
    fill_expectations(chances, expected)
    return expected


def leafless_tree(roots: Boards, chances: Outcomes) -> CubeTree:
    """Roots with chances that need no looking ahead, as the table knows them."""
    nothing = np.empty(0, np.float32)
    no_boards = np.empty(0, np.int8)
    return CubeTree(roots, chances, no_boards, nothing, np.empty(0, np.bool_), no_boards, nothing)


def expected(values: Values) -> Values:
    """Values of rolling, [..., 3], from those of the other side after each roll, [..., 21, 3]."""
    mean: Values = -np.einsum("r,...rs->...s", CHANCES, values[..., _OTHERS_STATES])
    return mean


def looked_ahead(tree: CubeTree, cube: CubeTable) -> Values:
    """Values of rolling at the roots, two plies deep, float64[n, 3]."""
    n = len(tree.roots)
    is_open = ~tree.is_end.ravel()
    middles = tree.middles.reshape(-1, 26)
    values = static_values(middles, tree.middle_chances.reshape(-1, OUTPUTS), 1, cube)
    ends = static_values(
        tree.ends.reshape(-1, ROLL_COUNT, 26)[is_open].reshape(-1, 26),
        tree.end_chances.reshape(-1, ROLL_COUNT, OUTPUTS)[is_open].reshape(-1, OUTPUTS),
        0,
        cube,
    )
    rolled = expected(ends.reshape(-1, ROLL_COUNT, 3))
    doubled = np.minimum(2 * rolled[:, 2], 1)
    rolled[:, :2] = np.maximum(rolled[:, :2], doubled[:, np.newaxis])
    values[is_open] = rolled
    return expected(values.reshape(n, ROLL_COUNT, 3))


def static(tree: CubeTree, cube: CubeTable) -> Values:
    """Static values of rolling at the roots, by their chances two plies deep; float64[n, 3]."""
    return rolled_values(tree.roots, tree.root_chances, 0, cube)
