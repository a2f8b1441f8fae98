"""Inputs: what a network sees of a position, by name and version of the set.

A new set is a kernel that fills its features, and the limits of these, as kernels/features.py has
them, and an entry below.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.features import (
    FEATURES,
    feature_limits,
    fill_features,
    fill_other_features,
    sums_of_classic,
)
from bot.backgammon.kernels.inputs import (
    CLASSIC_INPUTS,
    CUMULATIVE,
    EXACT,
    NO_FEATURES,
    Features,
    fill_features_at,
)
from bot.backgammon.kernels.network import Floats, fill_inputs
from bot.backgammon.kernels.published_inputs import (
    BLOCK_FEATURES,
    ON_ROLL,
    block_limits,
    fill_blocks,
    fill_on_roll,
    on_roll_limits,
)


@dataclass(frozen=True, slots=True)
class InputSet:
    """The classic inputs and so many features; its version changes whenever any input does.

    fill: the kernel that sets the features, see fill_features_at; None if there are none. coding:
    of the classic inputs, see kernels/inputs.py. limits: the least and the largest value of each
    feature, float64[2, feature_count], to which networks that play cut it off; None if there are no
    features. sums: the weights by which some features are sums of classic inputs, see
    sums_of_classic; fill_others: the kernel that sets all other features. Both are None if no
    feature is such a sum.
    """

    name: str
    version: int
    feature_count: int = 0
    fill: Any = None
    limits: Callable[[], NDArray[np.float64]] | None = None
    coding: int = CUMULATIVE
    sums: Callable[[], NDArray[np.float64]] | None = None
    fill_others: Any = None

    def __post_init__(self) -> None:
        if self.feature_count < 0 or (self.feature_count > 0) != (self.fill is not None):
            raise ValueError(f"{self} has {self.feature_count} features and fills {self.fill}")
        if (self.limits is None) != (self.fill is None):
            raise ValueError(f"{self} has features without limits, or the reverse")
        if self.coding != CUMULATIVE and self.fill is None:
            raise ValueError(f"{self} is coded otherwise and has no features")
        if (self.sums is None) != (self.fill_others is None):
            raise ValueError(f"{self} has sums without a kernel for other features, or the reverse")

    def __str__(self) -> str:
        return f"{self.name}-{self.version}"

    def __reduce__(self) -> tuple[Callable[[str], "InputSet"], tuple[str]]:
        return input_set, (str(self),)  # kernels cannot be pickled

    @property
    def size(self) -> int:
        """Number of inputs."""
        return CLASSIC_INPUTS + self.feature_count

    @property
    def features(self) -> Features:
        """The features as kernels take them, for this process."""
        return self._filled_by(self.fill)

    @property
    def playing_features(self) -> Features:
        """The features for a network with a playing_layer; those that are sums are left at 0."""
        return self._filled_by(self.fill_others or self.fill)

    def _filled_by(self, fill: Any) -> Features:
        if fill is None:
            return NO_FEATURES
        return Features(self.feature_count, fill_features_at.address(fill), self.coding)

    def playing_layer(self, first: Floats) -> NDArray[np.float64]:
        """The first layer, float32[size, units], changed to one that sees playing_features.

        Its sums are the same: the weights of features that are sums of classic inputs are added to
        those of these inputs, so that fewer inputs change from a play to the next.
        """
        layer = first.astype(np.float64)
        if self.sums is None:
            return layer
        sums = self.sums()
        layer[:CLASSIC_INPUTS] += sums @ layer[CLASSIC_INPUTS:]
        layer[CLASSIC_INPUTS:][sums.any(axis=0)] = 0
        return layer


CLASSIC = InputSet("classic", 1)
"""For each point and side at least one, two, three checkers and (n - 3) / 2; bars and offs."""

PLAYERS = InputSet(
    "players",
    1,
    FEATURES,
    fill_features,
    feature_limits,
    sums=sums_of_classic,
    fill_others=fill_other_features,
)
"""The classic inputs and 48 features that players look at; see kernels/features.py."""

TESAURO = InputSet("tesauro", 1, ON_ROLL, fill_on_roll, on_roll_limits)
"""The classic inputs and two for who is on roll: the 198 of TD-Gammon."""

BLOCKS = InputSet("blocks", 1, BLOCK_FEATURES, fill_blocks, block_limits)
"""The 198 of TD-Gammon, two for a race and six a side for the longest block: the 212 of
PulverGammon."""

NBG = InputSet("nbg", 1, ON_ROLL, fill_on_roll, on_roll_limits, EXACT)
"""The 198 of the NBG thesis, table 3.1: those of TD-Gammon coded exactly. Its threshold inputs of
-1 are the biases, which every network has."""

INPUT_SETS = {str(inputs): inputs for inputs in (CLASSIC, PLAYERS, TESAURO, BLOCKS, NBG)}


def input_set(name: str) -> InputSet:
    """The set with this name and version; raises ValueError if this Blot has no such set."""
    if name not in INPUT_SETS:
        raise ValueError(f"no input set {name!r}; known: {', '.join(INPUT_SETS)}")
    return INPUT_SETS[name]


def inputs_of(boards: Boards, inputs: InputSet) -> Floats:
    """The inputs of each board, for the player on roll; int8[n, 26] in, float32[n, size] out."""
    rows = np.zeros((len(boards), inputs.size), np.float32)
    fill_inputs(np.ascontiguousarray(boards, np.int8), inputs.features, rows)
    return rows
