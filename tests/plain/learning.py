"""TD(lambda) by its forward view, with the weights held: every lambda return written out."""

import numpy as np

from bot.backgammon.kernels.network import Layers
from tests.plain.networks import plain_chances, plain_classic_inputs, plain_units

OTHERS = {1: [0], 2: [1, 0], 4: [1, 0, 3, 2], 5: [0, 3, 4, 1, 2]}
"""Where each output stands for the other player, by how many there are."""


def plain_turned(outputs):
    """The outputs as the other player has them."""
    turned = outputs[OTHERS[len(outputs)]].copy()
    if len(outputs) % 2:
        turned[0] = 1 - turned[0]
    return turned


def plain_lost(points, count):
    """The outputs of a player who has lost so many points."""
    gammon, backgammon = float(points > 1), float(points > 2)
    return np.array(
        {1: [0], 2: [0, 1], 4: [0, 1, 0, gammon], 5: [0, 0, 0, gammon, backgammon]}[count], float
    )


def plain_changes(layers, positions, plies, points, trace, *, has_squares=False):
    """What TD(lambda) changes in every weight after one game, at a rate of 1.

    The target of a position is the mean of what came one ply later, two plies later and so on, each
    weighing lambda times the one before, and the end all that is left. has_squares: with the
    gradient of half the squared error, else with that of the cross-entropy.
    """
    count = len(layers.last_biases)
    rows = [plain_classic_inputs(board) for board in positions[: plies + 1]]
    values = [plain_chances(layers, row) for row in rows]
    if points:
        values[plies] = plain_lost(points, count)
    changes = {name: np.zeros(array.shape) for name, array in layers._asdict().items()}
    for ply in range(plies):
        seen = [
            value if (later - ply) % 2 == 0 else plain_turned(value)
            for later, value in enumerate(values)
        ]
        target = trace ** (plies - ply - 1) * seen[plies]
        for later in range(ply + 1, plies):
            target = target + (1 - trace) * trace ** (later - ply - 1) * seen[later]
        errors = target - values[ply]
        if has_squares:
            errors = errors * values[ply] * (1 - values[ply])
        sums = rows[ply] @ layers.first.astype(float) + layers.biases
        units = plain_units(layers, sums)
        slopes = units * (1 - units) if layers.logistic.shape[1] else sums > 0
        back = (errors @ layers.last.astype(float)) * slopes
        changes["first"] += np.outer(rows[ply], back)
        changes["biases"] += back
        changes["last"] += np.outer(errors, units)
        changes["last_biases"] += errors
    return Layers(**changes)
