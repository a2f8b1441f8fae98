"""Kept games: a person's games in a PDN file, the last of which goes on at the next start."""

import errno
import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bot.archive import write_whole
from bot.draughts.rules.record import GameRecord
from bot.draughts.rules.variant import Variant
from bot.files import Stamp, alone_with, stamp_of
from protocol.draughts.formats.pdn import read_pdn
from protocol.draughts.formats.pdn_writing import pdn_text
from protocol.draughts.table.table import Table
from protocol.state import state_folder

LOCK_WAIT = 10.0
"""Seconds to wait for another Blot that writes to the same file."""


def kept_path(variant: Variant) -> Path:
    """The file of this user's games of a variant."""
    return state_folder() / f"draughts-{variant.name}.pdn"


@dataclass(slots=True)
class KeptGames:
    """The games in a file, to which those at a table are added; the earlier ones stay.

    Games that another Blot has written to the file since are kept as well.
    """

    path: Path
    earlier: tuple[GameRecord, ...] = ()
    _table: Table | None = None
    _written: GameRecord | None = None
    _stamp: Stamp = None
    _text: tuple[tuple[GameRecord, ...], str] | None = None

    @classmethod
    def load(cls, path: Path, variant: Variant) -> "KeptGames":
        """The games in the file, none if there is no file; raises ValueError for a damaged one."""
        stamp = stamp_of(path)
        if stamp is None:
            return cls(path)
        return cls(path, _games(path, variant), _stamp=stamp)

    def take_unfinished(self, variant: Variant) -> Table | None:
        """The table of the last game if that is unfinished, which is no earlier one any more.

        Raises ValueError if it is of another variant, or by the rules no game that goes on.
        """
        if not self.earlier or self.earlier[-1].score is not None:
            return None
        record = self.earlier[-1]
        if record.variant is not variant:
            raise ValueError(
                f"{self.path} has a game of {record.variant.name} draughts: give --variant "
                f"{record.variant.name}, or --new for another game"
            )
        try:
            return self.take(len(self.earlier) - 1)
        except ValueError as error:
            raise ValueError(
                f"cannot go on with game {len(self.earlier)} of {self.path}: {error}; give --new "
                "for another game"
            ) from None

    def take(self, number: int) -> Table:
        """The table of an earlier game, which is none any more; raises ValueError without one."""
        if not 0 <= number < len(self.earlier):
            raise ValueError(f"there is no game {number + 1} in {self.path}")
        record = self.earlier[number]
        table = Table.of_record(record)
        self.earlier = self.earlier[:number] + self.earlier[number + 1 :]
        self._leave()
        self._table, self._written = table, record
        return table

    def keep(self, table: Table) -> None:
        """Write the games; a table that is another than before has a further one.

        Raises ValueError or OSError in one sentence if they cannot be written.
        """
        self.prepare()
        with alone_with(self.path, LOCK_WAIT):
            self.read_again(table.variant)
            if self._table is not table:
                self._leave()
            self._table, self._written = table, table.record
            text = "\n".join(filter(None, (self._earlier_text(), pdn_text([self._written]))))
            write_whole(self.path, lambda file: file.write(text.encode()))
            self._stamp = stamp_of(self.path)

    def prepare(self) -> None:
        """Make the folder; raises ValueError or OSError if games cannot be written there."""
        folder = self.path.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f"the folder {folder} cannot be made: {error.strerror}") from None
        if not os.access(folder, os.W_OK):
            raise OSError(f"cannot write {self.path}: {os.strerror(errno.EACCES)}")

    @property
    def digest(self) -> str:
        """A mark of the earlier games in their order, another for any others."""
        return sha256(self._earlier_text().encode()).hexdigest()[:16]

    def _earlier_text(self) -> str:
        """The earlier games as they are written."""
        if self._text is None or self._text[0] is not self.earlier:
            self._text = (self.earlier, pdn_text(self.earlier))
        return self._text[1]

    def read_again(self, variant: Variant) -> None:
        """Take what another Blot has written since; raises ValueError for a damaged file."""
        stamp = stamp_of(self.path)
        if stamp is None or stamp == self._stamp:
            return
        games = list(_games(self.path, variant))
        if self._written in games:
            games.remove(self._written)
        self.earlier, self._stamp = tuple(games), stamp

    def _leave(self) -> None:
        """Let the game at the table so far be an earlier one."""
        if self._table is not None and self._table.moves:
            self.earlier = (*self.earlier, self._table.record)


def _games(path: Path, variant: Variant) -> tuple[GameRecord, ...]:
    read = read_pdn(path, variant)
    if read.faults:
        raise ValueError(
            f"cannot add games to {path}: {read.faults[0]}; mend the file, or move it away"
        )
    return read.games
