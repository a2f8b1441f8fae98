"""A benchmark's figures, as a table for people and as values for programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from protocol.backgammon.reports.analysis import plain

if TYPE_CHECKING:
    from rich.console import RenderableType

    from protocol.backgammon.arena.judged_decisions import Result


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of things a second, by Blot and, None if it was not asked, by gnubg."""

    thing: str
    blot: float
    gnubg: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row in the table of decisions: its name, how it played, its results by kind."""

    player: str
    strength: str
    results: "Sequence[Result]"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """All that was measured in one run.

    load: processes that wanted to run in the last minute, None where nobody counts them.
    """

    weights: str
    decisions: str
    rates: Sequence[Rate]
    rows: Sequence[Row]
    load: float | None = None
    processors: int = 1


def bench_values(benchmark: Benchmark) -> dict[str, Any]:
    """All figures by name: rates per second, times in seconds, losses in points of equity."""
    return {
        "weights": benchmark.weights,
        "decisions": benchmark.decisions,
        "threads": 1,
        "per_second": {
            rate.thing: {"blot": rate.blot, "gnubg": rate.gnubg} for rate in benchmark.rates
        },
        "load": benchmark.load,
        "processors": benchmark.processors,
        "players": [
            {"player": row.player, "strength": row.strength, **_result_values(result)}
            for row in benchmark.rows
            for result in row.results
        ],
    }


def _result_values(result: "Result") -> dict[str, Any]:
    loss = result.loss
    return {
        "kind": result.kind,
        "decisions": len(result.seconds),
        "per_second": result.per_second,
        "median_seconds": result.median_seconds,
        "loss": None if loss is None else {"mean": loss.mean, "standard_error": loss.error},
        "losing_over_0.04": None if loss is None else result.blunders,
    }


def bench_tables(benchmark: Benchmark) -> "Sequence[RenderableType]":
    """The figures as tables and a line of notes, for rich to print."""
    from rich.table import Table
    from rich.text import Text

    title = plain(f"{benchmark.weights}, one thread", "table.title")
    rates = Table("per second", title=title, title_justify="left")
    for heading in ("Blot", "gnubg", "times"):
        rates.add_column(heading, justify="right")
    for rate in benchmark.rates:
        theirs = "" if rate.gnubg is None else f"{rate.gnubg:,.0f}"
        times = "" if not rate.gnubg else f"{rate.blot / rate.gnubg:.1f}"
        rates.add_row(rate.thing, f"{rate.blot:,.0f}", theirs, times)
    title = plain(benchmark.decisions, "table.title")
    players = Table("player", title=title, title_justify="left")
    headings = ["decisions", "per second", "median ms"]
    is_judged = any(result.losses for row in benchmark.rows for result in row.results)
    if is_judged:
        headings += ["mEq ± se", "over 40"]
    for heading in headings:
        players.add_column(heading, justify="right")
    for row in benchmark.rows:
        for result in row.results:
            players.add_row(*_cells(row, result)[: 1 + len(headings)])
    notes = ["Each is asked over a socket, one decision after the other."]
    if is_judged:
        notes.append("Losses are in thousandths of a point per decision.")
    if benchmark.load is not None and benchmark.load > benchmark.processors:
        notes.append(
            f"The machine was busy (load {benchmark.load:.1f} on {benchmark.processors} "
            "processors): times are too long."
        )
    return [rates, players, Text(" ".join(notes))]


def _cells(row: Row, result: "Result") -> list[str]:
    loss = result.loss
    cells = [
        f"{row.player} {row.strength}",
        f"{len(result.seconds)} {result.kind}{'' if len(result.seconds) == 1 else 's'}",
        f"{result.per_second:,.1f}",
        f"{1000 * result.median_seconds:.3f}",
    ]
    if loss is None:
        return [*cells, "", ""]
    error = "unknown" if loss.error is None else f"{1000 * loss.error:.2f}"
    return [*cells, f"{1000 * loss.mean:.2f} ± {error}", f"{result.blunders}"]
