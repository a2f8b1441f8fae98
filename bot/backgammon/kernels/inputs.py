"""The networks' inputs, as lists of the few that are not zero."""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.kernels import inner

Indices = NDArray[np.int64]
Values = NDArray[np.float32]

CLASSIC_INPUTS = 196
MOST_ACTIVE = 128
"""Most classic inputs a board can switch on: four for each of 15 checkers a side, bars, offs."""


@inner
def fill_classic(board: Boards, indices: Indices, values: Values) -> int:
    """Fill the indices and values of the inputs that are not zero; their number.

    board: int8[26] seen by the player on roll; indices: int64[MOST_ACTIVE]; values:
    float32[MOST_ACTIVE]. Each side has 98 inputs, the player on roll first: for each of its points
    1 to 24 whether there is at least one checker, two, three, and (n - 3) / 2; then bar / 2 and
    off / 15.
    Source: Tesauro, Temporal difference learning and TD-Gammon, CACM 38 (1995), and the NBG thesis.
    """
    count = 0
    for side in range(2):
        first = 98 * side
        off = 15
        for point in range(1, 26):
            checkers = int(board[point]) if side == 0 else -int(board[25 - point])
            if checkers <= 0:
                continue
            off -= checkers
            if point == 25:
                indices[count] = first + 96
                values[count] = 0.5 * checkers
                count += 1
                continue
            base = first + 4 * (point - 1)
            for at_least in range(min(checkers, 3)):
                indices[count] = base + at_least
                values[count] = 1.0
                count += 1
            if checkers > 3:
                indices[count] = base + 3
                values[count] = 0.5 * (checkers - 3)
                count += 1
        if off > 0:
            indices[count] = first + 97
            values[count] = off / 15.0
            count += 1
    return count
