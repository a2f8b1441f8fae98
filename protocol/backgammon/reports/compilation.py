"""Compilation report: has what a command needs compiled, and tells of it where it takes long."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

WORTH_TELLING = 2.0
"""Seconds that nobody takes for a hang."""


def compile_first(jobs: Iterable[str]) -> None:
    """Have these jobs compiled, which are done once; tell of it if it takes over two seconds.

    On a terminal a bar shows what is being compiled and how much is left; elsewhere a line says how
    long it takes, and another when it is done.
    """
    from bot.backgammon.compilation import compile_jobs, missing_jobs, seconds_to_compile

    missing = missing_jobs(jobs)
    seconds = seconds_to_compile(missing)
    if not missing:
        return
    if seconds <= WORTH_TELLING:
        compile_jobs(missing, lambda done, left, names: None)
        return
    began = time.monotonic()
    if not sys.stderr.isatty():
        text = f"compiling {', '.join(missing)}: once, about {seconds:.0f} s"
        print(text, file=sys.stderr, flush=True)
        compile_jobs(missing, lambda done, left, names: None)
        print(f"compiled in {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        return
    with compiling_bar() as report:
        compile_jobs(missing, report)


@contextmanager
def compiling_bar() -> Iterator[Callable[[float, float, list[str]], None]]:
    """Draws what is being compiled, and how much is left; it is gone when all is done."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("compiling, once"),
        BarColumn(20),
        TimeRemainingColumn(),
        TextColumn("left: {task.fields[names]}"),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    ) as bar:
        task = bar.add_task("compiling", total=1.0, names="")

        def report(done: float, left: float, names: list[str]) -> None:
            text = ", ".join(names)
            bar.update(task, completed=done, total=done + left, names=text, refresh=True)

        yield report
