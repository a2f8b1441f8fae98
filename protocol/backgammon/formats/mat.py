"""Mat: a match as text, as Jellyfish wrote it first and servers and programs write it today.

It has no room for comments to plays, analysis, positions set up by hand and automatic doubles.
Source: GNU Backgammon 1.08, import.c and export.c; matches of BackgammonGalaxy and of Backgammon
Studio.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.record import MatchRecord, Occasion, Rules
from bot.backgammon.rules.recorder import Recorder
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.match_reading import Fault, Games, ReadMatch, best_reading, throw
from protocol.backgammon.formats.notation import parse_legs

MAX_LINE = 1000
"""Characters of a line; no row needs more."""

LEFT_CELL_ENDS = 16
"""Columns behind the row's number in which a left cell begins; a right one stands farther right."""

COMMENT = re.compile(r"\s*[;#]\s?(?P<text>.*)")
TAG = re.compile(r'\[(?P<name>[^"\]]*)"(?P<value>.*)"\]\s*')
LENGTH = re.compile(r"\s*(?P<length>\d{1,9})\s+point\s+match\b.*", re.IGNORECASE)
GAME = re.compile(r"\s*Game\s+(?P<number>\d{1,9})\s*", re.IGNORECASE)
PLAYERS = re.compile(
    r"\s*(?P<left>(?:\S(?:.*\S)?)?)\s*:\s*(?P<left_score>\d{1,9})\s+"
    r"(?P<right>(?:\S(?:.*\S)?)?)\s*:\s*(?P<right_score>\d{1,9})\s*"
)
JOINED_PLAYERS = re.compile(PLAYERS.pattern.replace(r")\s+", r")(?!\d)", 1))
"""A line of players and scores as GNU Backgammon joins them, if the left name is long."""

