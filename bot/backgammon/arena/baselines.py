"""Baselines: players to measure against, none of which looks ahead or learns."""

from pathlib import Path
from typing import Protocol

import numpy as np

from bot.backgammon.kernels.baselines import (
    PUBEVAL_INPUTS,
    PubevalWeights,
    blockers_choice,
    pubeval_choice,
    random_choice,
)
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.dice import WORDS
from bot.backgammon.kernels.plays import Steps
from bot.backgammon.rules.play import CheckerPlay, PlayBuffers, boards_after, legs_of_steps
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from bot.weights import weights_folder

PUBEVAL_FILE = "pubeval.txt"


class Player(Protocol):
    """Whoever can choose a checker play; blind to score and cube."""

    def choose(self, position: Position, roll: Roll) -> CheckerPlay:
        """The play chosen; one without legs if the roll allows none."""


class RandomPlayer:
    """Plays any of the resulting positions, all equally likely."""

    def __init__(self, seed: int) -> None:
        self._state = np.random.SeedSequence(seed).generate_state(WORDS).astype(np.int64)
        self._buffers = PlayBuffers()

    def choose(self, position: Position, roll: Roll) -> CheckerPlay:
        """The play chosen; one without legs if the roll allows none."""
        after, steps = boards_after(position.board, roll, self._buffers)
        if len(after) == 0:
            return CheckerPlay((), position)
        return _play_of_row(after, steps, random_choice(len(after), self._state))


class BlockersPlayer:
    """Holds as many points as it can, close together, and races home when contact is over.

    With contact before the play it takes, in this order, the most blocks (points with two or more
    own checkers), the most pairs of neighbouring blocks, the fewest blots, the fewest pips. In a
    race: the most checkers off, the most in the home, the fewest pips.
    """

    def __init__(self) -> None:
        self._buffers = PlayBuffers()

    def choose(self, position: Position, roll: Roll) -> CheckerPlay:
        """The play chosen; one without legs if the roll allows none."""
        board = position.board
        after, steps = boards_after(board, roll, self._buffers)
        if len(after) == 0:
            return CheckerPlay((), position)
        return _play_of_row(after, steps, blockers_choice(board, after, len(after)))


class PubevalPlayer:
    """Tesauro's public evaluator of 1993: the play with the highest of its linear scores."""

    def __init__(self) -> None:
        self._contact, self._race = pubeval_weights()
        self._buffers = PlayBuffers()

    def choose(self, position: Position, roll: Roll) -> CheckerPlay:
        """The play chosen; one without legs if the roll allows none."""
        board = position.board
        after, steps = boards_after(board, roll, self._buffers)
        if len(after) == 0:
            return CheckerPlay((), position)
        best = pubeval_choice(board, after, len(after), self._contact, self._race)
        return _play_of_row(after, steps, best)


BASELINES = ("random", "blockers", "pubeval")


def baseline(name: str, seed: int) -> Player:
    """The baseline of that name; only random uses the seed. Raises ValueError for another name."""
    match name:
        case "random":
            return RandomPlayer(seed)
        case "blockers":
            return BlockersPlayer()
        case "pubeval":
            return PubevalPlayer()
    raise ValueError(f"no baseline {name!r}; there are {', '.join(BASELINES)}")


def pubeval_weights(path: Path | None = None) -> tuple[PubevalWeights, PubevalWeights]:
    """Pubeval's contact and race weights, float32[122] each, from the file in weights/.

    Raises ValueError for a file that does not hold 122 rows of index, contact and race.
    """
    path = path or weights_folder() / PUBEVAL_FILE
    lines = path.read_text(encoding="ascii").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    if [row[0] for row in rows] != [str(i) for i in range(PUBEVAL_INPUTS)]:
        raise ValueError(f"{path} does not hold the rows 0 to {PUBEVAL_INPUTS - 1} in order")
    for row in rows:
        if len(row) != 3:
            raise ValueError(f"row {row[0]} of {path} has {len(row)} fields, not 3")
    try:
        columns = np.array([[float(field) for field in row[1:]] for row in rows], np.float32)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return np.ascontiguousarray(columns[:, 0]), np.ascontiguousarray(columns[:, 1])


def _play_of_row(after: Boards, steps: Steps, row: int) -> CheckerPlay:
    return CheckerPlay(legs_of_steps(steps[row]), Position.of_board(after[row]))
