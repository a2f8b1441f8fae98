"""A network's inputs, chances and learning, written out slowly on whole arrays."""

import itertools

import numpy as np

from bot.backgammon.evaluation.inputs import CLASSIC
from bot.backgammon.evaluation.network import Network, layers_of

ROUNDED = 2.5e-3
"""Chances of a decided network that plays are less off for what is rounded; see plain/playing.py
for what they are exactly."""


def decided_network(*units, inputs=CLASSIC, seed=1, phases=1):
    """A network with weights large enough that its candidates differ clearly."""
    numbers = np.random.default_rng(seed)
    sizes = [inputs.size, *units]
    hidden = []
    for below, above in itertools.pairwise(sizes):
        times = phases if hidden else 1
        hidden += [
            numbers.uniform(-0.4, 0.4, shape) for shape in ((times * below, above), times * above)
        ]
    last, last_biases = (
        numbers.uniform(-0.4, 0.4, shape) for shape in ((phases * 5, sizes[-1]), phases * 5)
    )
    hidden = [array.astype(np.float32) for array in hidden]
    last, last_biases = last.astype(np.float32), last_biases.astype(np.float32)
    return Network(layers_of(*hidden, last=last, last_biases=last_biases), inputs)


def plain_classic_inputs(board):
    """The 196 classic inputs, float64, of one board seen by the player on roll."""
    inputs = []
    for side in (1, -1):
        counts = [max(side * int(count), 0) for count in board]
        if side == -1:
            counts.reverse()
        for point in range(1, 25):
            checkers = counts[point]
            inputs += [float(checkers >= n) for n in (1, 2, 3)]
            inputs.append(max(checkers - 3, 0) / 2)
        inputs += [counts[25] / 2, (15 - sum(counts)) / 15]
    return np.array(inputs)


def phase_layers(layers, phase):
    """The layers that a network of eight phases has in one of them."""

    def part(array):
        size = len(array) // 8
        return array[phase * size : (phase + 1) * size]

    return type(layers)(*layers[:2], *map(part, layers[2:]))


def plain_units(layers, sums):
    """The first layer's units of such sums, logistic or rectified."""
    return 1 / (1 + np.exp(-sums)) if layers.logistic.shape[1] else np.maximum(sums, 0)


def plain_chances(layers, inputs):
    """The five chances for one row of inputs, of a network without phases."""
    sums = inputs @ layers.first.astype(float) + layers.biases
    hidden = plain_units(layers, sums)
    for weights, biases in (
        (layers.second, layers.second_biases),
        (layers.third, layers.third_biases),
    ):
        if biases.size:
            hidden = np.maximum(hidden @ weights.astype(float) + biases, 0)
    return 1 / (1 + np.exp(-(layers.last.astype(float) @ hidden + layers.last_biases)))


def cross_entropy(layers, inputs, target):
    """What a step of learning lowers: the sum of the five outputs' cross-entropies."""
    chances = plain_chances(layers, inputs)
    return float(-(target * np.log(chances) + (1 - target) * np.log(1 - chances)).sum())


def numerical_gradient(layers, inputs, target, name, place, step=1e-4):
    """The cross-entropy's slope in one weight, by differences."""
    losses = []
    for sign in (1, -1):
        moved = {key: array.astype(float) for key, array in layers._asdict().items()}
        moved[name][place] += sign * step
        losses.append(cross_entropy(type(layers)(**moved), inputs, target))
    return (losses[0] - losses[1]) / (2 * step)
