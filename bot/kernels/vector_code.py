"""Machine code of bot.kernels.vectors, as instructions for LLVM: for processors of any kind."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from llvmlite.binding import get_host_cpu_features, llvm_version_info
from numba import types
from numba.core.cgutils import (
    alloca_once,
    for_range_slice,
    get_or_insert_function,
    unpack_tuple,
)
from numba.core.errors import TypingError
from numba.core.typing.templates import make_intrinsic_template

from bot.kernels.vectors import WHOLE_WIDTH, WIDTH

_HAS_AVX_512 = bool(get_host_cpu_features().get("avx512f"))
"""Whether there are twice as many registers, of twice the length."""

_PUTS_TOGETHER = _HAS_AVX_512 and llvm_version_info >= (19,)
"""Whether those numbers of a vector that are wanted are put together in one step."""

_HELD = 8 if _HAS_AVX_512 else 4
"""Vectors of one board's sums held at once: as many multiplications as two units of a core have
under way."""

_HELD_OF_FOUR = 4 if _HAS_AVX_512 else 1
"""Vectors of each of four boards' sums held at once, in registers all of them."""

_INT = ir.IntType(64)
_FLOAT = ir.FloatType()
_WHOLE = ir.IntType(32)
_SHORT = ir.IntType(16)
_BOARDS = 4


def code_of(name: str) -> Any:
    """The type of the function of bot.kernels.vectors with that name, for kernels that call it."""
    calls = {
        "add_rows": _add_rows,
        "add_steps": _add_steps,
        "note_active": _note_active,
        "fill_units_of_four": _fill_units_of_four,
    }
    call = calls[name]
    return types.Function(make_intrinsic_template(call, call, name))


def _add_rows(
    typing: Any, start: Any, matrix: Any, rows: Any, factors: Any, begin: Any, end: Any, sums: Any
) -> Any:
    """The signature of add_rows for numba, and the function that writes its code."""
    _check(start, factors, sums, of=types.float32, dimensions=1)
    _check(matrix, of=types.float32, dimensions=2)
    _check(rows, of=types.int64, dimensions=1)
    whole = types.int64
    return types.void(start, matrix, rows, factors, whole, whole, sums), _write_add_rows


def _add_steps(
    typing: Any,
    start: Any,
    matrix: Any,
    rows: Any,
    factors: Any,
    before: Any,
    begin: Any,
    middle: Any,
    end: Any,
    sums: Any,
) -> Any:
    """The signature of add_steps for numba, and the function that writes its code."""
    _check(start, factors, before, sums, of=types.int16, dimensions=1)
    _check(matrix, of=types.int16, dimensions=2)
    _check(rows, of=types.int64, dimensions=1)
    whole = types.int64
    signature = types.void(start, matrix, rows, factors, before, whole, whole, whole, sums)
    return signature, _write_add_steps


def _note_active(typing: Any, units: Any, rows: Any) -> Any:
    """The signature of note_active for numba, and the function that writes its code."""
    _check_units(units)
    _check(rows, of=types.int32, dimensions=1)
    return types.int64(units, rows), _write_note_active


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
    _check_units(below)
    _check(packed, weights, units, of=types.float32, dimensions=2)
    _check(biases, of=types.float32, dimensions=1)
    _check(rows, of=types.int32, dimensions=1)
    whole = types.int64
    signature = types.void(below, rows, whole, packed, weights, biases, whole, units)
    return signature, _write_fill_units_of_four


def _check(*given: Any, of: Any, dimensions: int) -> None:
    """Raise TypingError unless all are such arrays, in C's order."""
    for kind in given:
        is_array = isinstance(kind, types.Array) and kind.layout == "C"
        if not (is_array and kind.ndim == dimensions and kind.dtype == of):
            raise TypingError(f"{kind} is no array of {dimensions} dimensions of {of}")


