"""Files of an analysis: what `blot analyse` writes, and never over what it reads."""

import argparse
import importlib.util
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.errors import UsageError
from protocol.picture_file import ENDINGS, picture_file

if TYPE_CHECKING:
    from protocol.backgammon.reports.analysis import MatchAnalysis

CARD = 0.06
"""Equity beyond which a choice gets a card."""

REPORTS = ("sgf", "html", "cards", "picture")
"""Options of the files that are written once everything is judged."""

READ = {
    "file": "the match to analyse",
    "met": "the file of --met",
    "weights": "the file of --weights",
}
"""Options of the files that are read, and what each is in a sentence."""


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add an option for each file that can be written, and --force."""
    files = parser.add_argument_group("files")
    files.add_argument(
        "--out",
        type=Path,
        metavar="FILE.jsonl",
        help="keep each verdict as a line of JSON; an analysis that was interrupted goes on there",
    )
    for name, kind, meaning in (
        ("sgf", Path, "write the match with its analysis, for gnubg to show"),
        (
            "html",
            Path,
            "write a page with statistics, the worst choices on boards, and all choices",
        ),
        (
            "cards",
            Path,
            "write each choice that lost much as a card of JSON, with question, answer and why",
        ),
        (
            "picture",
            picture_file,
            f"draw how the match went and what was given away ({', '.join(ENDINGS)})",
        ),
    ):
        files.add_argument(f"--{name}", type=kind, metavar="FILE", help=meaning)
    files.add_argument("--force", action="store_true", help="write over files that exist")


def check_files(options: argparse.Namespace) -> None:
    """Raise ValueError before any work for a file that cannot be written, or is not to be."""
    given = {name: getattr(options, name) for name in ("out", *REPORTS) if name in options}
    if "force" in options and not given.keys() & set(REPORTS):
        raise UsageError(f"--force writes over the files of --{', --'.join(REPORTS)}: give one")
    for name, path in given.items():
        if path.is_dir():
            raise ValueError(f"--{name}: cannot write {path}: it is a folder")
        folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
        if not folder.is_dir():
            raise ValueError(f"--{name}: cannot write {path}: there is no folder {folder}")
        if name in REPORTS and path.exists() and not path.is_file():
            raise ValueError(f"--{name}: cannot write {path}: it is a device or a pipe, no file")
        if name in REPORTS and not os.access(folder, os.W_OK):
            raise ValueError(f"--{name}: cannot write {path}: nothing may be written in its folder")
    if "sgf" in given and given["sgf"].suffix.lower() != ".sgf":
        raise UsageError(f"--sgf: a name that ends with .sgf, not {given['sgf']}")
    if "picture" in given and importlib.util.find_spec("matplotlib") is None:
        raise ValueError("--picture needs matplotlib (pip install 'blot-gammon[plots]')")
    read = {name: Path(getattr(options, name)) for name in READ if name in options}
    taken = {os.path.realpath(path): READ[name] for name, path in read.items() if path.exists()}
    for name, path in given.items():
        place = os.path.realpath(path)
        if place in taken:
            raise ValueError(f"--{name}: {path} is {taken[place]}; give another file")
        taken[place] = f"the file of --{name}"
        if name in REPORTS and path.exists() and "force" not in options:
            raise ValueError(f"{path} is there already; --force writes over it")


def write_files(analysis: "MatchAnalysis", options: argparse.Namespace, worst: int) -> None:
    """Write the files asked for; worst: how many of the worst choices the page shows."""
    from bot.archive import write_whole

    if "sgf" in options:
        _write_sgf(analysis, options.sgf)
    if "html" in options:
        from protocol.backgammon.reports.analysis_html import page_text

        page = page_text(analysis, worst).encode()
        write_whole(options.html, lambda file: file.write(page))
    if "cards" in options:
        from protocol.backgammon.reports.cards import cards_of

        cards = cards_of(analysis, getattr(options, "above", CARD))
        lines = "".join(json.dumps(card) + "\n" for card in cards).encode()
        write_whole(options.cards, lambda file: file.write(lines))
    if "picture" in options:
        from protocol.backgammon.reports.analysis_picture import write_picture

        write_picture(analysis, options.picture)


def _write_sgf(analysis: "MatchAnalysis", path: Path) -> None:
    """Write the match with the verdicts as gnubg notes them."""
    from protocol.backgammon.formats.match_file import write_match
    from protocol.backgammon.formats.sgf_analysis import annotated

    plies = [row.ply for _, verdict in analysis.judged for row in _candidates(verdict)]
    write_match(annotated(analysis.match, analysis.judged, max(plies, default=0)), path)


def _candidates(verdict: Any) -> tuple[Any, ...]:
    return getattr(verdict, "candidates", ())
