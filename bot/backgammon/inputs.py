"""Inputs: what a network sees of a position, by name and version of the set."""

from dataclasses import dataclass

import numpy as np

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.inputs import CLASSIC_INPUTS, MOST_ACTIVE, fill_classic
from bot.backgammon.kernels.network import Floats


@dataclass(frozen=True, slots=True)
class InputSet:
    """A set of inputs; its version changes whenever any input does."""

    name: str
    version: int
    size: int

    def __str__(self) -> str:
        return f"{self.name}-{self.version}"


CLASSIC = InputSet("classic", 1, CLASSIC_INPUTS)
"""For each point and side at least one, two, three checkers and (n - 3) / 2; bars and offs."""

INPUT_SETS = {str(inputs): inputs for inputs in (CLASSIC,)}


def input_set(name: str) -> InputSet:
    """The set with this name and version; raises ValueError if this Blot has no such set."""
    if name not in INPUT_SETS:
        raise ValueError(f"no input set {name!r}; known: {', '.join(INPUT_SETS)}")
    return INPUT_SETS[name]


def classic_inputs(boards: Boards) -> Floats:
    """The classic inputs of each board, for the player on roll; int8[n, 26], float32[n, 196]."""
    inputs = np.zeros((len(boards), CLASSIC.size), np.float32)
    indices = np.empty(MOST_ACTIVE, np.int16)
    values = np.empty(MOST_ACTIVE, np.float32)
    for row, board in zip(inputs, boards, strict=True):
        active = fill_classic(board, indices, values)
        row[indices[:active]] = values[:active]
    return inputs
