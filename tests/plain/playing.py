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
    first = layers.first[:, : len(sums)].astype(int)
    for row, value in enumerate(inputs[:CLASSIC_INPUTS]):
        sums = sums + round(value * float(layers.steps[row])) * first[row]
    for feature, value in enumerate(inputs[CLASSIC_INPUTS:]):
        part = math.floor(value * float(layers.parts[feature]) + 1.51)
        part = min(max(part, -PARTS), PARTS + 1)
        sums = sums + part * first[CLASSIC_INPUTS + feature] // 2**16
    return (sums + 2**15) % 2**16 - 2**15


def plain_playing_outputs(network, board, phase=0):
    """The outputs of a board, from those sums on."""
    layers, units = network.playing, network.units
    upper = layers.upper
    sums = plain_playing_sums(network, board)

    def own(array):
        return array.reshape(network.phases, -1, array.shape[-1])[phase].astype(float)

    def own_row(array):
        return array.reshape(network.phases, -1)[phase].astype(float)

    if layers.logistic.size:
        below = 1 / (1 + np.exp(-sums * layers.logistic[:, 0].astype(float)))
    else:
        below = np.maximum(sums, 0)
    if units[1]:
        # two bits of a unit are left out
        whole = below // 4 @ own(upper.second)
        below = np.maximum(whole * own_row(upper.second_scales) + own_row(upper.second_biases), 0)
    if units[2]:
        below = np.maximum(below @ own(upper.third) + own_row(upper.third_biases), 0)
    return 1 / (1 + np.exp(-(own(upper.last) @ below + own_row(upper.last_biases))))
