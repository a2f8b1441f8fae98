"""The code of add_rows and add_steps, of which bot.kernels.vectors says what they do."""

from collections.abc import Callable, Sequence
from typing import Any

from numba.core.cgutils import alloca_once, for_range_slice

from bot.kernels.vector_parts import (
    HAS_AVX_512,
    INT,
    Matrix,
    matrices,
    over_columns,
    repeated,
    upper_half,
    vector_of,
)
from bot.kernels.vectors import WHOLE_WIDTH, WIDTH

_HELD = 8 if HAS_AVX_512 else 4
"""Vectors of one board's sums held at once: as many multiplications as two units of a core have
under way."""


def accumulate(
    builder: Any,
    sums: Sequence[Sequence[Any]],
    count: Any,
    rows: Matrix,
    factors_of: Callable[[Any], Sequence[Any]],
    matrix: Matrix,
    column: Any,
    width: int,
    first_row: Any = None,
) -> None:
    """Add so many rows, times their factors, to sums[board][vector], each the place of a vector."""
    with for_range_slice(builder, INT(0), count, INT(1), inc=True) as (i, _):
        row = builder.load(builder.gep(rows.data, [i]))
        row = row if row.type == INT else builder.sext(row, INT)
        place = row if first_row is None else builder.add(first_row, row)
        vectors = [
            matrix.load(place, builder.add(column, INT(width * each)), width)
            for each in range(len(sums[0]))
        ]
        for of_board, factor in zip(sums, factors_of(i), strict=True):
            times = repeated(builder, factor, width)
            for place_of_sum, vector in zip(of_board, vectors, strict=True):
                product = builder.fmul(times, vector, flags=["fast"])
                added = builder.fadd(builder.load(place_of_sum), product, flags=["fast"])
                builder.store(added, place_of_sum)


def write_add_rows(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of add_rows."""
    start, matrix, rows, factors, sums = matrices(context, builder, signature, values)

    def add(places: Sequence[Any], column: Any, width: int) -> None:
        def factors_of(i: Any) -> list[Any]:
            return [factors.load(INT(0), i)]

        accumulate(builder, [places], values[4], rows, factors_of, matrix, column, width)

    _write_sums(builder, start, sums, WIDTH, add)
    return context.get_dummy_value()


def write_add_steps(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of add_steps."""
    paired, middle, end = values[5:8]
    start, matrix, rows, factors, before, sums = matrices(context, builder, signature, values)

    def add(places: Sequence[Any], column: Any, width: int) -> None:
        at = [builder.add(column, INT(width * each)) for each in range(len(places))]

        def row_at(i: Any) -> Any:
            return builder.load(builder.gep(rows.data, [i]))

        with for_range_slice(builder, INT(0), paired, INT(2), inc=True) as (i, _):
            off, on = row_at(i), row_at(builder.add(i, INT(1)))
            for place, where in zip(places, at, strict=True):
                left = builder.sub(builder.load(place), matrix.load(off, where, width))
                builder.store(builder.add(left, matrix.load(on, where, width)), place)

        def add_each(first: Any, last: Any, change: Callable[[Any, Any, Any], Any]) -> None:
            with for_range_slice(builder, first, last, INT(1), inc=True) as (i, _):
                row = row_at(i)
                now, then = (
                    repeated(builder, each.load(INT(0), i), width) for each in (factors, before)
                )
                for place, where in zip(places, at, strict=True):
                    added = change(matrix.load(row, where, width), now, then)
                    builder.store(builder.add(builder.load(place), added), place)

        def part(vector: Any, factor: Any) -> Any:
            return upper_half(builder, vector, factor, width)

        add_each(paired, middle, lambda vector, now, then: builder.mul(vector, now))
        add_each(
            middle,
            end,
            lambda vector, now, then: builder.sub(part(vector, now), part(vector, then)),
        )

    _write_sums(builder, start, sums, WHOLE_WIDTH, add)
    return context.get_dummy_value()


def _write_sums(
    builder: Any,
    start: Matrix,
    sums: Matrix,
    width: int,
    add: Callable[[Sequence[Any], Any, int], None],
) -> None:
    """Write code that sets sums to start and what is added, some vectors of columns at a time.

    First blocks of vectors, then single ones, then what columns are left. add(places, column,
    width): writes what is added to the numbers in such places, so many each, from a column on.
    """
    zero = INT(0)
    places = [alloca_once(builder, vector_of(sums.number, width)) for _ in range(_HELD)]
    single = [alloca_once(builder, sums.number)]
    done: Any = zero
    for each, some in ((width, places), (width, places[:1]), (1, single)):
        with over_columns(builder, done, sums.columns, each * len(some)) as (column, stop):
            at = [builder.add(column, INT(each * place)) for place in range(len(some))]
            for place, where in zip(some, at, strict=True):
                builder.store(start.load(zero, where, each), place)
            add(some, column, each)
            for place, where in zip(some, at, strict=True):
                sums.store(zero, where, builder.load(place), each)
        done = stop
