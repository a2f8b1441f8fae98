"""The walk through the tree of rolls and best replies, level by level without recursion.

A position's chances n plies deep are those over the 21 rolls of the position after the best reply,
n - 1 plies deep, seen by the other player; the reply is chosen 0 plies deep. Source of this way of
counting: GNU Backgammon, eval.c, EvaluatePositionFull.

What a position is worth with the cube goes the same way, for every state of the cube at once: at
each position the player on roll doubles or not, and the other takes or drops (see kernels/cube.py).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import home_numbers
from bot.backgammon.kernels.boards import Boards, fill_copy, points_lost
from bot.backgammon.kernels.cube import (
    MAX_STATES,
    CubeTable,
    Values,
    fill_node_values,
    fill_static_values,
    state_count,
)
from bot.backgammon.kernels.dice import DICE, ROLL_COUNT
from bot.backgammon.kernels.expectations import fill_expectation, fill_rolled_value
from bot.backgammon.kernels.memo import Memo, new_memo, recall, remember
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.outcomes import Weights
from bot.backgammon.kernels.plays import MAX_PLAYS, STEPS, Keys, Steps, fill_plays
from bot.backgammon.kernels.siblings import (
    Nets,
    SiblingWorkspace,
    best_sibling,
    evaluate_replies,
    evaluate_siblings,
    prepare_root,
    sibling_workspace,
    take_in_replies,
    with_worth,
)
from bot.kernels import inner, kernel
from bot.kernels.held import Held, held

Flags = NDArray[np.bool_]

MAX_PLIES = 3
"""Deepest search; counted as gnubg does, 0 plies evaluate each legal play once."""

SidesNets = tuple[Nets, Nets]
"""Nets for the root's player on roll and for the other; only the worth of games differs."""

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


Tools = tuple[Nets, SearchWorkspace]
"""The nets that evaluate boards and the workspace of one thread that they do it in."""


def search_tools(nets: Nets) -> Held[Tools]:
    """The nets with a new workspace for one thread."""
    return held((nets, search_workspace(nets)))


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


@kernel
def fill_evaluations(
    board: Boards, high: int, low: int, tools: Held[Tools], outcomes: Floats
) -> int:
    """Evaluate every legal play of the roll, as evaluate_plays does."""
    nets, workspace = tools.values
    return evaluate_plays(board, high, low, nets, workspace, outcomes)


@inner
def evaluate_plays(
    board: Boards, high: int, low: int, nets: Nets, workspace: SearchWorkspace, outcomes: Floats
) -> int:
    """Evaluate every legal play of the roll, 0 plies deep; their number.

    board: int8[26] seen by the mover; high, low: both 0 for no roll, whose one play leaves the
    board as it is; outcomes: float32[MAX_PLAYS, 5], the other player's chances after each play.
    Leaves the plays in the workspace's after and steps, and in the is_exact of siblings.evaluated
    which chances no search can better.
    """
    if high == 0:
        count = _stay(board, workspace)
    else:
        count = fill_plays(
            board, high, low, workspace.work, workspace.after, workspace.steps, workspace.keys
        )
    siblings = workspace.siblings
    evaluate_siblings(board, workspace.after, workspace.steps, count, nets, siblings)
    for i in range(count):
        for chance in range(5):
            outcomes[i, chance] = siblings.evaluated.outcomes[i, chance]
    return int(count)


@inner
def fill_plays_of_roll(board: Boards, roll: int, workspace: SearchWorkspace) -> int:
    """Set the workspace's after and steps to the plays of the roll of that number; how many.

    board: int8[26] seen by the mover. If there are none, the first row is the board as it is.
    """
    count = fill_plays(
        board,
        DICE[roll, 0],
        DICE[roll, 1],
        workspace.work,
        workspace.after,
        workspace.steps,
        workspace.keys,
    )
    if count == 0:
        _stay(board, workspace)
    return int(count)


@inner
def _stay(board: Boards, workspace: SearchWorkspace) -> int:
    """Set the first row of the workspace's after and steps to the board as it is: one play."""
    fill_copy(board, workspace.after[0])
    for step in range(STEPS):
        workspace.steps[0, step] = -1
    return 1


