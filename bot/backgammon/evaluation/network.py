"""Network: the dense net that gives a position its five chances, and its file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from bot.archive import read_archive, write_archive
from bot.backgammon.evaluation.inputs import CLASSIC, InputSet, input_set
from bot.backgammon.evaluation.playing import playing_layers
from bot.backgammon.kernels.batch import fill_outcomes
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.inputs import Features
from bot.backgammon.kernels.network import Floats, Layers
from bot.backgammon.kernels.outputs import OUTPUT_COUNTS
from bot.backgammon.kernels.phases import PHASES
from bot.backgammon.kernels.playing import PlayingLayers, first_workspace
from bot.backgammon.kernels.upper import four_workspace
from bot.backgammon.rules.outcome import OUTPUTS, Outcomes
from bot.backgammon.rules.position import checked_boards
from bot.weights import DEFAULT, weights_file

FILE_VERSION = 1
MAX_HIDDEN_LAYERS = 3
RECTIFIED, LOGISTIC = "rectified", "logistic"
"""Kinds of hidden units, in files."""

PHASE_RULE = "phases-1"
"""Name and version of what kernels/phases.py counts as a phase, for files."""


@dataclass(frozen=True, eq=False)
class Network:
    """One to three layers of rectified hidden units and five logistic outputs.

    With one hidden layer its units may be logistic, and it may have fewer outputs, from which the
    five chances are made.
    A network by phases has a first layer for all positions and the others for each phase.
    history: how it came to be (command, seed, games ...), kept in its file. Raises ValueError for
    layers that do not fit together.
    """

    layers: Layers
    inputs: InputSet = CLASSIC
    history: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        layers = self.layers
        phases = self.phases
        one, two, three = self.units
        top = three or two or one
        expected: list[tuple[int, ...]] = [(self.inputs.size, one), (one,)]
        expected += [(phases * one, two), (phases * two,), (phases * two, three)]
        expected += [(phases * three,), (0, int(self.has_logistic_units))]
        expected += [(phases * self.outputs, top), (phases * self.outputs,)]
        shapes = [array.shape for array in layers]
        if phases != 1 and not (phases == PHASES and two):
            raise ValueError(f"a network of {phases} phases has no layers for them: {shapes}")
        if self.outputs not in ((OUTPUTS,) if two else OUTPUT_COUNTS):
            raise ValueError(f"no network of these layers has {self.outputs} outputs: {shapes}")
        if self.has_logistic_units and two:
            raise ValueError(f"no network of these layers has logistic hidden units: {shapes}")
        if shapes != expected or one == 0 or (three and not two):
            raise ValueError(f"layers of a network on {self.inputs} do not fit together: {shapes}")
        if not all(np.isfinite(array).all() for array in layers):
            raise ValueError("a network's weights are finite numbers, and these are not")

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle the network without what kernels were given, which holds here alone."""
        return Network, (self.layers, self.inputs, self.history)

    def __repr__(self) -> str:
        """The network in a line, without its weights."""
        return f"<Network {self.shape} on {self.inputs}>"

    @property
    def units(self) -> tuple[int, int, int]:
        """Units in the three hidden layers, 0 for a layer it has not."""
        layers, phases = self.layers, self.phases
        second, third = len(layers.second_biases), len(layers.third_biases)
        return len(layers.biases), second // phases, third // phases

    @property
    def phases(self) -> int:
        """Number of phases it tells apart; 1 if it has the same layers for all."""
        return max(len(self.layers.last_biases) // OUTPUTS, 1)

    @property
    def outputs(self) -> int:
        """Number of outputs, of each phase: five, or fewer of which the five chances are made."""
        return len(self.layers.last_biases) // self.phases

    @property
    def has_logistic_units(self) -> bool:
        """True if its hidden units are logistic, not rectified."""
        return bool(self.layers.logistic.shape[-1])

    @property
    def shape(self) -> str:
        """Inputs, hidden units and outputs, as 196-128-5 or, of eight phases, 244-512-8x64-5."""
        first, *upper = self.units
        times = f"{self.phases}x" if self.phases > 1 else ""
        sizes = [self.inputs.size, first, *(f"{times}{units}" for units in upper if units)]
        sizes.append(self.outputs)
        return "-".join(map(str, sizes))

    @cached_property
    def features(self) -> Features:
        """The features it sees beside the classic inputs, as kernels take them."""
        return self.inputs.features

    @cached_property
    def playing(self) -> PlayingLayers:
        """The layers as they play, as they are now."""
        return playing_layers(self.layers, self.inputs)

    @cached_property
    def playing_features(self) -> Features:
        """The features that these layers see, as kernels take them."""
        return self.inputs.playing_features

    def outcomes(self, boards: Boards) -> Outcomes:
        """Chances of the player on roll; int8[n, 26] in, float32[n, 5] out, a new array.

        Quickest if the boards are much alike, as those after the plays of one roll are. Raises
        ValueError for what are no positions.
        """
        boards = checked_boards(boards)
        outcomes = np.empty((len(boards), OUTPUTS), np.float32)
        layers = self.playing
        first = first_workspace(layers, self.playing_features)
        four, flat = four_workspace(layers.upper), outcomes.reshape(-1)
        fill_outcomes(boards, layers, first, four, outcomes, flat)
        return outcomes

    def save(self, path: Path) -> None:
        """Write the file; what stood there before stays until the new one is complete."""
        header = {
            "version": FILE_VERSION,
            "inputs": str(self.inputs),
            "hidden": LOGISTIC if self.has_logistic_units else RECTIFIED,
            "outputs": "logistic",
            "history": dict(self.history),
        }
        if self.phases > 1:
            header["phases"] = PHASE_RULE
        write_archive(path, header, {k: v for k, v in self.layers._asdict().items() if v.size})

    @classmethod
    def load(cls, path: Path) -> "Network":
        """Read a file; raises ValueError if it is none or made for inputs or phases it has not."""
        header, arrays = read_archive(path, "weights file", FILE_VERSION, ["inputs"])
        try:
            hidden = [arrays[name] for name in Layers._fields[:-3] if name in arrays]
            layers = layers_of(
                *hidden,
                last=arrays["last"],
                last_biases=arrays["last_biases"],
                is_logistic=_is_logistic(header.get("hidden", RECTIFIED)),
            )
            network = cls(layers, input_set(header["inputs"]), header["history"])
            phases = header.get("phases", "none")
            if phases != (PHASE_RULE if network.phases > 1 else "none"):
                raise ValueError(f"it is made for phases {phases!r}, which this Blot has not")
            return network
        except KeyError as error:
            raise ValueError(f"{path} cannot be used: it has no {error}") from None
        except (ValueError, TypeError, IndexError) as error:
            raise ValueError(f"{path} cannot be used: {error}") from None


def _is_logistic(hidden: str) -> bool:
    """Whether a file's hidden units are logistic; raises ValueError for others unknown."""
    if hidden not in (RECTIFIED, LOGISTIC):
        raise ValueError(f"it has {hidden!r} hidden units, which this Blot has not")
    return hidden == LOGISTIC


def random_network(
    hidden_units: int,
    seed: int,
    inputs: InputSet = CLASSIC,
    outputs: int = OUTPUTS,
    *,
    is_logistic: bool = False,
) -> Network:
    """A network of one hidden layer that knows nothing: all weights uniform in +-0.1."""
    if hidden_units < 1:
        raise ValueError(f"a network needs at least one hidden unit, not {hidden_units}")
    numbers = np.random.default_rng(seed)

    def uniform(*shape: int) -> Floats:
        return numbers.uniform(-0.1, 0.1, shape).astype(np.float32)

    return Network(
        layers_of(
            uniform(inputs.size, hidden_units),
            uniform(hidden_units),
            last=uniform(outputs, hidden_units),
            last_biases=uniform(outputs),
            is_logistic=is_logistic,
        ),
        inputs,
    )


def layers_of(
    *hidden: Floats, last: Floats, last_biases: Floats, is_logistic: bool = False
) -> Layers:
    """Layers, float32, from weights and biases of each hidden layer in turn; others are empty."""
    pairs = list(zip(hidden[::2], hidden[1::2], strict=True))
    while len(pairs) < MAX_HIDDEN_LAYERS:
        pairs.append((np.zeros((len(pairs[-1][1]), 0), np.float32), np.zeros(0, np.float32)))
    logistic = np.zeros((0, int(is_logistic)), np.float32)
    arrays = [*chain(*pairs), logistic, last, last_biases]
    return Layers(*(np.ascontiguousarray(array, np.float32) for array in arrays))


def load_network(name: str = DEFAULT) -> Network:
    """The network with a listed name or an alias, or in the file at a path.

    Raises ValueError as weights_file does, or if the file holds no network.
    """
    return Network.load(weights_file(name))
