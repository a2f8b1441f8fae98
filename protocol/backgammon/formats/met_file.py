"""MET file: GNU Backgammon's match equity tables in XML, as values.

Explicit tables only, which list their chances; a table that only names the parameters of a formula
is refused. Source of the format: GNU Backgammon, met/met.dtd and matchequity.c.
"""

from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.evaluation.met_recurrence import before_crawford, post_crawford
from bot.backgammon.rules.match import MAX_LENGTH
from bot.files import open_to_read

Values = NDArray[np.float64]

MAX_BYTES = 1_000_000
"""The largest of GNU Backgammon's own files has 30,000."""

_ROUNDED = 0.005
"""So much may both sides' chances differ from 1 by rounding."""

_TILT = 1e-6


def read_table(path: Path) -> MatchEquityTable:
    """The table in a file, continued to 64 points by Blot's own recurrence if it is shorter.

    Raises ValueError, in one sentence that names the file, if it is none, or one for players of
    different strength.
    """
    try:
        with open_to_read(path) as file:
            text = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ValueError(f"cannot read the match equity table {path}: {error.strerror}") from None
    try:
        return _table_in(text)
    except ValueError as error:
        raise ValueError(f"{path} is no match equity table Blot can use: {error}") from None


def _table_in(text: bytes) -> MatchEquityTable:
    root = _root_of(text)
    pre = _pre_crawford(root)
    post = _post_crawford(root)
    length = root.findtext("info/length", "").strip()
    if length not in ("", str(len(pre))):
        raise ValueError(f"its length is said to be {length[:20]!r}, and it has {len(pre)} rows")
    known_post = np.array([1.0, *_tilted(post)])
    far_post = post_crawford(MAX_LENGTH, known_post)
    known = np.ones((len(pre) + 1, len(pre) + 1))
    known[:, 0] = 0.0
    known[1:, 1:] = _tilted(pre)
    far = before_crawford(far_post, known=known)
    name = " ".join(root.findtext("info/name", "").split())[:80] or "unnamed"
    falling = np.maximum.accumulate(np.minimum.accumulate(far[1:, 1:], axis=0), axis=1)
    falling_post = np.minimum.accumulate(far_post[1:])
    return MatchEquityTable(name, _tilted((falling + 1 - falling.T) / 2), _tilted(falling_post))


def _root_of(text: bytes) -> Element:
    """The root element of a MET's XML; no entities are expanded and nothing else is read."""
    if len(text) > MAX_BYTES:
        raise ValueError(f"it has over {MAX_BYTES:,} bytes")
    if b"\0" in text or b"<!ENTITY" in text:
        raise ValueError("it is not plain XML")
    try:
        root = fromstring(text)
    except (ParseError, LookupError, ValueError) as error:
        raise ValueError(f"it is not XML ({error})") from None
    if root.tag != "met":
        raise ValueError(f"its XML is a {root.tag[:40]!r}, not a 'met'")
    return root


def _pre_crawford(root: Element) -> Values:
    """Chances before the Crawford game, those of both sides made to sum to 1; float64[n, n]."""
    found = root.findall("pre-crawford-table")
    if len(found) != 1:
        raise ValueError(f"it has {len(found)} pre-Crawford tables, not 1")
    rows = _rows_of(found[0], "pre-Crawford")
    size = len(rows)
    for i, row in enumerate(rows, 1):
        if len(row) != size:
            raise ValueError(f"row {i} of {size} has {len(row)} chances")
    chances = np.array(rows)
    _check_order(chances, "pre-Crawford")
    _check_order(-chances.T, "pre-Crawford")
    other = 1 - chances.T
    if np.abs(chances - other).max() > _ROUNDED:
        raise ValueError("it is for players of different strength, and Blot's serves both alike")
    both: Values = (chances + other) / 2
    return both


def _post_crawford(root: Element) -> Values:
    """Chances of the trailer after the Crawford game; float64[n]."""
    found: dict[str, Values] = {}
    for table in root.findall("post-crawford-table"):
        player = table.get("player", "both")
        rows = _rows_of(table, "post-Crawford")
        if len(rows) != 1 or player not in ("both", "0", "1") or player in found:
            raise ValueError("each player has one row after the Crawford game, or both have one")
        found[player] = np.array(rows[0])
        _check_order(found[player], "post-Crawford")
    if set(found) == {"both"}:
        return found["both"]
    if set(found) != {"0", "1"} or len(found["0"]) != len(found["1"]):
        raise ValueError("each player has one row after the Crawford game, or both have one")
    if np.abs(found["0"] - found["1"]).max() > _ROUNDED:
        raise ValueError("it is for players of different strength, and Blot's serves both alike")
    both: Values = (found["0"] + found["1"]) / 2
    return both


def _rows_of(table: Element, name: str) -> list[list[float]]:
    """The chances listed in a table, row by row; no row is empty and there are at most 64."""
    kind = table.get("type", "explicit")
    if kind != "explicit":
        raise ValueError(
            f"its {name} table is of type {kind[:20]!r}, a formula; only 'explicit' tables are read"
        )
    rows = [[_chance(each) for each in row.findall("me")] for row in table.findall("row")]
    if not rows or not all(rows):
        raise ValueError(f"its {name} table has no chances")
    if max(len(rows), *map(len, rows)) > MAX_LENGTH:
        raise ValueError(f"its {name} table goes beyond {MAX_LENGTH} points")
    return rows


def _chance(element: Element) -> float:
    text = (element.text or "").strip()
    try:
        chance = float(text)
    except ValueError:
        raise ValueError(f"{text[:20]!r} is no chance from 0 to 1") from None
    if not 0 <= chance <= 1:
        raise ValueError(f"{text[:20]!r} is no chance from 0 to 1")
    return chance


def _check_order(chances: Values, name: str) -> None:
    if (np.diff(chances, axis=0) > 0).any():
        raise ValueError(f"its {name} chances rise with the points a player still needs")


def _tilted(chances: Values) -> Values:
    """The chances, tilted a little towards a table in which every point counts.

    Rounded chances may be equal, and where a table is continued the rule may not fit it. Equities
    are shares of what a game decides, which must not be nothing.
    """
    away = np.arange(1, len(chances) + 1)
    level = 0.5 - away / (2 * MAX_LENGTH)
    if chances.ndim == 2:
        level = 0.5 + (away - away[:, np.newaxis]) / (2 * MAX_LENGTH)
    tilted: Values = (1 - _TILT) * chances + _TILT * level
    return tilted
