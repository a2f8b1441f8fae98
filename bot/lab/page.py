"""Page: what an attempt at an experiment found, as a CSV file, a picture and a Markdown page."""

import math
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bot.archive import write_whole
from bot.lab.attempt import Attempt, Scale
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Findings
from bot.table import table_text


def write_page(command: str, experiment: Experiment, attempt: Attempt, findings: Findings) -> Path:
    """Write NAME.csv, NAME.png and NAME.md into the attempt's folder; the path of the last.

    command: of the laboratory that has the experiment. Raises ValueError if matplotlib is not
    installed; the table and the page are there then.
    """
    folder, name = attempt.folder, experiment.name
    table = table_text(findings.rows[0], findings.rows).encode()
    write_whole(folder / f"{name}.csv", lambda file: file.write(table))
    page = page_text(command, experiment, attempt, findings).encode()
    write_whole(folder / f"{name}.md", lambda file: file.write(page))
    draw_charts(findings.charts, folder / f"{name}.png")
    return folder / f"{name}.md"


def page_text(command: str, experiment: Experiment, attempt: Attempt, findings: Findings) -> str:
    """The page in Markdown; see write_page."""
    lines = [f"# {experiment.title}", "", experiment.question, ""]
    lines += [f"Source: {experiment.source}", "", f"Theirs: {experiment.theirs}", ""]
    lines += ["| | theirs | here |", "|---|---|---|"]
    lines += [f"| {row.measure} | {row.theirs} | {row.ours} |" for row in findings.comparisons]
    lines += ["", findings.difference, "", f"![{experiment.title}]({experiment.name}.png)", ""]
    for remark in findings.remarks:
        lines += [remark, ""]
    if attempt.scale is Scale.SMALL:
        lines += [f"This is the small scale. It cannot show this: {experiment.not_shown}", ""]
    lines += [_broken_off(attempt.broken_off), ""]
    lines += [f"Made by `{command} {_words(experiment, attempt)}`, with these settings:", ""]
    lines += [f"- {name}: {_shown(value)}" for name, value in attempt.settings.items()]
    lines += ["", f"The numbers are in [{experiment.name}.csv]({experiment.name}.csv); ± is one"]
    lines += ["standard error.", ""]
    return "\n".join(lines)


def _broken_off(counts: Mapping[str, int]) -> str:
    """A sentence on the games that reached the limit of plies."""
    found = [f"{count:,} in {place}" for place, count in counts.items() if count]
    if not found:
        return "No game was broken off at the limit of plies."
    return f"Games broken off at the limit of plies: {', '.join(found)}."


def _words(experiment: Experiment, attempt: Attempt) -> str:
    usual = experiment.settings_at(attempt.scale, {})
    changes = [
        shlex.quote(f"{name}={_shown(value, ',')}")
        for name, value in attempt.settings.items()
        if value != usual[name]
    ]
    words = [experiment.name, f"--scale {attempt.scale}", f"--seed {attempt.seed}"]
    return " ".join(words + ["--set " + " ".join(changes)] * bool(changes))


def _shown(value: Any, between: str = ", ") -> str:
    return between.join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def draw_charts(charts: Sequence[Chart], picture: Path) -> None:
    """Draw the charts side by side, two in a row, to a PNG file.

    Raises ValueError if matplotlib is not installed.
    """
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise ValueError("drawing needs matplotlib: pip install 'blot-gammon[plots]'") from None
    columns = min(len(charts), 2)
    rows = -(-len(charts) // columns)
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(6.5 * columns, 4.5 * rows), layout="constrained", squeeze=False
    )
    try:
        for place, chart in zip(axes.flat, charts, strict=False):
            _draw(chart, place)
        for place in axes.flat[len(charts) :]:
            place.set_axis_off()
        write_whole(picture, lambda file: figure.savefig(file, format="png", dpi=100))
    finally:
        pyplot.close(figure)


def _draw(chart: Chart, axes: Any) -> None:
    for curve in chart.curves:
        errors = [math.nan if error is None else error for error in curve.errors] or None
        marker = "." if len(curve.places) < 60 else ""
        style = "-" if curve.is_line else "none"
        axes.errorbar(
            list(curve.places), list(curve.values), errors, label=curve.label,
            marker=marker or None, linestyle=style, capsize=2, elinewidth=0.7, linewidth=1.2,
        )  # fmt: skip
    for label, level in chart.levels.items():
        axes.axhline(level, color="grey", linestyle=":", label=label)
    if chart.is_logarithmic:
        axes.set_xscale("log")
    axes.set_xlabel(chart.place_axis)
    axes.set_ylabel(chart.value_axis)
    axes.grid(alpha=0.3)
    axes.legend(loc="best", fontsize="small")
