"""Features: what players look at in a position, twenty-four numbers for each side.

All are our own definitions of standard notions. A side's features are computed on its own points,
from 1 to 24, 25 its bar, 0 the other's. Points are bits of masks, so that questions about them
become look-ups: no loop over the board asks anything whose answer would have to be guessed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.inputs import CLASSIC_INPUTS, counting_checkers, counting_points
from bot.backgammon.kernels.phases import phase_by
from bot.kernels import inlined, inner

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
    twelve pips. The second table has for each distance only the blocks on the way, see _on_the_way.
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
    on_the_way = [combined[away, :: 2 << (_REACH - away)] for away in range(1, _REACH + 1)]
    return direct, np.concatenate([np.zeros(1, np.int64), *on_the_way])


_ESCAPES = _escapes()
_DIRECT, _COMBINED = _hitting_throws()

_HALF = 13
"""Bits of half a mask of 26 points, for which there are tables."""
_HALVES = np.arange(1 << _HALF)
_ONES = np.array([int(half).bit_count() for half in _HALVES], np.int8)
_HIGHEST = np.array([max(int(half).bit_length() - 1, 0) for half in _HALVES], np.int8)
_LOWEST = np.array([int(half & -half).bit_length() - 1 for half in _HALVES], np.int8)

_ON_BOARD = (1 << 25) - 2


class _Side(NamedTuple):
    """One side's checkers, all on its own points; bit p of a mask is point p.

    own, made: points with checkers of its own, and with two or more, 1 to 24; other, other_made:
    the same of the other side; further down, sums over its checkers, as the features have them.
    """

    own: int
    made: int
    other: int
    other_made: int
    checkers: int
    pips: int
    stacked: int
    not_home: int
    outside: int
    back: int
    on_rearmost: int


@inner
def _ones(bits: int) -> int:
    """Number of bits that are set, of 36."""
    half = (1 << _HALF) - 1
    ones = int(_ONES[bits & half]) + int(_ONES[(bits >> _HALF) & half])
    return ones + int(_ONES[bits >> (2 * _HALF)])


@inner
def _highest(mask: int) -> int:
    """The highest bit set of 26; 0 if there is none."""
    high = mask >> _HALF
    return int(_HIGHEST[high]) + _HALF if high != 0 else int(_HIGHEST[mask])


@inner
def _lowest(mask: int) -> int:
    """The lowest bit set of 26; there must be one."""
    low = mask & ((1 << _HALF) - 1)
    return int(_LOWEST[low]) if low != 0 else int(_LOWEST[mask >> _HALF]) + _HALF


@inner
def _blocks_ahead(made: int, point: int) -> int:
    """Of the other side's made points, those up to 12 ahead of a point, as an index of tables."""
    return ((made << _REACH) >> point) & ((1 << _REACH) - 1)


@inner
def _on_the_way(blocks: int, distance: int) -> int:
    """An index of _COMBINED: a distance of 1 to 12, and which of the points before it are blocked.

    blocks: of the 12 points ahead. The table is small, as it shares the cache with a network.
    """
    return (1 << (distance - 1)) + (blocks >> (_REACH + 1 - distance))


@inner
def _longest_run(made: int) -> int:
    """Length of the longest run of set bits."""
    length = 0
    while made != 0:
        made &= made >> 1
        length += 1
    return length


_LARGEST = [
    *(15 * 25 / 100, 1, 7 / 6, 15 / 4, 12 / 6, 1, 1, 6, 1, 15 / 5, 7 / 2, 1),
    *(1, 1, 1, 1, 1, 1, 1, 25 / 24, 1, 1, 1, 15 * 19 / 50),
]


def feature_limits() -> NDArray[np.float64]:
    """Each feature's least and largest value, float64[2, 48].

    Only throws times pips may be more, of more blots than games have.
    """
    return np.array([np.zeros(FEATURES), 2 * _LARGEST])


