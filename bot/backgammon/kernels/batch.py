"""The chances of many boards, by one network."""

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.logistic import fill_logistic_as_written
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.outputs import spread_outputs
from bot.backgammon.kernels.phases import phase_of
from bot.backgammon.kernels.playing import (
    FirstWorkspace,
    PlayingLayers,
    fill_logits_of,
    fill_root,
    fill_sums,
)
from bot.backgammon.kernels.upper import FourWorkspace, finish_fours, wait_for_four
from bot.kernels import kernel

_STRETCH = 16
"""Boards that are told from the first of them, by what differs."""


@kernel
def fill_outcomes(
    boards: Boards,
    layers: PlayingLayers,
    first: FirstWorkspace,
    four: FourWorkspace,
    outcomes: Floats,
    flat: Floats,
) -> None:
    """Set outcomes[i] to the five chances of boards[i]; int8[n, 26] in, float32[n, 5] filled.

    first, four: workspaces for these layers; flat: the memory of outcomes in one row. Boards near
    those before, as siblings are, cost little: only what differs is added.
    """
    upper = layers.upper
    is_shallow = upper.second_biases.shape[0] == 0
    has_phases = four.counts.shape[0] > 1
    for i in range(boards.shape[0]):
        root = i - i % _STRETCH
        if i == root:
            fill_root(boards[root], layers, first)
        if is_shallow:
            fill_sums(boards[root], boards[i], layers, first, first.sums)
            fill_logits_of(layers, first, outcomes[i])
            continue
        phase = phase_of(boards[i]) if has_phases else 0
        sums = four.hidden[phase, four.counts[phase]]
        fill_sums(boards[root], boards[i], layers, first, sums)
        wait_for_four(upper, four, phase, i, outcomes)
    if not is_shallow:
        finish_fours(upper, four, outcomes)
    fill_logistic_as_written(flat, flat.size)
    if upper.last_biases.shape[0] < 5:
        for i in range(boards.shape[0]):
            spread_outputs(upper.last_biases.shape[0], outcomes[i])
