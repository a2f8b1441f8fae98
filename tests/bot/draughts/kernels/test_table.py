"""The transposition table."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bot.draughts.kernels.boards import Board
from bot.draughts.kernels.table import (
    BUCKET,
    EXACT,
    NOTHING,
    Entry,
    found,
    key_of,
    packed,
    remember,
    unpacked,
)

SETS = st.integers(0, (1 << 54) - 1)
BOARDS = st.builds(Board, SETS, SETS, SETS, SETS)
ENTRIES = st.builds(
    Entry,
    st.integers(-1, 511),
    st.integers(0, 200),
    st.integers(1, EXACT),
    st.integers(-30_000, 30_000),
)


@given(entry=ENTRIES, age=st.integers(0, 255))
def test_an_entry_comes_back_from_its_data(entry, age):
    data = packed(entry, age)
    assert tuple(unpacked(data)) == entry
    assert 0 < data < 1 << 44


@given(board=BOARDS, other=BOARDS, entry=ENTRIES)
def test_a_board_is_found_and_no_other_one(board, other, entry):
    table = np.zeros((4 * BUCKET, 2), np.int64)
    remember(key_of(board), entry, 3, table)
    assert tuple(unpacked(found(key_of(board), table))) == entry
    if other != board:
        assert found(key_of(other), table) == NOTHING


def test_the_four_sets_are_not_taken_for_each_other():
    keys = {key_of(Board(*(5 if i == j else 0 for j in range(4)))) for i in range(4)}
    assert len(keys) == 4
    assert all(0 <= key < 1 << 63 for key in keys)


def test_a_row_written_by_two_at_once_is_not_found():
    table = np.zeros((BUCKET, 2), np.int64)
    remember(99, Entry(1, 2, EXACT, 3), 0, table)
    table[0, 1] = packed(Entry(1, 9, EXACT, 8), 0)
    assert found(99, table) == NOTHING


def test_the_least_deep_gives_way_and_old_ones_before_it():
    table = np.zeros((BUCKET, 2), np.int64)
    for key, depth in enumerate((9, 3, 7, 5), 1):
        remember(key, Entry(0, depth, EXACT, 0), 1, table)
    remember(10, Entry(0, 1, EXACT, 0), 1, table)
    assert found(2, table) == NOTHING
    remember(11, Entry(0, 1, EXACT, 0), 9, table)
    assert found(10, table) == NOTHING
    assert found(1, table) != NOTHING


def test_a_board_stands_there_once():
    table = np.zeros((BUCKET, 2), np.int64)
    for depth in (4, 2, 8):
        remember(5, Entry(0, depth, EXACT, 0), 1, table)
    assert (table[:, 1] != 0).sum() == 1
    assert unpacked(found(5, table)).depth == 8
