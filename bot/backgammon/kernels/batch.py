"""The chances of many boards, by one network."""

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.inputs import Features
from bot.backgammon.kernels.logistic import fill_logistic_as_written
from bot.backgammon.kernels.network import (
    Floats,
    Layers,
    fill_root,
    fill_sibling_outputs,
    fill_sibling_sums,
    network_workspace,
    phase_count,
)
from bot.backgammon.kernels.phases import phase_of
from bot.backgammon.kernels.upper import Upper, finish_fours, four_workspace, wait_for_four
from bot.kernels import kernel

_STRETCH = 16
"""Boards that are told from the first of them, by what differs."""


@kernel
def fill_outcomes(
    boards: Boards, layers: Layers, features: Features, upper: Upper, outcomes: Floats
) -> None:
    """Set outcomes[i] to the five chances of boards[i]; int8[n, 26] in, float32[n, 5] filled.

    features: what the network sees beside the classic inputs; upper: its upper layers, if it has
    any. Boards near those before, as siblings are, cost little: only what differs is added.
    """
    workspace = network_workspace(layers, features)
    four = four_workspace(upper)
    is_shallow = upper.second.shape[0] == 0
    has_phases = phase_count(layers) > 1
    for i in range(boards.shape[0]):
        root = i - i % _STRETCH
        if i == root:
            fill_root(boards[root], layers, workspace)
        if is_shallow:
            fill_sibling_outputs(boards[root], boards[i], layers, workspace, outcomes[i])
            continue
        phase = phase_of(boards[i]) if has_phases else 0
        sums = four.hidden[phase, four.counts[phase]]
        fill_sibling_sums(boards[root], boards[i], layers, workspace, sums)
        wait_for_four(upper, four, phase, i, outcomes)
    if not is_shallow:
        finish_fours(upper, four, outcomes)
        fill_logistic_as_written(outcomes.reshape(-1), outcomes.size)
