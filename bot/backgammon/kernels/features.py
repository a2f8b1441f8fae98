"""Features: what players look at in a position, twenty-four numbers for each side.

All are our own definitions of standard notions. A side's features are computed on its own points:
own[p] checkers of its own, other[p] of the other side, p from 1 to 24, 25 its bar, 0 the other's.
Points the other side has made (two or more checkers) are bits of a mask, so that questions about
rolls become look-ups.
"""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.kernels import inner

FEATURES_PER_SIDE = 24
FEATURES = 2 * FEATURES_PER_SIDE

_REACH = 12
"""Points ahead of a checker that a roll other than a double can reach."""


def _throws() -> list[tuple[int, int]]:
    return [(first, second) for first in range(1, 7) for second in range(1, 7)]


_BLOCKS = np.arange(1 << _REACH)
"""Which of the 12 points ahead are blocked; bit k is the point 12 - k pips ahead."""


def _is_free(*steps: int) -> NDArray[np.bool_]:
    """For each index of _BLOCKS whether all points so many pips ahead are free."""
    mask = sum(1 << (_REACH - step) for step in steps)
    free: NDArray[np.bool_] = (_BLOCKS & mask) == 0
    return free


def _escapes() -> NDArray[np.int8]:
    """Of 36 throws, those a checker can play in full, by the blocks ahead.

    Of a double two steps are asked.
    """
    table = np.zeros(len(_BLOCKS), np.int8)
    for first, second in _throws():
        table += _is_free(first + second) & (_is_free(first) | _is_free(second))
    return table


def _hitting_throws() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Throws that reach a blot, as bits: directly by distance; combined by distance and blocks.

    Bit 6 * (first - 1) + second - 1 is a throw. Three and four steps of a double count as far as
    twelve pips.
    """
    direct = np.zeros(_REACH + 1, np.int64)
    combined = np.zeros((_REACH + 1, len(_BLOCKS)), np.int64)
    for number, (first, second) in enumerate(_throws()):
        bit = 1 << number
        for die in {first, second}:
            direct[die] |= bit
        if first != second:
            combined[first + second] |= np.where(_is_free(first) | _is_free(second), bit, 0)
            continue
        for steps in (2, 3, 4):
            if steps * first <= _REACH:
                way = range(first, steps * first, first)
                combined[steps * first] |= np.where(_is_free(*way), bit, 0)
    return direct, combined


_ESCAPES = _escapes()
_DIRECT, _COMBINED = _hitting_throws()


@inner
def _blocks_ahead(made: int, point: int) -> int:
    """Of the other side's made points, those up to 12 ahead of a point, as an index of tables."""
    if point >= 12:
        return (made >> (point - 12)) & 0xFFF
    return (made << (12 - point)) & 0xFFF


@inner
def _ones(bits: int) -> int:
    """How many bits are set, of 36."""
    bits -= (bits >> 1) & 0x555555555
    bits = (bits & 0x333333333) + ((bits >> 2) & 0x333333333)
    bits = (bits + (bits >> 4)) & 0xF0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    bits += bits >> 32
    return bits & 0x3F


@inner
def _longest_run(made: int) -> int:
    """Length of the longest run of set bits."""
    length = 0
    while made != 0:
        made &= made >> 1
        length += 1
    return length


