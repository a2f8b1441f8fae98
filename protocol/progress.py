"""Progress on stderr: a line that moves where a person is looking, and why a start takes longer."""

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from protocol.encoding import shown_lines

SECONDS_BETWEEN_LINES = 30.0
"""Seconds between two lines where nobody is looking."""

SECONDS_UNTOLD = 3.0
"""Seconds that the start of another program may take without a word."""

_SECONDS_BETWEEN_PICTURES = 0.25
_SHARE_OF_TIME = 0.02
"""Share of the time that may be spent on telling how far it is."""

_MAX_SECONDS_SPARED = 2.0
"""Longest pause for the sake of that: the first picture loads what draws it, and takes long."""


@contextmanager
def progress(
    noun: str, total: int, standing: Callable[[], str] = str, kept: int = 0
) -> Iterator[Callable[[int], None]]:
    """Shows how many of the total are done, how it stands, how fast it goes and what is left.

    A bar on a terminal, elsewhere a line every 30 seconds. Drawn only when what it gives is called,
    as often as one likes, with how many are done: no second thread runs beside the one that starts
    gnubg. kept: so many were done before, and tell nothing of the pace.
    """
    began = time.monotonic()
    with _bar(total) as draw:
        is_seen = draw is not None
        due = began + (0.0 if is_seen else SECONDS_BETWEEN_LINES)

        def show(done: int) -> None:
            nonlocal due
            started = time.monotonic()
            if started < due and not (is_seen and done == total):
                return
            due = math.inf  # another thread that comes by does not draw as well
            text = _text(noun, done, total, (done - kept, started - began), standing())
            if draw is not None:
                draw(text, done)
            else:
                tell(text)
            ended = time.monotonic()
            pause = _SECONDS_BETWEEN_PICTURES if is_seen else SECONDS_BETWEEN_LINES
            spared = min((ended - started) / _SHARE_OF_TIME, _MAX_SECONDS_SPARED)
            due = max(started + pause, ended + spared)

        show(kept)
        yield show


@contextmanager
def _bar(total: int) -> Iterator[Callable[[str, int], None] | None]:
    """Draws a bar with a text and how many of the total are done; None if nobody sees it."""
    if not (sys.stderr.isatty() or os.environ.get("FORCE_COLOR")):
        yield None  # before what draws is imported, which takes a while
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield None
        return
    columns = BarColumn(bar_width=16), TextColumn("{task.description}", markup=False)
    with Progress(*columns, console=console, auto_refresh=False) as bar:
        task = bar.add_task("", total=total)
        yield lambda text, done: bar.update(task, description=text, completed=done, refresh=True)


def _text(noun: str, done: int, total: int, pace: tuple[int, float], standing: str) -> str:
    """The progress, in one line; pace: how many were done in so many seconds."""
    parts = [f"{done} of {total} {noun}"] + [standing] * bool(standing)
    new, seconds = pace
    if new > 0 and seconds > 0:
        rate = new / seconds
        parts.append(f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min")
        parts.append(f"{timedelta(seconds=round((total - done) / rate))} left")
    return ", ".join(parts)


@contextmanager
def waiting_told(whom: str, seconds: float) -> Iterator[None]:
    """Say on stderr whom the block waits for, if it takes more than so many seconds."""
    timer = threading.Timer(seconds, lambda: tell(f"waiting for {whom}"))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def tell(text: str) -> None:
    """Say on stderr what takes time, without what a terminal would obey."""
    print(shown_lines(text), file=sys.stderr)
