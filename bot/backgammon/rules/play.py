"""Checker play: what a player does with a roll."""

from dataclasses import dataclass

import numpy as np

from bot.backgammon.kernels.boards import POINTS, Boards
from bot.backgammon.kernels.plays import MAX_PLAYS, STEPS, Steps, count_plays, fill_plays
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll


@dataclass(frozen=True, slots=True)
class Leg:
    """One checker moved by one die: from 25 (bar) to 1, to 24 to 0 (off); the mover's points.

    Raises ValueError for points that no die leads from one to the other.
    """

    source: int
    target: int

    def __post_init__(self) -> None:
        if not 0 <= self.target < self.source <= 25 or self.source - self.target > 6:
            raise ValueError(f"no leg of one die: {self.source}/{self.target}")


@dataclass(frozen=True, slots=True)
class CheckerPlay:
    """Legs in a playable order, and the position they lead to, still seen by the mover.

    No legs: the roll could not be played.
    """

    legs: tuple[Leg, ...]
    after: Position


class RollWorkspace:
    """Workspace for the plays of one roll, to be used again and again by one thread."""

    def __init__(self) -> None:
        self.work: Boards = np.empty(POINTS, np.int8)
        self.after: Boards = np.empty((MAX_PLAYS, POINTS), np.int8)
        self.steps: Steps = np.empty((MAX_PLAYS, STEPS), np.int8)
        self.keys = np.empty(MAX_PLAYS, np.int64)


def boards_after(board: Boards, roll: Roll, workspace: RollWorkspace) -> tuple[Boards, Steps]:
    """Boards after each legal play and the steps of each, without duplicates.

    board: int8[26] seen by the mover. Returns views of the workspace, int8[m, 26] seen by the mover
    and int8[m, 8] with from and to of each leg (25 bar, 0 off, -1 unused); m is 0 if none is legal.
    """
    count = fill_plays(
        board, roll.high, roll.low, workspace.work, workspace.after, workspace.steps, workspace.keys
    )
    return workspace.after[:count], workspace.steps[:count]


def play_count(boards: Boards, workspace: RollWorkspace) -> int:
    """Number of legal plays of all 21 rolls on all boards; int8[n, 26] seen by the mover.

    Each is made, as in boards_after, so that this is a measure of speed as well.
    """
    return int(
        count_plays(boards, workspace.work, workspace.after, workspace.steps, workspace.keys)
    )


def legs_of_steps(steps: Steps) -> tuple[Leg, ...]:
    """The legs in one row of steps, int8[8]."""
    ends = [step for step in steps.tolist() if step >= 0]
    return tuple(map(Leg, ends[::2], ends[1::2]))


def legal_plays(position: Position, roll: Roll) -> tuple[CheckerPlay, ...]:
    """Every legal play, each resulting position once; empty if the roll cannot be played."""
    after, steps = boards_after(position.board, roll, RollWorkspace())
    return tuple(
        CheckerPlay(legs_of_steps(row), Position.of_board(board))
        for board, row in zip(after, steps, strict=True)
    )
