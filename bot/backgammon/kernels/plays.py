"""Every legal play of a position and a roll, found without recursion."""

import math
from random import Random

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import CHECKERS, Boards
from bot.kernels import inlined, inner, kernel

Steps = NDArray[np.int8]
Keys = NDArray[np.int64]

MAX_LEGS = 4
"""Most legs of a play: a double's."""

MAX_PLAYS = math.comb(CHECKERS + MAX_LEGS - 1, MAX_LEGS)
"""Most plays of one roll, 3,060: choices of a double's legs out of a side's checkers, with
repetition."""

STEPS = 2 * MAX_LEGS
"""Length of a row of steps: from and to of each leg."""

_CHANCE = Random(1)  # numpy's own takes longer to import
_OWN_KEYS, _HIT_KEYS = np.array([[_CHANCE.getrandbits(40) for _ in range(26)] for _ in range(2)])


@inlined
def _rearmost(board: Boards, at_most: int) -> int:
    """The mover's highest occupied point at or below the given one; 0 if there is none."""
    point = at_most
    while point > 0 and board[point] <= 0:
        point -= 1
    return point


@inlined
def _landing(board: Boards, source: int, die: int, rearmost: int) -> int:
    """The point on which a checker from source lands with the die; -1 if the rules forbid it."""
    target = source - die
    if target > 0:
        return target if board[target] >= -1 else -1
    if rearmost > 6 or (target < 0 and source < rearmost):
        return -1
    return 0


@inlined
def _move(board: Boards, source: int, target: int) -> bool:
    """Move one checker, hitting a blot; tells whether one was hit."""
    board[source] -= 1
    if target == 0:
        return False
    if board[target] == -1:
        board[target] = 1
        board[0] -= 1
        return True
    board[target] += 1
    return False


@inlined
def _take_back(board: Boards, source: int, target: int, hit: bool) -> None:
    """Undo _move."""
    if target != 0:
        board[target] -= 1
        if hit:
            board[target] = -1
            board[0] += 1
    board[source] += 1


@inlined
def _is_known(board: Boards, key: int, after: Boards, keys: Keys, count: int) -> bool:
    """Whether the board already stands among the first count rows."""
    for i in range(count):
        if keys[i] == key:
            same = True
            for point in range(26):
                if after[i, point] != board[point]:
                    same = False
                    break
            if same:
                return True
    return False


@inner
def _fill_two_dice(
    board: Boards,
    work: Boards,
    first: int,
    second: int,
    after: Boards,
    steps: Steps,
    keys: Keys,
    count: int,
) -> int:
    """Add the plays of two legs, first die first, that are not known yet; the new count.

    board: before the play, work the same. Where plays are known already they are those of the
    second die first: of two checkers that stay on the board, either may have gone first.
    """
    is_again = count > 0
    top = _rearmost(work, 25)
    lowest = 25 if top == 25 else 1
    for source in range(top, lowest - 1, -1):
        if work[source] <= 0:
            continue
        target = _landing(work, source, first, top)
        if target < 0:
            continue
        hit = _move(work, source, target)
        key = _OWN_KEYS[target] - _OWN_KEYS[source]
        if hit:
            key += _HIT_KEYS[target]
        next_top = _rearmost(work, top)
        next_lowest = 25 if next_top == 25 else 1
        for next_source in range(next_top, next_lowest - 1, -1):
            if work[next_source] <= 0:
                continue
            is_free = target > 0 and next_source > second and (source == 25) == (next_source == 25)
            if is_again and is_free and board[next_source] > 0:
                continue
            next_target = _landing(work, next_source, second, next_top)
            if next_target < 0:
                continue
            next_hit = _move(work, next_source, next_target)
            next_key = key + _OWN_KEYS[next_target] - _OWN_KEYS[next_source]
            if next_hit:
                next_key += _HIT_KEYS[next_target]
            if not _is_known(work, next_key, after, keys, count):
                for point in range(26):
                    after[count, point] = work[point]
                keys[count] = next_key
                steps[count, 0] = source
                steps[count, 1] = target
                steps[count, 2] = next_source
                steps[count, 3] = next_target
                for leg in range(4, STEPS):
                    steps[count, leg] = -1
                count += 1
            _take_back(work, next_source, next_target, next_hit)
        _take_back(work, source, target, hit)
    return count


