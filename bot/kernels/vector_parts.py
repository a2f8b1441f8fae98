"""Parts of the machine code of bot.kernels.vectors: arrays, vectors, loops over columns."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from llvmlite.binding import get_host_cpu_features, llvm_version_info
from numba import types
from numba.core.cgutils import for_range_slice, get_or_insert_function, unpack_tuple
from numba.core.errors import TypingError

from bot.kernels.vectors import WIDTH

_MULTIPLY_ADD = {
    16: ("avx512bw", "llvm.x86.avx512.pmaddw.d.512"),
    8: ("avx2", "llvm.x86.avx2.pmadd.wd"),
    4: ("sse2", "llvm.x86.sse2.pmadd.wd"),
}
"""By how many sums it makes: what a processor has to multiply and add pairs in one step."""

HAS_AVX_512 = bool(get_host_cpu_features().get("avx512f"))
"""Whether there are twice as many registers, of twice the length."""

_PUTS_TOGETHER = HAS_AVX_512 and llvm_version_info >= (19,)
"""Whether those numbers of a vector that are wanted are put together in one step."""

INT = ir.IntType(64)
FLOAT = ir.FloatType()
WHOLE = ir.IntType(32)
SHORT = ir.IntType(16)
BOARDS = 4


def check(*given: Any, of: Any, dimensions: int) -> None:
    """Raise TypingError unless all are such arrays, in C's order."""
    for kind in given:
        is_array = isinstance(kind, types.Array) and kind.layout == "C"
        if not (is_array and kind.ndim == dimensions and kind.dtype == of):
            raise TypingError(f"{kind} is no array of {dimensions} dimensions of {of}")


def check_units(units: Any) -> None:
    """Raise TypingError unless it is such an array of two dimensions, of numbers of either kind."""
    is_whole = isinstance(units, types.Array) and units.dtype == types.int16
    check(units, of=types.int16 if is_whole else types.float32, dimensions=2)


class Matrix:
    """An array of one or two dimensions, float32, int16 or int32, as a code loads and stores it."""

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
        return b.bitcast(place, vector_of(self.number, width).as_pointer())

    def load(self, row: Any, column: Any, width: int = 1) -> Any:
        """So many numbers from a column on."""
        return self._builder.load(self._place(row, column, width), align=self._align)

    def store(self, row: Any, column: Any, numbers: Any, width: int) -> None:
        """Put so many numbers from a column on."""
        self._builder.store(numbers, self._place(row, column, width), align=self._align)


def matrices(context: Any, builder: Any, signature: Any, values: Any) -> list[Matrix]:
    """The arrays among the arguments."""
    return [
        Matrix(context, builder, kind, value)
        for kind, value in zip(signature.args, values, strict=True)
        if isinstance(kind, types.Array)
    ]


def vector_of(number: Any, width: int) -> Any:
    """The type of so many numbers of a type, or of one alone."""
    return number if width == 1 else ir.VectorType(number, width)


