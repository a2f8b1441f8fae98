"""A network as it plays, written out slowly: Python's own whole numbers for the first layer."""

import math

import numpy as np

from bot.backgammon.evaluation.inputs import inputs_of
from bot.backgammon.kernels.inputs import CLASSIC_INPUTS
from bot.backgammon.kernels.playing import PARTS


def plain_playing_sums(network, board):
    """A board's sums of the first layer, in whole numbers from -2**15 to 2**15."""
    layers = network.playing
    inputs = inputs_of(board[np.newaxis], network.inputs)[0].astype(float)
    sums = layers.biases.astype(int)
    for row, value in enumerate(inputs[:CLASSIC_INPUTS]):
        sums = sums + round(value * float(layers.steps[row])) * layers.first[row].astype(int)
    for feature, value in enumerate(inputs[CLASSIC_INPUTS:]):
        part = math.floor(value * float(layers.parts[feature]) + 1.51)
        part = min(max(part, -PARTS), PARTS + 1)
        sums = sums + part * layers.first[CLASSIC_INPUTS + feature].astype(int) // 2**16
    return (sums + 2**15) % 2**16 - 2**15


def plain_scales(network):
    """By how much each sum is to be multiplied; of a network of one layer of rectified units."""
    return network.playing.upper.last[0].astype(float) / network.layers.last[0]


def plain_playing_outputs(network, board, phase=0):
    """The outputs of a board: from those sums on as any network has them."""
    layers, units = network.playing, network.units
    upper = layers.upper
    sums = plain_playing_sums(network, board)
    if layers.logistic.size:
        below = 1 / (1 + np.exp(-sums * layers.logistic[:, 0].astype(float)))
    else:
        below = np.maximum(sums, 0).astype(float)
    for count, weights, biases in (
        (units[1], upper.second, upper.second_biases),
        (units[2], upper.third, upper.third_biases),
    ):
        if count:
            rows = len(weights) // network.phases
            own = weights[phase * rows : (phase + 1) * rows]
            biases = biases.reshape(network.phases, -1)[phase]
            below = np.maximum(below @ own.astype(float) + biases, 0)
    last = upper.last.reshape(network.phases, network.outputs, -1)[phase]
    last_biases = upper.last_biases.reshape(network.phases, -1)[phase]
    return 1 / (1 + np.exp(-(last.astype(float) @ below + last_biases)))