@inlined
def _side_of(board: Boards, sign: int) -> _Side:
    """A side's view of a board, int8[26]; sign 1 for the player on roll, else -1."""
    own = 0
    made = 0
    other = 0
    other_made = 0
    checkers = 0
    pips = 0
    stacked = 0
    not_home = 0
    outside = 0
    back = 0
    for point in range(26):
        count = int(board[point]) if sign == 1 else -int(board[25 - point])
        own |= int(count > 0) << point
        made |= int(count > 1) << point
        other |= int(count < 0) << point
        other_made |= int(count < -1) << point
        count = max(count, 0)
        checkers += count
        pips += count * point
        stacked += max(count - 3, 0)
        not_home += count if point > 6 else 0
        outside += count * max(point - 6, 0)
        back += count if point > 18 else 0
    rearmost = _highest(own)
    on_rearmost = int(board[rearmost]) if sign == 1 else -int(board[25 - rearmost])
    return _Side(
        own,
        made & _ON_BOARD,
        other,
        other_made & _ON_BOARD,
        checkers,
        pips,
        stacked,
        not_home,
        outside,
        back,
        on_rearmost,
    )


@inner
def _hits(side: _Side, rearmost: int) -> tuple[int, int, int]:
    """Throws that hit a blot directly, and at all, as bits; and the throws times what they take."""
    direct_throws = 0
    throws = 0
    value = 0
    sources = side.own if side.own >> 25 == 0 else 1 << 25
    blots = side.other & ~side.other_made & _ON_BOARD & ((1 << rearmost) - 1)
    while blots != 0:
        target = _lowest(blots)
        blots &= blots - 1
        direct = 0
        combined = 0
        hitters = (sources >> (target + 1)) & ((1 << _REACH) - 1)
        while hitters != 0:
            distance = int(_LOWEST[hitters]) + 1
            hitters &= hitters - 1
            direct |= _DIRECT[distance]
            blocks = _blocks_ahead(side.other_made, target + distance)
            combined |= _COMBINED[_on_the_way(blocks, distance)]
        direct_throws |= direct
        throws |= direct | combined
        value += _ones(direct | combined) * target
    return direct_throws, throws, value


@inner
def _fewest_ways(turned: int, other_rearmost: int) -> tuple[int, int]:
    """Throws that take a checker of the other side past a side's points, where they are fewest.

    turned: the side's made points as the other side counts them; other_rearmost: the other side's,
    on the side's points. First over all places it may stand, then from its rearmost checker on.
    """
    fewest = 36
    fewest_behind = 36
    last = 25 - other_rearmost
    for point in range(13, 26):
        ways = int(_ESCAPES[_blocks_ahead(turned, point)])
        fewest = min(fewest, ways)
        fewest_behind = min(fewest_behind, ways if point <= last else 36)
    return fewest, fewest_behind


@inlined
def _fill_side(side: _Side, turned: int, values: NDArray[np.float32], at: int) -> None:
    """Fill one side's features from values[at]; turned: its made points as the other counts."""
    rearmost = _highest(side.own)
    second = rearmost if side.on_rearmost > 1 else _highest(side.own & ~(1 << rearmost))
    other_rearmost = _lowest(side.other) if side.other != 0 else 26
    direct_throws, throws, hit_value = _hits(side, rearmost)
    fewest_zone, fewest_behind = _fewest_ways(turned, other_rearmost)
    home_made = int(_ONES[side.made & 0x7E])
    closed = home_made * home_made / 36.0
    escapes = int(_ESCAPES[_blocks_ahead(side.other_made, rearmost)]) if rearmost > 0 else 0
    second_escapes = int(_ESCAPES[_blocks_ahead(side.other_made, second)]) if second > 0 else 0
    anchors = side.made >> 18
    best_anchor = int(_LOWEST[anchors]) + 18 if anchors != 0 else 25
    values[at] = side.pips / 100.0
    values[at + 1] = home_made / 6.0
    values[at + 2] = _longest_run(side.made) / 6.0
    values[at + 3] = _ones(side.own & ~side.made & _ON_BOARD) / 4.0
    values[at + 4] = side.stacked / 6.0
    values[at + 5] = _ones(direct_throws) / 36.0
    values[at + 6] = _ones(throws) / 36.0
    values[at + 7] = hit_value / 400.0
    values[at + 8] = side.not_home / 15.0
    values[at + 9] = side.back / 5.0
    values[at + 10] = int(_ONES[anchors]) / 2.0
    values[at + 11] = (25 - best_anchor) / 7.0
    values[at + 12] = escapes / 36.0
    values[at + 13] = (escapes / 36.0) ** 2
    values[at + 14] = second_escapes / 36.0
    values[at + 15] = (36 - fewest_zone) / 36.0
    values[at + 16] = (36 - fewest_behind) / 36.0
    values[at + 17] = closed
    values[at + 18] = closed if side.other & 1 else 0.0
    values[at + 19] = max(rearmost - other_rearmost, 0) / 24.0
    values[at + 20] = 1.0 if side.checkers <= 14 else 0.0
    values[at + 21] = 1.0 if side.checkers <= 10 else 0.0
    values[at + 22] = 1.0 if side.checkers <= 5 else 0.0
    values[at + 23] = side.outside / 50.0


