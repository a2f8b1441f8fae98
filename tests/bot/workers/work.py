"""Work for workers anywhere: it has to be found by name."""

import hashlib
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from bot.workers import Published, leave_with, processes, shared_with_workers


def digest(number: int, seconds: float = 0.0) -> str:
    """A piece's answer, which depends on its number alone."""
    time.sleep(seconds)
    return hashlib.sha256(str(number).encode()).hexdigest()


def die_once(path: Path, number: int) -> str:
    """Kill the worker the first time, and answer the next."""
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return digest(number)


def be_slow_once(path: Path, number: int) -> str:
    """Answer at once but for the first time, which goes on for ever as compiled work can.

    It hears no interrupt, and leaves the number of its process in the file.
    """
    if not path.exists():
        path.write_text(str(os.getpid()))
        while True:
            with suppress(KeyboardInterrupt):
                time.sleep(3600)
    return digest(number)


def total(numbers: Published[list[int]], more: int) -> int:
    """Sum of published numbers and one of the piece's own."""
    found: list[int] = numbers.get()
    return sum(found) + more


def note(folder: Path) -> None:
    """Leave a file for each time this was done."""
    (folder / f"{time.monotonic_ns()}").touch()


def sit_down(path: Path) -> None:
    """Leave a word at the path when this worker is told to end."""
    leave_with(lambda: path.write_text("goodbye"))


def stay(path: Path) -> None:
    """Be deaf when this worker is told to end; nobody waits long for it."""
    processes._LEAVING = 0.0
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def begin_an_answer() -> None:
    """Send the head of an answer that never follows, and set the event shared."""
    queue = sys._getframe(1).f_locals["result_queue"]
    os.write(queue._writer.fileno(), bytes((0, 0, 1, 0)))
    begun: Any = shared_with_workers()
    begun.set()
    signal.pause()
