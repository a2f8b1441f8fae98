"""Transposition table: what a search found out about boards, by their keys.

A row of a table, int64[n, 2], is the key mixed with the data, and the data; n is a power of 2. Two
threads may write one row at once: data that do not belong to the key beside them are not found.
Source of that: R. Hyatt and T. Mann, A lockless transposition-table implementation (ICGA, 2002).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import Board, board_at
from bot.kernels import inlined, inner, kernel

Table = NDArray[np.int64]

BUCKET = 4
"""Rows in which a board may stand: 64 bytes, which come from memory at once."""

UPPER, LOWER, EXACT = 1, 2, 3
"""Bounds: the value is at most, at least, or just the one that stands there."""

AGES = 256
"""Ages are counted up to here and begin again."""

NOTHING = -1
"""Data of a board that is not in the table."""

_MASK = 0x7FFFFFFFFFFFFFFF
_ZERO = 1 << 15


class Entry(NamedTuple):
    """An entry of the table: the number of the best move, -1 if none was found; depth in plies."""

    move: int
    depth: int
    bound: int
    value: int


@inlined
def _mixed(key: int, squares: int) -> int:
    # Python's numbers do not overflow, so the bits that the compiled code loses are taken away.
    key = ((key ^ squares) * 0x1E3779B97F4A7C15) & _MASK
    return key ^ (key >> 29)


@inlined
def key_of(board: Board) -> int:
    """The key of a board, from 0 to 2 ** 63 - 1."""
    key = _mixed(0x243F6A8885A308D3, board.own_men)
    key = _mixed(key, board.own_kings)
    key = _mixed(key, board.other_men)
    return _mixed(key, board.other_kings)


@kernel
def fill_keys(boards: NDArray[np.int64], keys: NDArray[np.int64]) -> None:
    """Set keys[i] to the key of boards[i], int64[n, 4]."""
    for row in range(boards.shape[0]):
        keys[row] = key_of(board_at(boards, row))


@inlined
def packed(entry: Entry, age: int) -> int:
    """An entry as data."""
    data = (entry.value + _ZERO) << 28 | age << 20 | entry.bound << 18
    return data | (entry.depth + 1) << 10 | (entry.move + 1)


@inlined
def unpacked(data: int) -> Entry:
    """The entry of data that were found."""
    return Entry(
        (data & 1023) - 1, ((data >> 10) & 255) - 1, (data >> 18) & 3, (data >> 28) - _ZERO
    )


@inner
def found(key: int, table: Table) -> int:
    """Data about the board of a key, or NOTHING."""
    first = (key & (table.shape[0] // BUCKET - 1)) * BUCKET
    for row in range(first, first + BUCKET):
        data = int(table[row, 1])
        if int(table[row, 0]) ^ data == key and data != 0:
            return data
    return NOTHING


@inner
def remember(key: int, entry: Entry, age: int, table: Table) -> None:
    """Write an entry in the place of the board's old one, or else of the least worth keeping.

    That is the one of the least depth, where a search ago counts as four plies less.
    """
    first = (key & (table.shape[0] // BUCKET - 1)) * BUCKET
    place, least = first, 1 << 30
    for row in range(first, first + BUCKET):
        data = int(table[row, 1])
        if int(table[row, 0]) ^ data == key:
            place = row
            break
        worth = ((data >> 10) & 255) - 4 * ((age - (data >> 20)) & (AGES - 1))
        if data == 0:
            worth = -(1 << 20)
        if worth < least:
            place, least = row, worth
    data = packed(entry, age)
    table[place, 0] = key ^ data
    table[place, 1] = data
