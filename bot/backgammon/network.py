"""Network: the dense net that gives a position its five chances, and its file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bot.archive import read_archive, write_archive
from bot.backgammon.inputs import CLASSIC, InputSet, input_set
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.network import Layers, fill_outcomes
from bot.backgammon.outcome import OUTPUTS, Outcomes

FILE_VERSION = 1


@dataclass(frozen=True)
class Network:
    """One layer of rectified hidden units and five logistic outputs.

    history: how it came to be (command, seed, games ...), kept in its file.
    """

    layers: Layers
    inputs: InputSet = CLASSIC
    history: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        first, biases, last, last_biases = self.layers
        units = len(biases)
        shapes = [array.shape for array in self.layers]
        if shapes != [(self.inputs.size, units), (units,), (OUTPUTS, units), (OUTPUTS,)]:
            raise ValueError(f"layers of a network on {self.inputs} do not fit together: {shapes}")
        if not all(np.isfinite(array).all() for array in (first, biases, last, last_biases)):
            raise ValueError("a network's weights are finite numbers, and these are not")

    @property
    def hidden_units(self) -> int:
        """Units in the hidden layer."""
        return len(self.layers.biases)

    @property
    def shape(self) -> str:
        """Inputs, hidden units and outputs, as 196-128-5."""
        return f"{self.inputs.size}-{self.hidden_units}-{OUTPUTS}"

    def outcomes(self, boards: Boards) -> Outcomes:
        """Chances of the player on roll; int8[n, 26] in, float32[n, 5] out, a new array.

        Quickest if the boards are much alike, as those after the plays of one roll are.
        """
        outcomes = np.empty((len(boards), OUTPUTS), np.float32)
        fill_outcomes(boards, self.layers, outcomes)
        return outcomes

    def save(self, path: Path) -> None:
        """Write the file; what stood there before stays until the new one is complete."""
        header = {
            "version": FILE_VERSION,
            "inputs": str(self.inputs),
            "hidden": "rectified",
            "outputs": "logistic",
            "history": dict(self.history),
        }
        write_archive(path, header, self.layers._asdict())

    @classmethod
    def load(cls, path: Path) -> "Network":
        """Read a file; raises ValueError if it is none or made for inputs this Blot has not."""
        header, arrays = read_archive(path, "weights file", FILE_VERSION)
        try:
            layers = Layers(
                *(np.ascontiguousarray(arrays[name], np.float32) for name in Layers._fields)
            )
            return cls(layers, input_set(header["inputs"]), header["history"])
        except (KeyError, ValueError) as error:
            raise ValueError(f"{path} cannot be used: {error}") from None


def random_network(hidden_units: int, seed: int) -> Network:
    """A network that knows nothing: all weights uniform in +-0.1."""
    if hidden_units < 1:
        raise ValueError(f"a network needs at least one hidden unit, not {hidden_units}")
    numbers = np.random.default_rng(seed)

    def uniform(*shape: int) -> Outcomes:
        return numbers.uniform(-0.1, 0.1, shape).astype(np.float32)

    return Network(
        Layers(
            uniform(CLASSIC.size, hidden_units),
            uniform(hidden_units),
            uniform(OUTPUTS, hidden_units),
            uniform(OUTPUTS),
        )
    )
