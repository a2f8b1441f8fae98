"""Progress on stderr: bars where a person is looking, and why the first start takes longer."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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


def tell(text: str) -> None:
    """Say on stderr what takes time."""
    print(text, file=sys.stderr, flush=True)
