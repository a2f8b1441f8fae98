"""Memo: what a search has found out about positions, kept for when they are met again."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.cube import MAX_STATES, Values
from bot.backgammon.kernels.network import Floats
from bot.kernels import inner

_SLOTS = 1 << 14
_PROBES = 4


class Memo(NamedTuple):
    """Chances and values found before, with one cube; what is there may be written over.

    boards: int8[_SLOTS, 26]; keys: int8[_SLOTS], 0 for an empty slot, else twice the plies, and 1
    more if side 1 is on roll; outcomes: float32[_SLOTS, 5]; values: float64[_SLOTS, MAX_STATES],
    of rolling.
    """

    boards: Boards
    keys: NDArray[np.int8]
    outcomes: Floats
    values: Values


def new_memo() -> Memo:
    """An empty memo, 3 MB."""
    return Memo(
        np.empty((_SLOTS, 26), np.int8),
        np.zeros(_SLOTS, np.int8),
        np.empty((_SLOTS, 5), np.float32),
        np.empty((_SLOTS, MAX_STATES)),
    )


@inner
def _slot(board: Boards, key: int, memo: Memo) -> int:
    """The slot of a board, int8[26], or the one to write it to."""
    # Each count is multiplied in and the high bits are folded down, so that boards which differ
    # in one checker lie far apart. The low 44 bits are the same whether a product wraps round,
    # compiled, or grows, in Python.
    mixed = key
    for point in range(26):
        mixed = (mixed * 1000003 + int(board[point])) & 0xFFFFFFFFFFF
        mixed ^= mixed >> 17
    first = (mixed ^ (mixed >> 13)) % _SLOTS
    for probe in range(_PROBES):
        slot = (first + probe) % _SLOTS
        if memo.keys[slot] == 0 or _is_at(board, key, memo, slot):
            return int(slot)
    return int(first)  # all are taken: one is written over


@inner
def _is_at(board: Boards, key: int, memo: Memo, slot: int) -> bool:
    """Whether a slot holds this board."""
    is_same = memo.keys[slot] == key
    for point in range(26):
        is_same = is_same and memo.boards[slot, point] == board[point]
    return bool(is_same)


@inner
def recall(board: Boards, key: int, memo: Memo, outcomes: Floats, values: Values) -> bool:
    """Set the chances, float32[5], and values if they were found before; whether they were."""
    slot = _slot(board, key, memo)
    if not _is_at(board, key, memo, slot):
        return False
    for chance in range(5):
        outcomes[chance] = memo.outcomes[slot, chance]
    for state in range(values.shape[0]):
        values[state] = memo.values[slot, state]
    return True


@inner
def remember(board: Boards, key: int, memo: Memo, outcomes: Floats, values: Values) -> None:
    """Keep the chances, float32[5], and values of a board under a key other than 0."""
    slot = _slot(board, key, memo)
    memo.keys[slot] = key
    for point in range(26):
        memo.boards[slot, point] = board[point]
    for chance in range(5):
        memo.outcomes[slot, chance] = outcomes[chance]
    for state in range(values.shape[0]):
        memo.values[slot, state] = values[state]
