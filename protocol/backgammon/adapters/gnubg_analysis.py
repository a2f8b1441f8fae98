"""GNU Backgammon's own analysis of a match, fetched by driving the program."""

import re
from dataclasses import dataclass
from pathlib import Path

from bot.backgammon.engine.analysis import Verdict
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.rules.choice import Choice, choices_of
from bot.backgammon.rules.record import MatchRecord
from protocol.backgammon.adapters.gnubg_program import GnubgError, GnubgProgram
from protocol.backgammon.formats.met_file import read_table
from protocol.backgammon.formats.sgf import parse_sgf
from protocol.backgammon.formats.sgf_analysis import annotated, verdicts_in
from protocol.backgammon.formats.sgf_writing import sgf_text

PATIENCE = 3000.0
"""Seconds an analysis may be silent."""

TABLE = re.compile(r"^\((?P<path>/.*\.xml)\)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GnubgAnalysis:
    """The match as gnubg wrote it, with its verdicts, printed statistics and match equities.

    choices: all but a last roll that was not played, which its statistics leave out.
    """

    match: MatchRecord
    choices: tuple[Choice, ...]
    verdicts: tuple[Verdict, ...]
    statistics: str
    met: MatchEquityTable | None


def gnubg_analysis(match: MatchRecord, plies: int, *, threads: int = 1) -> GnubgAnalysis:
    """gnubg's analysis of a match, so many plies deep; luck is always told without looking ahead.

    Raises GnubgError if gnubg fails, ValueError if SGF has no room for the match.
    """
    kind = "session" if match.rules.length is None else "match"
    plain = annotated(match, (), 0)
    with GnubgProgram(patience=PATIENCE) as gnubg:
        for text in (
            "set confirm new off",
            "set confirm save off",
            "set display off",
            f"set threads {threads}",
            f"set analysis chequerplay evaluation plies {plies}",
            f"set analysis cubedecision evaluation plies {plies}",
        ):
            gnubg.command(text)
        (gnubg.folder / "match.sgf").write_text(sgf_text(plain), "utf-8")
        gnubg.command("load match match.sgf")
        gnubg.command(f"analyse {kind}")
        statistics = gnubg.command(f"show statistics {kind}")
        table = TABLE.search(gnubg.command("show matchequitytable"))
        met = read_table(Path(table["path"])) if table else None
        gnubg.command("save match analysed.sgf")
        text = (gnubg.folder / "analysed.sgf").read_text("utf-8")
    read = parse_sgf(text).whole
    choices = choices_of(read)
    found = verdicts_in(read, choices, met)
    judged = [
        (choice, verdict)
        for choice, verdict in zip(choices, found, strict=True)
        if choice.answer is not None
    ]
    for choice, verdict in judged:
        if verdict is None:
            raise GnubgError(f"gnubg did not analyse game {choice.game}, move {choice.move}")
    kept = tuple(choice for choice, _ in judged)
    verdicts = tuple(verdict for _, verdict in judged if verdict is not None)
    return GnubgAnalysis(read, kept, verdicts, statistics, met)
