"""Games played out with the cube, with what the dice gave or took counted off.

A game is played for the utility of its start's player on roll (see CubeTable): both sides play the
roll, double, take and drop by what positions are worth with the cube. Luck is counted as in
kernels/rollout.py, in this utility.
"""

from typing import NamedTuple

import numpy as np

from bot.backgammon.kernels.bearoff import home_numbers
from bot.backgammon.kernels.boards import Boards, fill_copy, points_lost
from bot.backgammon.kernels.cube import (
    CENTRED,
    CubeTable,
    Values,
    doubled_state,
    fill_rolled_values,
    fill_static_values,
    level_of,
    root_state,
    state_count,
    turned_state,
)
from bot.backgammon.kernels.dice import CHANCES, ROLL_COUNT, Generator
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.rollout import (
    LATER,
    NODES,
    SHARED_PLIES,
    Samples,
    Throws,
    add_chances,
    add_luck,
    next_roll,
)
from bot.backgammon.kernels.search import Flags, SearchWorkspace, fill_plays_of_roll
from bot.backgammon.kernels.siblings import Rater, equity_at, prepare_root, rate_siblings
from bot.kernels import inner, kernel

UTILITY = 5
"""The column of a result that is no chance."""

NO_DOUBLE, TAKEN, DROPPED = range(3)
"""What comes of the right to double."""


class CubefulReplies(NamedTuple):
    """Best replies to each roll at the positions of the first plies; see Replies.

    values: float64[NODES, 21], what is left after each reply to the side that made it, at the cube
    as it stands. Where the cube stands follows from the node.
    """

    boards: Boards
    outcomes: Floats
    values: Values
    is_filled: Flags


def no_cubeful_replies() -> CubefulReplies:
    """Room for the replies from one start, half a megabyte, nothing filled yet."""
    return CubefulReplies(
        np.empty((NODES, ROLL_COUNT, 26), np.int8),
        np.empty((NODES, ROLL_COUNT, 5), np.float32),
        np.empty((NODES, ROLL_COUNT)),
        np.zeros((NODES, ROLL_COUNT), np.bool_),
    )


@inner
def _may_be_doubled(side: int, state: int, cube: CubeTable) -> bool:
    """Whether anybody may double now or later; state as the side sees it."""
    if state == CENTRED:
        return bool(cube.may_double[0, CENTRED] or cube.may_double[1, CENTRED])
    if state % 2 == 1:
        return bool(cube.may_double[side, state])
    return bool(cube.may_double[1 - side, turned_state(state)])


@inner
def is_decided(board: Boards, side: int, state: int, known: int, cube: CubeTable) -> bool:
    """Whether a game is over, or its utility known from the two-sided table; int8[26].

    known: home boards with numbers below are in the table. It knows the cube in money games, in
    matches only games in which it is turned no more.
    """
    if points_lost(board) > 0:
        return True
    own, other = home_numbers(board)
    if own < 0 or own >= known or other >= known:
        return False
    return bool(cube.is_money or not _may_be_doubled(side, state, cube))


@inner
def double_result(
    board: Boards, chances: Floats, side: int, state: int, cube: CubeTable, values: Values
) -> int:
    """Whether the side, who is on roll, doubles, and the other takes; a tie is doubled and taken.

    chances: float32[5] of the side; values: float64[K], filled.
    """
    if not cube.may_double[side, state]:
        return NO_DOUBLE
    fill_rolled_values(board, chances, side, cube, values)
    taken = cube.factor * values[doubled_state(state, cube)]
    drops = cube.utilities[side, level_of(state), 0]
    if min(taken, drops) < values[state]:
        return NO_DOUBLE
    return DROPPED if taken > drops else TAKEN


@inner
def fill_cubeful_reply(
    board: Boards,
    count: int,
    side: int,
    state: int,
    cube: CubeTable,
    rater: Rater,
    room: SearchWorkspace,
    turned: Boards,
    values: Values,
    reply: Boards,
    outcomes: Floats,
) -> float:
    """Set the best of the plays in room.after and the other's chances after it; what it is worth.

    Of plays worth the same, as all that leave the other a cash, the best without the cube.
    board: int8[26], for which prepare_root was called; side, state: who plays, and the cube as he
    sees it; turned, values: scratch, int8[26] and float64[K]; reply: int8[26]; outcomes:
    float32[5].
    """
    siblings = room.siblings
    rated = rate_siblings(board, room.after, room.steps, count, True, rater, siblings)
    others_state = turned_state(state)
    best = 0
    least = np.inf
    for i in range(rated):
        play = siblings.picked[i]
        for point in range(26):
            turned[point] = -int(room.after[play, 25 - point])
        fill_static_values(turned, siblings.outcomes[i], 1 - side, cube, values)
        value = values[others_state]
        is_less = equity_at(siblings.outcomes, i) < equity_at(siblings.outcomes, best)
        if value < least or (value == least and is_less):
            least = value
            best = i
    play = siblings.picked[best]
    for point in range(26):
        reply[point] = -int(room.after[play, 25 - point])
    for chance in range(5):
        outcomes[chance] = siblings.outcomes[best, chance]
    return float(-least)


