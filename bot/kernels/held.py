"""Held values: a tuple that kernels take as it is, not taken apart anew at every call.

A call from Python hands over every array of a tuple by itself, 0.2 microseconds each: twenty for
the hundred arrays of a search, half of what it takes to evaluate the plays of a roll.
"""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.kernels.kernel import COMPILES

Values = TypeVar("Values", bound=tuple[object, ...])


@dataclass(frozen=True, slots=True)
class Held(Generic[Values]):
    """A tuple that kernels take by one reference; what its arrays hold may change."""

    values: Values


def held(values: Values) -> Held[Values]:
    """Hold a tuple of arrays, numbers and tuples of them, for kernels to be called with."""
    if not COMPILES:
        return Held(values)
    from bot.kernels.held_type import HeldValues

    answer: Any = HeldValues(values)
    return answer  # type: ignore[no-any-return]
