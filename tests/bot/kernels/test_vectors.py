"""Weighted sums of rows in vectors: kernels' own code does what is written in Python."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from bot.kernels import kernel
from bot.kernels.kernel import COMPILES
from bot.kernels.vectors import (
    BLOCK,
    WIDTH,
    add_rows,
    add_steps,
    apart,
    fill_units_of_four,
    fill_units_of_sums,
    note_active,
    note_unequal,
)


@kernel
def added(start, matrix, rows, factors, count, sums):
    add_rows(start, matrix, rows, factors, count, sums)


@kernel
def filled(below, rows, count, packed, weights, biases, phase, units):
    fill_units_of_four(below, rows, count, packed, weights, biases, phase, units)


@pytest.mark.parametrize("columns", [1, 5, 16, 40, 128, 150, 300])
@pytest.mark.parametrize("count", [0, 7, 12])
def test_rows_are_added_whatever_their_length(columns, count):
    chance = np.random.default_rng(columns)
    matrix = chance.uniform(-50, 50, (30, columns)).astype(np.float32)
    rows = chance.integers(0, 30, 12)
    factors, start = (chance.normal(0, 1, size).astype(np.float32) for size in (12, columns))
    found = np.full(columns, np.nan, np.float32)
    added(start, matrix, rows, factors, count, found)
    expected = start.astype(np.float64)
    for i in range(count):
        expected += factors[i] * matrix[rows[i]].astype(np.float64)
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-4)
    add_rows(start, matrix, rows, factors, count, start)
    assert start == pytest.approx(expected, rel=1e-4, abs=1e-4)


@kernel
def noted(units, rows):
    return note_active(units, rows)


@kernel
def stepped(start, matrix, rows, factors, before, paired, middle, end, sums):
    add_steps(start, matrix, rows, factors, before, paired, middle, end, sums)


@pytest.mark.parametrize("columns", [1, 5, 32, 40, 256, 300, 333])
@pytest.mark.parametrize(
    ("paired", "middle", "end"), [(0, 7, 12), (4, 4, 11), (2, 9, 9), (6, 6, 6), (0, 0, 0)]
)
def test_whole_numbers_are_added_exactly(columns, paired, middle, end):
    chance = np.random.default_rng(columns)
    matrix = apart(chance.integers(-(2**15), 2**15, (30, columns)).astype(np.int16))
    rows = chance.integers(0, 30, 12)
    start = chance.integers(-(2**15), 2**15, columns).astype(np.int16)
    factors, before = chance.integers(-(2**15), 2**15, (2, 12)).astype(np.int16)
    expected = []
    for column in range(columns):
        total = int(start[column])
        for i in range(paired):
            total += (-1, 1)[i % 2] * int(matrix[rows[i], column])
        for i in range(paired, middle):
            total += int(factors[i]) * int(matrix[rows[i], column])
        for i in range(middle, end):
            number = int(matrix[rows[i], column])
            total += number * int(factors[i]) // 2**16 - number * int(before[i]) // 2**16
        expected.append((total + 2**15) % 2**16 - 2**15)
    found = np.zeros(columns, np.int16)
    stepped(start, matrix, rows, factors, before, paired, middle, end, found)
    assert found.tolist() == expected
    add_steps(start, matrix, rows, factors, before, paired, middle, end, start)
    assert start.tolist() == expected


def test_rows_apart_are_the_same_and_an_odd_number_of_lines_long():
    matrix = np.arange(3 * 2048, dtype=np.int16).reshape(3, 2048)
    found = apart(matrix)
    assert np.array_equal(found[:, :2048], matrix)
    assert not found[:, 2048:].any()
    assert found.ctypes.data % 64 == 0
    assert (found.strides[0] // 64) % 2 == 1


@pytest.mark.parametrize(("below", "blocks"), [(9, 1), (64, 2), (200, 3)])
@pytest.mark.parametrize("phase", [0, 2])
def test_units_of_four_boards_come_from_those_below_that_count(below, blocks, phase):
    chance = np.random.default_rng(below)
    units = chance.normal(-1, 1, (4, below)).astype(np.float32)
    weights, biases = (
        chance.normal(0, 1, shape).astype(np.float32)
        for shape in ((3 * below, blocks * BLOCK), 3 * blocks * BLOCK)
    )
    rows = np.full(below + WIDTH, -1, np.int32)
    count = noted(units, rows)
    assert rows[:count].tolist() == np.flatnonzero((units > 0).any(axis=0)).tolist()
    assert 0 < count < below
    found = np.full((4, blocks * BLOCK), np.nan, np.float32)
    packed = np.full((below, 4), np.nan, np.float32)
    filled(units, rows, count, packed, weights, biases, phase, found)
    own = weights.reshape(3, below, -1)[phase].astype(np.float64)
    expected = np.maximum(np.maximum(units, 0) @ own + biases.reshape(3, -1)[phase], 0)
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-3)
    fill_units_of_four(units, rows, count, packed, weights, biases, phase, found)
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-3)


@kernel
def filled_of_sums(below, rows, count, pairs, weights, scales, biases, phase, units):
    fill_units_of_sums(below, rows, count, pairs, weights, scales, biases, phase, units)


@kernel
def filled_anywhere(below, rows, count, pairs, weights, scales, biases, phase, units):
    fill_units_of_sums(below, rows, count, pairs, weights, scales, biases, phase, units)


@pytest.mark.parametrize(("below", "blocks"), [(1, 1), (9, 1), (64, 2), (201, 3)])
@pytest.mark.parametrize("phase", [0, 2])
@pytest.mark.parametrize("count", [0, 1, 6, 7, 1000])
def test_units_of_four_boards_come_exactly_from_sums(monkeypatch, below, blocks, phase, count):
    chance = np.random.default_rng(below)
    sums = chance.integers(-(2**15), 2**15, (4, below)).astype(np.int16)
    weights = chance.integers(-900, 900, (3 * below, blocks * BLOCK)).astype(np.int16)
    weights[:, :2] = -(2**15), 2**15 - 1
    weights[:, :2] //= below
    scales, biases = chance.normal(0, 1e-6, (2, 3 * blocks * BLOCK)).astype(np.float32)
    rows = np.full(below + WIDTH, -1, np.int32)
    found_rows = np.sort(chance.permutation(below)[:count])
    count = len(found_rows)
    rows[:count] = found_rows
    own = weights.reshape(3, below, -1)[phase].astype(np.int64)
    whole = (np.maximum(sums[:, found_rows].astype(np.int64), 0) // 4) @ own[found_rows]
    assert np.abs(whole).max() < 2**31
    own_scales, own_biases = (array.reshape(3, -1)[phase] for array in (scales, biases))
    expected = np.maximum(whole.astype(np.float32) * own_scales + own_biases, 0)
    pairs = np.full(((below + 1) // 2, 4), -1, np.int32)
    fills = [filled_of_sums, filled_anywhere, fill_units_of_sums]
    for fill in fills:
        if fill is filled_anywhere and COMPILES:
            # as on processors of which nothing is known
            monkeypatch.setattr("bot.kernels.vector_parts._has", lambda context, feature: False)
        found = np.full((4, blocks * BLOCK), np.nan, np.float32)
        fill(sums, rows, count, pairs, weights, scales, biases, phase, found)
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-12)


@kernel
def unequal(numbers, others, places):
    return note_unequal(numbers, others, places)


@pytest.mark.parametrize("count", [0, 1, 16, 33, 48, 100])
def test_places_where_numbers_differ_are_noted_and_nothing_beyond(count):
    chance = np.random.default_rng(count)
    numbers = chance.integers(-(2**15), 2**15, count).astype(np.int16)
    others = np.where(chance.random(count) < 0.4, numbers, numbers ^ 1)
    expected = np.flatnonzero(numbers != others).tolist()
    for note in (unequal, note_unequal):
        places = np.full(count + WIDTH + 8, -1, np.int32)
        assert note(numbers, others, places[: count + WIDTH]) == len(expected)
        assert places[: len(expected)].tolist() == expected
        assert (places[count + WIDTH :] == -1).all()


@pytest.mark.parametrize("units", [1, 15, 16, 33, 1000])
@pytest.mark.parametrize("numbers", [np.float32, np.int16])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_active_units_are_noted_in_their_order_and_nothing_beyond(units, numbers, more):
    chance = np.random.default_rng(units)
    boards = np.rint(chance.normal(0.7 * more - 1.5, 1, (4, units)) * 100).astype(numbers)
    boards[:, ::7] = 0
    expected = np.flatnonzero((boards > 0).any(axis=0)).tolist()
    for note in (noted, note_active):
        rows = np.full(units + WIDTH + 8, -1, np.int32)
        count = note(boards, rows[: units + WIDTH])
        assert rows[:count].tolist() == expected
        assert (rows[units + WIDTH :] == -1).all()


@pytest.mark.skipif(not COMPILES, reason="a function of Python's takes any arguments")
def test_numbers_of_another_kind_are_refused():
    start = np.zeros(3, np.float32)
    rows = np.zeros(1, np.int64)
    with pytest.raises(TypingError, match="is no array of 2 dimensions"):
        added(start, np.zeros((2, 3)), rows, start, 1, start)
