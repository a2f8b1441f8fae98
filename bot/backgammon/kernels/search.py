"""The walk through the tree of rolls and best replies, level by level without recursion.

A position's chances n plies deep are those over the 21 rolls of the position after the best reply,
n - 1 plies deep, seen by the other player; the reply is chosen 0 plies deep. Source of this way of
counting: GNU Backgammon, eval.c, EvaluatePositionFull.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.plays import MAX_PLAYS, STEPS, Keys, Steps, fill_plays
from bot.backgammon.kernels.siblings import (
    Rater,
    SiblingRoom,
    best_sibling,
    prepare_root,
    rate_siblings,
    sibling_room,
)
from bot.kernels import inner

Flags = NDArray[np.bool_]

ROLL_COUNT = 21

_DICE = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], np.int64)
_CHANCES = np.where(_DICE[:, 0] == _DICE[:, 1], 1, 2) / 36

_LEVELS = 3
_SLOTS = 1 << 14
_PROBES = 4


class Memo(NamedTuple):
    """Chances found before, by board and plies; what is there may be written over.

    boards: int8[_SLOTS, 26]; plies: int8[_SLOTS], 0 for an empty slot; outcomes:
    float32[_SLOTS, 5].
    """

    boards: Boards
    plies: NDArray[np.int8]
    outcomes: Floats


class SearchRoom(NamedTuple):
    """Scratch memory of one thread's searches.

    boards: int8[_LEVELS, 26], the position at each level, seen by the player on roll; next_rolls:
    int64[_LEVELS], -1 before its replies are known; replies: int8[_LEVELS, 21, 26], seen by the
    other player; outcomes: float32[_LEVELS, 21, 5], the other player's; is_exact:
    bool[_LEVELS, 21]. For the plays of a roll, see fill_plays: work, after, steps, keys.
    """

    boards: Boards
    next_rolls: NDArray[np.int64]
    replies: Boards
    outcomes: Floats
    is_exact: Flags
    work: Boards
    after: Boards
    steps: Steps
    keys: Keys
    siblings: SiblingRoom
    memo: Memo


def search_room(rater: Rater) -> SearchRoom:
    """New scratch memory for one thread, about 2 MB."""
    return SearchRoom(
        np.empty((_LEVELS, 26), np.int8),
        np.empty(_LEVELS, np.int64),
        np.empty((_LEVELS, ROLL_COUNT, 26), np.int8),
        np.empty((_LEVELS, ROLL_COUNT, 5), np.float32),
        np.empty((_LEVELS, ROLL_COUNT), np.bool_),
        np.empty(26, np.int8),
        np.empty((MAX_PLAYS, 26), np.int8),
        np.empty((MAX_PLAYS, STEPS), np.int8),
        np.empty(MAX_PLAYS, np.int64),
        sibling_room(rater),
        Memo(
            np.empty((_SLOTS, 26), np.int8),
            np.zeros(_SLOTS, np.int8),
            np.empty((_SLOTS, 5), np.float32),
        ),
    )


@inner
def _slot(board: Boards, plies: int, memo: Memo) -> int:
    """The slot of a board, int8[26], or the one to write it to."""
    key = plies
    for point in range(26):
        key = (key * 1000003 + int(board[point])) & 0xFFFFFFFFFFF
        key ^= key >> 17
    first = (key ^ (key >> 13)) % _SLOTS
    for probe in range(_PROBES):
        slot = (first + probe) % _SLOTS
        if memo.plies[slot] == 0:
            return int(slot)
        is_same = memo.plies[slot] == plies
        for point in range(26):
            is_same = is_same and memo.boards[slot, point] == board[point]
        if is_same:
            return int(slot)
    return int(first)


@inner
def _recall(board: Boards, plies: int, memo: Memo, outcomes: Floats) -> bool:
    """Set the chances, float32[5], if they were found before; whether they were."""
    slot = _slot(board, plies, memo)
    is_same = memo.plies[slot] == plies
    for point in range(26):
        is_same = is_same and memo.boards[slot, point] == board[point]
    if is_same:
        for chance in range(5):
            outcomes[chance] = memo.outcomes[slot, chance]
    return bool(is_same)


@inner
def _remember(board: Boards, plies: int, memo: Memo, outcomes: Floats) -> None:
    slot = _slot(board, plies, memo)
    memo.plies[slot] = plies
    for point in range(26):
        memo.boards[slot, point] = board[point]
    for chance in range(5):
        memo.outcomes[slot, chance] = outcomes[chance]


@njit(cache=True, nogil=True)
def fill_ratings(
    board: Boards, high: int, low: int, rater: Rater, room: SearchRoom, outcomes: Floats
) -> int:
    """Rate every legal play of the roll, 0 plies deep; their number.

    board: int8[26] seen by the mover; outcomes: float32[MAX_PLAYS, 5], the other player's chances
    after each play. Leaves the plays in room.after and room.steps, and in room.siblings.is_exact
    which chances no search can better.
    """
    count = fill_plays(board, high, low, room.work, room.after, room.steps, room.keys)
    prepare_root(board, rater, room.siblings)
    rate_siblings(board, room.after, room.steps, count, False, rater, room.siblings)
    for i in range(count):
        for chance in range(5):
            outcomes[i, chance] = room.siblings.outcomes[i, chance]
    return int(count)


@njit(cache=True, nogil=True)
def fill_replies(
    board: Boards,
    rater: Rater,
    room: SearchRoom,
    replies: Boards,
    outcomes: Floats,
    is_exact: Flags,
) -> None:
    """Set the best reply to each of the 21 rolls, and the other player's chances after it.

    board: int8[26] seen by the player on roll; replies: int8[21, 26] seen by the other player;
    outcomes: float32[21, 5], 0 plies deep; is_exact: bool[21]. A roll that cannot be played leaves
    the board as it is.
    """
    siblings = room.siblings
    prepare_root(board, rater, siblings)
    stuck = -1  # the first roll that cannot be played
    for roll in range(ROLL_COUNT):
        count = fill_plays(
            board, _DICE[roll, 0], _DICE[roll, 1], room.work, room.after, room.steps, room.keys
        )
        if count == 0:
            if stuck >= 0:
                replies[roll] = replies[stuck]
                outcomes[roll] = outcomes[stuck]
                is_exact[roll] = is_exact[stuck]
                continue
            stuck = roll
            count = 1
            room.after[0] = board
            room.steps[0] = -1
        rated = rate_siblings(board, room.after, room.steps, count, True, rater, siblings)
        best = best_sibling(rated, rater, siblings)
        play = siblings.picked[best]
        for point in range(26):
            replies[roll, point] = -int(room.after[play, 25 - point])
        for chance in range(5):
            outcomes[roll, chance] = siblings.outcomes[best, chance]
        is_exact[roll] = siblings.is_exact[best]


@inner
def _fill_expectation(replies: Floats, outcomes: Floats) -> None:
    """Set the chances of a player, float32[5], from the other's after each roll, float32[21, 5]."""
    for chance in range(5):
        total = 0.0
        for roll in range(ROLL_COUNT):
            total += _CHANCES[roll] * replies[roll, chance]
        if chance == 0:
            outcomes[0] = 1.0 - total
        else:
            outcomes[1 + (chance + 1) % 4] = total