@inner
def _fill_side(board: Boards, sign: int, values: NDArray[np.float32], at: int) -> None:
    """Fill one side's features from values[at]; sign 1 for the player on roll, else -1."""
    made = 0
    other_made = 0
    pips = 0
    outside = 0
    not_home = 0
    back = 0
    blots = 0
    stacked = 0
    checkers = 0
    rearmost = 0
    second = 0
    other_rearmost = 26  # the other side's, on our points
    anchors = 0
    best_anchor = 25
    for place in range(26):
        point = 25 - place
        count = int(board[point]) if sign == 1 else -int(board[place])
        if count > 0:
            if rearmost == 0:
                rearmost = point
                if count > 1:
                    second = point
            elif second == 0:
                second = point
            checkers += count
            pips += count * point
            if point > 6:
                not_home += count
                outside += count * (point - 6)
            if point > 18:
                back += count
            if count > 3:
                stacked += count - 3
            if point < 25:
                if count == 1:
                    blots += 1
                else:
                    made |= 1 << point
                    if point > 17:
                        anchors += 1
                        best_anchor = point
        elif count < 0:
            other_rearmost = point
            if count < -1 and point > 0:
                other_made |= 1 << point
    on_bar = int(board[25]) if sign == 1 else -int(board[0])
    other_on_bar = -int(board[0]) if sign == 1 else int(board[25])

    direct_throws = 0
    throws = 0
    hit_value = 0
    for target in range(max(other_rearmost, 1), min(rearmost, 25)):
        count = int(board[target]) if sign == 1 else -int(board[25 - target])
        if count != -1:
            continue
        direct = 0
        combined = 0
        for source in range(target + 1, min(target + 12, rearmost) + 1):
            if on_bar > 0 and source < 25:
                continue
            has = int(board[source]) if sign == 1 else -int(board[25 - source])
            if has > 0:
                distance = source - target
                direct |= _DIRECT[distance]
                combined |= _COMBINED[distance, _blocks_ahead(other_made, source)]
        direct_throws |= direct
        throws |= direct | combined
        hit_value += _ones(direct | combined) * target

    home_made = _ones(made & 0x7E)
    closed = home_made * home_made / 36.0
    escapes = 0
    second_escapes = 0
    if rearmost > 0:
        escapes = int(_ESCAPES[_blocks_ahead(other_made, rearmost)])
    if second > 0:
        second_escapes = int(_ESCAPES[_blocks_ahead(other_made, second)])

    # the other side's way home, on its own points
    other_view = 0
    for point in range(1, 25):
        if (made >> point) & 1:
            other_view |= 1 << (25 - point)
    fewest_zone = 36
    fewest_behind = 36
    last = 25 - other_rearmost
    for point in range(25, 12, -1):
        ways = int(_ESCAPES[_blocks_ahead(other_view, point)])
        if ways < fewest_zone:
            fewest_zone = ways
        if point <= last and ways < fewest_behind:
            fewest_behind = ways

    depth = rearmost - other_rearmost
    values[at] = pips / 100.0
    values[at + 1] = home_made / 6.0
    values[at + 2] = _longest_run(made) / 6.0
    values[at + 3] = blots / 4.0
    values[at + 4] = stacked / 6.0
    values[at + 5] = _ones(direct_throws) / 36.0
    values[at + 6] = _ones(throws) / 36.0
    values[at + 7] = hit_value / 400.0
    values[at + 8] = not_home / 15.0
    values[at + 9] = back / 5.0
    values[at + 10] = anchors / 2.0
    values[at + 11] = (25 - best_anchor) / 7.0
    values[at + 12] = escapes / 36.0
    values[at + 13] = (escapes / 36.0) ** 2
    values[at + 14] = second_escapes / 36.0
    values[at + 15] = (36 - fewest_zone) / 36.0
    values[at + 16] = (36 - fewest_behind) / 36.0
    values[at + 17] = closed
    values[at + 18] = closed if other_on_bar > 0 else 0.0
    values[at + 19] = max(depth, 0) / 24.0
    values[at + 20] = 1.0 if checkers <= 14 else 0.0
    values[at + 21] = 1.0 if checkers <= 10 else 0.0
    values[at + 22] = 1.0 if checkers <= 5 else 0.0
    values[at + 23] = outside / 50.0


@inner
def fill_features(board: Boards, values: NDArray[np.float32]) -> None:
    """Fill the 48 features of a board, int8[26] seen by the player on roll, that player's first.

    For each side: 0 pips; 1 home points made; 2 longest prime; 3 blots; 4 checkers stacked beyond
    three; 5 share of the 36 throws that hit directly, 6 at all within 12 pips, 7 those throws times
    the pips each takes from the other side; 8 checkers not home; 9 in the other's home or on the
    bar; 10 anchors on points 18 to 24; 11 the most advanced of them; 12 throws that take the
    rearmost checker past the points ahead, 13 squared, 14 the same for the checker before it; 15
    throws that hold the other side in the zone at the worst place, 16 from where its rearmost
    checker stands; 17 square of the share of home points closed, 18 with the other on the bar; 19
    depth of contact; 20 to 22 one, five and ten borne off; 23 pips outside home.
    """
    _fill_side(board, 1, values, 0)
    _fill_side(board, -1, values, FEATURES_PER_SIDE)
