"""Held values: kernels see the arrays themselves, and keep them alive."""

import gc

import numpy as np

from bot.kernels import kernel
from bot.kernels.held import Held, held

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
