"""Weighted sums of a matrix's rows, kept in registers from the first row to the last.

Compiled from what is written here they would be loaded and stored again every few rows, which takes
twice as long. So kernels get machine code made for the purpose, see bot.kernels.vector_code.
"""

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

import numpy as np

from bot.kernels.kernel import COMPILES

WIDTH = 16
"""Numbers of a vector; where registers are shorter, several of them hold one."""

WHOLE_WIDTH = 32
"""Whole numbers of 16 bits in a vector."""

BLOCK = 4 * WIDTH
"""Columns that `fill_units_of_four` sums at once, or a part of them at a time."""

UNIT_BITS_LEFT_OUT = 2
"""Bits of a unit of 16 that `fill_units_of_sums` leaves out: weights have so many more for it."""

_LINE = 64
"""Bytes of memory that a processor reads at once."""


def aligned(numbers: Any) -> Any:
    """A copy of an array that begins where a line of memory does, as vectors are read fastest."""
    room = np.empty(numbers.nbytes + _LINE, np.uint8)
    start = -room.ctypes.data % _LINE
    copy = room[start : start + numbers.nbytes].view(numbers.dtype).reshape(numbers.shape)
    copy[...] = numbers
    return copy


def apart(matrix: Any) -> Any:
    """An aligned copy of a matrix, each row with a line of zeros behind it.

    Rows of whole pages would all want the same few places of a cache for the same columns, and
    where a dozen are added up drive each other out.
    """
    return aligned(np.pad(matrix, ((0, 0), (0, _LINE // matrix.itemsize))))


class _Vectors:
    """A function that kernels call by code of its own, not by what is written here."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)

    @cached_property
    def _numba_type_(self) -> Any:
        """The type that numba takes this for where a kernel names it."""
        from bot.kernels.vector_code import code_of

        return code_of(self._function.__name__)


def _vectors(function: Callable[..., Any]) -> Any:
    return _Vectors(function) if COMPILES else function


@_vectors
def add_rows(start: Any, matrix: Any, rows: Any, factors: Any, count: int, sums: Any) -> None:
    """Set sums to start plus rows[:count] of the matrix, each times its factor.

    start, sums: float32[n], which may be the same; matrix: float32[m, n]; rows: int64[k]; factors:
    float32[k].
    """
    sums[:] = start + factors[:count] @ matrix[rows[:count]]


@_vectors
def add_steps(
    start: Any,
    matrix: Any,
    rows: Any,
    factors: Any,
    before: Any,
    paired: int,
    middle: int,
    end: int,
    sums: Any,
) -> None:
    """Set sums to start plus rows of a matrix, all of 16 bits, where what is beyond them is lost.

    rows[:paired], an even number, are taken off and added in turn; rows[paired:middle] are added
    each times its factor; of rows[middle:end] each adds its numbers times its factor in 65,536ths,
    rounded down, less those times what the factor was before. start, sums: int16[n], which may be
    the same; matrix: int16[m, n and more], of which the columns beyond n are left out; rows:
    int64[k]; factors, before: int16[k].
    """
    numbers = matrix[rows[:end], : len(start)].astype(np.int64)
    total = start - numbers[:paired:2].sum(axis=0) + numbers[1:paired:2].sum(axis=0)
    total += factors[paired:middle].astype(np.int64) @ numbers[paired:middle]
    for i in range(middle, end):
        total += (numbers[i] * int(factors[i]) >> 16) - (numbers[i] * int(before[i]) >> 16)
    sums[:] = total.astype(np.int16)


@_vectors
def note_active(units: Any, rows: Any) -> int:
    """Note which units are above 0 for any of four boards; how many.

    units: int16[4, n] or float32[4, n]; rows: int32[n + WIDTH], filled with them in their order.
    """
    found = np.flatnonzero((units > 0).any(axis=0))
    rows[: len(found)] = found
    return len(found)


@_vectors
def note_unequal(numbers: Any, others: Any, places: Any) -> int:
    """Note where two rows of numbers differ; at how many places.

    numbers, others: int16[n]; places: int32[n + WIDTH], filled with them in their order.
    """
    found = np.flatnonzero(numbers != others)
    places[: len(found)] = found
    return len(found)


@_vectors
def fill_units_of_four(
    below: Any,
    rows: Any,
    count: int,
    packed: Any,
    weights: Any,
    biases: Any,
    phase: int,
    units: Any,
) -> None:
    """Set a phase's rectified units for four boards, from the units below that are not zero.

    below: float32[4, n], 0 for what is not above it; rows: int32[n], of which the first so many say
    which of them count; packed: float32[n, 4], set to those; weights: float32[phases * n, h], a row
    for each unit below; biases: float32[phases * h]; units: float32[4, h], h a multiple of BLOCK.
    """
    n, h = below.shape[1], units.shape[1]
    chosen = rows[:count]
    packed[:count] = np.maximum(below[:, chosen], 0).T
    sums = packed[:count].T @ weights[phase * n + chosen] + biases[phase * h : (phase + 1) * h]
    units[:] = np.maximum(sums, 0)


@_vectors
def fill_units_of_sums(
    below: Any,
    rows: Any,
    count: int,
    pairs: Any,
    weights: Any,
    scales: Any,
    biases: Any,
    phase: int,
    units: Any,
) -> None:
    """Set a phase's rectified units for four boards, from sums below that are above 0.

    below: int16[4, n], 0 for what is not above it, all without their last UNIT_BITS_LEFT_OUT bits;
    rows: int32[n + 1], of which the first so many say which of them count, the next one is changed;
    pairs: int32[(n + 1) // 2, 4], set to those; weights: int16[phases * n, h], a row for each sum
    below, so small that what they add up to fits in 32 bits; scales, biases: float32[phases * h],
    by which that is multiplied, and what is added then; units: float32[4, h], h a multiple of
    BLOCK.
    """
    n, h = below.shape[1], units.shape[1]
    chosen, own = rows[:count], slice(phase * h, (phase + 1) * h)
    told = np.maximum(below[:, chosen], 0).astype(np.int64) >> UNIT_BITS_LEFT_OUT
    sums = told @ weights[phase * n + chosen].astype(np.int64)
    units[:] = np.maximum(sums * scales[own] + biases[own], 0)
