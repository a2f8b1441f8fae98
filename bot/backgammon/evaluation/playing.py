"""Networks as they play: with weights of 16 bits in the two lowest layers.

Whole numbers are read and added faster than single precision, and their sums are exact, so that a
board's are the same whichever board they are told from. Each hidden unit has a unit of its own, as
small as lets no sum of any board overflow.
"""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.inputs import InputSet
from bot.backgammon.kernels.boards import BAR, CHECKERS
from bot.backgammon.kernels.inputs import CLASSIC_INPUTS, Numbers, classic_steps, classic_values
from bot.backgammon.kernels.network import Floats, Layers
from bot.backgammon.kernels.playing import PARTS, PlayingLayers
from bot.backgammon.kernels.upper import NO_UPPER, Upper
from bot.backgammon.rules.outcome import OUTPUTS
from bot.kernels.vectors import BLOCK, UNIT_BITS_LEFT_OUT, aligned, apart

_ROOM = 100
"""Of 16 bits a sum has this for what is rounded on the way: a half for each checker, and one for
each feature. Sets of more features than that have room for theirs."""

_FEW = 4
"""From so many checkers on a point each one more adds the same, however inputs are coded."""

_TOLD = 2**UNIT_BITS_LEFT_OUT
"""The second layer is told sums without their last bits: one more for it is so much of a sum."""


