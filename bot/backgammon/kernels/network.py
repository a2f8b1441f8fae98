"""The dense network: a sparse first layer, hidden units, five logistic outputs or fewer.

Hidden units are rectified; those of a network with one hidden layer may be logistic, as they were
in the networks of the theses.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.inputs import (
    CLASSIC_INPUTS,
    Features,
    fill_classic,
    fill_features_at,
    note_changes,
)
from bot.backgammon.kernels.logistic import fill_logistic
from bot.backgammon.kernels.outputs import spread_outputs
from bot.backgammon.kernels.phases import phase_of
from bot.kernels import inner, kernel
from bot.kernels.vectors import add_rows

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


class Layers(NamedTuple):
    """A network of one to three hidden layers; layers it has not are empty.

    first: float32[inputs, h1], a row for each classic input, then one for each feature; second and
    third: float32[h1, h2] and float32[h2, h3], a row for each unit below, with h2 or h3 = 0 for
    none; last: float32[5, h], a row for each chance, h the units of the topmost layer, or with one
    hidden layer a row for each of fewer outputs, see kernels/outputs.py; biases: float32 each, of
    the layer's units. A network by phases has all but the first layer once for each phase, the rows
    and biases of one after those of the other. logistic: float32[0, 1] if the hidden units are
    logistic, float32[0, 0] if rectified: no weight, so that a copy of all weights has it too.
    """

    first: Floats
    biases: Floats
    second: Floats
    second_biases: Floats
    third: Floats
    third_biases: Floats
    logistic: Floats
    last: Floats
    last_biases: Floats


NO_LAYERS = Layers(
    *(np.empty(shape, np.float32) for shape in ((0, 0), 0, (0, 0), 0, (0, 0), 0, (0, 0), (5, 0), 0))
)
"""No network at all."""


class NetworkWorkspace(NamedTuple):
    """Workspace of one evaluation after another.

    rows, factors: int64[most] and float32[most], rows of a layer to be added, at most all of them;
    root, sums, hidden: float32[h1]; upper, top: float32[h2] and float32[h3]; features,
    root_features: float32[features], none if the network sees classic inputs only; fill_features:
    see Features.fill; coding: see Features.coding; outputs: float32[5].
    """

    rows: Rows
    factors: Floats
    root: Floats
    sums: Floats
    hidden: Floats
    upper: Floats
    top: Floats
    features: Floats
    root_features: Floats
    fill_features: Any
    coding: int
    outputs: Floats


@inner
def phase_count(layers: Layers) -> int:
    """Number of phases a network tells apart; 1 if it has the same layers for all."""
    return max(int(layers.last_biases.shape[0] // 5), 1)


@inner
def has_logistic_units(layers: Layers) -> bool:
    """True if the hidden units are logistic, not rectified."""
    return bool(layers.logistic.shape[1] > 0)


@kernel
def network_workspace(layers: Layers, features: Features) -> NetworkWorkspace:
    """A new workspace for a network of this size that sees these features.

    layers.first has a row for each classic input and each feature.
    """
    units = layers.biases.shape[0]
    phases = phase_count(layers)
    upper = layers.second_biases.shape[0] // phases
    top = layers.third_biases.shape[0] // phases
    # no row is ever noted twice
    most_rows = max(layers.first.shape[0], units, upper)
    return NetworkWorkspace(
        np.empty(most_rows, np.int64),
        np.empty(most_rows, np.float32),
        np.empty(units, np.float32),
        np.empty(units, np.float32),
        np.empty(units, np.float32),
        np.empty(upper, np.float32),
        np.empty(top, np.float32),
        np.empty(features.size, np.float32),
        np.empty(features.size, np.float32),
        features.fill,
        features.coding,
        np.empty(5, np.float32),
    )


@inner
def fill_sums(board: Boards, layers: Layers, workspace: NetworkWorkspace, sums: Floats) -> int:
    """Set the first layer's sums for a board, int8[26]; the number of inputs that are not zero.

    Leaves those inputs in the workspace's rows and factors, and the features in its features.
    """
    active = fill_classic(board, workspace.coding, workspace.rows, workspace.factors)
    features = workspace.features.shape[0]
    if features > 0:
        fill_features_at(workspace.fill_features, board, workspace.features)
        for feature in range(features):
            workspace.rows[active] = CLASSIC_INPUTS + feature
            workspace.factors[active] = workspace.features[feature]
            active += workspace.features[feature] != 0
    add_rows(layers.biases, layers.first, workspace.rows, workspace.factors, active, sums)
    return active


@inner
def fill_root(board: Boards, layers: Layers, workspace: NetworkWorkspace) -> None:
    """Set workspace.root, the sums that fill_sibling_outputs starts from, for such a board."""
    fill_sums(board, layers, workspace, workspace.root)
    for feature in range(workspace.features.shape[0]):
        workspace.root_features[feature] = workspace.features[feature]


@inner
def fill_sibling_sums(
    root: Boards, board: Boards, layers: Layers, workspace: NetworkWorkspace, sums: Floats
) -> None:
    """Set the first layer's sums for a board that resembles the root, of fill_root's last call."""
    count = note_changes(root, board, workspace.coding, workspace.rows, workspace.factors)
    features = workspace.features.shape[0]
    if features > 0:
        fill_features_at(workspace.fill_features, board, workspace.features)
        for feature in range(features):
            change = workspace.features[feature] - workspace.root_features[feature]
            workspace.rows[count] = CLASSIC_INPUTS + feature
            workspace.factors[count] = change
            count += change != 0
    add_rows(workspace.root, layers.first, workspace.rows, workspace.factors, count, sums)


@inner
def fill_sibling_outputs(
    root: Boards, board: Boards, layers: Layers, workspace: NetworkWorkspace, outputs: Floats
) -> None:
    """Set the five chances of a board that resembles the root, of fill_root's last call."""
    fill_sibling_sums(root, board, layers, workspace, workspace.sums)
    phase = phase_of(board) if phase_count(layers) > 1 else 0
    fill_outputs(layers, workspace, workspace.sums, outputs, phase)


