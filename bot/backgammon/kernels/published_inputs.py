"""Inputs that published networks saw beside the classic ones: who is on roll, races, blocks.

The board is always that of the player on roll, so that who is on roll says nothing new here: two
inputs that never change stand where a network for White and Black has two that do.
"""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards, has_contact
from bot.backgammon.kernels.phases import phase_of
from bot.kernels import inner

ON_ROLL = 2
LONGEST_BLOCK = 6
BLOCK_FEATURES = ON_ROLL + 2 + 2 * LONGEST_BLOCK


@inner
def fill_on_roll(board: Boards, values: NDArray[np.float32]) -> int:
    """Fill two features: 1 for the player on roll, 0 for the other; answers with the phase.

    Source: Tesauro, Practical issues in temporal difference learning, Machine Learning 8 (1992).
    """
    values[0] = 1.0
    values[1] = 0.0
    return phase_of(board)


def on_roll_limits() -> NDArray[np.float64]:
    """The least and the largest value of each of these features, float64[2, 2]."""
    return np.repeat([[0.0], [1.0]], ON_ROLL, axis=1)


@inner
def _longest_block(board: Boards, sign: int) -> int:
    """Most neighbouring points, 1 to 24, that a side holds with two or more checkers; at most 6."""
    longest = 0
    length = 0
    for point in range(1, 25):
        length = length + 1 if sign * int(board[point]) > 1 else 0
        longest = max(longest, length)
    return min(longest, LONGEST_BLOCK)


@inner
def fill_blocks(board: Boards, values: NDArray[np.float32]) -> int:
    """Fill the features of fill_on_roll, and 14 more; answers with the phase.

    1 for a race, 1 for none; then for each side, the player on roll first, six of which the nth is
    1 if its longest block has n points. Source: the PulverGammon report (2007), which names the
    numbers of inputs, so that their coding is ours.
    """
    phase = fill_on_roll(board, values)
    in_contact = has_contact(board)
    values[ON_ROLL] = 0.0 if in_contact else 1.0
    values[ON_ROLL + 1] = 1.0 if in_contact else 0.0
    for side in range(2):
        first = ON_ROLL + 2 + LONGEST_BLOCK * side
        longest = _longest_block(board, 1 - 2 * side)
        for points in range(1, LONGEST_BLOCK + 1):
            values[first + points - 1] = 1.0 if points == longest else 0.0
    return phase


def block_limits() -> NDArray[np.float64]:
    """The least and the largest value of each of these features, float64[2, 16]."""
    return np.repeat([[0.0], [1.0]], BLOCK_FEATURES, axis=1)
