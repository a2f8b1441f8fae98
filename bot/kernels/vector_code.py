"""Machine code of bot.kernels.vectors, as instructions for LLVM: for processors of any kind."""

from typing import Any

from numba import types
from numba.core.typing.templates import make_intrinsic_template

from bot.kernels.vector_parts import check, check_units
from bot.kernels.vector_rows import write_add_rows, write_add_steps
from bot.kernels.vector_units import (
    write_fill_units_of_four,
    write_fill_units_of_sums,
    write_note_active,
    write_note_unequal,
)


def code_of(name: str) -> Any:
    """The type of the function of bot.kernels.vectors with that name, for kernels that call it."""
    calls = {
        "add_rows": _add_rows,
        "add_steps": _add_steps,
        "note_active": _note_active,
        "note_unequal": _note_unequal,
        "fill_units_of_four": _fill_units_of_four,
        "fill_units_of_sums": _fill_units_of_sums,
    }
    call = calls[name]
    return types.Function(make_intrinsic_template(call, call, name))


def _add_rows(
    typing: Any, start: Any, matrix: Any, rows: Any, factors: Any, count: Any, sums: Any
) -> Any:
    """The signature of add_rows for numba, and the function that writes its code."""
    check(start, factors, sums, of=types.float32, dimensions=1)
    check(matrix, of=types.float32, dimensions=2)
    check(rows, of=types.int64, dimensions=1)
    return types.void(start, matrix, rows, factors, types.int64, sums), write_add_rows


def _add_steps(
    typing: Any,
    start: Any,
    matrix: Any,
    rows: Any,
    factors: Any,
    before: Any,
    paired: Any,
    middle: Any,
    end: Any,
    sums: Any,
) -> Any:
    """The signature of add_steps for numba, and the function that writes its code."""
    check(start, factors, before, sums, of=types.int16, dimensions=1)
    check(matrix, of=types.int16, dimensions=2)
    check(rows, of=types.int64, dimensions=1)
    whole = types.int64
    signature = types.void(start, matrix, rows, factors, before, whole, whole, whole, sums)
    return signature, write_add_steps


def _note_active(typing: Any, units: Any, rows: Any) -> Any:
    """The signature of note_active for numba, and the function that writes its code."""
    check_units(units)
    check(rows, of=types.int32, dimensions=1)
    return types.int64(units, rows), write_note_active


def _note_unequal(typing: Any, numbers: Any, others: Any, places: Any) -> Any:
    """The signature of note_unequal for numba, and the function that writes its code."""
    check(numbers, others, of=types.int16, dimensions=1)
    check(places, of=types.int32, dimensions=1)
    return types.int64(numbers, others, places), write_note_unequal


def _fill_units_of_four(
    typing: Any,
    below: Any,
    rows: Any,
    count: Any,
    packed: Any,
    weights: Any,
    biases: Any,
    phase: Any,
    units: Any,
) -> Any:
    """The signature of fill_units_of_four for numba, and the function that writes its code."""
    check(below, packed, weights, units, of=types.float32, dimensions=2)
    check(biases, of=types.float32, dimensions=1)
    check(rows, of=types.int32, dimensions=1)
    whole = types.int64
    signature = types.void(below, rows, whole, packed, weights, biases, whole, units)
    return signature, write_fill_units_of_four


def _fill_units_of_sums(
    typing: Any,
    below: Any,
    rows: Any,
    count: Any,
    pairs: Any,
    weights: Any,
    scales: Any,
    biases: Any,
    phase: Any,
    units: Any,
) -> Any:
    """The signature of fill_units_of_sums for numba, and the function that writes its code."""
    check(below, weights, of=types.int16, dimensions=2)
    check(rows, of=types.int32, dimensions=1)
    check(pairs, of=types.int32, dimensions=2)
    check(scales, biases, of=types.float32, dimensions=1)
    check(units, of=types.float32, dimensions=2)
    whole = types.int64
    signature = types.void(below, rows, whole, pairs, weights, scales, biases, whole, units)
    return signature, write_fill_units_of_sums
