"""Backgammon with one, two or three checkers a side, solved: equities of all pairs of sides.

A side is a row of three places, the highest first: 25 is its bar, 0 is off or not in the game.
Sides are numbered by rising pip count, so that side 0 has no checker left.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import BAR, Boards, turn_board
from bot.backgammon.kernels.dice import CHANCES, DICE, ROLL_COUNT
from bot.backgammon.kernels.plays import Keys, Steps, fill_plays
from bot.kernels import inner, kernel

Doubles = NDArray[np.float64]
Numbers = NDArray[np.int16]
Masks = NDArray[np.int32]
Starts = NDArray[np.int64]

PLACES = 3
"""Most checkers of a side."""

BLOCKS = BAR
"""Points that the other side may hold, 1 to 24, and 0 for none: three checkers hold at most one."""


class Sides(NamedTuple):
    """All sides, and their numbers.

    places: int16[n, 3]; numbers: int16[26, 26, 26], by places, -1 where there is none; block:
    int16[n], the point with two checkers or more, as the other side counts it, or 0; blots:
    int32[n, 3], one bit for each checker that stands alone, by the other side's points, or 0;
    hit: int16[n, 8], the side once the checkers of a set of places, by bits, are on the bar.
    """

    places: Numbers
    numbers: Numbers
    block: Numbers
    blots: Masks
    hit: Numbers


class Ways(NamedTuple):
    """Every play of every side and roll, by the point the other side holds.

    Those of side i, block b and roll r are the rows starts[(b * n + i) * 21 + r] up to the next
    one's. after: int16[m], the side after the play; touched: int32[m], a bit for each point on
    which a checker came down.
    """

    starts: Starts
    after: Numbers
    touched: Masks


@inner
def number_on(board: Boards, numbers: Numbers) -> int:
    """The number of the side whose checkers count up on a board, int8[26]; it has at most three."""
    first = 0
    second = 0
    third = 0
    for point in range(1, 26):
        for _ in range(max(int(board[point]), 0)):
            third = second
            second = first
            first = point
    return int(numbers[first, second, third])


@kernel
def fill_side_numbers(boards: Boards, numbers: Numbers, sides: NDArray[np.int64]) -> None:
    """Set sides[i] to the numbers of the side on roll and of the other one; int8[n, 26] in.

    Each has at most three checkers; sides: int64[n, 2].
    """
    turned = np.empty(26, np.int8)
    for i in range(boards.shape[0]):
        turn_board(boards[i], turned)
        sides[i, 0] = number_on(boards[i], numbers)
        sides[i, 1] = number_on(turned, numbers)


@kernel
def fill_ways(
    sides: Sides, work: Boards, after: Boards, steps: Steps, keys: Keys, ways: Ways
) -> int:
    """Fill the plays of all sides, as far as there is room for them; how many they are.

    work, after, steps, keys: as fill_plays wants them. Wherever the other side holds no point it
    has a blot here: so plays that come down on different points stay different plays.
    """
    board = np.empty(26, np.int8)
    count = 0
    row = 0
    for block in range(BLOCKS):
        for side in range(sides.places.shape[0]):
            board[:] = -1
            board[0] = 0
            board[BAR] = 0
            if block > 0:
                board[block] = -2
            is_possible = True
            for k in range(PLACES):
                place = sides.places[side, k]
                is_possible = is_possible and (place == 0 or place != block)
                if place > 0:
                    board[place] = max(int(board[place]), 0) + 1
            for roll in range(ROLL_COUNT):
                ways.starts[row] = count
                row += 1
                if not is_possible:
                    continue
                high, low = DICE[roll]
                plays = fill_plays(board, high, low, work, after, steps, keys)
                for i in range(plays):
                    if count < ways.after.shape[0]:
                        touched = 0
                        for point in range(1, BAR):
                            if board[point] == -1 and after[i, point] >= 0:
                                touched |= 1 << point
                        ways.after[count] = number_on(after[i], sides.numbers)
                        ways.touched[count] = touched
                    count += 1
    ways.starts[row] = count
    return count


@inner
def after_hits(sides: Sides, other: int, touched: int) -> int:
    """The other side's number once every blot of it that was touched is on the bar."""
    blots = sides.blots[other]
    if touched & (blots[0] | blots[1] | blots[2]) == 0:
        return other
    places = 0
    for k in range(PLACES):
        if touched & blots[k] != 0:
            places |= 1 << k
    return int(sides.hit[other, places])


@inner
def _equity(side: int, other: int, sides: Sides, ways: Ways, equities: Doubles) -> float:
    """Equity of rolling now by those of the positions that can follow."""
    total = 0.0
    row = (int(sides.block[other]) * sides.places.shape[0] + side) * ROLL_COUNT
    for roll in range(ROLL_COUNT):
        first = ways.starts[row + roll]
        end = ways.starts[row + roll + 1]
        least = equities[other, side] if first == end else np.inf
        for i in range(first, end):
            left = equities[after_hits(sides, other, ways.touched[i]), ways.after[i]]
            least = min(least, left)
        total -= CHANCES[roll] * least
    return total


@kernel
def sweep(sides: Sides, ways: Ways, equities: Doubles, is_first: bool) -> float:
    """Set every equity to that of its best plays, once; the largest change.

    equities: float64[n, n], of the side on roll, by its number and the other's; NaN for pairs that
    share a point; those with a side that has no checkers left stay. Pairs come by their larger
    number, rising, so all that follow without a hit are set before. Positions without contact are
    exact after the first sweep, and later ones leave them out.
    """
    largest = 0.0
    for number in range(1, equities.shape[0]):
        for k in range(2 * number - 1):
            # this number against the lower ones, then all up to this one against it
            side = number if k < number - 1 else k - number + 2
            other = k + 1 if k < number - 1 else number
            before = equities[side, other]
            if np.isnan(before):
                continue
            if not is_first and sides.places[side, 0] + sides.places[other, 0] < BAR:
                continue
            equity = _equity(side, other, sides, ways, equities)
            equities[side, other] = equity
            largest = max(largest, abs(equity - before))
    return largest
