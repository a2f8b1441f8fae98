"""Errors by kind of position, as tables for people, as values for programs, and in one line."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bot.backgammon.arena.benchmark import KindErrors
    from bot.estimate import Estimate

ErrorsByName = Mapping[str, Sequence["KindErrors"]]
"""Errors by the name of who evaluated the positions."""

NOTE = (
    "Thousandths of a point, without the cube: mean of the absolute differences from the rollouts, "
    "and of the differences, above 0 if too much is said for the player on roll. The rollouts are "
    "known to ± what the last column says, by which absolute errors come out larger."
)


def kinds_tables(evaluated: ErrorsByName) -> "Sequence[RenderableType]":
    """A name and a table for everybody who evaluated, and what the figures are.

    For rich to print with `crop=False`: a name may be the path of a file, which stays whole.
    """
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    parts: list[RenderableType] = []
    for name, rows in evaluated.items():
        table = Table(box=None, padding=(0, 1, 0, 0))
        for column in ("kind", "on roll"):
            table.add_column(column, no_wrap=True)
        for column in ("n", "error ± se", "bias ± se", "known"):
            table.add_column(column, justify="right", no_wrap=True)
        for row in rows:
            error, bias = _text(row.error, ".1f"), _text(row.bias, "+.1f")
            known = "unknown" if row.known is None else f"{1000 * row.known:.0f}"
            table.add_row(row.kind, row.side, f"{row.positions}", error, bias, known)
        heading = Text(name, style="italic", no_wrap=True, overflow="ignore")
        parts.append(Group(heading, table))
    return [*parts, Text(NOTE)]


def kinds_values(evaluated: ErrorsByName) -> dict[str, Any]:
    """All figures by name, in points."""
    return {
        "players": [
            {
                "player": name,
                "kind": str(row.kind),
                "on_roll": row.side or None,
                "positions": row.positions,
                "error": {"mean": row.error.mean, "standard_error": row.error.error},
                "bias": {"mean": row.bias.mean, "standard_error": row.bias.error},
                "known": row.known,
            }
            for name, rows in evaluated.items()
            for row in rows
        ]
    }


def kinds_line(rows: Sequence["KindErrors"]) -> str:
    """Error and bias of each kind in thousandths, in one line; its two sides beside each other."""
    parts = []
    for kind, sides in groupby(rows, lambda row: row.kind):
        figures = [f"{1000 * row.error.mean:.0f} {1000 * row.bias.mean:+.0f}" for row in sides]
        parts.append(f"{kind} {' / '.join(figures)}")
    return f"error and bias in thousandths: {', '.join(parts)}"


def _text(found: "Estimate", form: str) -> str:
    error = "unknown" if found.error is None else f"{1000 * found.error:.1f}"
    return f"{1000 * found.mean:{form}} ± {error}"
