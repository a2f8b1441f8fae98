"""Kept games: a person's games in a PDN file, the last of which goes on at the next start."""

from dataclasses import dataclass
from pathlib import Path

from bot.draughts.rules.record import GameRecord
from bot.draughts.rules.variant import Variant
from protocol.draughts.formats.pdn import read_pdn
from protocol.draughts.formats.pdn_writing import write_pdn
from protocol.draughts.table.table import HUMAN, Table
from protocol.state import state_folder


def kept_path(variant: Variant) -> Path:
    """The file of this user's games of a variant."""
    return state_folder() / f"draughts-{variant.name}.pdn"


@dataclass(slots=True)
class KeptGames:
    """The games in a file, to which those at a table are added; the earlier ones stay."""

    path: Path
    earlier: tuple[GameRecord, ...] = ()
    _table: Table | None = None

    @classmethod
    def load(cls, path: Path, variant: Variant) -> "KeptGames":
        """The games in the file, none if there is no file; raises ValueError for a damaged one."""
        if not path.exists():
            return cls(path)
        read = read_pdn(path, variant)
        if read.faults:
            raise ValueError(f"cannot go on with {path}: {read.faults[0]}")
        return cls(path, read.games)

    def take_unfinished(self, variant: Variant) -> Table | None:
        """The table of the last game if that is unfinished, which is no earlier one any more.

        Raises ValueError if it is of another variant.
        """
        if not self.earlier or self.earlier[-1].score is not None:
            return None
        record = self.earlier[-1]
        if record.variant is not variant:
            raise ValueError(
                f"{self.path} has a game of {record.variant.name} draughts: give --variant "
                f"{record.variant.name}, or --new for another game"
            )
        names = dict(record.tags)
        players = (names.get("White", HUMAN), names.get("Black", HUMAN))
        table = Table(record.start, players, list(record.moves))
        self.earlier, self._table = self.earlier[:-1], table
        return table

    def keep(self, table: Table) -> None:
        """Write the games; a table that is another than before has a further one.

        Raises ValueError or OSError in one sentence if they cannot be written.
        """
        if self._table is not None and self._table is not table and self._table.moves:
            self.earlier = (*self.earlier, self._table.record)
        self._table = table
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror
            raise ValueError(f"the folder {self.path.parent} cannot be made: {reason}") from None
        write_pdn([*self.earlier, table.record], self.path)
