"""The dense network: a sparse first layer, rectified units, five logistic outputs."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.features import FEATURES, fill_features
from bot.backgammon.kernels.inputs import (
    CLASSIC_INPUTS,
    MOST_ACTIVE,
    fill_classic,
)
from bot.backgammon.kernels.phases import phase_of
from bot.kernels import inner, kernel

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


class Layers(NamedTuple):
    """A network of one to three hidden layers; layers it has not are empty.

    first: float32[inputs, h1], a row for each input, 196 or with the features 244; second and
    third: float32[h1, h2] and float32[h2, h3], a row for each unit below, with h2 or h3 = 0 for
    none; last: float32[5, h], a row for each chance, h the units of the topmost layer; biases:
    float32 each, of the layer's units. A network by phases has all but the first layer once for
    each phase, the rows and biases of one after those of the other.
    """

    first: Floats
    biases: Floats
    second: Floats
    second_biases: Floats
    third: Floats
    third_biases: Floats
    last: Floats
    last_biases: Floats


class NetworkWorkspace(NamedTuple):
    """Workspace of one evaluation after another.

    rows, factors: int64[MOST_ROWS] and float32[MOST_ROWS], rows of a layer to be added; root, sums,
    hidden: float32[h1]; upper, top: float32[h2] and float32[h3]; features, root_features:
    float32[FEATURES]; outputs: float32[5].
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
    outputs: Floats