@njit(cache=True, nogil=True)
def fill_expectations(replies: Floats, outcomes: Floats) -> None:
    """Set outcomes[i], the chances of a player, from those of the other after each roll's reply.

    replies: float32[n, 21, 5]; outcomes: float32[n, 5].
    """
    for i in range(outcomes.shape[0]):
        _fill_expectation(replies[i], outcomes[i])


@njit(cache=True, nogil=True)
def fill_lookahead(
    boards: Boards, plies: int, rater: Rater, room: SearchRoom, outcomes: Floats
) -> None:
    """Set outcomes[i] to the chances of the player on roll at boards[i], so many plies deep.

    boards: int8[n, 26]; plies: 1 to 3; outcomes: float32[n, 5]. A finished game is not
    looked into, nor one whose end a table knows.
    """
    result = np.empty(5, np.float32)
    for i in range(boards.shape[0]):
        level = 0
        room.boards[0] = boards[i]
        room.next_rolls[0] = -1
        while True:
            left = plies - level
            board = room.boards[level]
            if room.next_rolls[level] >= 0 or not _recall(board, left, room.memo, result):
                if room.next_rolls[level] < 0:
                    fill_replies(
                        board,
                        rater,
                        room,
                        room.replies[level],
                        room.outcomes[level],
                        room.is_exact[level],
                    )
                    room.next_rolls[level] = 0 if left > 1 else ROLL_COUNT
                roll = room.next_rolls[level]
                while roll < ROLL_COUNT and room.is_exact[level, roll]:
                    roll += 1
                if roll < ROLL_COUNT:
                    room.next_rolls[level] = roll + 1
                    room.boards[level + 1] = room.replies[level, roll]
                    room.next_rolls[level + 1] = -1
                    level += 1
                    continue
                _fill_expectation(room.outcomes[level], result)
                _remember(board, left, room.memo, result)
            if level == 0:
                break
            level -= 1
            room.outcomes[level, room.next_rolls[level] - 1] = result
        outcomes[i] = result
