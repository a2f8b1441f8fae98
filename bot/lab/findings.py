"""Findings: all that an experiment brought out, as values: a table, charts, comparisons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.estimate import Estimate

Row = Mapping[str, str | int | float | None]
Places = Sequence[float] | Sequence[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure as they published it, empty if they did not, and as it came out here."""

    measure: str
    theirs: str
    ours: str


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of a chart that belong together; errors: a standard error each, or none at all.

    places: numbers, or names for points side by side; is_line: drawn through the points.
    """

    label: str
    places: Places
    values: Sequence[float]
    errors: Sequence[float | None] = ()
    is_line: bool = True


@dataclass(frozen=True, slots=True)
class Chart:
    """One pair of axes; levels: horizontal lines by label, as of what others published."""

    place_axis: str
    value_axis: str
    curves: Sequence[Curve]
    levels: Mapping[str, float]
    is_logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """All that one attempt at an experiment found.

    rows: of the CSV file, each with the same columns; difference: one sentence on how ours differs
    from theirs; remarks: sentences on what is to be known beside it.
    """

    rows: Sequence[Row]
    charts: Sequence[Chart]
    comparisons: Sequence[Comparison]
    difference: str
    remarks: Sequence[str] = ()


def percent_curve(
    label: str, places: Places, shares: Sequence[Estimate], *, is_line: bool = True
) -> Curve:
    """A curve of shares and their standard errors, in per cent."""
    errors = [None if share.error is None else 100 * share.error for share in shares]
    return Curve(label, places, [100 * share.mean for share in shares], errors, is_line)


def percent_text(found: Estimate) -> str:
    """A share with its standard error, in per cent."""
    error = "unknown" if found.error is None else f"{100 * found.error:.1f}"
    return f"{100 * found.mean:.1f} ± {error} %"