@inner
def _fill_next_layer(
    below: Floats,
    weights: Floats,
    biases: Floats,
    phase: int,
    rows: Rows,
    factors: Floats,
    units: Floats,
) -> None:
    """Set a phase's rectified layer from the units below it, most of which are zero."""
    weights = weights[phase * below.shape[0] : (phase + 1) * below.shape[0]]
    biases = biases[phase * units.shape[0] : (phase + 1) * units.shape[0]]
    count = 0
    for unit in range(below.shape[0]):
        rows[count] = unit
        factors[count] = below[unit]
        count += below[unit] > 0
    add_rows(biases, weights, rows, factors, count, units)
    for unit in range(units.shape[0]):
        units[unit] = max(units[unit], np.float32(0.0))


@inner
def _fill_logistic_outputs(
    top: Floats, last: Floats, biases: Floats, first: int, count: int, outputs: Floats
) -> None:
    for output in range(count):
        total = np.float32(0.0)
        for unit in range(top.shape[0]):
            total += last[first + output, unit] * top[unit]
        outputs[output] = 1.0 / (1.0 + math.exp(-(total + biases[first + output])))


@inner
def fill_outputs(
    layers: Layers, workspace: NetworkWorkspace, sums: Floats, outputs: Floats, phase: int = 0
) -> None:
    """Set the five chances from the first layer's sums; leaves the hidden units in the workspace.

    phase: the board's, 0 if the network has the same layers for all.
    """
    fill_own_outputs(layers, workspace, sums, outputs, phase)
    if layers.last_biases.shape[0] < 5:
        spread_outputs(layers.last_biases.shape[0], outputs)


@inner
def fill_hidden(layers: Layers, sums: Floats, hidden: Floats) -> None:
    """Set the first hidden layer's units from their sums, which may be the same array."""
    if has_logistic_units(layers):
        for unit in range(sums.shape[0]):
            hidden[unit] = sums[unit]
        fill_logistic(hidden, sums.shape[0])
    else:
        for unit in range(sums.shape[0]):
            hidden[unit] = max(sums[unit], np.float32(0.0))


@inner
def fill_own_outputs(
    layers: Layers, workspace: NetworkWorkspace, sums: Floats, outputs: Floats, phase: int = 0
) -> None:
    """Set as many of float32[5] as the network has outputs; for the rest see fill_outputs."""
    fill_hidden(layers, sums, workspace.hidden)
    top = workspace.hidden
    if layers.second_biases.shape[0] > 0:
        weights, biases = layers.second, layers.second_biases
        _fill_next_layer(
            top, weights, biases, phase, workspace.rows, workspace.factors, workspace.upper
        )
        top = workspace.upper
    if layers.third_biases.shape[0] > 0:
        weights, biases = layers.third, layers.third_biases
        _fill_next_layer(
            top, weights, biases, phase, workspace.rows, workspace.factors, workspace.top
        )
        top = workspace.top
    count = min(layers.last_biases.shape[0], 5)
    _fill_logistic_outputs(top, layers.last, layers.last_biases, 5 * phase, count, outputs)


@kernel
def fill_inputs(boards: Boards, features: Features, rows: Floats) -> None:
    """Fill the whole rows of inputs, zero before.

    boards: int8[n, 26]; rows: float32[n, inputs], the classic ones and these features.
    """
    indices = np.empty(CLASSIC_INPUTS, np.int64)
    values = np.empty(CLASSIC_INPUTS, np.float32)
    for i in range(boards.shape[0]):
        active = fill_classic(boards[i], features.coding, indices, values)
        for k in range(active):
            rows[i, indices[k]] = values[k]
        if features.size > 0:
            fill_features_at(features.fill, boards[i], rows[i, CLASSIC_INPUTS:])
