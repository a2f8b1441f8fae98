"""Match files of a duel: its games written down while it goes on, in each format asked for."""

import itertools
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bot.backgammon.rules.record import GameRecord, MatchRecord, Occasion, Rules
from protocol.backgammon.formats.match_file import dated_name, write_match, writer_of

GAMES_PER_WRITING = 25
"""Money games after which their file is written anew."""


class OwnFiles:
    """The files that a run may write: those it wrote itself, and those that are not there.

    own: files that were its own before, by place_of.
    """

    def __init__(self, own: Collection[Path] = ()) -> None:
        self._own = set(own)
        self.written: list[Path] = []

    def allow(self, file: Path) -> bool:
        """Whether the file may be written."""
        place = place_of(file)
        return place in self._own or not os.path.lexists(place)

    def check(self, *files: Path) -> None:
        """Raise ValueError if somebody else has written one of the files."""
        taken = [str(file) for file in files if not self.allow(file)]
        if taken:
            left = "it is left as it is" if len(taken) == 1 else "they are left as they are"
            verb = "was" if len(taken) == 1 else "were"
            raise ValueError(f"{' and '.join(taken)} {verb} written by others meanwhile: {left}")

    def add(self, file: Path) -> None:
        """Take a file that has just been written for the run's own."""
        place = place_of(file)
        self._own.add(place)
        self.written.append(place)


class MatchFiles:
    """Takes games as they are played: each match gets a file, money games are all in one.

    paths: the files; later matches get a number behind their names, as in numbered. own: files
    that are there and may be written over, by place_of; no others are.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        players: tuple[str, str],
        rules: Rules,
        *,
        own: Collection[Path] = (),
        games_per_writing: int = GAMES_PER_WRITING,
    ) -> None:
        date = f"{datetime.now():%Y-%m-%d}"
        self._paths = paths
        self._files = OwnFiles(own)
        self._games_per_writing = games_per_writing
        self._match = MatchRecord(players, rules, occasion=Occasion(date=date))
        self._games: list[GameRecord] = []
        self._played = 0
        self._is_written = True

    @property
    def written(self) -> Sequence[Path]:
        """The files that were written, by place_of."""
        return self._files.written

    def add(self, games: Sequence[GameRecord]) -> None:
        """Take a money game, or the games of a match; raises ValueError if writing fails."""
        self._played += 1
        if self._match.rules.length is not None:
            self._write(replace(self._match, games=tuple(games)), self._played - 1)
            return
        points = self._games[-1].points_after if self._games else (0, 0)
        self._games.append(replace(games[0], points=points))
        self._is_written = False
        if self._played % self._games_per_writing == 0:
            self.finish()

    def finish(self) -> None:
        """Write the money games that are not in the file yet."""
        if not self._is_written:
            self._write(replace(self._match, games=tuple(self._games)), 0)
            self._is_written = True

    def _write(self, match: MatchRecord, number: int) -> None:
        files = [numbered(path, number) for path in self._paths]
        for file in filter(self._files.allow, files):
            write_match(match, file)
            self._files.add(file)
        self._files.check(*files)


def numbered(file: Path, number: int) -> Path:
    """The file itself for the first match, then with _002 and so on, as gnubg numbers files."""
    return file if number == 0 else file.with_name(f"{file.stem}_{number + 1:03}{file.suffix}")


def file_in(path: Path, ending: str, players: tuple[str, str]) -> Path:
    """The file that a path means: itself, or one named by date and players if it is a folder.

    Raises ValueError if there is no folder for it, or its name has another ending.
    """
    if path.is_dir():
        return path / dated_name(players, datetime.now(), ending)
    if path.suffix.lower() != ending:
        raise ValueError(f"{path} is no folder, and as a file its name would end with {ending}")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"no folder for the file {path}")
    writer_of(path)
    return path


def place_of(file: Path) -> Path:
    """Where a file lies, by whatever way its folder was named."""
    return file.parent.resolve() / file.name


def refuse_taken(files: Sequence[Path], matches: int, own: Collection[Path] = ()) -> None:
    """Raise ValueError if a file to write is there already, is written twice or cannot be written.

    matches: how many of each name, see numbered. own: files that may be written over, by place_of.
    """
    places = [place_of(file) for file in files]
    for place, other in itertools.permutations(places, 2):
        if place.parent == other.parent and _number(other.name, place, matches) is not None:
            raise ValueError(
                f"the games of several players would be written to {other.name}: give them other "
                "names, as aliases in a file of --engines"
            )
    for file, place in zip(files, places, strict=True):
        if not os.access(place.parent, os.W_OK):
            raise ValueError(f"cannot write {file}: nothing may be written in its folder")
        others = (path for path in place.parent.iterdir() if path not in own)
        numbers = (_number(path.name, place, matches) for path in others)
        taken = [number for number in numbers if number is not None]
        if taken:
            raise ValueError(f"{numbered(file, min(taken))} is there already: name a new file")


def _number(name: str, file: Path, matches: int) -> int | None:
    """Which match would be written to that name, see numbered; None if none would."""
    if name == file.name:
        return 0
    digits = name.removeprefix(f"{file.stem}_").removesuffix(file.suffix)
    number = int(digits) - 1 if digits.isdecimal() else 0
    return number if 0 <= number < matches and numbered(file, number).name == name else None
