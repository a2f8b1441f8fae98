"""Networks as they play: with a first layer in whole numbers of 16 bits.

Whole numbers are read and added faster than single precision, and their sums are exact, so that a
board's are the same whichever board they are told from. Each hidden unit has a unit of its own, as
small as lets no sum of any board overflow.
"""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.inputs import InputSet
from bot.backgammon.kernels.boards import BAR, CHECKERS
from bot.backgammon.kernels.inputs import CLASSIC_INPUTS, classic_steps, classic_values
from bot.backgammon.kernels.network import Layers
from bot.backgammon.kernels.playing import PARTS, PlayingLayers
from bot.backgammon.kernels.upper import upper_of
from bot.kernels.vectors import aligned

Numbers = NDArray[np.float64]

_ROOM = 100
"""Of 16 bits a sum has this for what is rounded on the way: a half for each checker, and one for
each feature. Sets of more features than that have room for theirs."""


def playing_layers(layers: Layers, inputs: InputSet) -> PlayingLayers:
    """A network as it plays; an equity is off by half a thousandth of a point for it (rms)."""
    first = inputs.playing_layer(layers.first)
    steps = classic_steps(inputs.coding)
    limits = np.zeros((2, 0)) if inputs.limits is None else inputs.limits()
    furthest = np.abs(limits).max(axis=0)
    furthest[furthest == 0] = 1
    at_limits = limits[..., np.newaxis] * first[CLASSIC_INPUTS:]
    largest = _largest_sums(first[:CLASSIC_INPUTS], at_limits, layers.biases, inputs.coding)
    room = max(_ROOM, 2 * CHECKERS + inputs.feature_count)
    scales = (2**15 - 1 - room) / np.where(largest > 0, largest, 1)
    # each feature's part is rounded down, by a half on average
    halves = np.count_nonzero(first[CLASSIC_INPUTS:].any(axis=1)) / 2
    once = np.concatenate([steps, furthest * (2**16 / PARTS)])
    whole = first * once[:, np.newaxis] * scales
    units, upper = 1 / scales, layers
    if layers.second.size:
        phases = max(len(layers.last_biases) // 5, 1)
        second = layers.second * np.tile(units, phases)[:, np.newaxis]
        upper = layers._replace(second=second.astype(np.float32))
    elif not layers.logistic.shape[1]:
        upper = layers._replace(last=(layers.last * units).astype(np.float32))
    logistic = units.reshape(-1, 1) if layers.logistic.shape[1] else np.zeros((0, 0))
    return PlayingLayers(
        aligned(np.rint(whole).astype(np.int64).astype(np.int16)),
        np.rint(layers.biases * scales + halves).astype(np.int16),
        (1 / steps).astype(np.float32),
        (PARTS / furthest).astype(np.float32),
        logistic.astype(np.float32),
        upper_of(upper),
    )


def _largest_sums(
    classic: Numbers, features: Numbers, biases: NDArray[np.float32], coding: int
) -> Numbers:
    """No board's sum of each unit is further from 0; float64[units].

    classic: float64[classic inputs, units], weights; features: float64[2, features, units], what
    each adds at its least and its largest, and twice that is to fit as well.
    """
    # both signs at once: the most that is reached of the sums, and of the sums turned
    both = np.concatenate([classic, -classic], axis=1)
    most = np.concatenate([biases, -biases]).astype(np.float64)
    for side in np.split(both, 2):
        most += _most_of_side(side, coding)
    most += np.concatenate([features, -features], axis=2).max(axis=0).sum(axis=0)
    single = 2 * np.abs(features).max(axis=(0, 1), initial=0)
    largest: Numbers = np.maximum(np.maximum(*np.split(most, 2)), single)
    return largest


def _most_of_side(weights: Numbers, coding: int) -> Numbers:
    """The most that one side's classic inputs, float64[98, n], come to, wherever it stands."""
    points, bar, off = classic_values(coding)
    most = np.full((CHECKERS + 1, weights.shape[1]), -np.inf)
    most[0] = 0
    # by how many checkers stand on the points so far
    for point in range(1, BAR + 1):
        if point == BAR:
            added = np.outer(bar, weights[-2])
        else:
            added = points @ weights[4 * (point - 1) : 4 * point]
        before = most.copy()
        for checkers in range(1, CHECKERS + 1):
            reached = before[: CHECKERS + 1 - checkers] + added[checkers]
            np.maximum(most[checkers:], reached, out=most[checkers:])
    summed: Numbers = (most + np.outer(off[::-1], weights[-1])).max(axis=0)
    return summed
