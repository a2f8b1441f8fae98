"""Signals that end a command: Ctrl-C, a request to end, a terminal that hangs up."""

import os
import signal
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

REQUESTS = ("SIGTERM", "SIGHUP")
"""Requests to end: one from another program, and a terminal that hangs up."""

_SENT_AGAIN = (signal.SIGINT, signal.SIGTERM)
"""The first of these that Python hears is sent again where an interrupt was lost."""

END = b"\0"
"""No signal has this number."""

_OUTPUTS = (1, 2)

_SECONDS_TO_PASS = 0.05
"""By then a callback of LLVM's, which no interrupt can end, is mostly over."""


def handle(handler: Callable[[int, Any], object], *names: str) -> dict[int, Any]:
    """Let the handler hear these signals from now on; what heard each of them before.

    A signal that whoever started the command wants ignored stays so: `nohup` asks it for SIGHUP,
    `&` in a script for SIGINT, which is to end what runs in the foreground only.
    """
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    return {
        number: signal.signal(
            number, _hung_up(handler) if number == getattr(signal, "SIGHUP", None) else handler
        )
        for number in numbers
        if signal.getsignal(number) != signal.SIG_IGN
    }


def _hung_up(handler: Callable[[int, Any], object]) -> Callable[[int, Any], object]:
    """The handler for a terminal that hangs up; it is called once, and may write as before.

    Shell and system both send the signal, and the second would break the farewell off. At the first
    the terminal may still be there. What is written to it from then on is lost, where it would
    sooner or later be an error.
    """

    def hear(number: int, frame: Any) -> object:
        signal.signal(number, signal.SIG_IGN)
        for output in _OUTPUTS:
            with suppress(OSError):  # it may be closed
                if stat.S_ISCHR(os.fstat(output).st_mode):
                    with open(os.devnull, "wb") as nowhere:
                        os.dup2(nowhere.fileno(), output)
        return handler(number, frame)

    return hear


@contextmanager
def handled(handler: Callable[[int, Any], object], *names: str) -> Iterator[None]:
    """Handle these signals within the block, and as before after it.

    Only a terminal that has hung up is not heard again.
    """
    before = handle(handler, *names)
    try:
        yield
    finally:
        for number, heard in before.items():
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, heard)


@contextmanager
def ended_as_by_ctrl_c() -> Iterator[None]:
    """A block in which requests to end raise KeyboardInterrupt, as Ctrl-C does.

    A request that comes while LLVM calls back, as it does while kernels are loaded, would be lost:
    no exception can leave there, and Python would only tell of it. It is sent again a little later.
    """
    before = sys.unraisablehook
    again: list[threading.Timer] = []

    def tell(lost: Any) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            heard = [number for number in _SENT_AGAIN if callable(signal.getsignal(number))]
            for number in heard[:1]:
                again.append(threading.Timer(_SECONDS_TO_PASS, os.kill, (os.getpid(), number)))
                again[-1].start()
        else:
            before(lost)

    with handled(signal.default_int_handler, *REQUESTS):
        sys.unraisablehook = tell
        try:
            yield
        finally:
            sys.unraisablehook = before
            for timer in again:
                timer.cancel()
                timer.join()


@contextmanager
def stopping_gently() -> Iterator[Callable[[], bool]]:
    """Tells whether the user wants an end; who asks a second time gets it at once."""
    signals: list[int] = []

    def stop(number: int, frame: Any) -> None:
        if signals:
            raise KeyboardInterrupt
        signals.append(number)

    with handled(stop, "SIGINT", *REQUESTS):
        yield lambda: bool(signals)


@contextmanager
def heard_at_once(handler: Callable[[], object], name: str) -> Iterator[None]:
    """Call the handler whenever the signal comes within the block, from a thread of its own.

    Python's handlers run in the main thread, which hears nothing while it waits for a line if the
    system has handed the signal to another thread.
    """
    number = getattr(signal, name, None)
    if number is None:
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def listen() -> None:
        while (heard := os.read(reader, 1)) != END:
            if heard[0] == number:
                handler()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        with handled(lambda *_: None, name):
            yield
    finally:
        signal.set_wakeup_fd(before)
        os.write(writer, END)
        listener.join()
        os.close(writer)
        os.close(reader)
