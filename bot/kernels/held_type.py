"""The types that numba takes held values for, see bot.kernels.held.

The values stand in memory as numba lays out a tuple of them, and kernels read there what they use
and when they do. numba hands a tuple over as all of its arrays, each of them seven or more numbers,
at every call of one part of a kernel by another: most of the code of a search was that.
"""

import ctypes
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cgutils import get_null_value
from numba.core.imputils import lower_getattr, lower_getattr_generic
from numba.core.pythonapi import NativeValue, unbox
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import models, register_model
from numba.np.numpy_support import from_dtype, map_layout

_NUMBERS = {int: (types.int64, ctypes.c_int64), float: (types.float64, ctypes.c_double)}
"""For numbers in Python what numba and C take them for."""


class HeldValues:
    """Python's object for a held tuple: the values as given, and the place of them in memory.

    Kernels count no references to arrays that they find there; this object keeps them. What stands
    there never changes, save for what the arrays hold.
    """

    def __init__(self, values: Any) -> None:
        self.values = values
        self._memory = _memory_of(values)
        self.address = ctypes.addressof(self._memory)
        key = _key(values)
        if key not in _KINDS:
            _KINDS[key] = _HeldType(_kind_of(values))
        self._numba_type_ = _KINDS[key]


class _HeldType(types.Type):  # type: ignore[misc]
    """The type of a held tuple for kernels; values: the type of the tuple itself."""

    def __init__(self, values: Any) -> None:
        self.values = values
        super().__init__(f"held {values}")


class _Reference(types.Type):  # type: ignore[misc]
    """The place of a named tuple; values: its type."""

    def __init__(self, values: Any) -> None:
        self.values = values
        super().__init__(f"reference to {values}")


_KINDS: dict[Any, _HeldType] = {}
"""The types by the keys of what is held: for a hundred arrays numba takes milliseconds to tell."""


def _key(values: Any) -> Any:
    """A key, the same for all that numba has one type for."""
    if isinstance(values, tuple):
        return type(values), *map(_key, values)
    if isinstance(values, np.ndarray):
        return values.dtype, values.ndim, values.flags.num
    return values._numba_type_ if isinstance(values, HeldValues) else type(values)


def _kind_of(values: Any) -> Any:
    """The type that numba has for values; its own function to tell it imports what nobody needs."""
    if isinstance(values, tuple):
        of_fields = type(values) if hasattr(values, "_fields") else None
        return types.BaseTuple.from_types([_kind_of(each) for each in values], of_fields)
    if isinstance(values, np.ndarray):
        kind, is_fixed = from_dtype(values.dtype), not values.flags.writeable
        return types.Array(kind, values.ndim, map_layout(values), readonly=is_fixed)
    if isinstance(values, HeldValues):
        return values._numba_type_
    return _NUMBERS[type(values)][0]


register_model(_HeldType)(models.OpaqueModel)
register_model(_Reference)(models.OpaqueModel)


def _as_read(kind: Any) -> Any:
    """The type of what kernels read at a place of this type: of named tuples their place."""
    if isinstance(kind, types.BaseNamedTuple):
        return _Reference(kind)
    if isinstance(kind, types.BaseTuple):
        return types.Tuple([_as_read(each) for each in kind])
    return kind


@infer_getattr
class _HeldAttributes(AttributeTemplate):  # type: ignore[misc]
    key = _HeldType

    def resolve_values(self, kind: _HeldType) -> Any:
        """The type of what is held."""
        return _as_read(kind.values)


@infer_getattr
class _ReferenceAttributes(AttributeTemplate):  # type: ignore[misc]
    key = _Reference

    def generic_resolve(self, kind: _Reference, name: str) -> Any:
        """The type of a field."""
        if name in kind.values.fields:
            return _as_read(kind.values[kind.values.fields.index(name)])
        return None


@lower_getattr(_HeldType, "values")  # type: ignore[untyped-decorator]
def _values_of(context: Any, builder: Any, kind: _HeldType, place: Any) -> Any:
    return _read(context, builder, kind.values, place)


