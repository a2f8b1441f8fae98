"""Building the bear-off databases, each position from those with lower numbers."""

import math

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import (
    CENTRED,
    CHOICES,
    CUBE_STATES,
    HOME,
    OTHERS,
    OWNED,
    Floats,
    Numbers,
)
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.dice import CHANCES, DICE, ROLL_COUNT
from bot.backgammon.kernels.plays import MAX_LEGS
from bot.kernels import kernel

Doubles = NDArray[np.float64]

MAX_ROLLS = 32
"""Length of a row of chances: no task takes as many rolls with any chance worth keeping."""

MAX_AFTERS = math.comb(HOME + MAX_LEGS - 1, MAX_LEGS)
"""Most positions a roll can lead to, 126: choices of a double's legs from the home points, with
repetition."""

CUBELESS = CUBE_STATES
"""The fourth equity while databases are built, beside those of the cube states."""

_LEAST_CHANCE = 1e-9


@kernel
def fill_home(number: int, home: Boards) -> None:
    """Set home[1] to home[6], int8[7], to the checkers on each point of a numbered position."""
    rest = number
    above = 0
    home[0] = 0
    for k in range(HOME, 0, -1):
        # the highest place whose choices fit; places hold the checkers on the points above
        place = k - 1
        while place + 1 < CHOICES.shape[1] and CHOICES[k, place + 1] <= rest:
            place += 1
        rest -= CHOICES[k, place]
        count = place - (k - 1)
        if k < HOME:
            home[HOME - k] = above - count
        above = count
    home[HOME] = above


@kernel
def number_of_home(home: Boards) -> int:
    """The number of a position, int8[7], as fill_home reads it."""
    number = 0
    count = 0
    for k in range(1, HOME + 1):
        count += int(home[HOME + 1 - k])
        number += CHOICES[k, k - 1 + count]
    return int(number)


@kernel
def fill_legs(legs: Numbers) -> None:
    """Set legs[p, die, :] to the positions one leg of the die leads to from p; int32[n, 7, 6].

    Unused places are -1. At home no point is blocked, so a die can always be played while a
    checker is left; none is left in position 0.
    """
    home = np.zeros(HOME + 1, np.int8)
    legs[:] = -1
    for number in range(1, legs.shape[0]):
        fill_home(number, home)
        rearmost = HOME
        while home[rearmost] == 0:
            rearmost -= 1
        for die in range(1, 7):
            count = 0
            lowest = min(die, rearmost)
            for source in range(rearmost, lowest - 1, -1):
                if home[source] == 0:
                    continue
                target = max(source - die, 0)
                home[source] -= 1
                home[target] += 1
                legs[number, die, count] = number_of_home(home)
                home[target] -= 1
                home[source] += 1
                home[0] = 0
                count += 1


@kernel
def fill_rolls(legs: Numbers, finished: int, chances: Doubles, means: Doubles) -> None:
    """Set the chances of every number of rolls, and their mean, to reach a number below finished.

    legs: as fill_legs leaves them; chances: float64[n, MAX_ROLLS]; means: float64[n]. Every roll
    is played to the least mean. Source: GNU Backgammon, makebearoff.c, BearOff.
    """
    positions = legs.shape[0]
    # best[legs, die, p]: where so many legs of one die lead from p, played to the least mean. Legs
    # only lead to lower numbers, so what they need is known, and no play is ever listed.
    best = np.zeros((MAX_LEGS + 1, 7, positions), np.int32)
    chances[:] = 0.0
    for number in range(positions):
        best[0, :, number] = number
        if number < finished:
            best[:, :, number] = number
            chances[number, 0] = 1.0
            means[number] = 0.0
            continue
        for die in range(1, 7):
            for count in range(1, MAX_LEGS + 1):
                best[count, die, number] = _best_after(
                    legs[number, die], best[count - 1, die], means
                )
        mean = 1.0
        for roll in range(ROLL_COUNT):
            high, low = DICE[roll]
            weight = CHANCES[roll]
            if high == low:
                after = best[MAX_LEGS, high, number]
            else:
                after = _best_after(legs[number, high], best[1, low], means)
                other = _best_after(legs[number, low], best[1, high], means)
                if means[other] < means[after]:
                    after = other
            mean += weight * means[after]
            for count in range(MAX_ROLLS - 1):
                chances[number, count + 1] += weight * chances[after, count]
        means[number] = mean


