"""The dense network: the sparse first layer, rectified units, five logistic outputs."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.inputs import MOST_ACTIVE, Indices, Values, fill_classic

Floats = NDArray[np.float32]


class Layers(NamedTuple):
    """A network with one hidden layer.

    first: float32[inputs, h], a row for each input; biases: float32[h]; last: float32[5, h], a row
    for each chance; last_biases: float32[5].
    """

    first: Floats
    biases: Floats
    last: Floats
    last_biases: Floats


class Room(NamedTuple):
    """Scratch memory of one evaluation after another.

    indices: int16[MOST_ACTIVE]; values: float32[MOST_ACTIVE]; root, sums, hidden: float32[h];
    outputs: float32[5].
    """

    indices: Indices
    values: Values
    root: Floats
    sums: Floats
    hidden: Floats
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
    """Set the first layer's sums for a board, int8[26]; the number of inputs that are on.

    Leaves those inputs in room.indices and room.values.
    """
    active = fill_classic(board, room.indices, room.values)
    for unit in range(sums.shape[0]):
        sums[unit] = layers.biases[unit]
    for i in range(active):
        add_row(layers.first[room.indices[i]], room.values[i], sums)
    return active


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
def fill_outputs(layers: Layers, sums: Floats, hidden: Floats, outputs: Floats) -> None:
    """Set the hidden units, float32[h], and the five chances from the first layer's sums."""
    units = sums.shape[0]
    for unit in range(units):
        hidden[unit] = max(sums[unit], np.float32(0.0))
    for output in range(5):
        total = layers.last_biases[output]
        for unit in range(units):
            total += layers.last[output, unit] * hidden[unit]
        outputs[output] = 1.0 / (1.0 + math.exp(-total))


@njit(cache=True)
def fill_outcomes(boards: Boards, layers: Layers, outcomes: Floats) -> None:
    """Set outcomes[i] to the five chances of boards[i]; int8[n, 26] in, float32[n, 5] filled.

    Boards near the one before, as siblings are, cost little: only what differs is added.
    """
    room = room_for(layers)
    for i in range(boards.shape[0]):
        if i == 0:
            fill_sums(boards[0], layers, room, room.root)
        room.sums[:] = room.root
        add_change(boards[0], boards[i], layers.first, room.sums)
        fill_outputs(layers, room.sums, room.hidden, outcomes[i])
