"""The networks' inputs, as lists of the few that are not zero, or of the few that change.

The classic inputs come first, and after them the features of a set that has any. Where a classic
input stands and what a checker is worth there is written here alone. Each side has 98 of them, the
player on roll first: for each of its points 1 to 24 whether there is at least one checker, two,
three, and (n - 3) / 2; then bar / 2 and off / 15. Coded exactly they tell of one checker, of two or
more, of three, (n - 3) / 2 from four on, and count bar and off in whole checkers.
Source: Tesauro, Temporal difference learning and TD-Gammon, CACM 38 (1995); the NBG thesis
(Ljubljana 2010), table 3.1, is coded exactly.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import BAR, CHECKERS, Boards
from bot.kernels import ByAddress, inlined, inner

Indices = NDArray[np.int64]
Values = NDArray[np.float32]
Numbers = NDArray[np.float64]

_POINT_INPUTS = 4
_SIDE_INPUTS = 24 * _POINT_INPUTS + 2
CLASSIC_INPUTS = 2 * _SIDE_INPUTS

CUMULATIVE, EXACT = range(2)
"""Codings of the classic inputs."""


def counting_checkers(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of one side's inputs, coded cumulatively, that make so much of each of its checkers.

    worth: float64[26], of a checker on each point, the bar 25; out: float64[98].
    """
    weights = np.zeros(_SIDE_INPUTS)
    # the fourth input of a point and the bar's count checkers by halves
    weights[:-2] = np.outer(worth[1:BAR], [1, 1, 1, 2]).reshape(-1)
    weights[-2] = 2 * worth[BAR]
    return weights