@kernel
def fill_cubeful_replies(
    board: Boards,
    side: int,
    state: int,
    cube: CubeTable,
    rater: Rater,
    room: SearchWorkspace,
    replies: Boards,
    outcomes: Floats,
    worths: Values,
) -> None:
    """Set the best reply to each of the 21 rolls, the other's chances and what is left after it.

    board: int8[26] seen by the side, who is on roll; state: the cube as he sees it; replies:
    int8[21, 26] and outcomes: float32[21, 5], seen by the other; worths: float64[21], utility of
    the side, 0 plies deep, at the cube as it stands.
    """
    turned = np.empty(26, np.int8)
    values = np.empty(state_count(cube))
    prepare_root(board, rater, room.siblings)
    stuck = -1  # the first roll that cannot be played
    for roll in range(ROLL_COUNT):
        count = fill_plays_of_roll(board, roll, room)
        if count == 0 and stuck >= 0:
            fill_copy(replies[stuck], replies[roll])
            fill_copy(outcomes[stuck], outcomes[roll])
            worths[roll] = worths[stuck]
            continue
        if count == 0:
            stuck = roll
        worths[roll] = fill_cubeful_reply(
            board,
            max(count, 1),
            side,
            state,
            cube,
            rater,
            room,
            turned,
            values,
            replies[roll],
            outcomes[roll],
        )


@inner
def luck_of(worths: Values, roll: int) -> float:
    """What a roll gave, of the utilities left after each of the 21 rolls, float64[21]."""
    mean = 0.0
    for each in range(ROLL_COUNT):
        mean += CHANCES[each] * worths[each]
    return float(worths[roll] - mean)


@kernel
def _fill_node(
    board: Boards,
    node: int,
    roll: int,
    side: int,
    state: int,
    cube: CubeTable,
    is_reduced: bool,
    rater: Rater,
    room: SearchWorkspace,
    turned: Boards,
    values: Values,
    replies: CubefulReplies,
) -> None:
    """Set the best reply at a node to the roll, or to all rolls if the luck is wanted.

    board, side, state: see fill_cubeful_replies; turned, values: see fill_cubeful_reply.
    """
    if is_reduced:
        fill_cubeful_replies(
            board,
            side,
            state,
            cube,
            rater,
            room,
            replies.boards[node],
            replies.outcomes[node],
            replies.values[node],
        )
        replies.is_filled[node, :] = True
        return
    prepare_root(board, rater, room.siblings)
    replies.values[node, roll] = fill_cubeful_reply(
        board,
        max(fill_plays_of_roll(board, roll, room), 1),
        side,
        state,
        cube,
        rater,
        room,
        turned,
        values,
        replies.boards[node, roll],
        replies.outcomes[node, roll],
    )
    replies.is_filled[node, roll] = True


@kernel
def fill_cubeful_trials(
    start: Boards,
    chances: Floats,
    may_double: bool,
    doubles_left: int,
    cube: CubeTable,
    throws: Throws,
    generators: Generator,
    most_plies: int,
    known: int,
    is_reduced: bool,
    rater: Rater,
    room: SearchWorkspace,
    replies: CubefulReplies,
    results: Samples,
    lucks: Samples,
) -> None:
    """Play games from a position that is not decided, both sides 0 plies deep.

    start: int8[26] with the cube at the root of its table; chances: float32[5] of its player on
    roll; may_double: whether he may double before his first roll; doubles_left: so often the cube
    is turned at most; throws, generators, most_plies, known, is_reduced, replies: see fill_trials;
    results, lucks: float64[n, 6], the five chances and the utility of the start's player, and the
    luck in each. Where a double is dropped the game ends; its chances are those it was dropped for.
    """
    board = np.empty(26, np.int8)
    turned = np.empty(26, np.int8)
    seen = np.empty(5, np.float32)
    values = np.empty(state_count(cube))
    for trial in range(results.shape[0]):
        fill_copy(start, board)
        fill_copy(chances, seen)
        results[trial, :] = 0.0
        lucks[trial, :] = 0.0
        node = 0
        side = 0
        state = root_state(cube)
        stake = 1.0  # of the player on roll, below 0 for the other's
        left = doubles_left
        for ply in range(most_plies):
            if left > 0 and (ply > 0 or may_double):
                doubling = double_result(board, seen, side, state, cube, values)
                if doubling == DROPPED:
                    results[trial, UTILITY] = stake * cube.utilities[side, level_of(state), 0]
                    add_chances(seen, side == 0, results[trial])
                    break
                if doubling == TAKEN:
                    state = doubled_state(state, cube)
                    stake *= cube.factor
                    left -= 1
            roll = next_roll(throws[trial], ply, generators[trial])
            if node == LATER or not replies.is_filled[node, roll]:
                _fill_node(
                    board,
                    node,
                    roll,
                    side,
                    state,
                    cube,
                    is_reduced,
                    rater,
                    room,
                    turned,
                    values,
                    replies,
                )
            if is_reduced:
                add_luck(replies.outcomes[node], roll, side == 1, lucks[trial])
                lucks[trial, UTILITY] += stake * luck_of(replies.values[node], roll)
            fill_copy(replies.boards[node, roll], board)
            fill_copy(replies.outcomes[node, roll], seen)
            side = 1 - side
            state = turned_state(state)
            stake = -stake
            if ply == most_plies - 1 or is_decided(board, side, state, known, cube):
                fill_static_values(board, seen, side, cube, values)
                results[trial, UTILITY] = stake * values[state]
                add_chances(seen, side == 0, results[trial])
                break
            node = 1 + ROLL_COUNT * node + roll if ply + 1 < SHARED_PLIES else LATER
