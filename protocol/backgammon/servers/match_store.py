"""Match store: what was played on servers, in files and in one SQLite file, a line a match.

A match has its line as soon as it is kept, and is ended in it: a program that is killed at any
moment loses no match, and counts none twice. The name of its file is chosen then too.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, fields, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from bot.backgammon.rules.record import MatchRecord
from protocol.backgammon.formats.match_file import dated_name, read_match, write_match
from protocol.encoding import cut_off

FILE = "matches.db"
UNFINISHED = "unfinished"
DIGEST = 8
"""Signs of the digest in the name of a match that is not over."""

MAX_LETTERS, MAX_BYTES = 100, 200
"""Of the names in the name of such a match; a file's own name has room for 255 bytes."""

ENDINGS = (".mat", ".sgf")
"""Formats of a finished match: the second where it has gaps that the first has no room for."""

_TABLES = """
CREATE TABLE IF NOT EXISTS matches (
    number INTEGER PRIMARY KEY, server TEXT, player TEXT, opponent TEXT, length INTEGER,
    points INTEGER, other_points INTEGER, ended TEXT, games INTEGER, gaps INTEGER,
    rating_before REAL, other_rating REAL, error_rate REAL, luck REAL, file TEXT,
    rating_after REAL);
CREATE TABLE IF NOT EXISTS departures (server TEXT, opponent TEXT, left TEXT);
"""
_OPEN = "ended = '' AND server = ? AND player = ?"
_WITH = _OPEN + " AND opponent = ? COLLATE NOCASE"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Our errors in a match, as eXtreme Gammon's PR, and our luck in equity; None: unknown."""

    error_rate: float | None = None
    luck: float | None = None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A line of the store; points are ours and the opponent's, length is None if unlimited.

    ended: UTC, as ISO 8601 writes it; empty while the match is not over. gaps: how often the record
    lost its way. file: the name of the match's file, empty if there is none. awaits: the level that
    is to count errors and luck, None if none is, or none is any more.
    """

    server: str
    player: str
    opponent: str
    length: int | None
    points: int
    other_points: int
    ended: str = ""
    games: int = 0
    gaps: int = 0
    rating_before: float | None = None
    other_rating: float | None = None
    error_rate: float | None = None
    luck: float | None = None
    file: str = ""
    rating_after: float | None = None
    awaits: str | None = None

    @property
    def is_won(self) -> bool | None:
        """Whether we have won it; None of a match whose end nobody has told, and of a tie."""
        points = self.points, self.other_points
        if points[0] == points[1] or (self.length is not None and max(points) < self.length):
            return None
        return self.points > self.other_points


COLUMNS = tuple(each.name for each in fields(PlayedMatch))


class StoreError(ValueError):
    """A folder of matches that cannot be used, for want of room perhaps."""


class MatchStore:
    """The matches of one folder; judge: the level that counts errors and luck, None for none.

    Raises StoreError, in one sentence, whenever the folder cannot be used.
    """

    def __init__(self, folder: Path, judge: str | None = None) -> None:
        self.folder = folder
        self._judge = judge
        try:
            (folder / UNFINISHED).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot use the folder {folder}: {error.strerror}") from None
        with self._file() as file:
            file.executescript(_TABLES)
            known = {row[1] for row in file.execute("PRAGMA table_info(matches)")}
            if "awaits" not in known:  # a file of an older Blot
                file.execute("ALTER TABLE matches ADD COLUMN awaits TEXT")

    def kept(self, server: str, player: str, opponent: str) -> MatchRecord | None:
        """The record so far of a match that is not over; None without one that can be read."""
        paths = [self._kept_path(server, player, opponent)]
        for line in self.unfinished(server, player):
            if line.opponent.lower() == opponent.lower():
                # its end was written when the program was killed
                paths = [*(self.folder / each for each in _names(line.file)), *paths]
        for path in paths:
            if path.exists():
                try:
                    return read_match(path).whole
                except ValueError:
                    continue
        return None

    def unfinished(self, server: str, player: str) -> list[PlayedMatch]:
        """The lines of a player's matches on a server that are not over."""
        self._adopt(server, player)
        with self._file() as file:
            return self._lines(file, _OPEN, server, player)

    def keep(self, played: PlayedMatch, match: MatchRecord) -> None:
        """Keep a match that is not over, as far as it went; an earlier state if it has no file."""
        line = replace(played, ended="", games=len(match.games))
        with self._file() as file:
            self._put(file, line, match.players)
        try:
            write_match(match, self._kept_path(played.server, played.player, played.opponent))
        except ValueError:
            return

    def left(self, server: str, opponent: str) -> None:
        """An opponent has left in the middle of a match."""
        with self._file() as file:
            now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
            file.execute("INSERT INTO departures VALUES (?, ?, ?)", (server, opponent.lower(), now))

    def departures(self, server: str, opponent: str) -> int:
        """How often an opponent has left since the last match that they finished."""
        with self._file() as file:
            rows = file.execute(
                "SELECT count(*) FROM departures WHERE server = ? AND opponent = ?",
                (server, opponent.lower()),
            )
            return int(rows.fetchone()[0])

    def finish(self, played: PlayedMatch, match: MatchRecord) -> int:
        """Write a match down that is over; the number of its line."""
        with self._file() as file:
            self._put(file, replace(played, ended="", games=len(match.games)), match.players)
            (line,) = self._lines(file, _WITH, played.server, played.player, played.opponent)
        # before the line is ended: what is left without an open line would get a new one
        kept = self._kept_path(played.server, played.player, played.opponent)
        name = self._written(match, line.file)
        if not name and kept.exists():  # as on a full disk: the last state of it there was room for
            name = kept.replace(self.folder / _names(line.file)[1]).name
        kept.unlink(missing_ok=True)
        line = replace(
            line,
            ended=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
            file=name,
            awaits=self._judge if name else None,
        )
        with self._file() as file:
            if line.is_won is not None:
                file.execute(
                    "DELETE FROM departures WHERE server = ? AND opponent = ?",
                    (played.server, played.opponent.lower()),
                )
            return self._put(file, line, match.players)

    def rate(self, number: int, rating: float) -> None:
        """Add our rating after the match of a line."""
        with self._file() as file:
            file.execute("UPDATE matches SET rating_after = ? WHERE number = ?", (rating, number))

    def path(self, line: PlayedMatch) -> Path:
        """Where the file of a match is that is over."""
        return self.folder / line.file

    def matches(self) -> list[PlayedMatch]:
        """All matches that are over, in the order in which they ended."""
        with self._file() as file:
            return self._lines(file, "ended != '' ORDER BY ended, number")

    def count_unfinished(self) -> int:
        """How many matches are not over, wherever they are played."""
        with self._file() as file:
            return int(file.execute("SELECT count(*) FROM matches WHERE ended = ''").fetchone()[0])

    def awaiting(self) -> list[tuple[int, PlayedMatch]]:
        """The matches whose errors and luck are still to be counted, with their numbers."""
        with self._file() as file:
            where = "ended != '' AND awaits IS NOT NULL ORDER BY number"
            numbers = file.execute(f"SELECT number FROM matches WHERE {where}").fetchall()
            return [
                (number, line)
                for (number,), line in zip(numbers, self._lines(file, where), strict=True)
            ]

    def judge(self, number: int, judgement: Judgement) -> None:
        """Add what was counted to the line of a match, which awaits nothing any more."""
        with self._file() as file:
            file.execute(
                "UPDATE matches SET error_rate = ?, luck = ?, awaits = NULL WHERE number = ?",
                (*astuple(judgement), number),
            )

    def _lines(self, file: sqlite3.Connection, where: str, *values: str) -> list[PlayedMatch]:
        rows = file.execute(f"SELECT {', '.join(COLUMNS)} FROM matches WHERE {where}", values)
        return [PlayedMatch(*row) for row in rows]

    def _put(self, file: sqlite3.Connection, line: PlayedMatch, players: tuple[str, str]) -> int:
        """Put the line where the match has one already, else behind the others; its number."""
        where = (line.server, line.player, line.opponent)
        row = file.execute(f"SELECT number, file FROM matches WHERE {_WITH}", where).fetchone()
        if row is None:
            name = self._free(file, dated_name(players, datetime.now(), ENDINGS[0]))
            line = line if line.ended else replace(line, file=name)
            row = file.execute("INSERT INTO matches DEFAULT VALUES").lastrowid, line.file
        elif not line.ended:
            line = replace(line, file=row[1])
        marks = ", ".join(f"{name} = ?" for name in COLUMNS)
        file.execute(f"UPDATE matches SET {marks} WHERE number = ?", (*astuple(line), row[0]))
        return int(row[0])

    def _adopt(self, server: str, player: str) -> None:
        """Give matches that older Blots kept their names of today, and a line if they have none."""
        with self._file() as file:
            opponents = {line.opponent for line in self._lines(file, _OPEN, server, player)}
        known = {self._kept_path(server, player, opponent) for opponent in opponents}
        for path in (self.folder / UNFINISHED).glob(f"{_mangled(server)}_*.sgf"):
            if path in known:
                continue
            try:
                match = read_match(path).whole
            except ValueError:
                continue
            kept = self._kept_path(server, *match.players)
            if match.players[0] != player or path.name not in (kept.name, _older_name(kept)):
                continue
            if not kept.exists():
                path.replace(kept)
            if kept not in known:
                points = match.games[-1].points_after if match.games else (0, 0)
                self.keep(PlayedMatch(server, *match.players, match.rules.length, *points), match)

    def _written(self, match: MatchRecord, name: str) -> str:
        """The name of the file that the match was written to, as .mat or as .sgf; "" if neither."""
        for path in (self.folder / each for each in _names(name) if match.games):
            try:
                write_match(match, path)
            except ValueError:
                continue
            return path.name
        return ""

    def _free(self, file: sqlite3.Connection, name: str) -> str:
        """A name that no file and no line has, this one or one like it."""
        stem, number = Path(name).stem, 1
        while self._is_taken(file, name):
            number += 1
            name = f"{stem}_{number:03}{ENDINGS[0]}"
        return name

    def _is_taken(self, file: sqlite3.Connection, name: str) -> bool:
        names = _names(name)
        rows = file.execute("SELECT 1 FROM matches WHERE file IN (?, ?)", names)
        return rows.fetchone() is not None or any((self.folder / each).exists() for each in names)

    def _kept_path(self, server: str, player: str, opponent: str) -> Path:
        told = f"{server}-{player.lower()}-{opponent.lower()}"
        digest = sha256(told.encode()).hexdigest()[:DIGEST]  # others may be mangled to the same
        name = cut_off(_mangled(told), MAX_LETTERS, MAX_BYTES)
        return self.folder / UNFINISHED / f"{name}-{digest}.sgf"

    @contextmanager
    def _file(self) -> Iterator[sqlite3.Connection]:
        """The SQLite file, in one transaction; raises StoreError if it cannot be used."""
        path = self.folder / FILE
        try:
            with closing(sqlite3.connect(path, timeout=10.0)) as file, file:
                yield file
        except sqlite3.Error as error:
            raise StoreError(f"cannot use {path}: {error}") from None


def _older_name(kept: Path) -> str:
    """The name that older Blots gave a match that is not over."""
    return f"{kept.stem[: -1 - DIGEST]}.sgf"


def _names(name: str) -> tuple[str, str]:
    """The names that a match's file may have: the same with each ending."""
    return Path(name).with_suffix(ENDINGS[0]).name, Path(name).with_suffix(ENDINGS[1]).name


def _mangled(text: str) -> str:
    return "".join(sign if sign.isalnum() else "_" for sign in text)
