"""Run file: the settings and results of a run in one SQLite file, which nothing but its disk ends.

A piece is in it with all its pairs or not at all, whatever kills the program or the machine.
"""

import json
import os
import sqlite3
import weakref
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bot.backgammon.arena.piece import Piece, PlayedPiece
from bot.backgammon.arena.played_pair import Contest, Fault, GameResult, PlayedGame, PlayedPair

VERSION = 1

_TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE pieces (
    duel INTEGER, first INTEGER, "end" INTEGER, seconds REAL,
    decisions_0 INTEGER, seconds_0 REAL, decisions_1 INTEGER, seconds_1 REAL,
    PRIMARY KEY (duel, first));
CREATE TABLE pairs (duel INTEGER, pair INTEGER, unfinished INTEGER, PRIMARY KEY (duel, pair));
CREATE TABLE games (
    duel INTEGER, pair INTEGER, contest INTEGER, game INTEGER,
    points INTEGER, kind INTEGER, luck REAL, actions TEXT,
    PRIMARY KEY (duel, pair, contest, game));
CREATE TABLE faults (
    duel INTEGER, pair INTEGER, number INTEGER, player INTEGER, reason TEXT, transcript TEXT,
    PRIMARY KEY (duel, pair, number));
"""


class RunFile:
    """The file of a run while this process works with it, and no other; in memory without a path.

    close() leaves it to others, as the end of this value does. Raises ValueError, in one sentence,
    if there is none at the path or it is no run of Blot.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._name = "the results in memory" if path is None else str(path)
        if path is not None and not path.is_file():
            raise ValueError(f"there is no run to go on with at {path}")
        with self._told():
            self._file = sqlite3.connect(path or ":memory:", timeout=1.0)
            self.close = weakref.finalize(self, self._file.close)
            if path is None:
                self._file.executescript(_TABLES)
                return
        try:
            with self._told():
                self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._file.execute("PRAGMA synchronous = FULL")
                self._file.execute("BEGIN EXCLUSIVE")
                self._file.rollback()
            self.settings()
        except ValueError:
            self.close()
            raise

    @classmethod
    def create(cls, path: Path, settings: Mapping[str, Any]) -> "RunFile":
        """A new file with the settings of a run; raises ValueError if there is one."""
        taken = f"{path} is there already: --resume goes on with it"
        if path.exists():
            raise ValueError(taken)
        if not path.absolute().parent.is_dir():
            raise ValueError(f"no folder for the file {path}")
        for left in (path.with_name(f"{path.name}-{ending}") for ending in ("wal", "shm")):
            if left.exists():
                raise ValueError(f"{left} is of another run: move or delete it, or name a new file")
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with closing(sqlite3.connect(unfinished)) as new:
                new.execute("PRAGMA journal_mode = WAL")
                new.executescript(_TABLES)
                values = {"version": VERSION, **settings}
                rows = [(name, json.dumps(value)) for name, value in values.items()]
                new.executemany("INSERT INTO settings VALUES (?, ?)", rows)
                new.commit()
            _move_to_new(unfinished, path)
        except FileExistsError:  # another run has begun meanwhile
            raise ValueError(taken) from None
        except (sqlite3.Error, OSError) as error:
            raise ValueError(f"cannot write {path}: {error}") from None
        finally:
            for ending in ("", "-wal", "-shm"):
                unfinished.with_name(unfinished.name + ending).unlink(missing_ok=True)
        return cls(path)

    def delete(self) -> None:
        """Leave no file behind."""
        self.close()
        if self._path is not None:
            self._path.unlink()

    def settings(self) -> dict[str, Any]:
        """The settings that the run was begun with."""
        with self._told():
            rows = self._file.execute("SELECT name, value FROM settings").fetchall()
            found = {name: json.loads(value) for name, value in rows}
            if found.get("version") != VERSION:
                raise ValueError(f"its version is {found.get('version')!r:.20}, not {VERSION}")
        return found

    def extend(self, settings: Mapping[str, int]) -> None:
        """Write down settings of which there are more now, as the games to be played in all."""
        for name, value in settings.items():
            self._set(name, value)

    def keep_files(self, files: Mapping[str, str]) -> None:
        """Write down, as a setting, the files that this run wrote, each with its sha256."""
        if files:
            self._set("files", files)

    def _set(self, name: str, value: Any) -> None:
        with self._told(), self._file as file:
            row = name, json.dumps(value)
            file.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", row)

    def add(self, played: PlayedPiece) -> None:
        """Write a piece down, in place of one that began with the same pair.

        When this returns no kill and no loss of power takes it back.
        """
        piece = played.piece
        (ours, theirs), duel = played.thought, piece.duel
        key = (duel, piece.first, piece.end)
        with self._told(), self._file as file:
            file.execute("DELETE FROM pieces WHERE duel = ? AND first = ?", key[:2])
            for table in ("pairs", "games", "faults"):
                file.execute(f"DELETE FROM {table} WHERE duel = ? AND pair >= ? AND pair < ?", key)
            row = (duel, piece.first, piece.end, played.seconds, *ours, *theirs)
            file.execute("INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            for pair in played.pairs:
                file.execute(
                    "INSERT INTO pairs VALUES (?, ?, ?)", (duel, pair.number, pair.unfinished)
                )
                file.executemany(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _game_rows(duel, pair)
                )
                file.executemany(
                    "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?)",
                    (
                        (duel, pair.number, i, it.player, it.reason, json.dumps(it.transcript))
                        for i, it in enumerate(pair.faults)
                    ),
                )

    def pieces(self) -> list[Piece]:
        """The pieces that are written down, each duel's in order."""
        with self._told():
            rows = self._file.execute('SELECT duel, first, "end" FROM pieces ORDER BY duel, first')
            return [Piece(*row) for row in rows]

    def played(self, piece: Piece, *, with_actions: bool = False) -> PlayedPiece:
        """A piece that is written down; the actions of its games only if they are wanted."""
        key = (piece.duel, piece.first, piece.end)
        between = "WHERE duel = ? AND pair >= ? AND pair < ? ORDER BY"
        contests: dict[int, tuple[list[PlayedGame], list[PlayedGame]]] = {}
        faults: dict[int, list[Fault]] = {}
        with self._told():
            actions = "actions" if with_actions else "'[]'"
            games = self._file.execute(
                f"SELECT pair, contest, points, kind, luck, {actions} FROM games {between} "
                "pair, contest, game",
                key,
            )
            for pair, contest, points, kind, luck, text in games:
                game = PlayedGame(GameResult(points, kind), tuple(json.loads(text)), luck)
                contests.setdefault(pair, ([], []))[contest].append(game)
            for pair, player, reason, text in self._file.execute(
                f"SELECT pair, player, reason, transcript FROM faults {between} pair, number", key
            ):
                faults.setdefault(pair, []).append(Fault(player, reason, tuple(json.loads(text))))
            pairs = self._file.execute(f"SELECT pair, unfinished FROM pairs {between} pair", key)
            found = tuple(
                PlayedPair(pair, _contests(contests.get(pair)), count, tuple(faults.get(pair, ())))
                for pair, count in pairs
            )
            times = "seconds, decisions_0, seconds_0, decisions_1, seconds_1"
            row = self._file.execute(
                f"SELECT {times} FROM pieces WHERE duel = ? AND first = ?", key[:2]
            ).fetchone()
        return PlayedPiece(piece, found, row[0], ((row[1], row[2]), (row[3], row[4])))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in one sentence what is wrong with the file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                raise ValueError(f"{self._name} is no run of Blot") from None
            is_busy = "locked" in str(error)
            reason = "another Blot is at work with it" if is_busy else str(error)
            raise ValueError(f"cannot use {self._name}: {reason}") from None
        except (sqlite3.Error, ValueError, KeyError) as error:
            raise ValueError(f"{self._name} is no run of Blot, or is damaged: {error}") from None


def _move_to_new(file: Path, path: Path) -> None:
    """Put a file where none is; raises FileExistsError if one is, wherever a disk has links.

    To replace it would take the place from a run that another process has just begun.
    """
    try:
        os.link(file, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        os.replace(file, path)


def _game_rows(duel: int, pair: PlayedPair) -> Iterator[tuple[object, ...]]:
    for side, contest in enumerate(pair.contests):
        for number, game in enumerate(contest):
            actions = json.dumps(game.actions, separators=(",", ":"))
            points, kind = game.result.points, game.result.kind
            yield duel, pair.number, side, number, points, kind, game.luck, actions


def _contests(games: tuple[list[PlayedGame], list[PlayedGame]] | None) -> tuple[Contest, Contest]:
    one, other = games or ([], [])
    return tuple(one), tuple(other)
