"""Run: a learner carried through its games, with checkpoints in a folder of its own."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.archive import read_archive, write_archive
from bot.backgammon.network import Network
from bot.backgammon.training.settings import Settings, settings_of
from bot.backgammon.training.temporal_difference import TemporalDifference

CHECKPOINT = "checkpoint.npz"
CHECKPOINT_VERSION = 1
ROUND = 100
"""Games between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come; seconds are those spent playing and learning, all sessions added."""

    games: int
    plies: int
    broken_off: int
    seconds: float
    settings: Settings


class Run:
    """One network's training in one folder: checkpoint.npz, and weights.npz when it is done."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings
        self._learner = TemporalDifference(settings)
        self._seconds = 0.0

    @classmethod
    def start(cls, folder: Path, settings: Settings) -> "Run":
        """A new run; raises ValueError if the folder holds another one."""
        if (folder / CHECKPOINT).exists():
            raise ValueError(f"{folder} holds another run: resume it or choose another folder")
        folder.mkdir(parents=True, exist_ok=True)
        run = cls(folder, settings)
        run.save()
        return run

    @classmethod
    def resume(cls, folder: Path) -> "Run":
        """The run in a folder as its last checkpoint left it; raises ValueError without one."""
        path = folder / CHECKPOINT
        if not path.exists():
            raise ValueError(f"{folder} holds no run: there is no {CHECKPOINT} in it")
        header, state = read_archive(path, "checkpoint", CHECKPOINT_VERSION)
        settings = settings_of(header["settings"])
        run = cls(folder, settings)
        run._learner.restore(state)
        run._seconds = float(header["seconds"])
        return run

    @property
    def progress(self) -> Progress:
        """How far the run has come."""
        tally = self._learner.tally
        return Progress(tally.games, tally.plies, tally.broken_off, self._seconds, self.settings)

    def go_on(
        self, report: Callable[[Progress], None], seconds_between_checkpoints: float = 30.0
    ) -> Network:
        """Train to the end, reporting a few times a second; the network, also in weights.npz.

        An interruption leaves the folder with the last checkpoint, at most so many seconds old.
        """
        saved = time.monotonic()
        try:
            while self._learner.tally.games < self.settings.games:
                started = time.perf_counter()
                self._learner.advance(min(ROUND, self.settings.games - self._learner.tally.games))
                self._seconds += time.perf_counter() - started
                report(self.progress)
                if time.monotonic() - saved > seconds_between_checkpoints:
                    self.save()
                    saved = time.monotonic()
        finally:
            self.save()
        network = self.network
        network.save(self.folder / "weights.npz")
        return network

    @property
    def network(self) -> Network:
        """The network as it is now, with its history."""
        progress = self.progress
        history = {
            "learner": "temporal difference",
            "settings": asdict(self.settings),
            "games": progress.games,
            "plies": progress.plies,
            "broken_off": progress.broken_off,
            "seconds": round(progress.seconds, 1),
        }
        return Network(self._learner.network.layers, history=history)

    def save(self) -> None:
        """Write the checkpoint; the one before stays until this one is complete."""
        header = {
            "version": CHECKPOINT_VERSION,
            "settings": asdict(self.settings),
            "seconds": self._seconds,
        }
        write_archive(self.folder / CHECKPOINT, header, self._learner.state())
