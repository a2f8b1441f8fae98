"""Held values: kernels see the arrays themselves, and keep them alive."""

import gc
from typing import NamedTuple

import numpy as np
import pytest

from bot.kernels import inner, kernel
from bot.kernels.held import Held, held
from bot.kernels.kernel import COMPILES

Numbers = tuple[np.ndarray, tuple[int, np.ndarray]]


@kernel
def _move_first(numbers: Held[Numbers], more: int) -> int:
    """Put the first number of the one array into the other, with more and what else is held."""
    first, (also, second) = numbers.values
    second[0] = first[0] + also + more
    return int(second[0])


def test_kernels_read_and_write_the_arrays_that_are_held() -> None:
    first, second = np.arange(3, 6), np.zeros(2, np.int64)
    numbers = held((first, (7, second)))
    assert _move_first(numbers, 10) == 20
    assert second.tolist() == [20, 0]
    first[0] = 4
    assert _move_first(numbers, 10) == 21


def test_what_is_held_is_the_tuple_that_was_given() -> None:
    values = (np.zeros(1), 2)
    assert held(values).values is values


@kernel
def _move_first_of_inner(numbers: Held[tuple[int, Held[Numbers]]]) -> int:
    more, held_numbers = numbers.values
    return _move_first(held_numbers, more)


def test_what_is_held_may_hold_more() -> None:
    second = np.zeros(2, np.int64)
    numbers = held((10, held((np.arange(3, 6), (7, second)))))
    gc.collect()
    assert _move_first_of_inner(numbers) == 20
    assert second.tolist() == [20, 0]


def test_arrays_that_are_held_live_on() -> None:
    numbers = held((np.full(1000, 5), (0, np.zeros(1000, np.int64))))
    gc.collect()
    others = [np.full(1000, 9) for _ in range(100)]
    assert _move_first(numbers, 1) == 6
    assert len(others) == 100


class _Pair(NamedTuple):
    first: float
    second: int


class _Parts(NamedTuple):
    small: np.ndarray
    weight: float
    sixteenths: np.ndarray
    empty: np.ndarray
    pair: _Pair
    triple: tuple[float, int, _Pair]


@inner
def _difference(pair: _Pair) -> float:
    """The first number less the second, wherever they are."""
    return pair.first - pair.second


@kernel
def _fill_sums(held: Held[_Parts], sums: np.ndarray) -> None:
    """Set sums to what each part comes to, and to the shapes of the arrays."""
    parts = held.values
    first, second, pair = parts.triple
    sums[0] = parts.small.sum() + parts.empty.sum()
    sums[1] = parts.weight * parts.sixteenths.sum()
    sums[2] = _difference(parts.pair)
    sums[3] = first + second + _difference(pair) + _difference(_Pair(parts.weight, second))
    sums[4] = 100 * parts.sixteenths.shape[0] + 10 * parts.sixteenths.shape[1]
    sums[5] = parts.empty.shape[1] + parts.empty.size + parts.sixteenths[1].size


def test_parts_of_every_kind_are_found_where_they_stand() -> None:
    every_other = np.arange(8, dtype=np.int8)[::2]
    sixteenths = np.arange(6, dtype=np.float32).reshape(2, 3) / 16
    sixteenths.flags.writeable = False
    triple = (1.5, 2, _Pair(4.0, 8))
    parts = _Parts(every_other, -0.5, sixteenths, np.empty((0, 4)), _Pair(0.25, -3), triple)
    sums = np.empty(6)
    _fill_sums(held(parts), sums)
    assert sums.tolist() == [12, -0.5 * 15 / 16, 3.25, 1.5 + 2 - 4 - 2.5, 230, 4 + 0 + 3]


@kernel
def _count_down(held: Held[_Parts], left: np.ndarray) -> None:
    """Take one from every number of small until the first of all is 0, writing to left as well."""
    parts = held.values
    while parts.small[0] > 0:
        for i in range(parts.small.shape[0]):
            parts.small[i] -= 1
        left[0] = parts.small[0]


def test_what_a_kernel_writes_to_an_array_it_reads_there() -> None:
    small, left = np.full(100, 9, np.int8), np.full(1, 9, np.int8)
    nothing = np.empty((0, 0), np.float32)
    parts = _Parts(small, 0.0, nothing, nothing, _Pair(0.0, 0), (0.0, 0, _Pair(0.0, 0)))
    _count_down(held(parts), left)
    assert (small == 0).all()
    assert left[0] == 0


@pytest.mark.skipif(not COMPILES, reason="kernels are Python here, and take anything")
@pytest.mark.parametrize("value", [True, None, "text", np.float32(1), [1]])
def test_what_kernels_cannot_find_in_memory_is_refused(value) -> None:
    with pytest.raises(TypeError, match="arrays, integers, floats and tuples, not "):
        held((np.zeros(1), value))
