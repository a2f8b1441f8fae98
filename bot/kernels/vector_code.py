"""Machine code of bot.kernels.vectors, as instructions for LLVM: for processors of any kind."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.core.cgutils import alloca_once, for_range_slice, unpack_tuple
from numba.core.errors import TypingError
from numba.core.typing.templates import make_intrinsic_template

from bot.kernels.vectors import WIDTH

_HELD = 8 if get_host_cpu_features().get("avx512f") else 4
"""Vectors of sums held at once: few enough for the registers, of which AVX-512 has twice as many of
twice the length, and as many multiplications as are under way in two units of a core."""

_INT = ir.IntType(64)
_FLOAT = ir.FloatType()
_BOARDS = 4


def code_of(name: str) -> Any:
    """The type of the function of bot.kernels.vectors with that name, for kernels that call it."""
    call = {"add_rows": _add_rows, "fill_units_of_four": _fill_units_of_four}[name]
    return types.Function(make_intrinsic_template(call, call, name))


def _add_rows(
    typing: Any, start: Any, matrix: Any, rows: Any, factors: Any, begin: Any, end: Any, sums: Any
) -> Any:
    """The signature of add_rows for numba, and the function that writes its code."""
    _check(start, factors, sums, of=(types.float32,), dimensions=1)
    _check(matrix, of=(types.float32, types.int16), dimensions=2)
    _check(rows, of=(types.int64,), dimensions=1)
    whole = types.int64
    return types.void(start, matrix, rows, factors, whole, whole, sums), _write_add_rows


def _fill_units_of_four(
    typing: Any,
    below: Any,
    rows: Any,
    count: Any,
    weights: Any,
    biases: Any,
    phase: Any,
    units: Any,
) -> Any:
    """The signature of fill_units_of_four for numba, and the function that writes its code."""
    _check(below, weights, units, of=(types.float32,), dimensions=2)
    _check(biases, of=(types.float32,), dimensions=1)
    _check(rows, of=(types.int64,), dimensions=1)
    whole = types.int64
    signature = types.void(below, rows, whole, weights, biases, whole, units)
    return signature, _write_fill_units_of_four


def _check(*given: Any, of: tuple[Any, ...], dimensions: int) -> None:
    """Raise TypingError unless all are such arrays, in C's order."""
    for kind in given:
        is_array = isinstance(kind, types.Array) and kind.layout == "C"
        if not (is_array and kind.ndim == dimensions and kind.dtype in of):
            raise TypingError(f"{kind} is no array of {dimensions} dimensions of {of}")


class _Matrix:
    """An array of one or two dimensions whose numbers a code loads and stores as float32."""

    def __init__(self, context: Any, builder: Any, kind: Any, value: Any) -> None:
        self._builder = builder
        self._kind = kind
        array = context.make_array(kind)(context, builder, value)
        self.data = array.data
        self.columns = unpack_tuple(builder, array.shape, kind.ndim)[-1]

    def _place(self, row: Any, column: Any, width: int) -> Any:
        b = self._builder
        place = b.gep(self.data, [b.add(b.mul(row, self.columns), column)])
        number = ir.IntType(16) if self._kind.dtype == types.int16 else _FLOAT
        return b.bitcast(place, _vector(number, width).as_pointer())

    def load(self, row: Any, column: Any, width: int = 1) -> Any:
        """So many numbers from a column on."""
        b = self._builder
        align = self._kind.dtype.bitwidth // 8
        found = b.load(self._place(row, column, width), align=align)
        if self._kind.dtype == types.int16:
            return b.sitofp(b.sext(found, _vector(ir.IntType(32), width)), _vector(_FLOAT, width))
        return found

    def store(self, row: Any, column: Any, numbers: Any, width: int) -> None:
        """Put so many numbers from a column on."""
        self._builder.store(numbers, self._place(row, column, width), align=4)


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
    nothing = ir.Constant(_vector(_FLOAT, width), ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(_vector(ir.IntType(32), width), [0] * width)
    return builder.shuffle_vector(first, nothing, zeros)


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
    factors_of: Callable[[Any, Any], Sequence[Any]],
    matrix: _Matrix,
    column: Any,
    width: int,
    first_row: Any = None,
) -> None:
    """Add to sums[board][vector], each the place of one vector, all rows times their factors."""
    with for_range_slice(builder, begin, end, _INT(1), inc=True) as (i, _):
        row = builder.load(builder.gep(rows.data, [i]))
        place = row if first_row is None else builder.add(first_row, row)
        vectors = [
            matrix.load(place, builder.add(column, _INT(width * each)), width)
            for each in range(len(sums[0]))
        ]
        for of_board, factor in zip(sums, factors_of(i, row), strict=True):
            times = _repeated(builder, factor, width)
            for place_of_sum, vector in zip(of_board, vectors, strict=True):
                product = builder.fmul(times, vector, flags=["fast"])
                added = builder.fadd(builder.load(place_of_sum), product, flags=["fast"])
                builder.store(added, place_of_sum)


def _write_add_rows(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of add_rows: blocks of vectors, then single ones, then what columns are left."""
    begin, end = values[4], values[5]
    start, matrix, rows, factors, sums = _matrices(context, builder, signature, values)
    zero = _INT(0)
    places = [alloca_once(builder, _vector(_FLOAT, WIDTH)) for _ in range(_HELD)]
    number = alloca_once(builder, _FLOAT)
    done: Any = zero
    for width, some in ((WIDTH, places), (WIDTH, places[:1]), (1, [number])):
        with _columns(builder, done, sums.columns, width * len(some)) as (column, stop):
            at = [builder.add(column, _INT(width * each)) for each in range(len(some))]
            for place, where in zip(some, at, strict=True):
                builder.store(start.load(zero, where, width), place)
            _accumulate(
                builder,
                [some],
                begin,
                end,
                rows,
                lambda i, row: [factors.load(zero, i)],
                matrix,
                column,
                width,
            )
            for place, where in zip(some, at, strict=True):
                sums.store(zero, where, builder.load(place), width)
        done = stop
    return context.get_dummy_value()


def _write_fill_units_of_four(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The code of fill_units_of_four."""
    count, phase = values[2], values[5]
    below, rows, weights, biases, units = _matrices(context, builder, signature, values)
    zero = _INT(0)
    vectors = max(_HELD // _BOARDS, 1)
    kind = _vector(_FLOAT, WIDTH)
    sums = [[alloca_once(builder, kind) for _ in range(vectors)] for _ in range(_BOARDS)]
    first_row = builder.mul(phase, below.columns)
    first_bias = builder.mul(phase, units.columns)
    nothing = _repeated(builder, ir.Constant(_FLOAT, 0.0), WIDTH)
    with _columns(builder, zero, units.columns, vectors * WIDTH) as (column, _):
        at = [builder.add(column, _INT(WIDTH * each)) for each in range(vectors)]
        for each, where in enumerate(at):
            bias = biases.load(zero, builder.add(first_bias, where), WIDTH)
            for of_board in sums:
                builder.store(bias, of_board[each])
        _accumulate(
            builder,
            sums,
            zero,
            count,
            rows,
            lambda i, row: [below.load(_INT(board), row) for board in range(_BOARDS)],
            weights,
            column,
            WIDTH,
            first_row,
        )
        for board, of_board in enumerate(sums):
            for place, where in zip(of_board, at, strict=True):
                total = builder.load(place)
                is_more = builder.fcmp_ordered(">", total, nothing)
                units.store(_INT(board), where, builder.select(is_more, total, nothing), WIDTH)
    return context.get_dummy_value()
