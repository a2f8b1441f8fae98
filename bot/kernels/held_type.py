"""The type that numba takes held values for, see bot.kernels.held."""

from typing import Any

from numba import types
from numba.experimental import structref

from bot.kernels.compiler import whole


@structref.register
class _HeldType(types.StructRef):  # type: ignore[misc]
    """A reference to a tuple, which counts who holds it."""


class _HeldValues(structref.StructRefProxy):  # type: ignore[misc]
    """Python's object for a held tuple: a reference for kernels, and the values as given."""

    values: Any


structref.define_boxing(_HeldType, _HeldValues)
structref.define_attributes(_HeldType)
structref.define_constructor(_HeldValues, _HeldType, ["values"])


def _referred_to(values: Any) -> Any:
    return _HeldValues(values)


_refer_to = whole(_referred_to)


def hold(values: Any) -> Any:
    """Hold a tuple as a reference that kernels take without unpacking it."""
    answer = _refer_to(values)
    answer.values = values
    return answer