@inner
def phase_count(layers: Layers) -> int:
    """How many phases a network tells apart; 1 if it has the same layers for all."""
    return max(int(layers.last_biases.shape[0] // 5), 1)


@kernel
def network_workspace(layers: Layers) -> NetworkWorkspace:
    """A new workspace for a network of this size."""
    units = layers.biases.shape[0]
    phases = phase_count(layers)
    upper = layers.second_biases.shape[0] // phases
    top = layers.third_biases.shape[0] // phases
    most_rows = max(MOST_ACTIVE + FEATURES, units, upper) + 8
    return NetworkWorkspace(
        np.empty(most_rows, np.int64),
        np.empty(most_rows, np.float32),
        np.empty(units, np.float32),
        np.empty(units, np.float32),
        np.empty(units, np.float32),
        np.empty(upper, np.float32),
        np.empty(top, np.float32),
        np.empty(FEATURES, np.float32),
        np.empty(FEATURES, np.float32),
        np.empty(5, np.float32),
    )


@inner
def _fill_weighted(
    start: Floats, matrix: Floats, rows: Rows, factors: Floats, count: int, sums: Floats
) -> None:
    """Set sums to start plus so many rows of the matrix, each times its factor.

    Eight rows at a time, as a sum is then loaded and stored once for eight products; rows and
    factors have room for the count rounded up to eights, and what is missing there is filled.
    """
    units = sums.shape[0]
    for unit in range(units):
        sums[unit] = start[unit]
    while count % 8 != 0:
        rows[count] = 0
        factors[count] = 0.0
        count += 1
    for i in range(0, count, 8):
        row0, row1, row2, row3 = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        row4, row5, row6, row7 = rows[i + 4], rows[i + 5], rows[i + 6], rows[i + 7]
        factor0, factor1 = factors[i], factors[i + 1]
        factor2, factor3 = factors[i + 2], factors[i + 3]
        factor4, factor5 = factors[i + 4], factors[i + 5]
        factor6, factor7 = factors[i + 6], factors[i + 7]
        for unit in range(units):
            sums[unit] += (
                factor0 * matrix[row0, unit]
                + factor1 * matrix[row1, unit]
                + factor2 * matrix[row2, unit]
                + factor3 * matrix[row3, unit]
                + factor4 * matrix[row4, unit]
                + factor5 * matrix[row5, unit]
                + factor6 * matrix[row6, unit]
                + factor7 * matrix[row7, unit]
            )


@inner
def fill_sums(board: Boards, layers: Layers, workspace: NetworkWorkspace, sums: Floats) -> int:
    """Set the first layer's sums for a board, int8[26]; the number of inputs that are not zero.

    Leaves those inputs in the workspace's rows and factors, and the features in its features if the
    network has any.
    """
    active = fill_classic(board, workspace.rows, workspace.factors)
    if layers.first.shape[0] > CLASSIC_INPUTS:
        fill_features(board, workspace.features)
        for feature in range(FEATURES):
            workspace.rows[active] = CLASSIC_INPUTS + feature
            workspace.factors[active] = workspace.features[feature]
            active += workspace.features[feature] != 0
    _fill_weighted(layers.biases, layers.first, workspace.rows, workspace.factors, active, sums)
    return active


@inner
def fill_root(board: Boards, layers: Layers, workspace: NetworkWorkspace) -> None:
    """Set workspace.root, the sums that fill_sibling_outputs starts from, for such a board."""
    fill_sums(board, layers, workspace, workspace.root)
    for feature in range(FEATURES):
        workspace.root_features[feature] = workspace.features[feature]


@inner
def _note_side_change(
    base: int, before: int, after: int, rows: Rows, factors: Floats, count: int
) -> int:
    """Note the rows for one point of one side that went from before to after checkers."""
    for at_least in range(before, min(after, 3)):
        rows[count] = base + at_least
        factors[count] = 1.0
        count += 1
    for at_least in range(after, min(before, 3)):
        rows[count] = base + at_least
        factors[count] = -1.0
        count += 1
    extra = max(after - 3, 0) - max(before - 3, 0)
    if extra != 0:
        rows[count] = base + 3
        factors[count] = 0.5 * extra
        count += 1
    return count


@inner
def _note_changes(before: Boards, after: Boards, rows: Rows, factors: Floats) -> int:
    """Note the rows of classic inputs in which two boards of the same view differ; their number.

    before, after: int8[26]. A play changes two to six points, and each a row or two.
    """
    count = 0
    own_off = 0
    other_off = 0
    for point in range(26):
        old = int(before[point])
        new = int(after[point])
        if old == new:
            continue
        own_old = max(old, 0)
        own_new = max(new, 0)
        if own_old != own_new:
            own_off += own_old - own_new
            if point == 25:
                rows[count] = 96
                factors[count] = 0.5 * (own_new - own_old)
                count += 1
            else:
                base = 4 * (point - 1)
                count = _note_side_change(base, own_old, own_new, rows, factors, count)
        other_old = max(-old, 0)
        other_new = max(-new, 0)
        if other_old != other_new:
            other_off += other_old - other_new
            if point == 0:
                rows[count] = 194
                factors[count] = 0.5 * (other_new - other_old)
                count += 1
            else:
                base = 98 + 4 * (24 - point)
                count = _note_side_change(base, other_old, other_new, rows, factors, count)
    if own_off != 0:
        rows[count] = 97
        factors[count] = own_off / 15.0
        count += 1
    if other_off != 0:
        rows[count] = 195
        factors[count] = other_off / 15.0
        count += 1
    return count


@inner
def fill_sibling_sums(
    root: Boards, board: Boards, layers: Layers, workspace: NetworkWorkspace, sums: Floats
) -> None:
    """Set the first layer's sums for a board that resembles the root, of fill_root's last call."""
    count = _note_changes(root, board, workspace.rows, workspace.factors)
    if layers.first.shape[0] > CLASSIC_INPUTS:
        fill_features(board, workspace.features)
        for feature in range(FEATURES):
            change = workspace.features[feature] - workspace.root_features[feature]
            workspace.rows[count] = CLASSIC_INPUTS + feature
            workspace.factors[count] = change
            count += change != 0
    _fill_weighted(workspace.root, layers.first, workspace.rows, workspace.factors, count, sums)


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
    _fill_weighted(biases, weights, rows, factors, count, units)
    for unit in range(units.shape[0]):
        units[unit] = max(units[unit], np.float32(0.0))


@inner
def _fill_chances(top: Floats, last: Floats, biases: Floats, first: int, outputs: Floats) -> None:
    for output in range(5):
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
    for unit in range(sums.shape[0]):
        workspace.hidden[unit] = max(sums[unit], np.float32(0.0))
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
    _fill_chances(top, layers.last, layers.last_biases, 5 * phase, outputs)


@kernel
def fill_inputs(boards: Boards, rows: Floats) -> None:
    """Fill the whole rows of inputs, zero before; int8[n, 26] in, float32[n, 196 or 244]."""
    indices = np.empty(MOST_ACTIVE, np.int64)
    values = np.empty(MOST_ACTIVE, np.float32)
    for i in range(boards.shape[0]):
        active = fill_classic(boards[i], indices, values)
        for k in range(active):
            rows[i, indices[k]] = values[k]
        if rows.shape[1] > CLASSIC_INPUTS:
            fill_features(boards[i], rows[i, CLASSIC_INPUTS:])
