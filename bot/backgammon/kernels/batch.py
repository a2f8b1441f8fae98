"""The chances of many boards, by one network."""

from numba import njit

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.increments import fill_logistic
from bot.backgammon.kernels.network import (
    Floats,
    Layers,
    fill_root,
    fill_sibling_outputs,
    fill_sibling_sums,
    room_for,
)
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
    is_shallow = upper.second.shape[0] == 0
    root = 0
    for i in range(boards.shape[0]):
        if i % _STRETCH == 0:
            root = i
            fill_root(boards[root], layers, room)
        if is_shallow:
            fill_sibling_outputs(boards[root], boards[i], layers, room, outcomes[i])
            continue
        place = i % FOUR
        fill_sibling_sums(boards[root], boards[i], layers, room, four.hidden[place])
        if place == FOUR - 1 or i == boards.shape[0] - 1:
            fill_logits_of_four(upper, four, place + 1, outcomes, i - place)
    if not is_shallow:
        fill_logistic(outcomes.reshape(-1), outcomes.size)
