"""Interrupts: Ctrl-C, a request to end, a hang-up, kept from what must not be left half done."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, FIRST_EXCEPTION, Future, wait
from contextlib import contextmanager
from typing import TypeVar

Result = TypeVar("Result")

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_OF_THE_TERMINAL = {signal.SIGINT, signal.SIGHUP}
"""Signals that a terminal sends to all processes it sees at work."""


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Interrupts come when the block ends, and a process started in it hears none of a terminal.

    An exception amid the code of an executor can leave one of its locks locked; its threads then
    wait for the lock, and we for them, for ever. A mask alone would not do: it is this thread's,
    and the handler of a signal that another thread took (a BLAS has some) runs in the main one.
    Nothing is ignored: an interrupt ignored here would be lost for good.
    """
    heard: list[int] = []
    handlers = {}
    if threading.current_thread() is threading.main_thread():  # no other one runs handlers
        handlers = {number: signal.getsignal(number) for number in _INTERRUPTS}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, lambda number, _: heard.append(number))
        signal.pthread_sigmask(signal.SIG_BLOCK, _OF_THE_TERMINAL)
        yield
    finally:
        # What is pending is heard here, while it cannot yet raise and leave the rest undone.
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in reversed(handlers.items()):
            if callable(handler):
                signal.signal(number, handler)
        for interrupt in heard:
            signal.raise_signal(interrupt)


def still_waiting(
    futures: set[Future[Result]], seconds: float = 0.1, *, is_any: bool = False
) -> set[Future[Result]]:
    """Wait so long for all of them, or any; those not done. Raises the error of one that failed."""
    with interrupts_held_back():
        done, waiting = wait(futures, seconds, FIRST_COMPLETED if is_any else FIRST_EXCEPTION)
        for future in done:
            future.result()
    return waiting
