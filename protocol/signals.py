"""Signals that end a command: Ctrl-C, a request to end, a terminal that hangs up."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


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
