"""Kernels: functions that are compiled when they are first called, as numba is imported then."""

import os
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from bot.kernels.held import Held

Compiled = TypeVar("Compiled", bound=Callable[..., Any])

COMPILES = not int(os.environ.get("NUMBA_DISABLE_JIT") or 0)
"""Whether kernels are compiled at all; if not they are Python."""


@overload
def kernel(function: Compiled) -> Compiled: ...
@overload
def kernel(*, fastmath: bool) -> Callable[[Compiled], Compiled]: ...
def kernel(function: Any = None, *, fastmath: bool = False) -> Any:
    """Compile a function that may allocate; Python's lock is released while it runs."""
    if function is None:
        return lambda function: _compiled(function, fastmath=fastmath)
    return _compiled(function, fastmath=fastmath)


def inner(function: Compiled) -> Compiled:
    """Compile an innermost function of a kernel, one that allocates nothing and keeps no array.

    Nor may it hand an array back: its caller would give up a reference that nobody counted. numba
    need not count references to arrays, which takes longer than the arithmetic: without
    the counting a 196-128-5 network evaluates 2.3 instead of 0.9 million boards a second.
    """
    return _compiled(function, fastmath=True, counts_references=False)


def inlined(function: Compiled) -> Compiled:
    """Compile an inner function into every place that calls it.

    For what is called for every board: handing over arrays takes 5 to 20 ns each time. Evaluating
    the plays of a roll is faster by a half for it.
    """
    return _compiled(function, fastmath=True, counts_references=False, is_inlined=True)


class ByAddress:
    """Calls a kernel by its address, so that one caller, compiled once, serves them all.

    signature: of every kernel so called, as numba writes it: "int64(int8[::1], float32[::1])".
    takes_held: whether they have held values behind that, of any kind. An address holds in the
    process that asked for it. Uncompiled, a function is its own address.
    """

    def __init__(self, signature: str, *, takes_held: bool = False) -> None:
        self._signature = signature
        self._takes_held = takes_held
        self._addresses: dict[Any, int] = {}

    def address(self, function: Any, held: "Held[Any] | None" = None) -> Any:
        """Address of a kernel of this signature, compiled now if it is not yet.

        held: values of the kind that it will be called with, where it takes any.
        """
        if not COMPILES:
            return function
        kind = getattr(held, "_numba_type_", None)
        if (function, kind) not in self._addresses:
            from bot.kernels.compiler import address

            self._addresses[function, kind] = address(function._whole, self._signature, kind)
        return self._addresses[function, kind]

    def __call__(self, address: Any, *arguments: Any) -> Any:
        """Call the kernel at an address; one kernel to another, or all of them uncompiled."""
        return address(*arguments)

    @cached_property
    def _numba_type_(self) -> Any:
        """The type that numba takes this for where a kernel names it."""
        from bot.kernels.compiler import call_by_address

        return call_by_address(self._signature, takes_held=self._takes_held)


def _compiled(function: Compiled, **options: bool) -> Compiled:
    compiled: Any = Kernel(function, options) if COMPILES else function
    return compiled  # type: ignore[no-any-return]


class Kernel:
    """A function: compiled as a whole if Python calls it, as a part of the kernel that calls it.

    A whole is kept in numba's cache. See bot.kernels.compiler.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, bool]) -> None:
        self._function = function
        self._options = options
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        """Run it."""
        return self._whole(*arguments)

    @cached_property
    def _whole(self) -> Callable[..., Any]:
        from bot.kernels.compiler import whole

        return whole(self._function, **self._options)

    @cached_property
    def _part(self) -> Any:
        from bot.kernels.compiler import part

        return part(self._function, **self._options)

    @property
    def _numba_type_(self) -> Any:
        """The type that numba takes this for where a kernel names it."""
        return self._part._numba_type_
