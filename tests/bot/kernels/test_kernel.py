"""Kernels: wholes for Python, parts for each other."""

import pytest
from numba.core.compiler_lock import global_compiler_lock

from bot.kernels import inlined, inner, kernel
from bot.kernels.kernel import COMPILES

pytestmark = pytest.mark.skipif(not COMPILES, reason="kernels are Python here")


@inner
def sum_of(first: int, second: int) -> int:
    """The sum of two numbers."""
    return first + second


@inlined
def successor(number: int) -> int:
    """The next number."""
    return sum_of(number, 1)


@kernel
def sum_of_four(first: int) -> int:
    """A number and the three after it."""
    return sum_of(sum_of(first, successor(first)), sum_of(first + 2, first + 3))


def test_kernels_call_each_other_and_python_calls_any():
    assert sum_of_four(3) == 3 + 4 + 5 + 6
    assert sum_of(3, 4) == 7
    assert successor(3) == 4


def test_part_is_compiled_once_whatever_numbers_stand_in_calls():
    sum_of_four(1)
    if sum_of_four._whole.stats.cache_misses:
        assert len(sum_of._part.signatures) == 1


def test_part_is_no_machine_code():
    @inner
    def product_of(first: int, second: int) -> int:
        return first * second

    product_of._part.compile("(int64, int64)")
    (compiled,) = product_of._part.overloads.values()
    with global_compiler_lock:
        assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) == 0


def test_kernel_keeps_the_name_and_the_docstring_of_its_function():
    assert (sum_of.__name__, sum_of.__doc__) == ("sum_of", "The sum of two numbers.")
