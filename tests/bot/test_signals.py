"""Signals: heard by who asks to, unless they were ignored from the start."""

import os
import select
import signal
import subprocess
import sys
import threading
from ctypes import CFUNCTYPE

import pytest

from bot import signals
from bot.signals import ended_as_by_ctrl_c, handle, handled, heard_at_once, stopping_gently
from tests.processes import LIMIT, child, hang_ups_heard


@pytest.fixture(params=["SIGTERM", "SIGHUP"])
def left_alone(request):
    """A signal that is not ignored yet, set back after the test."""
    number = signal.Signals[request.param]
    with hang_ups_heard():
        before = signal.signal(number, signal.SIG_DFL)
        yield number
        signal.signal(number, before)


def test_signal_is_heard_within_the_block_only(left_alone):
    heard = []
    before = signal.getsignal(left_alone)
    with handled(lambda number, _: heard.append(number), left_alone.name):
        signal.raise_signal(left_alone)
    assert heard == [left_alone]
    is_hang_up = left_alone == signal.SIGHUP
    assert signal.getsignal(left_alone) == (signal.SIG_IGN if is_hang_up else before)


def test_signal_ignored_from_the_start_stays_ignored(left_alone):
    signal.signal(left_alone, signal.SIG_IGN)
    assert handle(signal.default_int_handler, left_alone.name) == {}
    with handled(signal.default_int_handler, left_alone.name):
        signal.raise_signal(left_alone)
    assert signal.getsignal(left_alone) == signal.SIG_IGN


def test_terminal_that_hangs_up_is_heard_once():
    heard = []
    with hang_ups_heard():
        with handled(lambda number, _: heard.append(number), "SIGHUP"):
            signal.raise_signal(signal.SIGHUP)
            signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGHUP)
    assert heard == [signal.SIGHUP]


def test_terminal_that_hangs_up_is_heard_by_who_has_closed_an_output(monkeypatch):
    os.close(closed := os.dup(1))
    monkeypatch.setattr(signals, "_OUTPUTS", (closed,))
    heard = []
    with hang_ups_heard(), handled(lambda number, _: heard.append(number), "SIGHUP"):
        signal.raise_signal(signal.SIGHUP)
    assert heard == [signal.SIGHUP]


AT_A_TERMINAL = """
import signal, sys
from bot.signals import handled
with handled(lambda *_: print("heard", file=sys.stderr, flush=True), "SIGHUP"):
    signal.raise_signal(signal.SIGHUP)
    input()
    print("farewell")
"""


def test_farewell_is_no_error_if_the_terminal_goes_only_after_the_shell_has_told_of_it():
    ours, theirs = os.openpty()
    command = [sys.executable, "-c", AT_A_TERMINAL]
    asked = subprocess.PIPE
    with hang_ups_heard(), child(command, LIMIT, stdin=asked, stdout=theirs, stderr=asked) as bot:
        os.close(theirs)
        assert bot.stderr.readline() == "heard\n"
        os.close(ours)
        assert bot.communicate("\n", LIMIT)[1] == ""
    assert bot.returncode == 0


def test_terminal_that_hangs_up_asks_for_a_gentle_stop():
    with hang_ups_heard(), stopping_gently() as is_stopping:
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGHUP)
        assert is_stopping()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_asks_twice_for_a_gentle_stop_gets_an_end_at_once(number):
    with stopping_gently() as is_stopping:
        assert not is_stopping()
        signal.raise_signal(number)
        assert is_stopping()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_in_a_callback_of_c_code_ends_the_block_after_it(number):
    called = CFUNCTYPE(None)(lambda: signal.raise_signal(number))
    hook, heard_again = sys.unraisablehook, threading.Event()

    @ended_as_by_ctrl_c()
    def waits():
        called()
        heard_again.wait(LIMIT)

    with pytest.raises(KeyboardInterrupt):
        waits()
    assert sys.unraisablehook is hook


def test_another_error_in_a_callback_of_c_code_is_told_as_ever(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))
    with ended_as_by_ctrl_c():
        CFUNCTYPE(None)(lambda: 1 / 0)()
    assert told == [ZeroDivisionError]


def test_interrupt_in_a_callback_at_the_end_of_the_block_harms_nobody_after_it():
    called = CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))
    with ended_as_by_ctrl_c():
        called()
    assert not [each for each in threading.enumerate() if isinstance(each, threading.Timer)]


def test_signal_that_the_system_does_not_know_is_left_out():
    assert handle(signal.default_int_handler, "SIGNOSUCH") == {}


def test_signal_that_the_system_does_not_know_is_not_waited_for():
    threads = threading.active_count()
    with heard_at_once(lambda: None, "SIGNOSUCH"):
        assert threading.active_count() == threads


def test_other_signals_are_none_of_who_waits_for_one():
    heard = []
    with heard_at_once(lambda: heard.append("it"), "SIGCONT"):
        with handled(lambda number, _: heard.append(number), "SIGUSR1"):
            signal.raise_signal(signal.SIGUSR1)
        assert heard == [signal.SIGUSR1]
        signal.raise_signal(signal.SIGCONT)
    assert heard == [signal.SIGUSR1, "it"]


def test_signal_that_another_thread_takes_is_heard_while_the_main_thread_waits():
    reader, writer = os.pipe()
    done = threading.Event()
    taker = threading.Thread(target=done.wait, args=(60,))
    taker.start()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCONT})
    try:
        with heard_at_once(lambda: os.write(writer, b"heard"), "SIGCONT"):
            os.kill(os.getpid(), signal.SIGCONT)
            assert select.select([reader], [], [], 60)[0]
            assert os.read(reader, 5) == b"heard"
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        done.set()
        taker.join()
        os.close(reader)
        os.close(writer)
    assert signal.getsignal(signal.SIGCONT) == signal.SIG_DFL