@kernel
def _best_after(targets: Numbers, best: Numbers, means: Doubles) -> int:
    """The position of least mean among best[target] of each target; there is one at least."""
    least = np.inf
    found = best[targets[0]]
    for i in range(HOME):
        if targets[i] < 0:
            break
        after = best[targets[i]]
        if means[after] < least:
            least = means[after]
            found = after
    return int(found)


@kernel
def fill_packed(
    chances: Doubles, starts: Numbers, fewest: NDArray[np.uint8], packed: Floats
) -> int:
    """Pack rows of chances without the numbers of rolls that hardly happen; the length of all.

    chances: float64[n, MAX_ROLLS]; starts: int32[n + 1]; fewest: uint8[n]; packed:
    float32[n * MAX_ROLLS] or shorter if it is long enough. Every row still adds up to 1.
    """
    length = 0
    for number in range(chances.shape[0]):
        first = 0
        while chances[number, first] < _LEAST_CHANCE:
            first += 1
        last = MAX_ROLLS - 1
        while chances[number, last] < _LEAST_CHANCE:
            last -= 1
        starts[number] = length
        fewest[number] = first
        total = chances[number, first : last + 1].sum()
        for count in range(first, last + 1):
            packed[length] = chances[number, count] / total
            length += 1
    starts[chances.shape[0]] = length
    return length


@kernel
def fill_afters(legs: Numbers, starts: Numbers, afters: Numbers) -> None:
    """Fill the positions each roll can lead to, each once.

    Those of position p and roll r (by the higher die, then the lower) are
    afters[starts[21 * p + r] : starts[21 * p + r + 1]]; legs: as fill_legs leaves them; starts:
    int32[21 * n + 1]; afters: int32[21 * n * MAX_AFTERS].
    """
    front = np.empty(MAX_AFTERS, np.int32)
    following = np.empty(MAX_AFTERS, np.int32)
    count = 0
    for row in range(ROLL_COUNT * legs.shape[0]):
        high, low = DICE[row % ROLL_COUNT]
        starts[row] = count
        for die in (high, low):
            other = high + low - die
            front[0] = row // ROLL_COUNT
            size = 1
            for leg in range(MAX_LEGS if high == low else 2):
                played = die if leg % 2 == 0 else other
                following_size = 0
                for i in range(size):
                    following_size = _add_legs(front[i], legs, played, following, following_size)
                front, following = following, front
                size = following_size
            start = starts[row]
            for i in range(size):
                if not _is_among(front[i], afters[start:count]):
                    afters[count] = front[i]
                    count += 1
            if high == low:
                break
    starts[ROLL_COUNT * legs.shape[0]] = count


@kernel
def _add_legs(number: int, legs: Numbers, die: int, found: Numbers, size: int) -> int:
    """Add the positions one leg leads to, if they are new, to found[:size]; the new size.

    A position without checkers stays what it is.
    """
    if number == 0:
        if not _is_among(0, found[:size]):
            found[size] = 0
            size += 1
        return size
    for k in range(HOME):
        target = legs[number, die, k]
        if target < 0:
            break
        if not _is_among(target, found[:size]):
            found[size] = target
            size += 1
    return size


@kernel
def _is_among(number: int, numbers: Numbers) -> bool:
    """Whether the number is one of the numbers."""
    place = 0
    while place < numbers.shape[0] and numbers[place] != number:
        place += 1
    return bool(place < numbers.shape[0])


@kernel
def with_double(no_double: float, taken: float) -> float:
    """Equity of a player who may double now: the drop is worth 1, the take twice that at cube 1.

    no_double: equity of rolling; taken: of rolling with the cube the other side's, at cube 1.
    Source: GNU Backgammon, makebearoff.c, CubeEquity.
    """
    return max(no_double, min(1.0, 2.0 * taken))


