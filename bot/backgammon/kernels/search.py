"""The walk through the tree of rolls and best replies, level by level without recursion.

A position's chances n plies deep are those over the 21 rolls of the position after the best reply,
n - 1 plies deep, seen by the other player; the reply is chosen 0 plies deep. Source of this way of
counting: GNU Backgammon, eval.c, EvaluatePositionFull.

What a position is worth with the cube goes the same way, for every state of the cube at once: at
each position the player on roll doubles or not, and the other takes or drops (see kernels/cube.py).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import home_numbers
from bot.backgammon.kernels.boards import Boards, fill_copy, points_lost, turn_board
from bot.backgammon.kernels.cube import (
    MAX_STATES,
    CubeTable,
    Values,
    fill_node_values,
    fill_static_values,
    state_count,
)
from bot.backgammon.kernels.dice import DICE, NO_DICE, ROLL_COUNT, roll_number
from bot.backgammon.kernels.expectations import fill_expectation, fill_rolled_value
from bot.backgammon.kernels.memo import Memo, new_memo, recall, remember
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.outcomes import MONEY, Weights
from bot.backgammon.kernels.plays import MAX_PLAYS, STEPS, Keys, Steps, fill_plays
from bot.backgammon.kernels.siblings import (
    Nets,
    SiblingWorkspace,
    best_sibling,
    evaluate_replies,
    prepare_root,
    sibling_workspace,
    take_in_replies,
)
from bot.kernels import ByAddress, inner, kernel
from bot.kernels.held import Held, held

Flags = NDArray[np.bool_]

MAX_PLIES = 3
"""Deepest search; counted as gnubg does, 0 plies evaluate each legal play once."""

SidesWorths = tuple[Weights, Weights]
"""Weights that turn chances into utility: for the root's player on roll, and for the other."""


class SearchWorkspace(NamedTuple):
    """Workspace of one thread's searches.

    The stack of the walk, P = MAX_PLIES deep: boards: int8[P, 26], the position at each depth, seen
    by the player on roll; next_rolls: int64[P], -1 before its replies are known; replies: int8[P,
    21, 26], seen by the other player; outcomes: float32[P, 21, 5], the other player's; values:
    float64[P, 21, MAX_STATES], what each is worth to that player; is_exact: bool[P, 21]; result,
    value: float32[5] and float64[MAX_STATES], of the position that was walked through last. For the
    plays of a roll, see fill_plays: work, after, steps, keys.
    """

    boards: Boards
    next_rolls: NDArray[np.int64]
    replies: Boards
    outcomes: Floats
    values: Values
    is_exact: Flags
    result: Floats
    value: NDArray[np.float64]
    work: Boards
    after: Boards
    steps: Steps
    keys: Keys
    siblings: SiblingWorkspace
    memo: Memo


Tools = tuple[Nets, SearchWorkspace, Any]
"""The nets that evaluate boards, the workspace of one thread that they do it in, and the address of
evaluate_plays for them."""


def search_tools(nets: Nets) -> Held[Tools]:
    """The nets with a new workspace for one thread."""
    workspace = search_workspace(nets)
    address = evaluate_plays_at.address(evaluate_plays, held((nets, workspace, 0)))
    return held((nets, workspace, address))


def search_workspace(nets: Nets) -> SearchWorkspace:
    """A new workspace for one thread, up to 10 MB."""
    return SearchWorkspace(
        np.empty((MAX_PLIES, 26), np.int8),
        np.empty(MAX_PLIES, np.int64),
        np.empty((MAX_PLIES, ROLL_COUNT, 26), np.int8),
        np.empty((MAX_PLIES, ROLL_COUNT, 5), np.float32),
        np.empty((MAX_PLIES, ROLL_COUNT, MAX_STATES)),
        np.empty((MAX_PLIES, ROLL_COUNT), np.bool_),
        np.empty(5, np.float32),
        np.empty(MAX_STATES),
        np.empty(26, np.int8),
        np.empty((MAX_PLAYS, 26), np.int8),
        np.empty((MAX_PLAYS, STEPS), np.int8),
        np.empty(MAX_PLAYS, np.int64),
        sibling_workspace(nets),
        new_memo(),
    )


evaluate_plays_at = ByAddress(
    "int64(int64, int64, int8[::1], UniTuple(float64, 6), boolean)", takes_held=True
)
"""Calls evaluate_plays: most of each kernel that evaluates plays, compiled once for all of them."""


