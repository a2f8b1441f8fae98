"""Held values: kernels see the arrays themselves, and keep them alive."""

import gc
from typing import NamedTuple

import numpy as np
import pytest

from bot.kernels import kernel
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


def test_arrays_that_are_held_live_on() -> None:
    numbers = held((np.full(1000, 5), (0, np.zeros(1000, np.int64))))
    gc.collect()
    others = [np.full(1000, 9) for _ in range(100)]
    assert _move_first(numbers, 1) == 6
    assert len(others) == 100


class _Parts(NamedTuple):
    small: np.ndarray
    weight: float
    sixteenths: np.ndarray
    empty: np.ndarray
    pair: tuple[float, int]


@kernel
def _fill_sums(parts: Held[_Parts], sums: np.ndarray) -> None:
    """Set sums to what each part comes to, and to the shapes of the arrays."""
    small, weight, sixteenths, empty, pair = parts.values
    sums[0] = small.sum() + empty.sum()
    sums[1] = weight * parts.values.sixteenths.sum()
    sums[2] = pair[0] - pair[1]
    sums[3] = 100 * sixteenths.shape[0] + 10 * sixteenths.shape[1] + empty.shape[1]


def test_parts_of_every_kind_stand_where_kernels_look_for_them() -> None:
    every_other = np.arange(8, dtype=np.int8)[::2]
    sixteenths = np.arange(6, dtype=np.float32).reshape(2, 3) / 16
    sixteenths.flags.writeable = False
    parts = _Parts(every_other, -0.5, sixteenths, np.empty((0, 4)), (0.25, -3))
    sums = np.empty(4)
    _fill_sums(held(parts), sums)
    assert sums.tolist() == [12, -0.5 * 15 / 16, 3.25, 234]


@pytest.mark.skipif(not COMPILES, reason="kernels are Python here, and take anything")
@pytest.mark.parametrize("value", [True, None, "text", np.float32(1), [1]])
def test_what_kernels_cannot_find_in_memory_is_refused(value) -> None:
    with pytest.raises(TypeError, match="arrays, integers, floats and tuples, not "):
        held((np.zeros(1), value))
