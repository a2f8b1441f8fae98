"""Match store: what was played on servers, in files and in one SQLite file, a line a match."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path

from bot.backgammon.rules.record import MatchRecord
from protocol.backgammon.formats.match_file import dated_name, read_match, write_match

FILE = "matches.db"
UNFINISHED = "unfinished"

_TABLES = """
CREATE TABLE IF NOT EXISTS matches (
    number INTEGER PRIMARY KEY, server TEXT, player TEXT, opponent TEXT, length INTEGER,
    points INTEGER, other_points INTEGER, ended TEXT, games INTEGER, gaps INTEGER,
    rating_before REAL, other_rating REAL, error_rate REAL, luck REAL, file TEXT,
    rating_after REAL);
CREATE TABLE IF NOT EXISTS departures (server TEXT, opponent TEXT, left TEXT);
"""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Our errors in a match, as eXtreme Gammon's PR, and our luck in equity; None: unknown."""

    error_rate: float | None = None
    luck: float | None = None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A line of the store; points are ours and the opponent's, length is None if unlimited.

    ended: UTC, as ISO 8601 writes it. gaps: how often the record lost its way. file: the name of
    the match's file, empty if there is none.
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

    @property
    def is_won(self) -> bool:
        """Whether we have won it."""
        return self.points > self.other_points


COLUMNS = tuple(each.name for each in fields(PlayedMatch))


class MatchStore:
    """The matches of one folder; judge: tells errors and luck of a match, for seat 0.

    Raises ValueError, in one sentence, if the folder cannot be used.
    """

    def __init__(
        self, folder: Path, judge: Callable[[MatchRecord], Judgement] = lambda _: Judgement()
    ) -> None:
        self.folder = folder
        self._judge = judge
        try:
            (folder / UNFINISHED).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f"cannot use the folder {folder}: {error.strerror}") from None
        with self._file() as file:
            file.executescript(_TABLES)

    def kept(self, server: str, opponent: str) -> MatchRecord | None:
        """The record so far of a match that was saved; None without one that can be read."""
        path = self._kept_path(server, opponent)
        if not path.exists():
            return None
        try:
            return read_match(path).whole
        except ValueError:
            return None

    def keep(self, server: str, match: MatchRecord) -> None:
        """Keep a match that was saved, as far as it went; a record with gaps may not be kept."""
        path = self._kept_path(server, match.players[1])
        try:
            write_match(match, path)
        except ValueError:
            path.unlink(missing_ok=True)

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
        """Write a finished match down; the number of its line."""
        path = self._write(match)
        judgement = self._judged(match) if path is not None else Judgement()
        line = replace(
            played,
            ended=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
            games=len(match.games),
            error_rate=judgement.error_rate,
            luck=judgement.luck,
            file=path.name if path else "",
        )
        self._kept_path(played.server, played.opponent).unlink(missing_ok=True)
        marks = ", ".join("?" * len(COLUMNS))
        with self._file() as file:
            file.execute(
                "DELETE FROM departures WHERE server = ? AND opponent = ?",
                (played.server, played.opponent.lower()),
            )
            row = file.execute(
                f"INSERT INTO matches ({', '.join(COLUMNS)}) VALUES ({marks})", astuple(line)
            )
            assert row.lastrowid is not None
            return row.lastrowid

    def rate(self, number: int, rating: float) -> None:
        """Add our rating after the match of a line."""
        with self._file() as file:
            file.execute("UPDATE matches SET rating_after = ? WHERE number = ?", (rating, number))

    def matches(self) -> list[PlayedMatch]:
        """All finished matches, in their order."""
        with self._file() as file:
            rows = file.execute(f"SELECT {', '.join(COLUMNS)} FROM matches ORDER BY number")
            return [PlayedMatch(*row) for row in rows]

    def _judged(self, match: MatchRecord) -> Judgement:
        try:
            return self._judge(match)
        except ValueError:
            return Judgement()

    def _write(self, match: MatchRecord) -> Path | None:
        """Write the match as .mat, as .sgf where it has gaps that .mat has no room for."""
        for ending in (".mat", ".sgf"):
            path = self._free(dated_name(match.players, datetime.now(), ending))
            try:
                write_match(match, path)
            except ValueError:
                continue
            return path
        return None

    def _free(self, name: str) -> Path:
        """A file of this name, or of one like it if there is one."""
        path = self.folder / name
        number = 1
        while path.exists():
            number += 1
            path = self.folder / f"{Path(name).stem}_{number:03}{Path(name).suffix}"
        return path

    def _kept_path(self, server: str, opponent: str) -> Path:
        name = "".join(sign if sign.isalnum() else "_" for sign in f"{server}-{opponent.lower()}")
        return self.folder / UNFINISHED / f"{name[:100]}.sgf"

    @contextmanager
    def _file(self) -> Iterator[sqlite3.Connection]:
        """The SQLite file, in one transaction; raises ValueError if it cannot be used."""
        path = self.folder / FILE
        try:
            with closing(sqlite3.connect(path, timeout=10.0)) as file, file:
                yield file
        except sqlite3.Error as error:
            raise ValueError(f"cannot use {path}: {error}") from None