def counting_points(nth: int, worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of one side's inputs that make so much of each point with so many checkers or more.

    nth: 1 to 3; worth: float64[26], of points 1 to 24; out: float64[98].
    """
    weights = np.zeros(_SIDE_INPUTS)
    weights[nth - 1 : -2 : _POINT_INPUTS] = worth[1:BAR]
    return weights


def classic_values(coding: int) -> tuple[Numbers, Numbers, Numbers]:
    """The classic inputs of a point, the bar and off by 0 to 15 checkers there, coded one way.

    Out: float64[16, 4], float64[16] and float64[16].
    """
    counts = np.arange(CHECKERS + 1.0)
    more = np.maximum(counts - 3, 0) / 2
    if coding == EXACT:
        points = np.stack([counts == 1, counts >= 2, counts == 3, more], axis=1)
        return points, counts, counts
    points = np.stack([counts >= 1, counts >= 2, counts >= 3, more], axis=1)
    return points, counts / 2, counts / CHECKERS


def classic_steps(coding: int) -> Numbers:
    """By how much each classic input changes at least when it does, float64[196]."""
    points, bar, off = classic_values(coding)
    steps = [*np.tile(np.where(points > 0, points, 1).min(axis=0), 24), bar[1], off[1]]
    return np.array(2 * steps)


class Features(NamedTuple):
    """The inputs that a set adds to the classic ones.

    size: how many features; fill: address of the kernel that sets them, see fill_features_at;
    coding: of the classic inputs, one of the above.
    """

    size: int
    fill: Any
    coding: int = CUMULATIVE

    def __reduce__(self) -> Any:
        """No other process may call an address of this one."""
        raise TypeError("features hold in one process only; name the set of inputs to another")


NO_FEATURES = Features(0, 0)

fill_features_at = ByAddress("int64(int8[::1], float32[::1])")
"""Sets the features of a board, int8[26] seen by the player on roll; answers with its phase.

Of a set whose networks never tell phases apart it may answer anything.
"""


@inlined
def _first_input(side: int, point: int) -> int:
    """The first input of a side's point, 1 to 24, or the only one of its bar, 25.

    side: 0 for the player on roll, 1 for the other, whose points are counted as he does.
    """
    return _SIDE_INPUTS * side + _POINT_INPUTS * (point - 1)


@inlined
def checker_input(side: int, point: int, nth: int) -> int:
    """The input that the nth checker on a point raises by a step, see classic_steps."""
    return _first_input(side, point) + (0 if point == BAR else min(nth, _POINT_INPUTS) - 1)


@inlined
def off_input(side: int) -> int:
    """The input that tells how many checkers a side has borne off."""
    return _SIDE_INPUTS * (side + 1) - 1


@inlined
def off_value(checkers: int) -> float:
    """The input of so many checkers borne off."""
    return checkers / CHECKERS


@inner
def _exact_value(nth: int, checkers: int) -> float:
    """The nth input, 0 to 3, of a point with so many checkers, coded exactly."""
    if nth == 0:
        return 1.0 if checkers == 1 else 0.0
    if nth == 1:
        return 1.0 if checkers >= 2 else 0.0
    if nth == 2:
        return 1.0 if checkers == 3 else 0.0
    return 0.5 * max(checkers - 3, 0)


@inner
def _note_exactly(
    first: int, point: int, before: int, after: int, indices: Indices, values: Values, count: int
) -> int:
    """Note what changes on a point whose first input is given, coded exactly; see note_point."""
    if point == BAR:
        indices[count] = first
        values[count] = after - before
        return count + 1
    for nth in range(_POINT_INPUTS):
        change = _exact_value(nth, after) - _exact_value(nth, before)
        indices[count] = first + nth
        values[count] = change
        count += change != 0.0
    return count


@inner
def note_point(
    side: int,
    point: int,
    before: int,
    after: int,
    coding: int,
    indices: Indices,
    values: Values,
    count: int,
) -> int:
    """Note what changes if a side has after instead of before checkers on a point or the bar.

    Returns how many inputs are noted then: those of indices and values that were there, count, and
    up to four more.
    """
    first = _first_input(side, point)
    if coding == EXACT:
        return _note_exactly(first, point, before, after, indices, values, count)
    if point == BAR:
        indices[count] = first
        values[count] = 0.5 * (after - before)
        return count + 1
    for nth in range(before, min(after, 3)):
        indices[count] = first + nth
        values[count] = 1.0
        count += 1
    for nth in range(after, min(before, 3)):
        indices[count] = first + nth
        values[count] = -1.0
        count += 1
    extra = max(after - 3, 0) - max(before - 3, 0)
    if extra != 0:
        indices[count] = first + 3
        values[count] = 0.5 * extra
        count += 1
    return count


@inner
def fill_classic(board: Boards, coding: int, indices: Indices, values: Values) -> int:
    """Fill the indices and values of the classic inputs that are not zero; their number.

    board: int8[26] seen by the player on roll; indices, values: of as many places as there are
    classic inputs, or more.
    """
    count = 0
    for side in range(2):
        off = CHECKERS
        for point in range(1, 26):
            checkers = int(board[point]) if side == 0 else -int(board[25 - point])
            if checkers > 0:
                off -= checkers
                count = note_point(side, point, 0, checkers, coding, indices, values, count)
        if off > 0:
            indices[count] = off_input(side)
            values[count] = off if coding == EXACT else off_value(off)
            count += 1
    return count


@inner
def note_changes(
    before: Boards, after: Boards, coding: int, indices: Indices, values: Values
) -> int:
    """Note the classic inputs in which two boards of the same view differ; their number.

    before, after: int8[26]; indices, values: as for fill_classic. A play changes two to six points,
    and each an input or two.
    """
    count = 0
    own_off = 0
    other_off = 0
    for point in range(26):
        old = int(before[point])
        new = int(after[point])
        if old == new:
            continue
        own_old = max(old, 0)
        own_new = max(new, 0)
        if own_old != own_new:
            own_off += own_old - own_new
            count = note_point(0, point, own_old, own_new, coding, indices, values, count)
        other_old = max(-old, 0)
        other_new = max(-new, 0)
        if other_old != other_new:
            other_off += other_old - other_new
            count = note_point(1, 25 - point, other_old, other_new, coding, indices, values, count)
    if own_off != 0:
        indices[count] = off_input(0)
        values[count] = own_off if coding == EXACT else off_value(own_off)
        count += 1
    if other_off != 0:
        indices[count] = off_input(1)
        values[count] = other_off if coding == EXACT else off_value(other_off)
        count += 1
    return count