def _check_units(units: Any) -> None:
    """Raise TypingError unless it is such an array of two dimensions, of numbers of either kind."""
    is_whole = isinstance(units, types.Array) and units.dtype == types.int16
    _check(units, of=types.int16 if is_whole else types.float32, dimensions=2)


class _Matrix:
    """An array of one or two dimensions, float32 or int16, as a code loads and stores it."""

    def __init__(self, context: Any, builder: Any, kind: Any, value: Any) -> None:
        self._builder = builder
        self._align = kind.dtype.bitwidth // 8
        array = context.make_array(kind)(context, builder, value)
        self.data = array.data
        self.number = context.get_value_type(kind.dtype)
        self.columns = unpack_tuple(builder, array.shape, kind.ndim)[-1]

    def _place(self, row: Any, column: Any, width: int) -> Any:
        b = self._builder
        place = b.gep(self.data, [b.add(b.mul(row, self.columns), column)])
        return b.bitcast(place, _vector(self.number, width).as_pointer())

    def load(self, row: Any, column: Any, width: int = 1) -> Any:
        """So many numbers from a column on."""
        return self._builder.load(self._place(row, column, width), align=self._align)

    def store(self, row: Any, column: Any, numbers: Any, width: int) -> None:
        """Put so many numbers from a column on."""
        self._builder.store(numbers, self._place(row, column, width), align=self._align)


def _matrices(context: Any, builder: Any, signature: Any, values: Any) -> list[_Matrix]:
    """The arrays among the arguments."""
    return [
        _Matrix(context, builder, kind, value)
        for kind, value in zip(signature.args, values, strict=True)
        if isinstance(kind, types.Array)
    ]


def _vector(number: Any, width: int) -> Any:
    return number if width == 1 else ir.VectorType(number, width)


