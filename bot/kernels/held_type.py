"""The type that numba takes held values for, see bot.kernels.held.

The values stand in memory as numba lays out a tuple of them, and kernels read them there: a kernel
that took the tuple itself, only to hold it, would take five seconds to compile.
"""

import ctypes
from typing import Any

import numpy as np
from numba import typeof, types
from numba.core.imputils import lower_getattr
from numba.core.pythonapi import NativeValue, unbox
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import models, register_model

_NUMBERS = {int: ctypes.c_int64, float: ctypes.c_double}


class HeldValues:
    """Python's object for a held tuple: the values as given, and the place of them in memory.

    Kernels count no references to arrays that they find there; this object keeps them.
    """

    def __init__(self, values: Any) -> None:
        self.values = values
        self._numba_type_ = _HeldType(typeof(values))
        self._memory = _memory_of(values)
        self.address = ctypes.addressof(self._memory)


class _HeldType(types.Type):  # type: ignore[misc]
    """A reference to a tuple; values: the type of the tuple."""

    def __init__(self, values: Any) -> None:
        self.values = values
        super().__init__(f"held {values}")


register_model(_HeldType)(models.OpaqueModel)


@infer_getattr
class _HeldAttributes(AttributeTemplate):  # type: ignore[misc]
    key = _HeldType

    def resolve_values(self, kind: _HeldType) -> Any:
        """The type of what is held."""
        return kind.values


@lower_getattr(_HeldType, "values")  # type: ignore[untyped-decorator]
def _values_of(context: Any, builder: Any, kind: _HeldType, reference: Any) -> Any:
    model = context.data_model_manager[kind.values]
    place = builder.bitcast(reference, model.get_data_type().as_pointer())
    return model.load_from_data_pointer(builder, place)


@unbox(_HeldType)  # type: ignore[untyped-decorator]
def _unboxed(kind: _HeldType, held: Any, unboxing: Any) -> Any:
    address = unboxing.pyapi.object_getattr_string(held, "address")
    reference = unboxing.pyapi.long_as_voidptr(address)
    unboxing.pyapi.decref(address)
    return NativeValue(reference)


def _memory_of(values: Any) -> Any:
    """The values as they stand in memory for numba, those of a tuple after one another.

    Of an array: nobody who counts references, no owner, items, bytes of each, where they are, shape
    and strides. Raises TypeError for what is no array, integer, float or tuple of them.
    """
    if isinstance(values, tuple):
        parts = [_memory_of(each) for each in values]
        fields = [(f"part_{number}", type(part)) for number, part in enumerate(parts)]
        return type("Memory", (ctypes.Structure,), {"_fields_": fields})(*parts)
    if isinstance(values, np.ndarray):
        where = (values.size, values.itemsize, values.ctypes.data)
        words = (0, 0, *where, *values.shape, *values.strides)
        return (ctypes.c_int64 * len(words))(*words)
    if type(values) not in _NUMBERS:
        raise TypeError(f"kernels hold arrays, integers, floats and tuples, not {values!r:.80}")
    return _NUMBERS[type(values)](values)
