"""Shots: the rolls by which a blot is hit."""

import numpy as np

from bot.backgammon.rules.play import RollWorkspace, boards_after
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import ROLLS

OTHERS_BAR = 0


def shots(position: Position) -> int:
    """Number of the 36 rolls that let the player on roll hit, if he wants to."""
    workspace = RollWorkspace()
    board = position.board
    hitting = 0
    for roll in ROLLS:
        after, _ = boards_after(board, roll, workspace)
        if np.any(after[:, OTHERS_BAR] < board[OTHERS_BAR]):
            hitting += 1 if roll.is_double else 2
    return hitting
