"""Changes that a play makes in a network's first layer, and the chances that follow from them."""

import numpy as np

from bot.backgammon.kernels.boards import BAR, Boards
from bot.backgammon.kernels.inputs import checker_input, off_input
from bot.backgammon.kernels.network import Floats, Rows
from bot.backgammon.kernels.playing import PlayingLayers
from bot.backgammon.kernels.plays import MAX_LEGS, Steps
from bot.backgammon.kernels.upper import Wholes
from bot.kernels import inlined

ROWS_AT_ONCE = 4
"""Rows that fill_logits reads together."""


@inlined
def note_play(root: Boards, steps: Steps, play: int, work: Boards, rows: Rows) -> int:
    """Note the steps of classic inputs that a play makes, as the other player sees it; how many.

    They come in pairs: of the first input there is a step less, of the second one more. They are
    coded cumulatively. work: int8[26], the root; the same afterwards. The mover is side 1 of the
    inputs.
    """
    count = 0
    leg = 0
    while leg < 2 * MAX_LEGS and steps[play, leg] >= 0:
        source = int(steps[play, leg])
        target = int(steps[play, leg + 1])
        checkers = int(work[source])
        work[source] = checkers - 1
        rows[count] = checker_input(1, source, checkers)
        rows[count + 1] = off_input(1)
        if target > 0:
            checkers = max(int(work[target]), 0)
            rows[count + 1] = checker_input(1, target, checkers + 1)
            if work[target] < 0:
                rows[count + 2] = checker_input(0, 25 - target, 1)
                rows[count + 3] = checker_input(0, BAR, 1)
                count += 2
            work[target] = checkers + 1
        count += 2
        leg += 2
    while leg > 0:
        leg -= 2
        work[int(steps[play, leg])] = root[int(steps[play, leg])]
        work[int(steps[play, leg + 1])] = root[int(steps[play, leg + 1])]
    return count


@inlined
def pad_rows(rows: Rows, count: int) -> int:
    """Fill up to whole fours, at least one, with what changes nothing; how many rows there are.

    rows: in pairs, see note_play.
    """
    while count < ROWS_AT_ONCE or count % ROWS_AT_ONCE != 0:
        rows[count] = 0
        count += 1
    return count


@inlined
def holds_rows(held: Rows, rows: Rows, count: int) -> bool:
    """Note the first so many rows; whether they are those noted before."""
    is_same = True
    for i in range(count):
        is_same = is_same and held[i] == rows[i]
        held[i] = rows[i]
    return is_same


@inlined
def fill_logits(
    start: Wholes,
    layers: PlayingLayers,
    rows: Rows,
    begin: int,
    logits: Floats,
    i: int,
) -> None:
    """Set logits[i] for sums that are start and two pairs of rows from begin on, see note_play.

    layers: of a network of one hidden layer. The units are made, rectified and used five times
    without leaving the registers.
    """
    first = layers.first
    last, biases = layers.upper.last, layers.upper.last_biases
    row0, row1, row2, row3 = rows[begin], rows[begin + 1], rows[begin + 2], rows[begin + 3]
    win = np.float32(0.0)
    win_gammon = np.float32(0.0)
    win_backgammon = np.float32(0.0)
    lose_gammon = np.float32(0.0)
    lose_backgammon = np.float32(0.0)
    for unit in range(start.shape[0]):
        total = np.int16(
            int(start[unit])
            - int(first[row0, unit])
            + int(first[row1, unit])
            - int(first[row2, unit])
            + int(first[row3, unit])
        )
        value = np.float32(max(total, np.int16(0)))
        win += last[0, unit] * value
        win_gammon += last[1, unit] * value
        win_backgammon += last[2, unit] * value
        lose_gammon += last[3, unit] * value
        lose_backgammon += last[4, unit] * value
    logits[i, 0] = win + biases[0]
    logits[i, 1] = win_gammon + biases[1]
    logits[i, 2] = win_backgammon + biases[2]
    logits[i, 3] = lose_gammon + biases[3]
    logits[i, 4] = lose_backgammon + biases[4]
