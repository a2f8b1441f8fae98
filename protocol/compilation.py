"""Compilation: has what a command needs compiled first, and tells of it where it takes long."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache

from bot.compilation import Compilation, compile_missing
from bot.kernels import is_compiled
from bot.workers import everywhere_first
from protocol.progress import tell

WORTH_TELLING = 2.0
"""Seconds that nobody takes for a hang."""


def compile_first(compilation: Compilation, jobs: Iterable[str]) -> None:
    """Have jobs of a game compiled, which are done once; tell of it if it takes over two seconds.

    On a terminal a bar shows what is being compiled and how much is left; elsewhere a line says how
    long it takes, and another when it is done. Where nothing can be kept, that is told once. The
    nodes of a cluster that is in use do the same before their first work.
    """
    jobs = list(jobs)
    everywhere_first(compile_missing, compilation, jobs)
    if not all(map(is_compiled, jobs)):
        _tell_what_is_not_kept()
    missing = compilation.missing(jobs)
    seconds = compilation.seconds(missing)
    if not missing:
        return
    if seconds <= WORTH_TELLING:
        compilation.compile(missing, lambda done, left, names: None)
        return
    began = time.monotonic()
    if not sys.stderr.isatty():
        tell(f"compiling {', '.join(missing)}: once, about {seconds:.0f} s")
        compilation.compile(missing, lambda done, left, names: None)
        tell(f"compiled in {time.monotonic() - began:.0f} s")
        return
    with compiling_progress() as report:
        compilation.compile(missing, report)


def not_kept_text() -> str | None:
    """A sentence on a cache folder that cannot be written; None if it can."""
    from bot.kernels import user_cache, writing_problem

    problem = writing_problem()
    if problem is None:
        return None
    return (
        f"cannot write in the cache folder {user_cache()}: {problem}; every start takes longer, as "
        "it compiles, and builds the bear-off databases, again"
    )


@cache
def _tell_what_is_not_kept() -> None:
    text = not_kept_text()
    if text is not None:
        tell(text)


@contextmanager
def compiling_progress() -> Iterator[Callable[[float, float, list[str]], None]]:
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
