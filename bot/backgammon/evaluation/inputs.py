"""Inputs: what a network sees of a position, by name and version of the set."""

from dataclasses import dataclass

import numpy as np

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.features import FEATURES
from bot.backgammon.kernels.inputs import CLASSIC_INPUTS
from bot.backgammon.kernels.network import Floats, fill_inputs


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

PLAYERS = InputSet("players", 1, CLASSIC_INPUTS + FEATURES)
"""The classic inputs and 48 features that players look at; see kernels/features.py."""

INPUT_SETS = {str(inputs): inputs for inputs in (CLASSIC, PLAYERS)}


def input_set(name: str) -> InputSet:
    """The set with this name and version; raises ValueError if this Blot has no such set."""
    if name not in INPUT_SETS:
        raise ValueError(f"no input set {name!r}; known: {', '.join(INPUT_SETS)}")
    return INPUT_SETS[name]


def inputs_of(boards: Boards, inputs: InputSet) -> Floats:
    """The inputs of each board, for the player on roll; int8[n, 26] in, float32[n, size] out."""
    rows = np.zeros((len(boards), inputs.size), np.float32)
    fill_inputs(boards, rows)
    return rows