def repeated(builder: Any, number: Any, width: int) -> Any:
    """A vector of one number, so many times."""
    if width == 1:
        return number
    nothing = ir.Constant(vector_of(number.type, width), ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(vector_of(ir.IntType(32), width), [0] * width)
    return builder.shuffle_vector(first, nothing, zeros)


def is_more(builder: Any, one: Any, other: Any) -> Any:
    """Where one number is more than another: numbers of either kind, or vectors of them."""
    if getattr(one.type, "element", one.type) == FLOAT:
        return builder.fcmp_ordered(">", one, other)
    return builder.icmp_signed(">", one, other)


def larger(builder: Any, one: Any, other: Any) -> Any:
    """The larger of two numbers, or of each two of two vectors; nothing is guessed."""
    return builder.select(is_more(builder, one, other), one, other)


@contextmanager
def over_columns(builder: Any, start: Any, end: Any, step: int) -> Iterator[tuple[Any, Any]]:
    """A loop over the columns from start in whole steps up to end, and where the next would be."""
    whole = builder.sub(builder.sub(end, start), builder.srem(builder.sub(end, start), INT(step)))
    stop = builder.add(start, whole)
    with for_range_slice(builder, start, stop, INT(step), inc=True) as (column, _):
        yield column, stop


def upper_half(builder: Any, one: Any, other: Any, width: int) -> Any:
    """Products of whole numbers in 65,536ths, rounded down: one instruction where there is one."""
    long = vector_of(ir.IntType(32), width)
    sixteen = ir.Constant(long, 16 if width == 1 else [16] * width)
    product = builder.mul(builder.sext(one, long), builder.sext(other, long))
    return builder.trunc(builder.lshr(product, sixteen), vector_of(SHORT, width))


def _has(context: Any, feature: str) -> bool:
    """Whether code is made for processors with this feature."""
    return f"+{feature}" in context.codegen().magic_tuple()[2].split(",")


def sums_at_once(context: Any) -> int:
    """How many sums `multiply_add` makes best."""
    fitting = (width for width, (feature, _) in _MULTIPLY_ADD.items() if _has(context, feature))
    return next(fitting, 4)


def multiply_add(context: Any, builder: Any, one: Any, other: Any) -> Any:
    """Of two vectors of 16 bits the products, each and the next added up; half as many, 32 bits."""
    width = one.type.count // 2
    long = vector_of(WHOLE, width)
    feature, name = _MULTIPLY_ADD[width]
    if _has(context, feature):
        kind = ir.FunctionType(long, [one.type, one.type])
        return builder.call(get_or_insert_function(builder.module, kind, name), [one, other])
    products = []
    for each in range(2):
        picked = picking(range(each, 2 * width, 2))
        ones, others = (
            builder.sext(builder.shuffle_vector(numbers, numbers, picked), long)
            for numbers in (one, other)
        )
        products.append(builder.mul(ones, others))
    return builder.add(*products)


def picking(numbers: Iterable[int]) -> Any:
    """These numbers, which say what of two vectors, one after the other, is taken."""
    places = list(numbers)
    return ir.Constant(vector_of(WHOLE, len(places)), places)


def put(builder: Any, first: Any, is_wanted: Any, place: Any, rows: Matrix) -> Any:
    """Write those of so many numbers, the first and on, that are wanted; the place after them."""
    if is_wanted.type == ir.IntType(1):
        return _put_single(builder, first, is_wanted, place, rows)
    write = _put_together if _PUTS_TOGETHER else _put_by_table
    return write(builder, first, is_wanted, place, rows)


def _put_together(builder: Any, first: Any, is_wanted: Any, place: Any, rows: Matrix) -> Any:
    """Write those of WIDTH numbers, the first and on, that are wanted; the place after them."""
    kind = vector_of(WHOLE, WIDTH)
    numbers = builder.add(repeated(builder, first, WIDTH), ir.Constant(kind, list(range(WIDTH))))
    compress = get_or_insert_function(
        builder.module,
        ir.FunctionType(kind, [kind, is_wanted.type, kind]),
        f"llvm.experimental.vector.compress.v{WIDTH}i32",
    )
    together = builder.call(compress, [numbers, is_wanted, numbers])
    rows.store(INT(0), place, together, WIDTH)
    count = builder.ctpop(builder.bitcast(is_wanted, ir.IntType(WIDTH)))
    return builder.add(place, builder.zext(count, INT))


def _put_by_table(builder: Any, first: Any, is_wanted: Any, place: Any, rows: Matrix) -> Any:
    """Write those of WIDTH numbers, the first and on, that are wanted; the place after them.

    Eight at a time: a table has the wanted ones for each of the 256 ways that they can be.
    """
    bits = builder.bitcast(is_wanted, ir.IntType(WIDTH))
    table = _table_of_eight(builder.module)
    kind = vector_of(WHOLE, 8)
    for start in range(0, WIDTH, 8):
        way = builder.trunc(builder.lshr(bits, bits.type(start)), ir.IntType(8))
        steps = builder.load(builder.gep(table, [INT(0), builder.zext(way, INT)]))
        start_of_eight = repeated(builder, builder.add(first, WHOLE(start)), 8)
        numbers = builder.add(builder.zext(steps, kind), start_of_eight)
        rows.store(INT(0), place, numbers, 8)
        place = builder.add(place, builder.zext(builder.ctpop(way), INT))
    return place


def _table_of_eight(module: Any) -> Any:
    """Of each way to want some of eight, in bits, which they are, in order."""
    name = "blot.wanted_of_eight"
    if name in module.globals:
        return module.globals[name]
    row = vector_of(ir.IntType(8), 8)
    ways = []
    for way in range(256):
        wanted = [each for each in range(8) if way >> each & 1]
        ways.append(ir.Constant(row, wanted + [0] * (8 - len(wanted))))
    kind = ir.ArrayType(row, len(ways))
    table = ir.GlobalVariable(module, kind, name)
    table.initializer = ir.Constant(kind, ways)
    table.linkage, table.global_constant = "internal", True
    return table


def _put_single(builder: Any, first: Any, is_wanted: Any, place: Any, rows: Matrix) -> Any:
    """Write a number, over which the next one is written unless it is wanted."""
    rows.store(INT(0), place, first, 1)
    return builder.add(place, builder.zext(is_wanted, INT))
