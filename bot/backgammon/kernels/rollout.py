"""Games played out with the cube or without, with what the dice gave or took counted off.

The luck of a roll is what a side has after its best play less the mean of that over the 21 rolls,
as the evaluator sees both. Its expectation is zero whatever the evaluator is worth, so that a
result less the luck of all its rolls is right on average and varies far less. Source of the method:
GNU Backgammon, rollout.c, variance reduction.

A game is played for the utility of its start's player on roll (see CubeTable): both sides play the
roll, double, take and drop by what positions are worth with the cube. A cube table of no states is
no cube: utility is cubeless equity then, and nobody doubles.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import home_numbers
from bot.backgammon.kernels.boards import Boards, fill_copy, points_lost, turn_board
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
from bot.backgammon.kernels.dice import CHANCES, DICE, ROLL_COUNT, Generator, next_below
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.outcomes import MONEY, equity_at
from bot.backgammon.kernels.outputs import turned_output
from bot.backgammon.kernels.search import Flags, SearchWorkspace, Tools, evaluate_plays_at
from bot.backgammon.kernels.siblings import best_sibling
from bot.kernels import inner, kernel
from bot.kernels.held import Held

Samples = NDArray[np.float64]
Throws = NDArray[np.int64]

THROWS = 36
"""Ways in which two dice fall."""

CHOSEN_THROWS = 2
"""So many throws of a trial are given, the others come from its generator."""

_ROLL_OF_THROW = np.array(
    [
        DICE.tolist().index([max(first, second), min(first, second)])
        for first in range(1, 7)
        for second in range(1, 7)
    ],
    np.int64,
)

COLUMNS = 6
"""Numbers counted of a trial: the five chances and the utility."""

UTILITY = 5
"""The column that is no chance."""

NO_DOUBLE, TAKEN, DROPPED = range(3)
"""Outcomes of the right to double."""

SHARED_PLIES = 3
NODES = 1 + ROLL_COUNT + ROLL_COUNT**2 + 1
LATER = NODES - 1


class TrialStart(NamedTuple):
    """The start of trials.

    board: int8[26], not decided (see is_decided), with the cube at the root of its table; chances:
    float32[5] of the player on roll; may_double: whether he may double before his first roll;
    doubles_left: so often the cube is turned at most.
    """

    board: Boards
    chances: Floats
    may_double: bool
    doubles_left: int
    cube: CubeTable


class TrialLimits(NamedTuple):
    """Limits of trials, and whether their luck is told.

    most_plies: then the evaluation counts; known: see is_decided; is_reduced: whether the luck is
    told, else only the play of the roll is looked for.
    """

    most_plies: int
    known: int
    is_reduced: bool


class Replies(NamedTuple):
    """Best replies to each roll: at the positions of the first plies, which many trials meet.

    Node 0 is the start, the next 21 are one roll later, the next 441 two rolls; the last node is
    any later position. boards: int8[NODES, 21, 26], seen by the player who is on roll after the
    reply; outcomes: float32[NODES, 21, 5], that player's chances; values: float64[NODES, 21], the
    utility left to the side that replied, at the cube as it stands, which follows from the node;
    is_filled: bool[NODES, 21]. Those of one node lack the first axis.
    """

    boards: Boards
    outcomes: Floats
    values: Values
    is_filled: Flags


def no_replies(*nodes: int) -> Replies:
    """New replies, nothing filled yet: at NODES, half a megabyte, for trials; at one node if none
    are named.
    """
    shape = (*nodes, ROLL_COUNT)
    return Replies(
        np.empty((*shape, 26), np.int8),
        np.empty((*shape, 5), np.float32),
        np.empty(shape),
        np.zeros(shape, np.bool_),
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
    """Whether a game is over, or its utility known from the two-sided database; int8[26].

    known: home boards with numbers below are in the database. It knows what the cube is worth in
    money games; in matches it serves only where nobody can double any more.
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
    """NO_DOUBLE, TAKEN or DROPPED: what the side on roll does, and the other's answer.

    A tie is doubled and taken.
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


@kernel
def add_luck(outcomes: Floats, roll: int, is_own: bool, lucks: Samples) -> None:
    """Add a roll's luck in each of the five chances to that of a trial, float64[6].

    outcomes: float32[21, 5], chances of who is on roll after each roll's reply; is_own: whether
    that is the player the trial is for.
    """
    for chance in range(5):
        mean = 0.0
        for each in range(ROLL_COUNT):
            mean += CHANCES[each] * outcomes[each, chance]
        luck = outcomes[roll, chance] - mean
        if is_own:
            lucks[chance] += luck
        elif chance == 0:
            lucks[0] -= luck
        else:
            lucks[turned_output(5, chance)] += luck


@kernel
def add_chances(chances: Floats, is_own: bool, result: Samples) -> None:
    """Add five chances, float32[5], the player's own or the other's, to a result, float64[6]."""
    for chance in range(5):
        if is_own:
            result[chance] += chances[chance]
        elif chance == 0:
            result[0] += 1.0 - chances[0]
        else:
            result[turned_output(5, chance)] += chances[chance]


@kernel
def next_roll(throws: Throws, ply: int, generator: Generator) -> int:
    """Number of the roll, 0 to 20, at a ply of a trial with such first throws, int64[2]."""
    throw = throws[ply] if ply < CHOSEN_THROWS else next_below(generator, THROWS)
    return int(_ROLL_OF_THROW[throw])


@inner
def luck_of(worths: Values, roll: int) -> float:
    """The luck of a roll, from the utilities left after each of the 21 rolls, float64[21]."""
    mean = 0.0
    for each in range(ROLL_COUNT):
        mean += CHANCES[each] * worths[each]
    return float(worths[roll] - mean)


@inner
def _best_reply(
    roll: int, side: int, state: int, cube: CubeTable, workspace: SearchWorkspace
) -> tuple[int, float]:
    """The row of the play that leaves the other side least, of a roll, and how much is left to it.

    Rows: of evaluate_plays; side, state: who plays, and the cube as he sees it. Of plays worth the
    same with the cube, as all that leave the other a cash, the best without it.
    """
    siblings = workspace.siblings
    begin, end = siblings.spans[roll, 0], siblings.spans[roll, 1]
    outcomes = siblings.evaluated.outcomes
    if state_count(cube) == 0:
        best = best_sibling(begin, end, MONEY, siblings)
        return best, equity_at(outcomes, best)
    values = workspace.values[0, 0]
    others_state = turned_state(state)
    best = begin
    least = np.inf
    for i in range(begin, end):
        turn_board(siblings.boards[i], siblings.turned)
        fill_static_values(siblings.turned, outcomes[i], 1 - side, cube, values)
        value = values[others_state]
        is_less = equity_at(outcomes, i) < equity_at(outcomes, best)
        if value < least or (value == least and is_less):
            least = value
            best = i
    return best, least


@kernel
def fill_replies_to(
    rolls: tuple[int, int],
    board: Boards,
    side: int,
    state: int,
    cube: CubeTable,
    tools: Held[Tools],
    replies: Replies,
) -> None:
    """Set the best replies to rolls from the first up to the end, 0 plies deep, those of one node.

    board: int8[26] seen by the side, who is on roll; state: the cube as he sees it. A roll that
    cannot be played leaves the board as it is.
    """
    _, workspace, address = tools.values
    siblings = workspace.siblings
    evaluate_plays_at(address, rolls[0], rolls[1], board, MONEY, True, tools)
    for roll in range(rolls[0], rolls[1]):
        replies.is_filled[roll] = True
        best, least = _best_reply(roll, side, state, cube, workspace)
        turn_board(siblings.boards[best], replies.boards[roll])
        fill_copy(siblings.evaluated.outcomes[best], replies.outcomes[roll])
        replies.values[roll] = -least


@kernel
def _replies_at(node: int, replies: Replies) -> Replies:
    """The replies of one node."""
    return Replies(
        replies.boards[node],
        replies.outcomes[node],
        replies.values[node],
        replies.is_filled[node],
    )


@kernel
def fill_trials(
    start: TrialStart,
    limits: TrialLimits,
    throws: Throws,
    generators: Generator,
    tools: Held[Tools],
    replies: Replies,
    trials: Samples,
) -> None:
    """Play games from a start, both sides 0 plies deep.

    throws: int64[n, 2], the first two of each game, 0 to 35; generators: int64[n, 4], of the later
    ones, changed; replies: kept from call to call of one start and one is_reduced; trials:
    float64[2, n, 6], zeros, set to the results - chances and utility of the start's player at the
    end, certain or from the databases or evaluated - and to the luck on the way there. Where a
    double is dropped the game ends; its chances are those it was dropped for.
    """
    cube = start.cube
    _, workspace, _ = tools.values
    board, seen, values = workspace.boards[0], workspace.outcomes[0, 0], workspace.values[0, 0]
    for trial in range(trials.shape[1]):
        result, lucks = trials[0, trial], trials[1, trial]
        fill_copy(start.board, board)
        fill_copy(start.chances, seen)
        node, side, state, left = 0, 0, root_state(cube), start.doubles_left
        stake = 1.0  # of the player on roll, below 0 for the other's
        for ply in range(limits.most_plies):
            if left > 0 and (ply > 0 or start.may_double):
                doubling = double_result(board, seen, side, state, cube, values)
                if doubling == DROPPED:
                    result[UTILITY] = stake * cube.utilities[side, level_of(state), 0]
                    break
                if doubling == TAKEN:
                    state = doubled_state(state, cube)
                    stake *= cube.factor
                    left -= 1
            roll = next_roll(throws[trial], ply, generators[trial])
            found = _replies_at(node, replies)
            if node == LATER or not found.is_filled[roll]:
                rolls = (0, ROLL_COUNT) if limits.is_reduced else (roll, roll + 1)
                fill_replies_to(rolls, board, side, state, cube, tools, found)
            if limits.is_reduced:
                add_luck(found.outcomes, roll, side == 1, lucks)
                lucks[UTILITY] += stake * luck_of(found.values, roll)
            fill_copy(found.boards[roll], board)
            fill_copy(found.outcomes[roll], seen)
            side = 1 - side
            state = turned_state(state)
            if ply == limits.most_plies - 1 or is_decided(board, side, state, limits.known, cube):
                result[UTILITY] = stake * found.values[roll]
                break
            stake = -stake
            node = 1 + ROLL_COUNT * node + roll if ply + 1 < SHARED_PLIES else LATER
        add_chances(seen, side == 0, result)
