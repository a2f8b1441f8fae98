"""GNU Backgammon's own analysis of a match, game by game, fetched by driving the program."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from bot.backgammon.engine.analysis import PlayVerdict, Verdict
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


class GnubgAnalyst:
    """gnubg with a match before it, which it judges game by game; use it in a `with`.

    plies: as deep as it looks; luck is always told without looking ahead. In the `with` match is
    the match as gnubg wrote it, choices those that it judges and met its match equities. Raises
    GnubgError if gnubg fails, ValueError if SGF has no room for the match.
    """

    def __init__(self, match: MatchRecord, plies: int, *, threads: int = 1) -> None:
        self._given = match
        self._plies = plies
        self._threads = threads
        self._kind = "session" if match.rules.length is None else "match"
        self._gnubg = GnubgProgram(patience=PATIENCE)
        self._shown = 0

    def __enter__(self) -> Self:
        self._gnubg.__enter__()
        try:
            self._load()
        except BaseException:
            self._gnubg.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._gnubg.__exit__()

    @property
    def statistics(self) -> str:
        """The statistics that gnubg prints of the games it has judged."""
        return self._gnubg.command(f"show statistics {self._kind}")

    def verdicts(self, known: int = 0) -> Iterator[Verdict]:
        """The verdicts on the choices in their order, but for so many that are known already.

        A game of which not all are known is judged whole.
        """
        place = 0
        for number, _ in enumerate(self.match.games, start=self.match.first_game):
            count = sum(choice.game == number for choice in self.choices)
            if place + count > known:
                yield from self._game(number)[max(known - place, 0) :]
            place += count

    def _load(self) -> None:
        for text in (
            "set confirm new off",
            "set confirm save off",
            "set display off",
            f"set threads {self._threads}",
        ):
            self._gnubg.command(text)
        plain = sgf_text(annotated(self._given, (), 0))
        (self._gnubg.folder / "match.sgf").write_text(plain, "utf-8")
        self._gnubg.command("load match match.sgf")
        self._gnubg.command("first game")
        table = TABLE.search(self._gnubg.command("show matchequitytable"))
        self.met = read_table(Path(table["path"])) if table else None
        self.match = self._saved()
        found = choices_of(self.match)
        self.choices = tuple(choice for choice in found if choice.answer is not None)

    def _game(self, number: int) -> list[Verdict]:
        """The verdicts on the choices of a game, with what plays lose without looking ahead."""
        place = number - self.match.first_game
        if place > self._shown:
            self._gnubg.command(f"next game {place - self._shown}")
            self._shown = place
        found = self._judged(number, 0)
        if self._plies == 0:
            return [_with_static_loss(one, one) for one in found]
        deep = self._judged(number, self._plies)
        return [_with_static_loss(*both) for both in zip(deep, found, strict=True)]

    def _judged(self, number: int, plies: int) -> list[Verdict]:
        for kind in ("chequerplay", "cubedecision"):
            self._gnubg.command(f"set analysis {kind} evaluation plies {plies}")
        self._gnubg.command("analyse game")
        self.match = self._saved()
        choices = [choice for choice in self.choices if choice.game == number]
        judged: list[Verdict] = []
        for choice, verdict in zip(
            choices, verdicts_in(self.match, choices, self.met), strict=True
        ):
            if verdict is None:
                raise GnubgError(f"gnubg did not analyse game {number}, move {choice.move}")
            judged.append(verdict)
        return judged

    def _saved(self) -> MatchRecord:
        self._gnubg.command("save match analysed.sgf")
        return parse_sgf((self._gnubg.folder / "analysed.sgf").read_text("utf-8")).whole


def gnubg_analysis(match: MatchRecord, plies: int, *, threads: int = 1) -> GnubgAnalysis:
    """gnubg's analysis of a match, so many plies deep; raises as GnubgAnalyst does."""
    with GnubgAnalyst(match, plies, threads=threads) as analyst:
        verdicts = tuple(analyst.verdicts())
        statistics = analyst.statistics
        return GnubgAnalysis(analyst.match, analyst.choices, verdicts, statistics, analyst.met)


def _with_static_loss(verdict: Verdict, static: Verdict) -> Verdict:
    """The verdict on an unforced play with what it loses by one that did not look ahead."""
    if isinstance(verdict, PlayVerdict) and verdict.is_unforced:
        return replace(verdict, static_loss=static.loss)
    return verdict
