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

BLOCK = 2 * WIDTH
"""Columns that `fill_units_of_four` sums at once, or a half of them at a time."""


_LINE = 64
"""Bytes of memory that a processor reads at once."""


def aligned(numbers: Any) -> Any:
    """A copy of an array that begins where a line of memory does, as vectors are read fastest."""
    room = np.empty(numbers.nbytes + _LINE, np.uint8)
    start = -room.ctypes.data % _LINE
    copy = room[start : start + numbers.nbytes].view(numbers.dtype).reshape(numbers.shape)
    copy[...] = numbers
    return copy


class _Vectors:
    """A function that kernels call by code of its own, not by what is written here."""

    def __init__(self, function: Callable[..., None]) -> None:
        self._function = function
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> None:
        self._function(*arguments)

    @cached_property
    def _numba_type_(self) -> Any:
        """The type that numba takes this for where a kernel names it."""
        from bot.kernels.vector_code import code_of

        return code_of(self._function.__name__)


def _vectors(function: Callable[..., None]) -> Any:
    return _Vectors(function) if COMPILES else function


@_vectors
def add_rows(
    start: Any, matrix: Any, rows: Any, factors: Any, begin: int, end: int, sums: Any
) -> None:
    """Set sums to start plus rows[begin:end] of the matrix, each times its factor.

    start, sums: float32[n], which may be the same; matrix: float32[m, n] or int16[m, n]; rows:
    int64[k]; factors: float32[k].
    """
    chosen = matrix[rows[begin:end]].astype(np.float32)
    sums[:] = start + factors[begin:end] @ chosen


@_vectors
def fill_units_of_four(
    below: Any, rows: Any, count: int, weights: Any, biases: Any, phase: int, units: Any
) -> None:
    """Set a phase's rectified units for four boards, from the units below that are not zero.

    below: float32[4, n]; rows: int64[n], of which the first so many say which of them count;
    weights: float32[phases * n, h], a row for each unit below; biases: float32[phases * h]; units:
    float32[4, h], h a multiple of BLOCK.
    """
    n, h = below.shape[1], units.shape[1]
    chosen = rows[:count]
    sums = below[:, chosen] @ weights[phase * n + chosen] + biases[phase * h : (phase + 1) * h]
    units[:] = np.maximum(sums, 0)