@inlined
def fill_features(board: Boards, values: NDArray[np.float32]) -> int:
    """Fill the 48 features of a board, int8[26] seen by the player on roll, that player's first.

    Returns the phase of the game, see phase_of, as all that it asks is at hand.

    For each side: 0 pips; 1 home points made; 2 longest prime; 3 blots; 4 checkers stacked beyond
    three; 5 share of the 36 throws that hit directly, 6 at all within 12 pips, 7 those throws times
    the pips each takes from the other side; 8 checkers not home; 9 in the other's home or on the
    bar; 10 anchors on points 18 to 24; 11 the most advanced of them; 12 throws that take the
    rearmost checker past the points ahead, 13 squared, 14 the same for the checker before it; 15
    throws that hold the other side in the zone at the worst place, 16 from where its rearmost
    checker stands; 17 square of the share of home points closed, 18 with the other on the bar; 19
    depth of contact; 20 to 22 one, five and ten borne off; 23 pips outside home.
    """
    side = _side_of(board, 1)
    other = _side_of(board, -1)
    _fill_side(side, other.other_made, values, 0)
    _fill_side(other, side.other_made, values, FEATURES_PER_SIDE)
    has_contact = side.own >= (side.other & -side.other)
    return phase_by(board, has_contact, side.checkers, other.checkers, side.back, other.back)


_POINTS = np.arange(26)

_SUMS = {
    0: counting_checkers(_POINTS / 100),
    1: counting_points(2, (_POINTS <= 6) / 6),
    3: counting_points(1, np.full(26, 1 / 4)) - counting_points(2, np.full(26, 1 / 4)),
    8: counting_checkers((_POINTS > 6) / 15),
    9: counting_checkers((_POINTS > 18) / 5),
    10: counting_points(2, (_POINTS >= 18) / 2),
    23: counting_checkers(np.maximum(_POINTS - 6, 0) / 50),
}
"""Features of a side that are sums of its classic inputs, with their weights: float64[98]."""

_SUMMED = tuple(_SUMS)


def sums_of_classic() -> NDArray[np.float64]:
    """Weights of the classic inputs that make a feature, none for most: float64[196, 48].

    A network that learns sees such features beside what they are sums of; one that plays need not.
    """
    sums = np.zeros((2, CLASSIC_INPUTS // 2, 2, FEATURES_PER_SIDE))
    for feature, weights in _SUMS.items():
        sums[0, :, 0, feature] = sums[1, :, 1, feature] = weights
    return sums.reshape(CLASSIC_INPUTS, FEATURES)


@inner
def fill_other_features(board: Boards, values: NDArray[np.float32]) -> int:
    """Fill the features that are no sums of classic inputs, zeros for the others; the phase."""
    phase = fill_features(board, values)
    for feature in _SUMMED:
        values[feature] = 0.0
        values[FEATURES_PER_SIDE + feature] = 0.0
    return int(phase)
