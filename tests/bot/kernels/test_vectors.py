"""Weighted sums of rows in vectors: kernels' own code does what is written in Python."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from bot.kernels import kernel
from bot.kernels.kernel import COMPILES
from bot.kernels.vectors import BLOCK, add_rows, fill_units_of_four


@kernel
def added(start, matrix, rows, factors, begin, end, sums):
    add_rows(start, matrix, rows, factors, begin, end, sums)


@kernel
def filled(below, rows, count, weights, biases, phase, units):
    fill_units_of_four(below, rows, count, weights, biases, phase, units)


@pytest.mark.parametrize("columns", [1, 5, 16, 40, 128, 150, 300])
@pytest.mark.parametrize("numbers", [np.float32, np.int16])
@pytest.mark.parametrize(("begin", "end"), [(0, 12), (4, 11), (5, 5)])
def test_rows_are_added_whatever_their_length(columns, numbers, begin, end):
    chance = np.random.default_rng(columns)
    matrix = chance.uniform(-50, 50, (30, columns)).astype(numbers)
    rows = chance.integers(0, 30, 12)
    factors, start = (chance.normal(0, 1, size).astype(np.float32) for size in (12, columns))
    found = np.full(columns, np.nan, np.float32)
    added(start, matrix, rows, factors, begin, end, found)
    expected = start.astype(np.float64)
    for i in range(begin, end):
        expected += factors[i] * matrix[rows[i]].astype(np.float64)
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-4)
    add_rows(start, matrix, rows, factors, begin, end, start)
    assert start == pytest.approx(expected, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize(("below", "blocks"), [(9, 1), (64, 2), (200, 3)])
@pytest.mark.parametrize("phase", [0, 2])
def test_units_of_four_boards_come_from_those_below_that_count(below, blocks, phase):
    chance = np.random.default_rng(below)
    units = np.maximum(chance.normal(-1, 1, (4, below)), 0).astype(np.float32)
    weights, biases = (
        chance.normal(0, 1, shape).astype(np.float32)
        for shape in ((3 * below, blocks * BLOCK), 3 * blocks * BLOCK)
    )
    rows = np.flatnonzero(units.any(axis=0))
    assert 0 < len(rows) < below
    found = np.full((4, blocks * BLOCK), np.nan, np.float32)
    filled(units, np.append(rows, 0), len(rows), weights, biases, phase, found)
    own = weights.reshape(3, below, -1)[phase].astype(np.float64)
    expected = np.maximum(units @ own + biases.reshape(3, -1)[phase], 0)
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-4)


@pytest.mark.skipif(not COMPILES, reason="a function of Python's takes any arguments")
def test_numbers_of_another_kind_are_refused():
    start = np.zeros(3, np.float32)
    rows = np.zeros(1, np.int64)
    with pytest.raises(TypingError, match="is no array of 2 dimensions"):
        added(start, np.zeros((2, 3)), rows, start, 0, 1, start)