@kernel
def _set_left(left: Doubles, own: int, other: int, rolling: Doubles) -> None:
    """Set left[:, own, other], what a position is worth to a player who leaves it.

    rolling: float64[4], equities of the other side, who rolls next: cubeless, then with the cube
    centred, its own and the leaver's. The other side may double a centred cube or its own.
    """
    left[CUBELESS, own, other] = -rolling[CUBELESS]
    left[CENTRED, own, other] = -with_double(rolling[CENTRED], rolling[OTHERS])
    left[OWNED, own, other] = -rolling[OTHERS]
    left[OTHERS, own, other] = -with_double(rolling[OWNED], rolling[OTHERS])


@kernel(fastmath=True)
def _fill_row(
    number: int, starts: Numbers, afters: Numbers, left: Doubles, best: Doubles, totals: Doubles
) -> None:
    """Set totals[t] to the equity of rolling in the position against t, for all t below it.

    left, best, totals: one cube state's, float64[n, n], [n] and [n].
    """
    for other in range(number):
        totals[other] = 0.0
    for roll in range(ROLL_COUNT):
        for other in range(number):
            best[other] = -4.0
        row = ROLL_COUNT * number + roll
        for i in range(starts[row], starts[row + 1]):
            after = afters[i]
            for other in range(number):
                best[other] = max(best[other], left[after, other])
        weight = CHANCES[roll]
        for other in range(number):
            totals[other] += weight * best[other]


@kernel(fastmath=True)
def _equity(number: int, starts: Numbers, afters: Numbers, left: Doubles) -> float:
    """Equity of rolling in the position; left: float64[n], what each position after is worth."""
    total = 0.0
    for roll in range(ROLL_COUNT):
        best = -4.0
        row = ROLL_COUNT * number + roll
        for i in range(starts[row], starts[row + 1]):
            best = max(best, left[afters[i]])
        total += CHANCES[roll] * best
    return total


@kernel
def fill_two_sided(starts: Numbers, afters: Numbers, wins: Floats, equities: Floats) -> None:
    """Set the chance to win and the money equities of rolling now, for each pair of positions.

    starts, afters: as fill_afters leaves them; wins: float32[n, n]; equities: float32[n, n, 3].
    Every roll is played to the best equity in its cube state, without Jacoby and beavers; positions
    with a side that has no checkers left are over. Source: GNU Backgammon, makebearoff.c, BearOff2.
    """
    positions = wins.shape[0]
    states = CUBELESS + 1
    # left[s, a, b]: what a is worth to the side that leaves it against b. Pairs are evaluated by
    # their larger number, rising, as every play leads to a lower one.
    left = np.ones((states, positions, positions))
    rolling = np.empty((states, positions))
    column = np.empty((states, positions))
    best = np.empty(positions)
    one = np.empty(states)
    for number in range(positions):
        one.fill(-1.0)
        _keep(number, 0, one, wins, equities)
        one.fill(1.0)
        _keep(0, number, one, wins, equities)
    for number in range(1, positions):
        # against lower numbers: every position after is lower still
        for state in range(states):
            _fill_row(number, starts, afters, left[state], best, rolling[state])
            column[state, 0] = 1.0
        for other in range(1, number):
            for state in range(states):
                one[state] = rolling[state, other]
            _keep(number, other, one, wins, equities)
            _set_left(left, other, number, one)
            for state in range(states):
                column[state, other] = left[state, other, number]
        # lower numbers against this one
        for other in range(1, number + 1):
            for state in range(states):
                one[state] = _equity(other, starts, afters, column[state])
            _keep(other, number, one, wins, equities)
            _set_left(left, number, other, one)


@kernel
def _keep(own: int, other: int, rolling: Doubles, wins: Floats, equities: Floats) -> None:
    """Store the equities of a pair, float64[4], in the databases."""
    wins[own, other] = 0.5 + 0.5 * rolling[CUBELESS]
    equities[own, other, CENTRED] = rolling[CENTRED]
    equities[own, other, OWNED] = rolling[OWNED]
    equities[own, other, OTHERS] = rolling[OTHERS]
