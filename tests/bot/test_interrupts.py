"""Interrupts held back: they come at the end, once, to whoever would have heard them."""

import _thread
import os
import signal
import threading
from concurrent.futures import Future

import pytest

from bot.interrupts import interrupts_held_back, still_waiting


def heard_by_this_thread():
    """Of the whole process any thread might hear it, and tell this one when the test is over."""
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


@pytest.mark.parametrize("interrupt", [heard_by_this_thread, _thread.interrupt_main])
def test_interrupt_comes_at_the_end_of_the_block(interrupt):
    done = []

    def block():
        with interrupts_held_back():
            interrupt()
            done.append("after the interrupt")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert done == ["after the interrupt"]


def test_handlers_and_mask_are_as_before():
    def state():
        handlers = [
            signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        ]
        return handlers, signal.pthread_sigmask(signal.SIG_BLOCK, ())

    before = state()
    with interrupts_held_back():
        pass
    assert state() == before
    with pytest.raises(ZeroDivisionError), interrupts_held_back():
        print(1 / 0)
    assert state() == before


def test_interrupt_that_another_thread_hears_late_leaves_nothing_blocked():
    """Which moment it comes at is the system's choice: each of many may be the wrong one."""

    def block():
        with interrupts_held_back():
            os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):  # one long wait would not be ended by another thread's signal
            ending.wait(0.01)

    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    ending = threading.Event()
    threads = [threading.Thread(target=ending.wait, args=(60,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(300):
            with pytest.raises(KeyboardInterrupt):
                block()
            assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
            assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
    finally:
        ending.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_request_to_end_is_held_back_too_where_it_is_handled(number):
    heard = []
    before = signal.signal(number, lambda number, _: heard.append(number))
    try:
        with interrupts_held_back():
            signal.raise_signal(number)
            assert heard == []
        assert heard == [number]
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("left", [signal.SIG_DFL, signal.SIG_IGN])
def test_signal_that_nobody_handles_stays_so(left, number):
    before = signal.signal(number, left)
    try:
        with interrupts_held_back():
            assert signal.getsignal(number) == left
    finally:
        signal.signal(number, before)


def test_other_threads_may_use_it():
    def block():
        with interrupts_held_back():
            entered.set()

    entered = threading.Event()
    thread = threading.Thread(target=block)
    thread.start()
    assert entered.wait(60)
    thread.join(60)


def test_wait_goes_on_until_all_are_done_and_raises_what_failed():
    done, open_ = Future(), Future()
    done.set_result(1)
    assert still_waiting({done, open_}, 0.01) == {open_}
    open_.set_exception(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        still_waiting({done, open_}, 0.01)
