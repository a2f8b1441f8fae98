"""The chances of many boards, by one network."""

import numpy as np
from numba import njit

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.increments import fill_logistic
from bot.backgammon.kernels.network import (
    Floats,
    Layers,
    fill_root,
    fill_sibling_outputs,
    fill_sibling_sums,
    phase_count,
    room_for,
)
from bot.backgammon.kernels.phases import fill_order, phase_of
from bot.backgammon.kernels.upper import FOUR, Upper, fill_logits_of_four, four_room

_STRETCH = 16
"""Boards that are told from the first of them, by what differs."""


@njit(cache=True)
def fill_outcomes(boards: Boards, layers: Layers, upper: Upper, outcomes: Floats) -> None:
    """Set outcomes[i] to the five chances of boards[i]; int8[n, 26] in, float32[n, 5] filled.

    upper: the network's upper layers, if it has any. Boards near those before, as siblings are,
    cost little: only what differs is added.
    """
    room = room_for(layers)
    four = four_room(upper)
    if upper.second.shape[0] == 0:
        for i in range(boards.shape[0]):
            root = i - i % _STRETCH
            if i == root:
                fill_root(boards[root], layers, room)
            fill_sibling_outputs(boards[root], boards[i], layers, room, outcomes[i])
        return
    phases = np.zeros(_STRETCH, np.int64)
    order = np.arange(_STRETCH)
    for root in range(0, boards.shape[0], _STRETCH):
        count = min(_STRETCH, boards.shape[0] - root)
        fill_root(boards[root], layers, room)
        if phase_count(layers) > 1:
            for i in range(count):
                phases[i] = phase_of(boards[root + i])
            fill_order(phases, count, order)
        first = 0
        for k in range(count):
            i = order[k]
            done = k + 1 - first
            fill_sibling_sums(boards[root], boards[root + i], layers, room, four.hidden[done - 1])
            if done == FOUR or k == count - 1 or phases[order[k + 1]] != phases[i]:
                fill_logits_of_four(upper, four, phases[i], order, first, done, outcomes[root:])
                first = k + 1
    fill_logistic(outcomes.reshape(-1), outcomes.size)