@lower_getattr_generic(_Reference)  # type: ignore[untyped-decorator]
def _field_of(context: Any, builder: Any, kind: _Reference, place: Any, name: str) -> Any:
    number = kind.values.fields.index(name)
    return _read_part(context, builder, kind.values, number, place)


def _read(context: Any, builder: Any, kind: Any, place: Any) -> Any:
    """Read the value at a place in memory; of a named tuple that is the place, see _as_read."""
    if isinstance(kind, types.BaseNamedTuple):
        return place
    if isinstance(kind, types.BaseTuple):
        parts = [_read_part(context, builder, kind, i, place) for i in range(len(kind))]
        return context.make_tuple(builder, _as_read(kind), parts)
    model = context.data_model_manager[kind]
    place = builder.bitcast(place, model.get_data_type().as_pointer())
    if isinstance(kind, types.Array):
        return _read_array(builder, kind, model, place)
    return model.from_data(builder, _load(builder, place))


def _read_part(context: Any, builder: Any, kind: Any, number: int, place: Any) -> Any:
    """The part of that number of a tuple of a type, at its place."""
    whole = context.data_model_manager[kind].get_data_type().as_pointer()
    part = _inside(builder, builder.bitcast(place, whole), number)
    return _read(context, builder, kind[number], builder.bitcast(part, place.type))


def _read_array(builder: Any, kind: Any, model: Any, place: Any) -> Any:
    """The array at a place, of which nobody counts references."""
    array = get_null_value(model.get_value_type())
    for name in ("nitems", "itemsize", "data"):
        number = model.get_field_position(name)
        field = _inside(builder, place, number)
        array = builder.insert_value(array, _load(builder, field), number)
    for name in ("shape", "strides"):
        number = model.get_field_position(name)
        field = _inside(builder, place, number)
        for axis in range(kind.ndim):
            of_axis = _load(builder, _inside(builder, field, axis))
            array = builder.insert_value(array, of_axis, [number, axis])
    return array


def _inside(builder: Any, place: Any, number: int) -> Any:
    """The place of the part of that number of what stands at a place."""
    index = [ir.Constant(ir.IntType(32), each) for each in (0, number)]
    return builder.gep(place, index, inbounds=True)


def _load(builder: Any, place: Any) -> Any:
    """Load the value at a place in memory that nobody writes to, so that once is enough."""
    loaded = builder.load(place)
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


@unbox(_HeldType)  # type: ignore[untyped-decorator]
def _unboxed(kind: _HeldType, held: Any, unboxing: Any) -> Any:
    address = unboxing.pyapi.object_getattr_string(held, "address")
    place = unboxing.pyapi.long_as_voidptr(address)
    unboxing.pyapi.decref(address)
    return NativeValue(place)


def _memory_of(values: Any) -> Any:
    """The values as they stand in memory for numba, those of a tuple after one another.

    Of an array: nobody who counts references, no owner, items, bytes of each, where they are, shape
    and strides. Of other held values: their place. Raises TypeError for what is none of these, no
    integer, float or tuple of them.
    """
    if isinstance(values, tuple):
        parts = [_memory_of(each) for each in values]
        return _structure(*map(type, parts))(*parts)
    if isinstance(values, np.ndarray):
        where = (values.size, values.itemsize, values.ctypes.data)
        words = (0, 0, *where, *values.shape, *values.strides)
        return (ctypes.c_int64 * len(words))(*words)
    if isinstance(values, HeldValues):
        return ctypes.c_int64(values.address)
    if type(values) not in _NUMBERS:
        raise TypeError(f"kernels hold arrays, integers, floats and tuples, not {values!r:.80}")
    return _NUMBERS[type(values)][1](values)


@cache
def _structure(*parts: Any) -> Any:
    """The type of memory that has parts of these types after one another."""
    fields = [(f"part_{number}", part) for number, part in enumerate(parts)]
    return type("Memory", (ctypes.Structure,), {"_fields_": fields})
