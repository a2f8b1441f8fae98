"""Progress on stderr: bars where a person is looking, and why the first start takes longer."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.backgammon.training.run import Progress


@contextmanager
def training_progress() -> Iterator[Callable[["Progress"], None]]:
    """Draws a run's progress: games, games per second, plies per game, time left.

    On something other than a terminal a line is written every 30 seconds.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    interval = 0.2 if console.is_terminal else 30.0
    with Bar(
        TextColumn("training"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, {task.fields[detail]},"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=console,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("training", total=None, detail="starting")
        shown = -interval

        def show(progress: "Progress") -> None:
            nonlocal shown
            detail = training_detail(progress)
            total = progress.settings.games
            bar.update(task, completed=progress.games, total=total, detail=detail)
            if not console.is_terminal and progress.seconds - shown >= interval:
                shown = progress.seconds
                console.print(f"{progress.games:,} of {total:,} games, {detail}", highlight=False)

        yield show


@contextmanager
def match_progress(noun: str, total: int) -> Iterator[Callable[[int], None]]:
    """Draws how many games or matches of the total are played; called with how many more are.

    Drawn only when called: no second thread runs beside the one that starts gnubg.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    with Bar(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{noun},"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=console,
        disable=not console.is_terminal,
        auto_refresh=False,
    ) as bar:
        task = bar.add_task(noun, total=total)

        def add(finished: int) -> None:
            bar.update(task, advance=finished, refresh=True)

        yield add


def training_detail(progress: "Progress") -> str:
    """Games per second, plies per game, games broken off and the latest test, in words."""
    games = max(progress.games, 1)
    rate = progress.games / progress.seconds if progress.seconds else 0.0
    text = f"{rate:,.0f} games/s, {progress.plies / games:.1f} plies per game"
    if progress.broken_off:
        text += f", {progress.broken_off:,} broken off"
    if progress.measurement:
        test = progress.measurement
        text += (
            f"; after {test.games:,}: {100 * test.pubeval_won:.1f} ± "
            f"{100 * test.pubeval_won_error:.1f} % and {test.pubeval_points:+.3f} ± "
            f"{test.pubeval_points_error:.3f} against pubeval"
        )
    return text


@contextmanager
def compiling(job: str) -> Iterator[None]:
    """Say so if what happens here compiles the kernels of the job for the first time."""
    from bot.kernels import is_compiled, mark_compiled

    if not is_compiled(job):
        print("compiling kernels, once; this takes up to a minute", file=sys.stderr, flush=True)
    yield
    mark_compiled(job)
