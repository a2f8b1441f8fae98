"""Signals that end a command: Ctrl-C, a request to end, a terminal that hangs up."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

END = b"\0"
"""No signal has this number."""


def handle(handler: Callable[[int, Any], object], *names: str) -> dict[int, Any]:
    """Let the handler hear these signals from now on; what heard each of them before.

    A signal that whoever started the command wants ignored stays so: `nohup` asks it for SIGHUP,
    `&` in a script for SIGINT, which is to end what runs in the foreground only.
    """
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    return {
        number: signal.signal(number, handler)
        for number in numbers
        if signal.getsignal(number) != signal.SIG_IGN
    }


@contextmanager
def handled(handler: Callable[[int, Any], object], *names: str) -> Iterator[None]:
    """Handle these signals within the block, and as before after it."""
    before = handle(handler, *names)
    try:
        yield
    finally:
        for number, heard in before.items():
            signal.signal(number, heard)


@contextmanager
def stopping_gently() -> Iterator[Callable[[], bool]]:
    """Tells whether the user wants an end; who asks a second time gets it at once."""
    signals: list[int] = []

    def stop(number: int, frame: Any) -> None:
        if signals:
            raise KeyboardInterrupt
        signals.append(number)

    with handled(stop, "SIGINT", "SIGTERM"):
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