def playing_layers(layers: Layers, inputs: InputSet) -> PlayingLayers:
    """A network as it plays; an equity is off by under a thousandth of a point for it (rms)."""
    first = inputs.playing_layer(layers.first)
    units, highest = units_of_sums(layers, inputs)
    steps = classic_steps(inputs.coding)
    furthest = np.zeros(0) if inputs.limits is None else np.abs(inputs.limits()).max(axis=0)
    furthest[furthest == 0] = 1
    # each feature's part is rounded down, by a half on average, and so is what is told of a unit
    halves = np.count_nonzero(first[CLASSIC_INPUTS:].any(axis=1)) / 2
    halves += _TOLD / 2 if layers.second.size else 0
    once = np.concatenate([steps, furthest * (2**16 / PARTS)])
    whole = first * once[:, np.newaxis] / units
    logistic = units.reshape(-1, 1) if layers.logistic.shape[1] else np.zeros((0, 0))
    return PlayingLayers(
        apart(np.rint(whole).astype(np.int64).astype(np.int16)),
        np.rint(layers.biases / units + halves).astype(np.int16),
        (1 / steps).astype(np.float32),
        (PARTS / furthest).astype(np.float32),
        logistic.astype(np.float32),
        _upper(layers, units, highest // _TOLD),
    )


def units_of_sums(layers: Layers, inputs: InputSet) -> tuple[Numbers, NDArray[np.int64]]:
    """Of each unit of the first layer as it plays: how much 1 is in its sums, and their bound.

    float64[h1], and int64[h1], 0 or more, than which no board's sum is higher.
    """
    first = inputs.playing_layer(layers.first)
    limits = np.zeros((2, 0)) if inputs.limits is None else inputs.limits()
    at_limits = limits[..., np.newaxis] * first[CLASSIC_INPUTS:]
    highest, lowest = _extreme_sums(first[:CLASSIC_INPUTS], at_limits, layers.biases, inputs.coding)
    # what a feature adds may be twice that at either limit, and is to fit as well
    single = 2 * np.abs(at_limits).max(axis=(0, 1), initial=0)
    largest = np.maximum(np.maximum(highest, -lowest), single)
    room = max(_ROOM, 2 * CHECKERS + inputs.feature_count)
    units = np.where(largest > 0, largest, 1) / (2**15 - 1 - room)
    return units, np.maximum(highest / units + room, 0).astype(np.int64)


def _upper(layers: Layers, units: Numbers, most_told: NDArray[np.int64]) -> Upper:
    """The layers above the first, in whose sums 1 is so much of each unit, float64[h1].

    most_told: int64[h1], the most that a second layer is told of each.
    """
    if not layers.second.size:
        last = layers.last if layers.logistic.shape[1] else layers.last * units
        return NO_UPPER._replace(
            last=last.astype(np.float32), last_biases=layers.last_biases.copy()
        )
    phases = max(len(layers.last_biases) // OUTPUTS, 1)
    second, biases = _in_blocks(layers.second, layers.second_biases, phases, len(units))
    whole, scales = _in_wholes(second, _TOLD * units, most_told)
    upper = NO_UPPER._replace(
        second=aligned(whole.reshape(-1, whole.shape[2])),
        second_scales=scales.reshape(-1),
        second_biases=biases,
        last_biases=layers.last_biases.copy(),
    )
    top = second.shape[2]
    if layers.third.size:
        third, biases = _in_blocks(layers.third, layers.third_biases, phases, top)
        top = third.shape[2]
        upper = upper._replace(third=aligned(third.reshape(-1, top)), third_biases=biases)
    last = np.zeros((len(layers.last), top), np.float32)
    last[:, : layers.last.shape[1]] = layers.last
    return upper._replace(last=last)


def _in_blocks(weights: Floats, biases: Floats, phases: int, below: int) -> tuple[Floats, Floats]:
    """Each phase's layer, float32[phases, below, h], and its biases, filled up with zeros."""
    given, units = len(weights) // phases, weights.shape[1]
    columns = -(-units // BLOCK) * BLOCK
    rows = np.zeros((phases, below, columns), np.float32)
    rows[:, :given, :units] = weights.reshape(phases, given, units)
    all_biases = np.zeros((phases, columns), np.float32)
    all_biases[:, :units] = biases.reshape(phases, units)
    return rows, all_biases.reshape(-1)


def _in_wholes(
    weights: Floats, factors: Numbers, most: NDArray[np.int64]
) -> tuple[NDArray[np.int16], Floats]:
    """Weights of 16 bits, and each column's scale, by which they are to be multiplied.

    weights: float32[phases, below, h], of which those of a unit below count so many times as its
    factor says, float64[below]. No column's sum is beyond 32 bits if of each unit below no more is
    told than the most, int64[below].
    """
    whole = np.empty(weights.shape, np.int16)
    scales = np.empty((len(weights), weights.shape[2]))
    room = 2**31 - 1 - most.sum() / 2  # each weight may be a half more for being rounded
    for phase in range(len(weights)):  # one at a time stays in the processor's cache
        layer = weights[phase] * factors[:, np.newaxis]
        added = layer * most[:, np.newaxis]
        sums = np.maximum(added.clip(min=0).sum(axis=0), -added.clip(max=0).sum(axis=0))
        largest = np.abs(layer).max(axis=0, initial=0)
        scale = np.maximum(sums / room, largest / (2**15 - 1))
        scale[scale == 0] = 1
        scales[phase] = scale
        whole[phase] = np.rint(layer / scale)
    return whole, scales.astype(np.float32)


def _extreme_sums(
    classic: Numbers, features: Numbers, biases: NDArray[np.float32], coding: int
) -> tuple[Numbers, Numbers]:
    """No board's sum of each unit is higher than the first, or lower than the other; float64[h1].

    classic: float64[classic inputs, h1], weights; features: float64[2, features, h1], what each
    adds at its least and its largest.
    """
    # both signs at once: the most that is reached of the sums, and of the sums turned
    both = np.concatenate([classic, -classic], axis=1)
    most = np.concatenate([biases, -biases]).astype(np.float64)
    for side in np.split(both, 2):
        most += _most_of_side(side, coding)
    most += np.concatenate([features, -features], axis=2).max(axis=0).sum(axis=0)
    highest, turned = np.split(most, 2)
    return highest, -turned


def _most_of_side(weights: Numbers, coding: int) -> Numbers:
    """The most that one side's classic inputs, float64[98, n], come to, wherever it stands."""
    points, bar, off = classic_values(coding)
    most = np.full((CHECKERS + 1, weights.shape[1]), -np.inf)
    most[0] = 0
    # by how many checkers stand on the points so far
    for point in range(1, BAR + 1):
        if point == BAR:
            added = np.outer(bar[: _FEW + 2], weights[-2])
        else:
            added = points[: _FEW + 2] @ weights[4 * (point - 1) : 4 * point]
        before = most.copy()
        for checkers in range(1, _FEW):
            reached = before[:-checkers] + added[checkers]
            np.maximum(most[checkers:], reached, out=most[checkers:])
        # that many there or more, each of which adds to one less
        reached = before[:-_FEW] + added[_FEW]
        one_more = added[_FEW + 1] - added[_FEW]
        for checkers in range(1, len(reached)):
            fewer = reached[checkers - 1] + one_more
            np.maximum(reached[checkers], fewer, out=reached[checkers])
        np.maximum(most[_FEW:], reached, out=most[_FEW:])
    summed: Numbers = (most + np.outer(off[::-1], weights[-1])).max(axis=0)
    return summed
