"""Server matches: what was played on game servers, as a table, as values and as a picture."""

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from protocol.backgammon.servers.match_store import COLUMNS, PlayedMatch
from protocol.picture_file import write_figure

MAX_ROWS = 40
"""Rows of a table; the rest is one row."""


def report_text(matches: Sequence[PlayedMatch], unfinished: int = 0) -> str:
    """Results by server, by length and by opponent, as tables; unfinished: matches not over yet."""
    left = f"\n\nnot over: {unfinished}" if unfinished else ""
    if not matches:
        return f"no matches yet{left}"
    tables = [
        _table(title, _groups(matches, key))
        for title, key in (
            ("server", lambda match: match.server),
            ("length", lambda match: "unlimited" if match.length is None else str(match.length)),
            ("opponent", lambda match: match.opponent),
        )
    ]
    last = next((match for match in reversed(matches) if match.rating_after is not None), None)
    rating = f"\n\nrating {last.rating_after:.2f} on {last.server}" if last else ""
    return "\n\n".join(tables) + rating + left


def report_values(matches: Sequence[PlayedMatch]) -> list[dict[str, Any]]:
    """Each match as a table of its columns."""
    return [{name: getattr(match, name) for name in COLUMNS} for match in matches]


def write_rating_picture(matches: Sequence[PlayedMatch], path: Path) -> None:
    """Draw our rating after each match, a line a server, into a file of a kind its name tells.

    Raises ValueError without matplotlib, without ratings or for a kind that it cannot draw, and
    OSError if the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError("--picture needs matplotlib (pip install 'blot-gammon[plots]')") from None
    from datetime import datetime

    figure = Figure(figsize=(10, 5), layout="constrained")
    axes = figure.subplots()
    for server, played in _groups(matches, lambda match: match.server).items():
        rated = [match for match in played if match.rating_after is not None]
        times = [datetime.fromisoformat(match.ended) for match in rated]
        if rated:
            ratings = [match.rating_after for match in rated]
            axes.plot(times, ratings, marker=".", label=server)  # type: ignore[arg-type]
    if not axes.lines:
        raise ValueError("no match has a rating yet: there is nothing to draw")
    axes.set_ylabel("rating")
    axes.legend()
    figure.autofmt_xdate()
    write_figure(figure, path)


def _groups(
    matches: Sequence[PlayedMatch], key: Callable[[PlayedMatch], str]
) -> dict[str, list[PlayedMatch]]:
    """The matches by a key, that with the most of them first."""
    found: dict[str, list[PlayedMatch]] = {}
    for match in matches:
        found.setdefault(key(match), []).append(match)
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def _table(title: str, groups: dict[str, list[PlayedMatch]]) -> str:
    """A row for each group: matches, won, in percent of those whose end is known, errors, luck."""
    rows = list(groups.items())
    if len(rows) > MAX_ROWS:
        rest = [match for _, played in rows[MAX_ROWS - 1 :] for match in played]
        rows = [*rows[: MAX_ROWS - 1], ("all others", rest)]
    width = max(len(title), *(len(name) for name, _ in rows))
    lines = [f"{title:<{width}} {'matches':>8} {'won':>6} {'%':>6} {'PR':>6} {'luck':>7}"]
    for name, played in rows:
        won = sum(match.is_won is True for match in played)
        known = sum(match.is_won is not None for match in played)
        rates = [match.error_rate for match in played if match.error_rate is not None]
        lucks = [match.luck for match in played if match.luck is not None]
        rate = f"{fmean(rates):6.2f}" if rates else f"{'-':>6}"
        luck = f"{fmean(lucks):+7.3f}" if lucks else f"{'-':>7}"
        percent = f"{100 * won / known:6.1f}" if known else f"{'-':>6}"
        lines.append(f"{name:<{width}} {len(played):8} {won:6} {percent} {rate} {luck}")
    return "\n".join(lines)
