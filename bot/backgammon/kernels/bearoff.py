"""Bear-off databases: the number of a home board, and chances and equities looked up."""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import CHECKERS, Boards
from bot.kernels import inner

Floats = NDArray[np.float32]
Numbers = NDArray[np.int32]

HOME = 6
"""Points of a home board."""

CUBE_STATES = 3
CENTRED, OWNED, OTHERS = range(CUBE_STATES)
"""The cube in a row of equities: centred, owned by the player on roll, by the other side."""

CHOICES = np.array(
    [[comb(n, k) for n in range(HOME + CHECKERS)] for k in range(HOME + 1)], np.int32
)
"""CHOICES[k, n]: ways to choose k out of n."""


class Rolls(NamedTuple):
    """For each position of one side, the chance of every number of rolls its task can take.

    Row p is chances[starts[p] : starts[p + 1]], for fewest[p] rolls and one more each; the rows add
    up to 1. starts: int32[n + 1]; fewest: uint8[n]; chances: float32[m].
    """

    starts: Numbers
    fewest: NDArray[np.uint8]
    chances: Floats


class BearoffDatabases(NamedTuple):
    """Exact endings; databases of no positions if there are none.

    all_off, first_off: rolls to bear off all checkers and the first of 15, n positions each;
    wins: float32[m, m], chance to win by the number of the player on roll and of the other side;
    equities: float32[m, m, 3], money equity at cube 1 of rolling now, for the three cube states.
    """

    all_off: Rolls
    first_off: Rolls
    wins: Floats
    equities: Floats


@inner
def home_numbers(board: Boards) -> tuple[int, int]:
    """Numbers of the two home boards, own first; (-1, -1) unless every checker is at home.

    board: int8[26]. The numbers of positions with fewer checkers are lower, and every play leads
    to a lower number. Source: GNU Backgammon, positionid.c, PositionBearoff.
    """
    for point in range(25, 18, -1):
        if board[point] > 0:
            return -1, -1
    for point in range(18, 6, -1):
        if board[point] != 0:
            return -1, -1
    own = 0
    other = 0
    own_count = 0
    other_count = int(board[0])
    for k in range(1, HOME + 1):
        own_here = int(board[HOME + 1 - k])
        if own_here < 0:
            return -1, -1
        other_count += int(board[18 + k])
        own_count += own_here
        own += CHOICES[k, k - 1 + own_count]
        other += CHOICES[k, k - 1 - other_count]
    if board[0] != 0:
        return -1, -1
    return int(own), int(other)


@inner
def chance_to_finish(
    rolls: Rolls, number: int, other_rolls: Rolls, other_number: int, ahead: int
) -> float:
    """Chance that a task takes no more rolls than the other side's takes, less what it is ahead.

    ahead: rolls the other side has had already when this side rolls, 0 or 1. Both sides roll in
    turn and independently.
    """
    start = rolls.starts[number]
    other_start = other_rolls.starts[other_number]
    other_end = other_rolls.starts[other_number + 1]
    others_next = int(other_rolls.fewest[other_number])
    others_left = 1.0  # chance that the other side needs others_next rolls or more
    chance = 0.0
    for i in range(rolls.starts[number + 1] - start):
        needed = int(rolls.fewest[number]) + i + ahead
        while others_next < needed and other_start < other_end:
            others_left -= other_rolls.chances[other_start]
            other_start += 1
            others_next += 1
        if other_start == other_end:
            break
        chance += others_left * rolls.chances[start + i]
    return min(max(chance, 0.0), 1.0)


@inner
def bearoff_outcomes(board: Boards, databases: BearoffDatabases, outcomes: Floats) -> bool:
    """Set the five chances of the player on roll if the databases know the board; whether they do.

    board: int8[26]; outcomes: float32[5], left alone if they do not. Exact for wins with six
    checkers a side; with more each side bears off as fast as it can on average, as in GNU
    Backgammon. With all checkers at home nobody loses a backgammon.
    """
    own, other = home_numbers(board)
    known = databases.all_off.fewest.shape[0]
    if own < 0 or own >= known or other >= known:
        return False
    outcomes[:] = 0.0
    exact = databases.wins.shape[0]
    if own < exact and other < exact:
        outcomes[0] = max(databases.wins[own, other], np.float32(0.0))  # sums of 36ths may miss it
        return True
    outcomes[0] = chance_to_finish(databases.all_off, own, databases.all_off, other, 0)
    outcomes[1] = chance_to_finish(databases.all_off, own, databases.first_off, other, 0)
    outcomes[3] = chance_to_finish(databases.all_off, other, databases.first_off, own, 1)
    return True


@inner
def bearoff_equities(board: Boards, databases: BearoffDatabases, equities: Floats) -> bool:
    """Set the money equities of rolling now if the two-sided database has the board; whether so.

    board: int8[26]; equities: float32[3] for a cube that is centred, owned by the player on roll,
    owned by the other side; points per game at cube 1, both sides at their best with the cube from
    the next turn on.
    """
    own, other = home_numbers(board)
    exact = databases.equities.shape[0]
    if own < 0 or own >= exact or other >= exact:
        return False
    for state in range(CUBE_STATES):
        equities[state] = databases.equities[own, other, state]
    return True


@inner
def fill_bearoff_outcomes(
    boards: Boards, databases: BearoffDatabases, outcomes: Floats, is_known: NDArray[np.bool_]
) -> None:
    """Set outcomes[i] to the chances of boards[i] where is_known[i] becomes true.

    boards: int8[n, 26]; outcomes: float32[n, 5], other rows are left alone; is_known: bool[n].
    """
    for i in range(boards.shape[0]):
        is_known[i] = bearoff_outcomes(boards[i], databases, outcomes[i])


@inner
def fill_bearoff_equities(
    boards: Boards, databases: BearoffDatabases, equities: Floats, is_known: NDArray[np.bool_]
) -> None:
    """Set equities[i] to those of boards[i] where is_known[i] becomes true.

    boards: int8[n, 26]; equities: float32[n, 3], other rows are left alone; is_known: bool[n].
    """
    for i in range(boards.shape[0]):
        is_known[i] = bearoff_equities(boards[i], databases, equities[i])
