"""Kept games: the games that go on after a break, each in a file by its name."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from bot.files import Stamp, stamp_of
from protocol.backgammon.table.saved_game import load, save
from protocol.backgammon.table.table import HUMAN, Table

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
FIRST = "game"
"""The name of a game that nobody has named; further ones have a number behind it."""


@dataclass(slots=True)
class KeptGame:
    """A place for one game; one without people is kept there only if keeps_bots.

    stamp: of the file as it was last read or written here; another Blot may have written it since.
    """

    path: Path
    keeps_bots: bool = False
    stamp: Stamp = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """The name that people call it by."""
        return self.path.stem

    @property
    def exists(self) -> bool:
        """Whether a game is kept there."""
        return self.path.exists()

    @property
    def played(self) -> datetime:
        """When the game was last played; ValueError if it cannot be read."""
        try:
            return datetime.fromtimestamp(self.path.stat().st_mtime)
        except OSError as error:
            raise ValueError(f"cannot read {self.path}: {error.strerror}") from None

    def takes(self, table: Table) -> bool:
        """Whether a game of these players is kept here."""
        return self.keeps_bots or HUMAN in table.setting.players

    def keep(self, table: Table) -> None:
        """Write the table, to another place if another Blot has written a game to this one.

        Raises ValueError if that cannot be done.
        """
        if _stamp(self.path) not in (None, self.stamp):
            self.path = _free(self.path.parent, self.name, self.path.suffix)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(
                f"the folder {self.path.parent} cannot be made: {error.strerror}"
            ) from None
        save(table, self.path)
        self.stamp = _stamp(self.path)

    def load(self) -> Table | None:
        """The table kept, None if there is none; raises ValueError for a damaged one."""
        self.stamp = _stamp(self.path)
        return load(self.path) if self.exists else None

    def forget(self) -> None:
        """Keep nothing; what another Blot has written stays."""
        if _stamp(self.path) == self.stamp:
            with suppress(OSError):
                self.path.unlink()
        self.stamp = None

    def set_aside(self) -> Path:
        """Move a damaged file out of the way; where it is now. Raises OSError if it stays."""
        aside = _free(self.path.parent, self.name, ".damaged")
        self.path.replace(aside)
        return aside


@dataclass(frozen=True, slots=True)
class KeptGames:
    """All games in a folder."""

    folder: Path

    def called(self, name: str) -> KeptGame:
        """The place of that name, with or without a game; ValueError if there can be none."""
        if not NAME.fullmatch(name):
            raise ValueError(
                f"a game is named with up to 40 letters, digits, - and _, not {name[:60]!r}"
            )
        return KeptGame(self.folder / f"{name}.json", keeps_bots=True)

    def free(self) -> KeptGame:
        """A place for a game without a name, where none is kept."""
        return KeptGame(_free(self.folder, FIRST, ".json"))

    def all(self) -> list[KeptGame]:
        """The games kept, the one played last first."""
        files = [path for path in self.folder.glob("*.json") if NAME.fullmatch(path.stem)]
        return [KeptGame(path) for path in sorted(files, key=_age)]


def load_kept(place: KeptGame) -> Table:
    """The game kept there; raises ValueError if it is damaged or gone."""
    table = place.load()
    if table is None:
        raise ValueError(f"no game is kept as {place.name}")
    return table


def _free(folder: Path, name: str, suffix: str) -> Path:
    """A file that is not there, of that name, with a number behind it if need be."""
    path, number = folder / f"{name}{suffix}", 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}{suffix}"
    return path


def _stamp(path: Path) -> Stamp:
    return stamp_of(path) if os.path.isfile(path) else None


def _age(path: Path) -> float:
    """Sorts files from the latest on; one that has just gone is the oldest."""
    try:
        return -path.stat().st_mtime_ns
    except OSError:
        return 0.0
