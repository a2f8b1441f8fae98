"""The code of what bot.kernels.vectors does with units: notes some, and makes those above them."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core.cgutils import alloca_once, for_range_slice

from bot.kernels.vector_parts import (
    BOARDS,
    FLOAT,
    HAS_AVX_512,
    INT,
    SHORT,
    WHOLE,
    Matrix,
    is_more,
    larger,
    matrices,
    multiply_add,
    over_columns,
    picking,
    put,
    repeated,
    sums_at_once,
    vector_of,
)
from bot.kernels.vector_rows import accumulate
from bot.kernels.vectors import UNIT_BITS_LEFT_OUT, WIDTH

_HELD_OF_FOUR = 4 if HAS_AVX_512 else 1
"""Vectors of each of four boards' sums held at once, in registers all of them."""


def write_note_active(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of note_active."""
    units, rows = matrices(context, builder, signature, values)

    def is_active(column: Any, width: int) -> Any:
        boards = [units.load(INT(board), column, width) for board in range(BOARDS)]
        largest = boards[0]
        for board in boards[1:]:
            largest = larger(builder, board, largest)
        return is_more(builder, largest, ir.Constant(largest.type, None))

    return _write_noted(builder, units.columns, rows, is_active)


def write_note_unequal(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of note_unequal."""
    numbers, others, places = matrices(context, builder, signature, values)

    def is_unequal(column: Any, width: int) -> Any:
        two = (matrix.load(INT(0), column, width) for matrix in (numbers, others))
        return builder.icmp_signed("!=", *two)

    return _write_noted(builder, numbers.columns, places, is_unequal)


def _write_noted(
    builder: Any, columns: Any, rows: Matrix, is_wanted: Callable[[Any, int], Any]
) -> Any:
    """Write code that notes the wanted ones of so many columns, and counts them.

    Whole vectors at once, then single ones; nothing is guessed. is_wanted(column, width): writes
    which are, of so many from a column on.
    """
    found = alloca_once(builder, INT)
    builder.store(INT(0), found)
    done: Any = INT(0)
    for width in (WIDTH, 1):
        with over_columns(builder, done, columns, width) as (column, stop):
            first = builder.trunc(column, WHOLE)
            wanted = is_wanted(column, width)
            builder.store(put(builder, first, wanted, builder.load(found), rows), found)
        done = stop
    return builder.load(found)


def write_fill_units_of_four(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of fill_units_of_four: the units of four boards, then what they add up to."""
    count, phase = values[2], values[6]
    below, rows, packed, weights, biases, units = matrices(context, builder, signature, values)
    zero = INT(0)
    with for_range_slice(builder, zero, count, INT(1), inc=True) as (i, _):
        row = builder.sext(builder.load(builder.gep(rows.data, [i])), INT)
        packed.store(i, zero, _of_four(builder, below, row), BOARDS)
    kind = vector_of(FLOAT, WIDTH)
    sums = [[alloca_once(builder, kind) for _ in range(_HELD_OF_FOUR)] for _ in range(BOARDS)]
    first_row = builder.mul(phase, below.columns)
    first_bias = builder.mul(phase, units.columns)

    def factors_of(i: Any) -> list[Any]:
        return [packed.load(i, INT(board)) for board in range(BOARDS)]

    with over_columns(builder, zero, units.columns, _HELD_OF_FOUR * WIDTH) as (column, _):
        at = [builder.add(column, INT(WIDTH * each)) for each in range(_HELD_OF_FOUR)]
        for each, where in enumerate(at):
            bias = biases.load(zero, builder.add(first_bias, where), WIDTH)
            for of_board in sums:
                builder.store(bias, of_board[each])
        accumulate(builder, sums, count, rows, factors_of, weights, column, WIDTH, first_row)
        for board, of_board in enumerate(sums):
            for place, where in zip(of_board, at, strict=True):
                total = larger(builder, builder.load(place), ir.Constant(kind, None))
                units.store(INT(board), where, total, WIDTH)
    return context.get_dummy_value()


def _of_four(builder: Any, units: Matrix, unit: Any) -> Any:
    """One unit of each of four boards, 0 where it is not above that."""
    four = ir.Constant(vector_of(units.number, BOARDS), ir.Undefined)
    for board in range(BOARDS):
        four = builder.insert_element(four, units.load(INT(board), unit), WHOLE(board))
    return larger(builder, four, ir.Constant(four.type, None))


def write_fill_units_of_sums(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of fill_units_of_sums: two units of four boards at a time, put together first."""
    count, phase = values[2], values[7]
    below, rows, pairs, weights, scales, biases, units = matrices(
        context, builder, signature, values
    )
    zero = INT(0)
    half = builder.lshr(builder.add(count, INT(1)), INT(1))

    def row_at(i: Any) -> Any:
        return builder.sext(builder.load(builder.gep(rows.data, [i])), INT)

    # an odd one out has the first unit beside it, of which nothing is taken
    builder.store(WHOLE(0), builder.gep(rows.data, [count]))
    _pack_pairs(builder, below, row_at, count, half, pairs)
    width = sums_at_once(context)
    held = 4 if width == WIDTH else 2
    kind = vector_of(WHOLE, width)
    sums = [[alloca_once(builder, kind) for _ in range(held)] for _ in range(BOARDS)]
    first_row = builder.mul(phase, below.columns)
    first_unit = builder.mul(phase, units.columns)
    # of every eight columns of two rows the first four side by side, and the other four
    low = [8 * (i // 8) + i % 8 // 2 + 2 * width * (i % 2) for i in range(2 * width)]
    high = [place + 4 for place in low]
    with over_columns(builder, zero, units.columns, held * width) as (column, _):
        for of_board in sums:
            for place in of_board:
                builder.store(ir.Constant(kind, None), place)
        with for_range_slice(builder, zero, half, INT(1), inc=True) as (i, _):
            rows_of_pair = [
                builder.add(first_row, row_at(builder.add(builder.shl(i, INT(1)), INT(each))))
                for each in range(2)
            ]
            vectors = []
            for start in range(0, held * width, 2 * width):
                at = builder.add(column, INT(start))
                two = [weights.load(row, at, 2 * width) for row in rows_of_pair]
                vectors += [builder.shuffle_vector(*two, picking(each)) for each in (low, high)]
            for board, of_board in enumerate(sums):
                pair = repeated(builder, pairs.load(i, INT(board)), width)
                pair = builder.bitcast(pair, vector_of(SHORT, 2 * width))
                for place, vector in zip(of_board, vectors, strict=True):
                    product = multiply_add(context, builder, vector, pair)
                    builder.store(builder.add(builder.load(place), product), place)
        in_order = [i // 8 * 4 + i % 4 + width * (i % 8 // 4) for i in range(2 * width)]
        for each in range(held):
            at = builder.add(column, INT(width * each))
            there = builder.add(first_unit, at)
            scale, bias = (matrix.load(zero, there, width) for matrix in (scales, biases))
            order = picking(in_order[each % 2 * width :][:width])
            for board, of_board in enumerate(sums):
                two = [builder.load(place) for place in of_board[each // 2 * 2 :][:2]]
                total = builder.sitofp(builder.shuffle_vector(*two, order), scale.type)
                total = builder.fadd(builder.fmul(total, scale), bias)
                total = larger(builder, total, ir.Constant(total.type, None))
                units.store(INT(board), at, total, width)
    return context.get_dummy_value()


def _pack_pairs(
    builder: Any, below: Matrix, row_at: Callable[[Any], Any], count: Any, half: Any, pairs: Matrix
) -> None:
    """Write code that sets pairs to two units each of four boards, in the halves of a number."""
    four = vector_of(WHOLE, BOARDS)
    left_out = ir.Constant(four, [UNIT_BITS_LEFT_OUT] * BOARDS)
    with for_range_slice(builder, INT(0), half, INT(1), inc=True) as (i, _):
        first = builder.shl(i, INT(1))
        second = builder.add(first, INT(1))
        one, other = (
            builder.lshr(builder.zext(_of_four(builder, below, row_at(each)), four), left_out)
            for each in (first, second)
        )
        is_there = builder.icmp_signed("<", second, count)
        other = builder.select(is_there, other, ir.Constant(four, None))
        other = builder.shl(other, ir.Constant(four, [16] * BOARDS))
        pairs.store(i, INT(0), builder.or_(one, other), BOARDS)