RATED_NAME = re.compile(r"(?P<name>.*\S),\s*(?P<rating>\d+(?:\.\d+)?)")
ROW = re.compile(r"(?:^|(?<=\s))\s*\d{1,4}\)")
CELL = re.compile(
    r"(?<!\S)(?:(?P<dice>[1-6][1-6]):"
    r"|(?P<word>doubles?|redoubles?|beavers?|raccoons?|takes?|drops?|wins?|losses|loses|resigns?)\b)",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\d{1,9}")
NO_PLAY = ("", "cannot move")
RESIGNED = re.compile(r"\?{3,}")
CONCESSIONS = (
    (re.compile(r"(?<=[1-6]: )concedes\b", re.IGNORECASE), "????    "),
    (re.compile(r"\bconcedes\b|(?<!\S)00: \?{4}", re.IGNORECASE), "Resigns "),
    (re.compile(r"(?<!\S)(?<!: )\?{4}(?:  |$)"), "Resign"),
)
"""Resignations in the words of Backgammon Studio, and others as long that mean the same."""

ON, OFF = ("on", "true", "yes"), ("off", "false", "no")


@dataclass(frozen=True, slots=True)
class _Cell:
    """Something done: where it stands, by whom if the column tells, in a word or by dice."""

    line: int
    column: int
    seat: int | None
    word: str
    text: str
    roll: Roll | None = None


@dataclass(frozen=True, slots=True)
class _Header:
    """So many lines above the games: tags by name, all else as comment, the length of the match."""

    tags: dict[str, str]
    comment: str
    length: int | None
    lines: int

    def switch(self, name: str) -> tuple[bool, ...]:
        """The values that a rule may have: one value if a tag tells it, else both."""
        value = self.tags.get(name, "").lower()
        return (True,) if value in ON else (False,) if value in OFF else (True, False)

    @property
    def rules(self) -> Iterator[Rules]:
        """All rules that may be meant, the likeliest first."""
        has_cube = self.tags.get("CubeLimit") != "1"
        if self.length is not None:
            for crawford in self.switch("Crawford") if has_cube else (True,):
                yield Rules(self.length, has_cube=has_cube, crawford=crawford)
        elif not has_cube:
            yield Rules(None, has_cube=False)
        else:
            beavers = self.switch("Beaver")[::-1]
            for jacoby, beaver in product(self.switch("Jacoby"), beavers):
                yield Rules(None, jacoby=jacoby, beavers=beaver)


def parse_mat(text: str) -> ReadMatch:
    """The match in the text, as far as it can be: to the first row that the rules do not allow.

    Raises ValueError with one sentence if it is no such file, or tells of another game.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    header = _header(lines)
    variation = header.tags.get("Variation", "Backgammon")
    if variation.lower() != "backgammon":
        raise ValueError(f"{variation[:40]} is another game than backgammon")
    return best_reading(
        _Reader(header, rules, has_had_crawford=has_had_crawford).read(lines)
        for rules in header.rules
        for has_had_crawford in (False, True)
    )


def _header(lines: list[str]) -> _Header:
    tags: dict[str, str] = {}
    comment: list[str] = []
    for number, line in enumerate(lines, start=1):
        if found := LENGTH.fullmatch(line):
            length = int(found["length"]) or None
            return _Header(tags, "\n".join(comment), length, number)
        commented = COMMENT.fullmatch(line)
        text = commented["text"] if commented else line.strip()
        tag = TAG.fullmatch(text)
        name = tag["name"].rstrip() if tag else ""
        if tag and name in TAGS and name not in tags:
            tags[name] = tag["value"]
        elif text:
            comment.append(text.rstrip())
    raise ValueError("no .mat file: a line such as '7 point match' is missing")


TAGS = {
    "Site",
    "Event",
    "Round",
    "EventDate",
    "Transcriber",
    "Variation",
    "Crawford",
    "Jacoby",
    "Beaver",
    "CubeLimit",
    "Player 1",
    "Player 2",
    "Player 1 Elo",
    "Player 2 Elo",
}
"""Tags that have a place of their own in a record; others are kept as comments."""


class _Reader:
    """Reads the games by certain rules, line by line, and stops at the first fault."""

    def __init__(self, header: _Header, rules: Rules, *, has_had_crawford: bool) -> None:
        self._header = header
        self._rules = rules
        self._games = Games(rules, has_had_crawford=has_had_crawford)
        self._players: tuple[str, str] | None = None
        self._ratings = ["", ""]
        self._first_game = 1
        self._awaits_players = False
        self._waiting: _Cell | None = None
        self._comments: list[str] = []

    def read(self, lines: list[str]) -> ReadMatch:
        """The match in the lines."""
        fault = None
        number, column = self._header.lines, 1
        try:
            for number, line in enumerate(lines[self._header.lines :], self._header.lines + 1):
                column = len(line) - len(line.lstrip()) + 1
                if len(line) > MAX_LINE:
                    raise ValueError(f"a line is no longer than {MAX_LINE} characters")
                if self._is_beside_the_rows(line):
                    continue
                for cell in _cells(number, line):
                    column = cell.column
                    self._take(cell)
            column = 1
            self._settle(is_end=True)
            if self._awaits_players:
                raise ValueError("both players and their scores are missing")
        except _UnexplainedError as error:
            fault = Fault(error.cell.line, error.cell.column, self._reason(error))
        except ValueError as error:
            fault = Fault(number, column, self._reason(error))
        return ReadMatch(self._match(), fault)

    def _reason(self, error: ValueError) -> str:
        number = self._first_game + len(self._games.records) - 1
        return f"game {max(number, self._first_game)}: {error}"

    def _match(self) -> MatchRecord:
        tags = self._header.tags
        names = self._players or (tags.get("Player 1", "one"), tags.get("Player 2", "two"))
        ratings = [
            self._ratings[seat]
            or next((elo for name, elo in self._elos() if name == names[seat]), "")
            for seat in (0, 1)
        ]
        occasion = Occasion(
            event=tags.get("Event", ""),
            round=tags.get("Round", ""),
            place=tags.get("Site", ""),
            date=re.sub(r"^(\d{4})\.(\d\d)\.(\d\d)$", r"\1-\2-\3", tags.get("EventDate", "")),
            annotator=tags.get("Transcriber", ""),
            ratings=(ratings[0], ratings[1]),
        )
        return MatchRecord(
            names,
            self._rules,
            self._games.records,
            occasion,
            self._header.comment,
            self._first_game,
        )

    def _elos(self) -> Iterator[tuple[str, str]]:
        """Ratings by name: the tags do not always name the players in the order of the columns."""
        for player in ("Player 1", "Player 2"):
            yield self._header.tags.get(player, ""), self._header.tags.get(f"{player} Elo", "")

    def _is_beside_the_rows(self, line: str) -> bool:
        """Take a line that is no row: empty, a comment, the head of a game, the players."""
        if not line.strip():
            return True
        commented = COMMENT.fullmatch(line)
        if self._awaits_players and (PLAYERS.fullmatch(line) or not commented):
            self._begin(line)  # a name may begin as a comment does
            return True
        if commented:
            self._comment(commented["text"])
            return True
        if head := GAME.fullmatch(line):
            self._settle(is_end=True)
            if not self._games.records:
                self._first_game = max(int(head["number"]), 1)
            self._awaits_players = True
            return True
        if self._games.recorder is None:
            raise ValueError("a line such as 'Game 1' is missing")
        return False

    def _comment(self, text: str) -> None:
        if text.lower().startswith("set pos="):
            raise ValueError("a position set up by hand is not read from .mat files")
        if self._games.recorder and text:
            kept = self._games.recorder.comment
            self._games.recorder.comment = f"{kept}\n{text}" if kept else text

    def _begin(self, line: str) -> None:
        found = PLAYERS.fullmatch(line) or JOINED_PLAYERS.fullmatch(line)
        if not found:
            raise ValueError(f"both players and their scores are missing: {line.strip()[:60]!r}")
        names = []
        for seat, side in enumerate(("left", "right")):
            rated = RATED_NAME.fullmatch(found[side])
            names.append(rated["name"] if rated else found[side])
            self._ratings[seat] = rated["rating"] if rated else self._ratings[seat]
        players = (names[0], names[1])
        if self._players not in (None, players):
            raise ValueError(f"the players are now {players[0][:40]!r} and {players[1][:40]!r}")
        points = int(found["left_score"]), int(found["right_score"])
        self._games.begin(points)
        self._players = players
        self._awaits_players = False

    def _take(self, cell: _Cell) -> None:
        """Do in the game what the cell tells."""
        recorder = self._games.recorder
        if recorder is None:
            raise ValueError("a game is missing")
        if cell.word not in ("win", "lose", "resign"):
            self._settle(cell)
        if cell.roll:
            self._roll(recorder, cell, cell.roll)
        elif cell.word in ("double", "beaver"):
            self._double(recorder, cell)
        elif cell.word in ("take", "drop"):
            _check_seat(cell, recorder.going_on.asked)
            recorder.add(DoubleAnswer.TAKE if cell.word == "take" else DoubleAnswer.DROP)
        elif cell.word in ("win", "lose"):
            self._end(recorder, cell)

    def _roll(self, recorder: Recorder, cell: _Cell, roll: Roll) -> None:
        game = throw(recorder, cell.seat or 0, roll)
        position, text = game.state.position, cell.text.lower()
        if text.startswith("illegal"):
            raise ValueError("an illegal play that was let stand is not read")
        if RESIGNED.fullmatch(text):
            self._waiting = cell
            return
        if text not in NO_PLAY:
            recorder.add(parse_legs(cell.text, position, roll))
            return
        plays = legal_plays(position, roll)
        if not plays:
            recorder.add(CheckerPlay((), position))
        elif len(plays) == 1 and not text:
            recorder.add(plays[0])
        else:
            self._waiting = cell

    def _double(self, recorder: Recorder, cell: _Cell) -> None:
        game = recorder.going_on
        _check_seat(cell, game.asked)
        told = NUMBER.search(cell.text)
        value = 2 * game.cube_shown
        if told and int(told[0]) != value:
            raise ValueError(f"the cube would be turned to {value}, not to {told[0]}")
        is_beaver = cell.word == "beaver" or game.doubles > 0
        recorder.add(DoubleAnswer.BEAVER if is_beaver else CubeAction.DOUBLE)

    def _end(self, recorder: Recorder, cell: _Cell) -> None:
        told = NUMBER.search(cell.text)
        if not told:
            raise ValueError("the points won are missing")
        if cell.seat is None:
            self._waiting = cell
            return
        winner = cell.seat if cell.word == "win" else 1 - cell.seat
        recorder.end(winner, int(told[0]), may_exceed=True)
        self._waiting = None
        after = recorder.record.points_after
        if "match" in cell.text.lower() and not self._rules.is_over(after):
            raise ValueError(f"the match is not over at {after[0]}-{after[1]}")

    def _settle(self, next_cell: _Cell | None = None, *, is_end: bool = False) -> None:
        """Raise ValueError if something waits for the end of the game that does not come.

        is_end: whether the rows have ended; a roll that stands last was not played any more.
        """
        if self._waiting is None:
            return
        cell, self._waiting = self._waiting, None
        if cell.roll is None:
            raise _UnexplainedError(cell, "nobody is told to have won")
        if not RESIGNED.fullmatch(cell.text) and not (is_end and not cell.text):
            reason = f"a play is missing: {cell.roll.high}-{cell.roll.low} can be played"
            if next_cell and next_cell.roll and next_cell.line == cell.line:
                # GNU Backgammon writes so after `set turn`, whoever has the turn
                reason += "; if the turn was changed by hand, nothing tells who rolled next"
            raise _UnexplainedError(cell, reason)


class _UnexplainedError(ValueError):
    """A cell that only the end of the game would explain."""

    def __init__(self, cell: _Cell, reason: str) -> None:
        super().__init__(reason)
        self.cell = cell


def _check_seat(cell: _Cell, asked: int | None) -> None:
    if cell.seat != asked:
        raise ValueError(f"{cell.word!r} stands in the wrong column")


def _cells(number: int, line: str) -> Iterator[_Cell]:
    """The cells of a line's rows; two rows may stand in one, where a server has joined them."""
    for concession, resignation in CONCESSIONS:
        line = concession.sub(resignation, line)
    starts = [found.end() for found in ROW.finditer(line)]
    if not starts:
        yield from _row_cells(number, line, 0, len(line), is_row=False)
        return
    if line[: starts[0]].rstrip(")").strip("0123456789 \t"):
        raise ValueError(f"a row is missing: {line.strip()[:60]!r}")
    numbers = [found.start() for found in ROW.finditer(line)]
    for start, end in zip(starts, [*numbers[1:], len(line)], strict=True):
        yield from _row_cells(number, line, start, end, is_row=True)


def _row_cells(number: int, line: str, start: int, end: int, *, is_row: bool) -> Iterator[_Cell]:
    """The cells of one row, or of what follows the last one."""
    found = list(CELL.finditer(line, start, end))
    stop = found[0].start() if found else end
    if line[start:stop].strip():
        raise ValueError(f"cannot read {line[start:stop].strip()[:60]!r}")
    if len(found) > 2:
        raise ValueError("a row has two cells")
    ends = [*(cell.start() for cell in found), end][1:]
    for place, (cell, cell_end) in enumerate(zip(found, ends, strict=True)):
        word = _word(cell["word"] or "")
        # the left player's, where GNU Backgammon writes the opening roll of the right one there
        is_left = word == "win" and line[found[0].start() + 2 : cell.start()] == f":{'':7}"
        is_right = (place == 1 and not is_left) or cell.start() - start >= LEFT_CELL_ENDS
        seat: int | None = int(is_right)
        if not is_row and word == "lose":
            seat = None
        text = line[cell.end() : cell_end].strip()
        roll = Roll.of_dice(*map(int, cell["dice"])) if cell["dice"] else None
        yield _Cell(number, cell.start() + 1, seat, word, text, roll)


def _word(text: str) -> str:
    word = text.lower().rstrip("s")
    return {"losse": "lose", "redouble": "double", "raccoon": "beaver"}.get(word, word)