@inner
def evaluate_rolls(
    rolls: tuple[int, int], board: Boards, nets: Nets, workspace: SearchWorkspace
) -> None:
    """Evaluate the plays, all but those pruned, of the rolls from the first up to the end.

    board: int8[26] seen by the player on roll. They are the rows of siblings.boards and
    siblings.evaluated, those of a roll told by its siblings.spans. A roll that cannot be played
    leaves the board as it is; all such rolls have one row.
    """
    siblings = workspace.siblings
    is_root_calm = prepare_root(board, nets, siblings)
    stuck = -1  # the first roll that cannot be played
    filled = 0
    for roll in range(rolls[0], rolls[1]):
        count = fill_plays_of_roll(board, roll, workspace)
        if count == 0 and stuck >= 0:
            fill_copy(siblings.spans[stuck], siblings.spans[roll])
            continue
        if count == 0:
            stuck = roll
            count = 1
        siblings.spans[roll, 0] = filled
        filled = take_in_replies(
            board,
            is_root_calm,
            workspace.after,
            workspace.steps,
            count,
            filled,
            nets,
            siblings,
        )
        siblings.spans[roll, 1] = filled
    evaluate_replies(board, is_root_calm, filled, nets, siblings)


@inner
def fill_replies(
    board: Boards,
    nets: Nets,
    workspace: SearchWorkspace,
    replies: Boards,
    outcomes: Floats,
    is_exact: Flags,
) -> None:
    """Set the best reply to each of the 21 rolls, and the other player's chances after it.

    board: int8[26] seen by the player on roll; replies: int8[21, 26] seen by the other player;
    outcomes: float32[21, 5], 0 plies deep; is_exact: bool[21]. A roll that cannot be played leaves
    the board as it is.
    """
    siblings = workspace.siblings
    evaluate_rolls((0, ROLL_COUNT), board, nets, workspace)
    for roll in range(ROLL_COUNT):
        best = best_sibling(siblings.spans[roll, 0], siblings.spans[roll, 1], nets, siblings)
        for point in range(26):
            replies[roll, point] = -int(siblings.boards[best, 25 - point])
        fill_copy(siblings.evaluated.outcomes[best], outcomes[roll])
        is_exact[roll] = siblings.evaluated.is_exact[best]


@inner
def _is_turned_never(cube: CubeTable) -> bool:
    """Whether nobody can gain anything by a double from the root on."""
    is_never = True
    for side in range(2):
        for state in range(state_count(cube)):
            is_never = is_never and not cube.may_double[side, state]
    return is_never


@kernel
def fill_leaves(
    boards: Boards, outcomes: Floats, side: int, cube: CubeTable, is_exact: Flags, values: Values
) -> None:
    """Set values[i], what boards[i] is worth to the side, who is on roll, 0 plies deep.

    boards: int8[n, 26]; outcomes: float32[n, 5]; values: float64[n, K] or more columns; is_exact:
    bool[n], whether the chances are known, stays true where the values are, too.
    """
    states = state_count(cube)
    if states == 0:
        return
    is_never = _is_turned_never(cube)
    known = cube.bearoffs.shape[0] if cube.is_money else 0
    for i in range(boards.shape[0]):
        fill_static_values(boards[i], outcomes[i], side, cube, values[i])
        if is_exact[i] and not is_never and points_lost(boards[i]) == 0:
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
    nets, workspace = tools.values
    own = with_worth(nets, worth)
    for i in range(boards.shape[0]):
        fill_replies(boards[i], own, workspace, replies[i], outcomes[i], is_exact[i])
        fill_leaves(replies[i], outcomes[i], 1 - side, cube, is_exact[i], values[i])


@inner
def _branch(
    depth: int, mover: int, sides_nets: SidesNets, cube: CubeTable, workspace: SearchWorkspace
) -> None:
    """Set the replies to every roll at the position of a depth, and all of them 0 plies deep."""
    fill_replies(
        workspace.boards[depth],
        sides_nets[1] if mover == 0 else sides_nets[0],
        workspace,
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
    worth to the side. A finished game is not looked into, nor one of which a table knows all that
    counts.
    """
    nets, workspace = tools.values
    sides_nets = (with_worth(nets, worths[0]), with_worth(nets, worths[1]))
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
                    _branch(depth, mover, sides_nets, cube, workspace)
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