@inner
def evaluate_plays(
    first: int, end: int, board: Boards, worth: Weights, prunes: bool, tools: Held[Tools]
) -> int:
    """Evaluate the plays of the rolls from the first up to the end; how many the last of them has.

    board: int8[26] seen by the player on roll; worth, prunes: see take_in_replies. They are the
    rows of siblings.boards and siblings.evaluated, those of a roll told by its siblings.spans; the
    plays of the last roll are in the workspace's after and steps. A roll that cannot be played
    leaves the board as it is; all such rolls have one row.
    """
    nets, workspace, _ = tools.values
    siblings = workspace.siblings
    is_root_calm = prepare_root(board, prunes, nets, siblings)
    stuck = -1  # the first roll that cannot be played
    filled = 0
    plays = 0
    for roll in range(first, end):
        plays = _fill_plays_of_roll(board, roll, workspace)
        if plays == 0 and stuck >= 0:
            fill_copy(siblings.spans[stuck], siblings.spans[roll])
            continue
        if plays == 0:
            stuck = roll
        siblings.spans[roll, 0] = filled
        filled = take_in_replies(
            board,
            is_root_calm,
            workspace.after,
            workspace.steps,
            max(plays, 1),
            filled,
            worth,
            prunes,
            nets,
            siblings,
        )
        siblings.spans[roll, 1] = filled
    evaluate_replies(board, is_root_calm, filled, nets, siblings)
    return int(plays)


@inner
def _fill_plays_of_roll(board: Boards, roll: int, workspace: SearchWorkspace) -> int:
    """Set the workspace's after and steps to the plays of the roll of that number; how many.

    board: int8[26] seen by the mover. If there are none, the first row is the board as it is, and
    that is the one play without dice.
    """
    count = 1
    if roll != NO_DICE:
        count = fill_plays(
            board,
            DICE[roll, 0],
            DICE[roll, 1],
            workspace.work,
            workspace.after,
            workspace.steps,
            workspace.keys,
        )
    if roll == NO_DICE or count == 0:
        fill_copy(board, workspace.after[0])
        for step in range(STEPS):
            workspace.steps[0, step] = -1
    return int(count)


@kernel
def evaluate_roll(board: Boards, high: int, low: int, tools: Held[Tools]) -> int:
    """Evaluate every legal play of the roll, 0 plies deep; their number.

    board: int8[26] seen by the mover; high, low: both 0 for no dice, whose one play leaves the
    board as it is. Leaves the plays in the workspace's after and steps, and in the same rows of its
    siblings.evaluated the other player's chances after each.
    """
    _, _, address = tools.values
    roll = NO_DICE if high == 0 else roll_number(high, low)
    return int(evaluate_plays_at(address, roll, roll + 1, board, MONEY, False, tools))


@inner
def fill_replies(
    board: Boards,
    worth: Weights,
    tools: Held[Tools],
    replies: Boards,
    outcomes: Floats,
    is_exact: Flags,
) -> None:
    """Set the best reply to each of the 21 rolls, and the other player's chances after it.

    board: int8[26] seen by the player on roll; worth: of the game to the other player; replies:
    int8[21, 26] seen by him; outcomes: float32[21, 5], 0 plies deep; is_exact: bool[21]. A roll
    that cannot be played leaves the board as it is.
    """
    _, workspace, address = tools.values
    siblings = workspace.siblings
    evaluate_plays_at(address, 0, ROLL_COUNT, board, worth, True, tools)
    for roll in range(ROLL_COUNT):
        best = best_sibling(siblings.spans[roll, 0], siblings.spans[roll, 1], worth, siblings)
        turn_board(siblings.boards[best], replies[roll])
        fill_copy(siblings.evaluated.outcomes[best], outcomes[roll])
        is_exact[roll] = siblings.evaluated.is_exact[best]


@inner
def _may_be_turned(cube: CubeTable) -> bool:
    """Whether anybody can gain something by a double from the root on."""
    for side in range(2):
        for state in range(state_count(cube)):
            if cube.may_double[side, state]:
                return True
    return False


@kernel
def fill_leaves(
    boards: Boards, outcomes: Floats, side: int, cube: CubeTable, is_exact: Flags, values: Values
) -> None:
    """Set values[i] to what boards[i] is worth to the side, who is on roll, 0 plies deep.

    boards: int8[n, 26]; outcomes: float32[n, 5]; values: float64[n, K] or more columns; is_exact:
    bool[n], whether the chances are known; stays true only where the values are known, too.
    """
    states = state_count(cube)
    if states == 0:
        return
    may_be_turned = _may_be_turned(cube)
    known = cube.bearoffs.shape[0] if cube.is_money else 0
    for i in range(boards.shape[0]):
        fill_static_values(boards[i], outcomes[i], side, cube, values[i])
        if is_exact[i] and may_be_turned and points_lost(boards[i]) == 0:
            own, other = home_numbers(boards[i])
            is_exact[i] = 0 <= own < known and other < known


