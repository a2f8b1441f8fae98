"""The inputs of published networks, written out slowly."""

import numpy as np

from tests.plain.networks import plain_classic_inputs


def plain_tesauro_inputs(board):
    """198: the classic ones, and who is on roll."""
    return np.array([*plain_classic_inputs(board), 1.0, 0.0])


def plain_nbg_inputs(board):
    """198: table 3.1 of the NBG thesis, for the player on roll and then the other."""
    values = []
    for sign in (1, -1):
        side = sign * np.asarray(board, int)[::sign]
        for point in range(1, 25):
            count = max(side[point], 0)
            values += [count == 1, count >= 2, count == 3, (count - 3) / 2 if count >= 4 else 0]
        values += [max(side[25], 0), 15 - side[side > 0].sum()]
    return np.array([*values, 1.0, 0.0], float)


def plain_blocks_inputs(board):
    """212: those, a race or none, and for each side which of 1 to 6 its longest block is."""
    own = [point for point in range(26) if board[point] > 0]
    others = [point for point in range(26) if board[point] < 0]
    in_contact = bool(own and others) and min(others) < max(own)
    values = [float(not in_contact), float(in_contact)]
    for sign in (1, -1):
        held = "".join("x" if sign * board[point] > 1 else " " for point in range(1, 25))
        longest = max(map(len, held.split()), default=0)
        values += [float(min(longest, 6) == points) for points in range(1, 7)]
    return np.array([*plain_tesauro_inputs(board), *values])
