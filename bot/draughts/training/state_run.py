"""State run: the learning of a table of states in a folder of its own, resumable."""

import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from bot.archive import read_archive, write_archive
from bot.draughts.training.settings import settings_in
from bot.draughts.training.state_learning import SIDES, LearningSettings, StateLearning
from bot.files import Stamp, make_folder, stamp_of
from bot.run_folder import CHECKPOINT, alone_in

VERSION = 1
STATES = "states.npz"

_SECONDS_A_ROUND = 0.2


class StateRun:
    """One learning in one folder: checkpoint.npz, and when it is done the table in states.npz.

    Two tables are in states-white.npz and states-black.npz. seconds: spent, all sessions added.
    """

    def __init__(self, folder: Path, settings: LearningSettings) -> None:
        self.folder = folder
        self.learning = StateLearning(settings)
        self.seconds = 0.0
        self._stamp: Stamp = None

    @property
    def settings(self) -> LearningSettings:
        """The settings of the run."""
        return self.learning.settings

    @classmethod
    def start(cls, folder: Path, settings: LearningSettings) -> "StateRun":
        """A new run; raises ValueError if the folder holds another one, or its tables."""
        run = cls(folder, settings)
        for path in (folder / CHECKPOINT, *run.table_files):
            if path.exists():
                raise ValueError(
                    f"{path} would be written over: go on with the run, or choose another folder"
                )
        make_folder(folder)
        run.save()
        return run

    @classmethod
    def resume(cls, folder: Path, games: int | None = None) -> "StateRun":
        """The run in a folder as its last checkpoint left it; raises ValueError without one.

        games: to play in all from now on, no fewer than it has played.
        """
        path = folder / CHECKPOINT
        if not path.exists():
            raise ValueError(f"{folder} holds no run: there is no {CHECKPOINT} in it")
        stamp = stamp_of(path)
        header, state = read_archive(path, "checkpoint of draughts", VERSION, ["variant"])
        settings = settings_in(
            path, header, LearningSettings, ("trace", f"blot draughts train --resume {folder}")
        )
        try:
            run = cls(folder, settings)
            run.learning.restore(state)
            run.seconds = float(header["seconds"])
            run._stamp = stamp
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} cannot be gone on with: {error}") from None
        if games is not None:
            if games < run.learning.results.games:
                played = run.learning.results.games
                raise ValueError(f"the run in {folder} has played {played:,} games already")
            run.learning.settings = replace(run.settings, games=games)
        return run

    @property
    def table_files(self) -> list[Path]:
        """The files of the table, or of White's and of Black's, at the end."""
        if self.settings.is_shared:
            return [self.folder / STATES]
        return [self.folder / f"states-{side}.npz" for side in SIDES]

    def go_on(
        self,
        report: Callable[[int], object],
        *,
        is_stopped: Callable[[], bool] = lambda: False,
        seconds_between_checkpoints: float = 10.0,
    ) -> None:
        """Learn to the end, telling the games played a few times a second, and write the tables.

        is_stopped: asked after each round; if so the run is saved and KeyboardInterrupt raised.
        Checkpoints take a tenth of the time at most. Raises ValueError if another process learns
        in the folder, or has learnt there since the run was read.
        """
        with alone_in(self.folder, self._stamp):
            due = time.monotonic() + seconds_between_checkpoints
            round_games = 1
            while (left := self.settings.games - self.learning.results.games) > 0:
                began = time.monotonic()
                self.learning.advance(min(round_games, left))
                ended = time.monotonic()
                self.seconds += ended - began
                round_games = max(1, round(round_games * _ratio(ended - began)))
                ends = is_stopped()  # asked once: a stop between two askings would save nothing
                if ended > due or ends:
                    self.save()
                    saved = time.monotonic()
                    due = saved + max(seconds_between_checkpoints, 10 * (saved - ended))
                if ends:
                    raise KeyboardInterrupt
                report(self.learning.results.games)
            self.save()
            self.save_tables()

    def save_tables(self) -> None:
        """Write the tables as they are, for players that ask them."""
        for path, table in zip(self.table_files, self.learning.tables, strict=False):
            table.save(path)

    def save(self) -> None:
        """Write the checkpoint; the old one stays until it is there."""
        header = {
            "version": VERSION,
            "settings": asdict(self.settings),
            "seconds": self.seconds,
        }
        write_archive(self.folder / CHECKPOINT, header, self.learning.state())
        self._stamp = stamp_of(self.folder / CHECKPOINT)


def _ratio(seconds: float) -> float:
    """By how much the next round is to be longer than one that took so long."""
    return min(max(_SECONDS_A_ROUND / max(seconds, 1e-6), 0.5), 2.0)