@kernel
def fill_nodes(rolled: Values, side: int, cube: CubeTable, values: Values) -> None:
    """Set values[i] to what rolling or doubling is worth to the side; float64[n, K] both."""
    for i in range(rolled.shape[0]):
        fill_node_values(rolled[i], side, cube, values[i])


@kernel
def fill_replies_of(
    boards: Boards,
    side: int,
    worth: Weights,
    cube: CubeTable,
    tools: Held[Tools],
    replies: Boards,
    outcomes: Floats,
    is_exact: Flags,
    values: Values,
) -> None:
    """Set replies[i] and the rest to what fill_replies and fill_leaves say at boards[i].

    boards: int8[n, 26]; side: who is on roll there; worth: of a game to the other side; replies,
    outcomes, is_exact, values: as of these, with one axis more.
    """
    for i in range(boards.shape[0]):
        fill_replies(boards[i], worth, tools, replies[i], outcomes[i], is_exact[i])
        fill_leaves(replies[i], outcomes[i], 1 - side, cube, is_exact[i], values[i])


@inner
def _branch(
    depth: int, mover: int, worths: SidesWorths, cube: CubeTable, tools: Held[Tools]
) -> None:
    """Set the replies to every roll at the position of a depth, and all of them 0 plies deep."""
    _, workspace, _ = tools.values
    fill_replies(
        workspace.boards[depth],
        worths[1 - mover],
        tools,
        workspace.replies[depth],
        workspace.outcomes[depth],
        workspace.is_exact[depth],
    )
    fill_leaves(
        workspace.replies[depth],
        workspace.outcomes[depth],
        1 - mover,
        cube,
        workspace.is_exact[depth],
        workspace.values[depth],
    )


@kernel
def fill_lookahead(
    boards: Boards,
    plies: int,
    side: int,
    worths: SidesWorths,
    cube: CubeTable,
    tools: Held[Tools],
    outcomes: Floats,
    rolled: Values,
) -> None:
    """Set outcomes[i] to the chances of the player on roll at boards[i], so many plies deep.

    boards: int8[n, 26]; plies: 1 to MAX_PLIES; side: who is on roll at all boards; cube: of no
    states if only chances matter; outcomes: float32[n, 5]; rolled: float64[n, K], what rolling is
    worth to the side. A finished game is not looked into, nor one of which a bear-off database
    knows all that counts.
    """
    _, workspace, _ = tools.values
    result, value = workspace.result, workspace.value[: state_count(cube)]
    next_rolls = workspace.next_rolls
    for i in range(boards.shape[0]):
        depth = 0
        fill_copy(boards[i], workspace.boards[0])
        next_rolls[0] = -1
        # Each turn of the loop goes down to the next reply that is worth a look, or, when the rolls
        # are through, takes what the position has come to up into its parent's row of replies.
        while True:
            left = plies - depth
            mover = (side + depth) % 2
            key = 2 * left + mover
            board = workspace.boards[depth]
            is_met_again = next_rolls[depth] >= 0  # come back from a reply: the memo has no answer
            if is_met_again or not recall(board, key, workspace.memo, result, value):
                if not is_met_again:
                    _branch(depth, mover, worths, cube, tools)
                    # with one ply left the replies as they are evaluated now are the answer
                    next_rolls[depth] = 0 if left > 1 else ROLL_COUNT
                roll = next_rolls[depth]
                while roll < ROLL_COUNT and workspace.is_exact[depth, roll]:
                    roll += 1
                if roll < ROLL_COUNT:
                    next_rolls[depth] = roll + 1
                    fill_copy(workspace.replies[depth, roll], workspace.boards[depth + 1])
                    next_rolls[depth + 1] = -1
                    depth += 1
                    continue
                fill_expectation(workspace.outcomes[depth], result)
                fill_rolled_value(workspace.values[depth], cube, value)
                remember(board, key, workspace.memo, result, value)
            if depth == 0:
                break
            depth -= 1
            roll = next_rolls[depth] - 1  # whose reply this was
            fill_copy(result, workspace.outcomes[depth, roll])
            fill_node_values(value, mover, cube, workspace.values[depth, roll])
        fill_copy(result, outcomes[i])
        fill_copy(value, rolled[i])
