"""The dense network: a sparse first layer, rectified units, five logistic outputs."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.features import FEATURES, fill_features
from bot.backgammon.kernels.inputs import (
    CLASSIC_INPUTS,
    MOST_ACTIVE,
    Indices,
    Values,
    fill_classic,
)

Floats = NDArray[np.float32]


class Layers(NamedTuple):
    """A network of one to three hidden layers; layers it has not are empty.

    first: float32[inputs, h1], a row for each input, 196 or with the features 244; second and
    third: float32[h1, h2] and float32[h2, h3], a row for each unit below, with h2 or h3 = 0 for
    none; last: float32[5, h], a row for each chance, h the units of the topmost layer; biases:
    float32 each, of the layer's units.
    """

    first: Floats
    biases: Floats
    second: Floats
    second_biases: Floats
    third: Floats
    third_biases: Floats
    last: Floats
    last_biases: Floats


class Room(NamedTuple):
    """Scratch memory of one evaluation after another.

    indices: int16[MOST_ACTIVE]; values: float32[MOST_ACTIVE]; root, sums, hidden: float32[h1];
    upper, top: float32[h2] and float32[h3]; features, root_features: float32[FEATURES]; outputs:
    float32[5].
    """

    indices: Indices
    values: Values
    root: Floats
    sums: Floats
    hidden: Floats
    upper: Floats
    top: Floats
    features: Floats
    root_features: Floats
    outputs: Floats


@njit(cache=True)
def room_for(layers: Layers) -> Room:
    """New scratch memory for a network of this size."""
    units = layers.biases.shape[0]
    return Room(
        np.empty(MOST_ACTIVE, np.int16),
        np.empty(MOST_ACTIVE, np.float32),
        np.empty(units, np.float32),
        np.empty(units, np.float32),
        np.empty(units, np.float32),
        np.empty(layers.second_biases.shape[0], np.float32),
        np.empty(layers.third_biases.shape[0], np.float32),
        np.empty(FEATURES, np.float32),
        np.empty(FEATURES, np.float32),
        np.empty(5, np.float32),
    )


@njit(cache=True, fastmath=True)
def add_row(row: Floats, factor: float, sums: Floats) -> None:
    """Add the row, times factor, to the sums; float32[h] each."""
    scale = np.float32(factor)
    for unit in range(sums.shape[0]):
        sums[unit] += scale * row[unit]


@njit(cache=True, fastmath=True)
def fill_sums(board: Boards, layers: Layers, room: Room, sums: Floats) -> int:
    """Set the first layer's sums for a board, int8[26]; the number of classic inputs that are on.

    Leaves those inputs in room.indices and room.values, and the features in room.features if the
    network has any.
    """
    active = fill_classic(board, room.indices, room.values)
    for unit in range(sums.shape[0]):
        sums[unit] = layers.biases[unit]
    for i in range(active):
        add_row(layers.first[room.indices[i]], room.values[i], sums)
    if layers.first.shape[0] > CLASSIC_INPUTS:
        fill_features(board, room.features)
        for feature in range(FEATURES):
            if room.features[feature] != 0:
                add_row(layers.first[CLASSIC_INPUTS + feature], room.features[feature], sums)
    return active


@njit(cache=True)
def fill_root(board: Boards, layers: Layers, room: Room) -> None:
    """Set room.root, the sums that sibling_outputs starts from, for a board they resemble."""
    fill_sums(board, layers, room, room.root)
    if layers.first.shape[0] > CLASSIC_INPUTS:
        room.root_features[:] = room.features


@njit(cache=True)
def fill_sibling_outputs(
    root: Boards, board: Boards, layers: Layers, room: Room, outputs: Floats
) -> None:
    """Set the five chances of a board that resembles the root, for which fill_root was called."""
    room.sums[:] = room.root
    add_change(root, board, layers.first, room.sums)
    if layers.first.shape[0] > CLASSIC_INPUTS:
        fill_features(board, room.features)
        for feature in range(FEATURES):
            change = room.features[feature] - room.root_features[feature]
            if change != 0:
                add_row(layers.first[CLASSIC_INPUTS + feature], change, room.sums)
    fill_outputs(layers, room, room.sums, outputs)


@njit(cache=True)
def _add_side_change(first: Floats, base: int, before: int, after: int, sums: Floats) -> None:
    """Correct the sums for one point of one side that went from before to after checkers."""
    for at_least in range(before, min(after, 3)):
        add_row(first[base + at_least], 1.0, sums)
    for at_least in range(after, min(before, 3)):
        add_row(first[base + at_least], -1.0, sums)
    extra = max(after - 3, 0) - max(before - 3, 0)
    if extra != 0:
        add_row(first[base + 3], 0.5 * extra, sums)


@njit(cache=True)
def add_change(before: Boards, after: Boards, first: Floats, sums: Floats) -> None:
    """Correct the first layer's sums of one board for another of the same view; int8[26] each.

    The classic inputs' own shape makes this cheap: a play changes two to six points.
    """
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
                add_row(first[96], 0.5 * (own_new - own_old), sums)
            else:
                _add_side_change(first, 4 * (point - 1), own_old, own_new, sums)
        other_old = max(-old, 0)
        other_new = max(-new, 0)
        if other_old != other_new:
            other_off += other_old - other_new
            if point == 0:
                add_row(first[194], 0.5 * (other_new - other_old), sums)
            else:
                _add_side_change(first, 98 + 4 * (24 - point), other_old, other_new, sums)
    if own_off != 0:
        add_row(first[97], own_off / 15.0, sums)
    if other_off != 0:
        add_row(first[195], other_off / 15.0, sums)


@njit(cache=True, fastmath=True)
def _fill_next_layer(below: Floats, weights: Floats, biases: Floats, units: Floats) -> None:
    """Set a rectified layer from the units below it, most of which are zero."""
    for unit in range(units.shape[0]):
        units[unit] = biases[unit]
    for i in range(below.shape[0]):
        if below[i] > 0:
            add_row(weights[i], below[i], units)
    for unit in range(units.shape[0]):
        units[unit] = max(units[unit], np.float32(0.0))


@njit(cache=True, fastmath=True)
def _fill_chances(top: Floats, layers: Layers, outputs: Floats) -> None:
    for output in range(5):
        total = layers.last_biases[output]
        for unit in range(top.shape[0]):
            total += layers.last[output, unit] * top[unit]
        outputs[output] = 1.0 / (1.0 + math.exp(-total))


@njit(cache=True, fastmath=True)
def fill_outputs(layers: Layers, room: Room, sums: Floats, outputs: Floats) -> None:
    """Set the five chances from the first layer's sums; leaves the hidden units in the room."""
    for unit in range(sums.shape[0]):
        room.hidden[unit] = max(sums[unit], np.float32(0.0))
    if layers.second_biases.shape[0] == 0:
        _fill_chances(room.hidden, layers, outputs)
        return
    _fill_next_layer(room.hidden, layers.second, layers.second_biases, room.upper)
    if layers.third_biases.shape[0] == 0:
        _fill_chances(room.upper, layers, outputs)
        return
    _fill_next_layer(room.upper, layers.third, layers.third_biases, room.top)
    _fill_chances(room.top, layers, outputs)


@njit(cache=True)
def fill_outcomes(boards: Boards, layers: Layers, outcomes: Floats) -> None:
    """Set outcomes[i] to the five chances of boards[i]; int8[n, 26] in, float32[n, 5] filled.

    Boards near the first, as siblings are, cost little: only what differs is added.
    """
    room = room_for(layers)
    for i in range(boards.shape[0]):
        if i == 0:
            fill_root(boards[0], layers, room)
        fill_sibling_outputs(boards[0], boards[i], layers, room, outcomes[i])


@njit(cache=True)
def fill_inputs(boards: Boards, rows: Floats) -> None:
    """Fill the whole rows of inputs, zero before; int8[n, 26] in, float32[n, 196 or 244]."""
    indices = np.empty(MOST_ACTIVE, np.int16)
    values = np.empty(MOST_ACTIVE, np.float32)
    for i in range(boards.shape[0]):
        active = fill_classic(boards[i], indices, values)
        for k in range(active):
            rows[i, indices[k]] = values[k]
        if rows.shape[1] > CLASSIC_INPUTS:
            fill_features(boards[i], rows[i, CLASSIC_INPUTS:])
