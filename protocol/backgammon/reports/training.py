"""Training report: how a run goes on, and what its tests find, while it runs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from protocol.backgammon.reports.kinds import kinds_line
from protocol.progress import SECONDS_BETWEEN_LINES

if TYPE_CHECKING:
    from bot.backgammon.training.measurement import Measurement
    from bot.backgammon.training.run import Progress


@contextmanager
def training_progress() -> Iterator[Callable[["Progress"], None]]:
    """Draws a run's progress: games, games per second, plies per game, time left, latest test.

    Every test is a line of its own as well. Where no terminal draws there are no bars but a line
    every 30 seconds.
    """
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    is_drawn = console.is_terminal and not console.is_dumb_terminal
    with Bar(
        BarColumn(10),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} games, {task.fields[pace]},"),
        TimeRemainingColumn(),
        TextColumn("left{task.fields[latest]}"),
        console=console,
        disable=not is_drawn,
    ) as bar:
        task = bar.add_task("training", total=1, pace="starting", latest="")
        shown_seconds = -SECONDS_BETWEEN_LINES
        shown_test = None

        def show(progress: "Progress") -> None:
            nonlocal shown_seconds, shown_test
            test = progress.measurement
            if test is not None and test != shown_test:
                shown_test = test
                console.print(measurement_text(test), highlight=False, soft_wrap=True)
                if progress.kinds:
                    console.print(kinds_line(progress.kinds), highlight=False, soft_wrap=True)
            if is_drawn:
                bar.update(
                    task,
                    completed=progress.games,
                    total=progress.settings.games,
                    pace=_short_pace(progress),
                    latest=f", {100 * test.pubeval_won:.1f} %" if test else "",
                )
            elif progress.seconds - shown_seconds >= SECONDS_BETWEEN_LINES:
                shown_seconds = progress.seconds
                line = f"{progress.games:,} of {progress.settings.games:,} games"
                console.print(f"{line}, {pace_text(progress)}", highlight=False, soft_wrap=True)

        yield show


def _short_pace(progress: "Progress") -> str:
    """The pace in the bar's room, and that a test is going on."""
    if progress.tested is not None:
        return f"testing {progress.tested:,}"
    return f"{_games_per_second(progress):,.0f}/s, {_plies_per_game(progress):.1f} plies"


def pace_text(progress: "Progress") -> str:
    """Games per second, plies per game and games broken off, in words."""
    text = (
        f"{_games_per_second(progress):,.0f} games/s, {_plies_per_game(progress):.1f} plies per "
        f"game"
    )
    if progress.broken_off:
        text += f", {progress.broken_off:,} broken off at {progress.settings.most_plies:,} plies"
    return text


def measurement_text(test: "Measurement") -> str:
    """A test's results against pubeval and random, in words."""
    won_error = points_error = "unknown"
    if test.pubeval_won_error is not None and test.pubeval_points_error is not None:
        won_error = f"{100 * test.pubeval_won_error:.1f}"
        points_error = f"{test.pubeval_points_error:.3f}"
    text = (
        f"after {test.games:,} games, {test.seconds:,.1f} s of training: "
        f"{100 * test.pubeval_won:.1f} ± {won_error} % won and "
        f"{test.pubeval_points:+.3f} ± {points_error} points per game against "
        f"pubeval, {test.random_points:+.2f} against random"
    )
    if test.lost is not None and test.teacher_lost is not None:
        error = "unknown" if test.lost_error is None else f"{1000 * test.lost_error:.2f}"
        text += (
            f"; {1000 * test.lost:.2f} ± {error} thousandths lost a play by its teacher's search, "
            f"where the teacher loses {1000 * test.teacher_lost:.2f} without it"
        )
    if test.broken_off:
        text += f"; {test.broken_off:,} test games broken off"
    return text


def _games_per_second(progress: "Progress") -> float:
    return progress.games / progress.seconds if progress.seconds else 0.0


def _plies_per_game(progress: "Progress") -> float:
    return progress.plies / max(progress.games, 1)
