"""Changes that a play makes in a network's first layer, and the chances that follow from them."""

import numpy as np

from bot.backgammon.kernels.boards import BAR, Boards
from bot.backgammon.kernels.inputs import (
    CLASSIC_INPUTS,
    checker_input,
    checker_value,
    off_input,
    off_value,
)
from bot.backgammon.kernels.network import (
    Floats,
    Layers,
    NetworkWorkspace,
    Rows,
    fill_hidden,
)
from bot.backgammon.kernels.plays import MAX_LEGS, Steps
from bot.kernels import inlined, inner

_MAX_CHANGES_OF_LEG = 8
"""The inputs of the points that the checker leaves and reaches, three each where they are coded
exactly, and of those of a blot that is hit."""

ROWS_AT_ONCE = 4
"""Rows that fill_logits reads together."""


def max_changes(features: int) -> int:
    """Most rows of a first layer, with so many features, that a play changes; and those to pad."""
    changes = MAX_LEGS * _MAX_CHANGES_OF_LEG + features
    return -(-changes // ROWS_AT_ONCE) * ROWS_AT_ONCE


@inlined
def note_play(
    root: Boards, steps: Steps, play: int, work: Boards, rows: Rows, factors: Floats
) -> int:
    """Note the rows of classic inputs that a play changes, as the other player sees it; how many.

    work: int8[26], the root; the same afterwards. The mover is side 1 of the inputs.
    """
    count = 0
    leg = 0
    while leg < 2 * MAX_LEGS and steps[play, leg] >= 0:
        source = int(steps[play, leg])
        target = int(steps[play, leg + 1])
        checkers = int(work[source])
        work[source] = checkers - 1
        rows[count] = checker_input(1, source, checkers)
        factors[count] = -checker_value(source, checkers)
        count += 1
        if target == 0:
            rows[count] = off_input(1)
            factors[count] = off_value(1)
        else:
            checkers = int(work[target])
            if checkers < 0:
                rows[count] = checker_input(0, 25 - target, 1)
                factors[count] = -checker_value(25 - target, 1)
                rows[count + 1] = checker_input(0, BAR, 1)
                factors[count + 1] = checker_value(BAR, 1)
                count += 2
                checkers = 0
            work[target] = checkers + 1
            rows[count] = checker_input(1, target, checkers + 1)
            factors[count] = checker_value(target, checkers + 1)
        count += 1
        leg += 2
    while leg > 0:
        leg -= 2
        work[int(steps[play, leg])] = root[int(steps[play, leg])]
        work[int(steps[play, leg + 1])] = root[int(steps[play, leg + 1])]
    return count


@inlined
def note_features(workspace: NetworkWorkspace, rows: Rows, factors: Floats, count: int) -> int:
    """Note which of workspace.features differ from the root's; how many rows there are then."""
    for feature in range(workspace.features.shape[0]):
        change = workspace.features[feature] - workspace.root_features[feature]
        rows[count] = CLASSIC_INPUTS + feature
        factors[count] = change
        count += change != 0
    return count


@inlined
def pad_rows(rows: Rows, factors: Floats, count: int) -> int:
    """Fill up to whole fours, at least one, with what changes nothing; how many rows there are."""
    while count < ROWS_AT_ONCE or count % ROWS_AT_ONCE != 0:
        rows[count] = 0
        factors[count] = 0.0
        count += 1
    return count


@inlined
def holds_rows(held: Rows, held_factors: Floats, rows: Rows, factors: Floats, count: int) -> bool:
    """Note the first so many rows with their factors; whether they are those noted before."""
    is_same = True
    for i in range(count):
        is_same = is_same and held[i] == rows[i] and held_factors[i] == factors[i]
        held[i] = rows[i]
        held_factors[i] = factors[i]
    return is_same


@inlined
def fill_logits(
    start: Floats, layers: Layers, rows: Rows, factors: Floats, begin: int, logits: Floats, i: int
) -> None:
    """Set logits[i] for sums that are start plus the four rows from begin on.

    layers: of a network of one hidden layer. The units are made, rectified and used five times
    without leaving the registers.
    """
    first = layers.first
    last = layers.last
    row0, row1, row2, row3 = rows[begin], rows[begin + 1], rows[begin + 2], rows[begin + 3]
    factor0, factor1 = factors[begin], factors[begin + 1]
    factor2, factor3 = factors[begin + 2], factors[begin + 3]
    win = np.float32(0.0)
    win_gammon = np.float32(0.0)
    win_backgammon = np.float32(0.0)
    lose_gammon = np.float32(0.0)
    lose_backgammon = np.float32(0.0)
    for unit in range(start.shape[0]):
        value = max(
            start[unit]
            + factor0 * np.float32(first[row0, unit])
            + factor1 * np.float32(first[row1, unit])
            + factor2 * np.float32(first[row2, unit])
            + factor3 * np.float32(first[row3, unit]),
            np.float32(0.0),
        )
        win += last[0, unit] * value
        win_gammon += last[1, unit] * value
        win_backgammon += last[2, unit] * value
        lose_gammon += last[3, unit] * value
        lose_backgammon += last[4, unit] * value
    logits[i, 0] = win + layers.last_biases[0]
    logits[i, 1] = win_gammon + layers.last_biases[1]
    logits[i, 2] = win_backgammon + layers.last_biases[2]
    logits[i, 3] = lose_gammon + layers.last_biases[3]
    logits[i, 4] = lose_backgammon + layers.last_biases[4]


@inner
def fill_few_logits(sums: Floats, layers: Layers, logits: Floats) -> None:
    """Set as many of float32[5] as the network has outputs, the rest to 0; changes the sums.

    For networks with fewer outputs than five, or with logistic hidden units.
    """
    fill_hidden(layers, sums, sums)
    for output in range(5):
        logits[output] = 0.0
    for output in range(layers.last_biases.shape[0]):
        total = layers.last_biases[output]
        for unit in range(sums.shape[0]):
            total += layers.last[output, unit] * sums[unit]
        logits[output] = total