@inner
def _fill_one_die(work: Boards, die: int, after: Boards, steps: Steps) -> int:
    """Fill the plays of a single leg; their number."""
    count = 0
    top = _rearmost(work, 25)
    lowest = 25 if top == 25 else 1
    for source in range(top, lowest - 1, -1):
        if work[source] <= 0:
            continue
        target = _landing(work, source, die, top)
        if target < 0:
            continue
        hit = _move(work, source, target)
        for point in range(26):
            after[count, point] = work[point]
        steps[count, 0] = source
        steps[count, 1] = target
        for leg in range(2, STEPS):
            steps[count, leg] = -1
        count += 1
        _take_back(work, source, target, hit)
    return count


@inner
def _fill_double(work: Boards, die: int, after: Boards, steps: Steps, keys: Keys) -> int:
    """Fill the plays of a double; their number.

    Legs of equal length can always be played from the rearmost source down, and a set of sources
    is met once in that order, so no play comes twice.
    """
    # keys, which tell apart the plays of two dice, are free here for the stack: depth is legs made
    size = MAX_LEGS + 1
    source_at, target_at, hit_at = keys[:size], keys[size : 2 * size], keys[2 * size : 3 * size]
    top_at = keys[3 * size : 4 * size]
    tried_at = keys[4 * size : 5 * size]  # next source to try at this depth, going down
    extended = keys[5 * size : 6 * size]  # whether a leg was found at this depth
    extended[0] = False
    count = 0
    most_legs = 1
    depth = 0
    top_at[0] = _rearmost(work, 25)
    tried_at[0] = top_at[0]
    while depth >= 0:
        found = False
        if depth < MAX_LEGS:
            source = tried_at[depth]
            top = top_at[depth]
            while source > 0 and not (top == 25 and source < 25):
                if work[source] > 0:
                    target = _landing(work, source, die, top)
                    if target >= 0:
                        found = True
                        break
                source -= 1
        if found:
            tried_at[depth] = source - 1
            extended[depth] = True
            source_at[depth] = source
            target_at[depth] = target
            hit_at[depth] = _move(work, source, target)
            depth += 1
            top_at[depth] = _rearmost(work, top)
            tried_at[depth] = source
            extended[depth] = False
            continue
        if extended[depth] == 0 and depth >= most_legs:
            if depth > most_legs:
                most_legs = depth
                count = 0
            for point in range(26):
                after[count, point] = work[point]
            for leg in range(MAX_LEGS):
                steps[count, 2 * leg] = source_at[leg] if leg < depth else -1
                steps[count, 2 * leg + 1] = target_at[leg] if leg < depth else -1
            count += 1
        depth -= 1
        if depth >= 0:
            _take_back(work, source_at[depth], target_at[depth], hit_at[depth] != 0)
    return count


@inner
def fill_plays(
    board: Boards, high: int, low: int, work: Boards, after: Boards, steps: Steps, keys: Keys
) -> int:
    """Fill every legal play of the roll, each resulting board once; their number, 0 for none.

    board: int8[26] seen by the mover; work: int8[26], workspace; after: int8[MAX_PLAYS, 26], boards
    after the play as the mover sees them; steps: int8[MAX_PLAYS, STEPS], from and to of each leg
    (25 bar, 0 off, -1 unused); keys: int64[MAX_PLAYS], workspace.
    """
    for point in range(26):
        work[point] = board[point]
    if high == low:
        return _fill_double(work, high, after, steps, keys)
    count = _fill_two_dice(board, work, high, low, after, steps, keys, 0)
    count = _fill_two_dice(board, work, low, high, after, steps, keys, count)
    if count == 0:
        count = _fill_one_die(work, high, after, steps)
    if count == 0:
        count = _fill_one_die(work, low, after, steps)
    return count


@kernel
def count_plays(boards: Boards, work: Boards, after: Boards, steps: Steps, keys: Keys) -> int:
    """Fill every legal play of all 21 rolls on every board, int8[n, 26]; how many they are.

    Only the plays of the last roll are left in the workspace; see fill_plays.
    """
    total = 0
    for i in range(boards.shape[0]):
        for high in range(1, 7):
            for low in range(1, high + 1):
                total += fill_plays(boards[i], high, low, work, after, steps, keys)
    return total
