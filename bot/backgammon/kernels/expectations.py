"""Expectations: what a player has before the roll, from what the other has after each."""

from bot.backgammon.kernels.cube import CubeTable, Values, state_count, turned_state
from bot.backgammon.kernels.dice import CHANCES, ROLL_COUNT
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.outputs import turned_output
from bot.kernels import inner, kernel


@inner
def fill_expectation(replies: Floats, outcomes: Floats) -> None:
    """Set the chances of a player, float32[5], from the other's after each roll, float32[21, 5]."""
    for chance in range(5):
        total = 0.0
        for roll in range(ROLL_COUNT):
            total += CHANCES[roll] * replies[roll, chance]
        if chance == 0:
            outcomes[0] = 1.0 - total
        else:
            outcomes[turned_output(5, chance)] = total


@kernel
def fill_expectations(replies: Floats, outcomes: Floats) -> None:
    """Set outcomes[i], the chances of a player, from those of the other after each roll's reply.

    replies: float32[n, 21, 5]; outcomes: float32[n, 5].
    """
    for i in range(outcomes.shape[0]):
        fill_expectation(replies[i], outcomes[i])


@kernel
def fill_rolled_value(replies: Values, cube: CubeTable, rolled: Values) -> None:
    """Set what rolling is worth to a player, float64[K], from the other's values after each roll.

    replies: float64[21, K] or more columns.
    """
    for state in range(state_count(cube)):
        turned = turned_state(state)
        total = 0.0
        for roll in range(ROLL_COUNT):
            total += CHANCES[roll] * replies[roll, turned]
        rolled[state] = -total


@kernel
def fill_rolled(replies: Values, cube: CubeTable, rolled: Values) -> None:
    """Set rolled[i], what rolling is worth to a player, from the other's values after each reply.

    replies: float64[n, 21, K]; rolled: float64[n, K].
    """
    for i in range(rolled.shape[0]):
        fill_rolled_value(replies[i], cube, rolled[i])