def _repeated(builder: Any, number: Any, width: int) -> Any:
    """A vector of one number, so many times."""
    if width == 1:
        return number
    nothing = ir.Constant(_vector(number.type, width), ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(_vector(ir.IntType(32), width), [0] * width)
    return builder.shuffle_vector(first, nothing, zeros)


def _is_more(builder: Any, one: Any, other: Any) -> Any:
    """Where one number is more than another: numbers of either kind, or vectors of them."""
    if getattr(one.type, "element", one.type) == _FLOAT:
        return builder.fcmp_ordered(">", one, other)
    return builder.icmp_signed(">", one, other)


def _larger(builder: Any, one: Any, other: Any) -> Any:
    """The larger of two numbers, or of each two of two vectors; nothing is guessed."""
    return builder.select(_is_more(builder, one, other), one, other)


@contextmanager
def _columns(builder: Any, start: Any, end: Any, step: int) -> Iterator[tuple[Any, Any]]:
    """A loop over the columns from start in whole steps up to end, and where the next would be."""
    whole = builder.sub(builder.sub(end, start), builder.srem(builder.sub(end, start), _INT(step)))
    stop = builder.add(start, whole)
    with for_range_slice(builder, start, stop, _INT(step), inc=True) as (column, _):
        yield column, stop


def _accumulate(
    builder: Any,
    sums: Sequence[Sequence[Any]],
    begin: Any,
    end: Any,
    rows: _Matrix,
    factors_of: Callable[[Any], Sequence[Any]],
    matrix: _Matrix,
    column: Any,
    width: int,
    first_row: Any = None,
) -> None:
    """Add to sums[board][vector], each the place of one vector, all rows times their factors."""
    with for_range_slice(builder, begin, end, _INT(1), inc=True) as (i, _):
        row = builder.load(builder.gep(rows.data, [i]))
        row = row if row.type == _INT else builder.sext(row, _INT)
        place = row if first_row is None else builder.add(first_row, row)
        vectors = [
            matrix.load(place, builder.add(column, _INT(width * each)), width)
            for each in range(len(sums[0]))
        ]
        for of_board, factor in zip(sums, factors_of(i), strict=True):
            times = _repeated(builder, factor, width)
            for place_of_sum, vector in zip(of_board, vectors, strict=True):
                product = builder.fmul(times, vector, flags=["fast"])
                added = builder.fadd(builder.load(place_of_sum), product, flags=["fast"])
                builder.store(added, place_of_sum)


def _write_add_rows(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of add_rows."""
    begin, end = values[4], values[5]
    start, matrix, rows, factors, sums = _matrices(context, builder, signature, values)

    def add(places: Sequence[Any], column: Any, width: int) -> None:
        def factors_of(i: Any) -> list[Any]:
            return [factors.load(_INT(0), i)]

        _accumulate(builder, [places], begin, end, rows, factors_of, matrix, column, width)

    _write_sums(builder, start, sums, WIDTH, add)
    return context.get_dummy_value()


def _write_add_steps(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of add_steps."""
    begin, middle, end = values[5:8]
    start, matrix, rows, factors, before, sums = _matrices(context, builder, signature, values)

    def add(places: Sequence[Any], column: Any, width: int) -> None:
        at = [builder.add(column, _INT(width * each)) for each in range(len(places))]

        def add_each(first: Any, last: Any, change: Callable[[Any, Any, Any], Any]) -> None:
            with for_range_slice(builder, first, last, _INT(1), inc=True) as (i, _):
                row = builder.load(builder.gep(rows.data, [i]))
                now, then = (
                    _repeated(builder, each.load(_INT(0), i), width) for each in (factors, before)
                )
                for place, where in zip(places, at, strict=True):
                    added = change(matrix.load(row, where, width), now, then)
                    builder.store(builder.add(builder.load(place), added), place)

        def part(vector: Any, factor: Any) -> Any:
            return _upper_half(builder, vector, factor, width)

        add_each(begin, middle, lambda vector, now, then: builder.mul(vector, now))
        add_each(
            middle,
            end,
            lambda vector, now, then: builder.sub(part(vector, now), part(vector, then)),
        )

    _write_sums(builder, start, sums, WHOLE_WIDTH, add)
    return context.get_dummy_value()


def _write_sums(
    builder: Any,
    start: _Matrix,
    sums: _Matrix,
    width: int,
    add: Callable[[Sequence[Any], Any, int], None],
) -> None:
    """Write code that sets sums to start and what is added, some vectors of columns at a time.

    First blocks of vectors, then single ones, then what columns are left. add(places, column,
    width): writes what is added to the numbers in such places, so many each, from a column on.
    """
    zero = _INT(0)
    places = [alloca_once(builder, _vector(sums.number, width)) for _ in range(_HELD)]
    single = [alloca_once(builder, sums.number)]
    done: Any = zero
    for each, some in ((width, places), (width, places[:1]), (1, single)):
        with _columns(builder, done, sums.columns, each * len(some)) as (column, stop):
            at = [builder.add(column, _INT(each * place)) for place in range(len(some))]
            for place, where in zip(some, at, strict=True):
                builder.store(start.load(zero, where, each), place)
            add(some, column, each)
            for place, where in zip(some, at, strict=True):
                sums.store(zero, where, builder.load(place), each)
        done = stop


def _upper_half(builder: Any, one: Any, other: Any, width: int) -> Any:
    """Products of whole numbers in 65,536ths, rounded down: one instruction where there is one."""
    long = _vector(ir.IntType(32), width)
    sixteen = ir.Constant(long, 16 if width == 1 else [16] * width)
    product = builder.mul(builder.sext(one, long), builder.sext(other, long))
    return builder.trunc(builder.lshr(product, sixteen), _vector(_SHORT, width))


def _write_note_active(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of note_active: whole vectors at once, then single units; nothing is guessed."""
    units, rows = _matrices(context, builder, signature, values)
    zero = _INT(0)
    found = alloca_once(builder, _INT)
    builder.store(zero, found)
    done: Any = zero
    for width in (WIDTH, 1):
        with _columns(builder, done, units.columns, width) as (column, stop):
            boards = [units.load(_INT(board), column, width) for board in range(_BOARDS)]
            largest = boards[0]
            for board in boards[1:]:
                largest = _larger(builder, board, largest)
            is_active = _is_more(builder, largest, ir.Constant(largest.type, None))
            first = builder.trunc(column, _WHOLE)
            write = _put_together if width > 1 and _PUTS_TOGETHER else _put_one_by_one
            builder.store(write(builder, first, is_active, builder.load(found), rows), found)
        done = stop
    return builder.load(found)


def _put_together(builder: Any, first: Any, is_wanted: Any, place: Any, rows: _Matrix) -> Any:
    """Write those of WIDTH numbers, the first and on, that are wanted; the place after them."""
    kind = _vector(_WHOLE, WIDTH)
    numbers = builder.add(_repeated(builder, first, WIDTH), ir.Constant(kind, list(range(WIDTH))))
    compress = get_or_insert_function(
        builder.module,
        ir.FunctionType(kind, [kind, is_wanted.type, kind]),
        f"llvm.experimental.vector.compress.v{WIDTH}i32",
    )
    together = builder.call(compress, [numbers, is_wanted, numbers])
    rows.store(_INT(0), place, together, WIDTH)
    count = builder.ctpop(builder.bitcast(is_wanted, ir.IntType(WIDTH)))
    return builder.add(place, builder.zext(count, _INT))


def _put_one_by_one(builder: Any, first: Any, is_wanted: Any, place: Any, rows: _Matrix) -> Any:
    """Write a number or WIDTH of them, each over the one before if that is not wanted."""
    is_single = is_wanted.type == ir.IntType(1)
    for step in range(1 if is_single else WIDTH):
        rows.store(_INT(0), place, builder.add(first, _WHOLE(step)), 1)
        bit = is_wanted if is_single else builder.extract_element(is_wanted, _WHOLE(step))
        place = builder.add(place, builder.zext(bit, _INT))
    return place


def _write_fill_units_of_four(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of fill_units_of_four: the units of four boards, then what they add up to."""
    count, phase = values[2], values[6]
    below, rows, packed, weights, biases, units = _matrices(context, builder, signature, values)
    zero = _INT(0)
    with for_range_slice(builder, zero, count, _INT(1), inc=True) as (i, _):
        row = builder.sext(builder.load(builder.gep(rows.data, [i])), _INT)
        four = ir.Constant(_vector(below.number, _BOARDS), ir.Undefined)
        for board in range(_BOARDS):
            four = builder.insert_element(four, below.load(_INT(board), row), _WHOLE(board))
        four = _larger(builder, four, ir.Constant(four.type, None))
        if below.number != _FLOAT:
            four = builder.sitofp(four, _vector(_FLOAT, _BOARDS))
        packed.store(i, zero, four, _BOARDS)
    kind = _vector(_FLOAT, WIDTH)
    sums = [[alloca_once(builder, kind) for _ in range(_HELD_OF_FOUR)] for _ in range(_BOARDS)]
    first_row = builder.mul(phase, below.columns)
    first_bias = builder.mul(phase, units.columns)

    def factors_of(i: Any) -> list[Any]:
        return [packed.load(i, _INT(board)) for board in range(_BOARDS)]

    with _columns(builder, zero, units.columns, _HELD_OF_FOUR * WIDTH) as (column, _):
        at = [builder.add(column, _INT(WIDTH * each)) for each in range(_HELD_OF_FOUR)]
        for each, where in enumerate(at):
            bias = biases.load(zero, builder.add(first_bias, where), WIDTH)
            for of_board in sums:
                builder.store(bias, of_board[each])
        _accumulate(builder, sums, zero, count, rows, factors_of, weights, column, WIDTH, first_row)
        for board, of_board in enumerate(sums):
            for place, where in zip(of_board, at, strict=True):
                total = _larger(builder, builder.load(place), ir.Constant(kind, None))
                units.store(_INT(board), where, total, WIDTH)
    return context.get_dummy_value()
