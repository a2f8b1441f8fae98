"""Kernels called by their address."""

import pickle

import numpy as np
import pytest
from numba.core.errors import TypingError

from bot.backgammon.evaluation.inputs import PLAYERS
from bot.kernels import ByAddress, inner, kernel
from bot.kernels.held import held
from bot.kernels.kernel import COMPILES

call = ByAddress("int64(int8[::1], float32[::1])")


@inner
def fill_double(board, values):
    for i in range(values.shape[0]):
        values[i] = 2 * board[i]
    return 2


@inner
def fill_triple(board, values):
    for i in range(values.shape[0]):
        values[i] = 3 * board[i]
    return 3


@inner
def answer_half(board, values):
    return 0.5


@kernel
def called(address, board, values):
    return call(address, board, values)


@pytest.mark.parametrize(("function", "times"), [(fill_double, 2), (fill_triple, 3)])
@pytest.mark.parametrize("is_writeable", [True, False])
def test_one_caller_calls_whatever_is_at_the_address(function, times, is_writeable):
    board = np.arange(26, dtype=np.int8)
    board.flags.writeable = is_writeable
    values = np.zeros(4, np.float32)
    assert called(call.address(function), board, values) == times
    assert values.tolist() == [0, times, 2 * times, 3 * times]


call_with_held = ByAddress("int64(int64)", takes_held=True)


@inner
def sum_held(more, numbers):
    total = more
    for number in numbers.values[0]:
        total += int(number)
    return total


@kernel
def called_with_held(numbers):
    address = numbers.values[1]
    return call_with_held(address, 5, numbers)


@pytest.mark.parametrize("numbers", [np.arange(4), np.full(2, 1.5)], ids=["whole", "broken"])
def test_held_values_of_any_kind_go_behind_what_the_signature_names(numbers):
    address = call_with_held.address(sum_held, held((numbers, 0)))
    assert called_with_held(held((numbers, address))) == 5 + sum(map(int, numbers))


@pytest.mark.skipif(not COMPILES, reason="a function of Python's takes any arguments")
def test_what_does_not_fit_the_signature_is_refused():
    board = np.zeros(52, np.int8)
    address = call.address(fill_double)
    with pytest.raises(TypingError, match="do not fit"):
        called(address, board[::2], np.zeros(4, np.float32))
    with pytest.raises(ValueError, match=r"answer_half is .*float64, not int64"):
        call.address(answer_half)


def test_address_goes_to_no_other_process():
    with pytest.raises(TypeError, match="hold in one process only"):
        pickle.dumps(PLAYERS.features)
