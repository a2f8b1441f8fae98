"""Games played out from a position, with what the dice gave or took counted off.

The luck of a roll is the chances after its best play less their mean over the 21 rolls, as the
evaluator sees both. Its expectation is zero whatever the evaluator is worth, so that a result less
the luck of all its rolls is right on average and varies far less. Source of the method: GNU
Backgammon, rollout.c, variance reduction.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import home_numbers
from bot.backgammon.kernels.boards import Boards, fill_copy, points_lost
from bot.backgammon.kernels.dice import CHANCES, DICE, ROLL_COUNT, Generator, next_below
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.search import Flags, SearchWorkspace, fill_plays_of_roll, fill_replies
from bot.backgammon.kernels.siblings import Rater, best_sibling, prepare_root, rate_siblings
from bot.kernels import inner, kernel

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

SHARED_PLIES = 3
NODES = 1 + ROLL_COUNT + ROLL_COUNT**2 + 1
LATER = NODES - 1


class Replies(NamedTuple):
    """Best replies to each roll: at the positions of the first plies, which many trials meet.

    Node 0 is the start, the next 21 are one roll later, the next 441 two rolls; the last node is
    any later position. boards: int8[NODES, 21, 26], seen by the player who is on roll after the
    reply; outcomes: float32[NODES, 21, 5], that player's chances; is_exact: bool[NODES, 21], see
    fill_replies; is_filled: bool[NODES, 21].
    """

    boards: Boards
    outcomes: Floats
    is_exact: Flags
    is_filled: Flags


def no_replies() -> Replies:
    """Room for the replies from one start, half a megabyte, nothing filled yet."""
    return Replies(
        np.empty((NODES, ROLL_COUNT, 26), np.int8),
        np.empty((NODES, ROLL_COUNT, 5), np.float32),
        np.empty((NODES, ROLL_COUNT), np.bool_),
        np.zeros((NODES, ROLL_COUNT), np.bool_),
    )


@inner
def is_settled(board: Boards, known: int) -> bool:
    """Whether a game is over, or both sides bear off and have numbers below known; int8[26]."""
    own, other = home_numbers(board)
    return bool(points_lost(board) > 0 or (0 <= own < known and other < known))


@kernel
def add_luck(outcomes: Floats, roll: int, is_own: bool, lucks: Samples) -> None:
    """Add a roll's luck to that of a trial, float64[5], in each of the five chances.

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
            lucks[1 + (chance + 1) % 4] += luck


@kernel
def add_chances(chances: Floats, is_own: bool, result: Samples) -> None:
    """Add five chances, float32[5], the player's own or the other's, to a result, float64[5]."""
    for chance in range(5):
        if is_own:
            result[chance] += chances[chance]
        elif chance == 0:
            result[0] += 1.0 - chances[0]
        else:
            result[1 + (chance + 1) % 4] += chances[chance]


@kernel
def next_roll(throws: Throws, ply: int, generator: Generator) -> int:
    """Number of the roll, 0 to 20, at a ply of a trial with such first throws, int64[2]."""
    throw = throws[ply] if ply < CHOSEN_THROWS else next_below(generator, THROWS)
    return int(_ROLL_OF_THROW[throw])


@kernel
def _fill_reply(
    board: Boards, roll: int, rater: Rater, room: SearchWorkspace, node: int, replies: Replies
) -> None:
    """Set the best reply to one roll as fill_replies does to all."""
    siblings = room.siblings
    prepare_root(board, rater, siblings)
    count = max(fill_plays_of_roll(board, roll, room), 1)
    rated = rate_siblings(board, room.after, room.steps, count, True, rater, siblings)
    best = best_sibling(rated, rater, siblings)
    play = siblings.picked[best]
    for point in range(26):
        replies.boards[node, roll, point] = -int(room.after[play, 25 - point])
    for chance in range(5):
        replies.outcomes[node, roll, chance] = siblings.outcomes[best, chance]


@kernel
def fill_trials(
    start: Boards,
    throws: Throws,
    generators: Generator,
    most_plies: int,
    known: int,
    is_reduced: bool,
    rater: Rater,
    room: SearchWorkspace,
    replies: Replies,
    results: Samples,
    lucks: Samples,
) -> None:
    """Play games from a position that is not settled, both sides 0 plies deep.

    start: int8[26]; throws: int64[n, 2], the first two of each game, 0 to 35; generators:
    int64[n, 4], of the later ones, changed; most_plies: then the rating counts; known: see
    is_settled; is_reduced: whether the luck is told, else only the play of the roll is looked for;
    replies: kept from call to call of one start and one is_reduced; results, lucks: float64[n, 5],
    the chances of the start's player at the end, certain or from the tables or rated, and the luck
    on the way there.
    """
    board = np.empty(26, np.int8)
    for trial in range(results.shape[0]):
        fill_copy(start, board)
        results[trial, :] = 0.0
        lucks[trial, :] = 0.0
        node = 0
        for ply in range(most_plies):
            roll = next_roll(throws[trial], ply, generators[trial])
            if node == LATER or not replies.is_filled[node, roll]:
                if is_reduced:
                    fill_replies(
                        board,
                        rater,
                        room,
                        replies.boards[node],
                        replies.outcomes[node],
                        replies.is_exact[node],
                    )
                    replies.is_filled[node, :] = True
                else:
                    _fill_reply(board, roll, rater, room, node, replies)
                    replies.is_filled[node, roll] = True
            is_own = ply % 2 == 1
            if is_reduced:
                add_luck(replies.outcomes[node], roll, is_own, lucks[trial])
            fill_copy(replies.boards[node, roll], board)
            if ply == most_plies - 1 or is_settled(board, known):
                add_chances(replies.outcomes[node, roll], is_own, results[trial])
                break
            node = 1 + ROLL_COUNT * node + roll if ply + 1 < SHARED_PLIES else LATER
