"""Run: a learner carried through its games, with checkpoints and tests in a folder of its own."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.archive import read_archive, write_archive
from bot.backgammon.network import Network
from bot.backgammon.training.measurement import (
    Measurement,
    measured,
    measurement_of,
    write_measurements,
)
from bot.backgammon.training.settings import Settings, settings_of
from bot.backgammon.training.temporal_difference import TemporalDifference

CHECKPOINT = "checkpoint.npz"
CHECKPOINT_VERSION = 2
TESTS = "tests.csv"
ROUND = 100
"""Games of each worker between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    seconds: spent playing and learning, all sessions added, testing apart; measurement: the latest.
    """

    games: int
    plies: int
    broken_off: int
    seconds: float
    settings: Settings
    measurement: Measurement | None


class Run:
    """One network's training in one folder.

    checkpoint.npz; tests.csv with a row for each test; snapshots/ with the network at each test;
    weights.npz when it is done.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings
        self.measurements: list[Measurement] = []
        self._learner = TemporalDifference(settings)
        self._seconds = 0.0

    @classmethod
    def start(cls, folder: Path, settings: Settings) -> "Run":
        """A new run; raises ValueError if the folder holds another one."""
        if (folder / CHECKPOINT).exists():
            raise ValueError(f"{folder} holds another run: resume it or choose another folder")
        (folder / "snapshots").mkdir(parents=True, exist_ok=True)
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
        run = cls(folder, settings_of(header["settings"]))
        run._learner.restore(state)
        run._seconds = float(header["seconds"])
        run.measurements = [measurement_of(row) for row in header["measurements"]]
        return run

    @property
    def progress(self) -> Progress:
        """How far the run has come."""
        tally = self._learner.tally
        return Progress(
            tally.games,
            tally.plies,
            tally.broken_off,
            self._seconds,
            self.settings,
            self.measurements[-1] if self.measurements else None,
        )

    def go_on(
        self, report: Callable[[Progress], None], seconds_between_checkpoints: float = 30.0
    ) -> Network:
        """Train to the end, reporting a few times a second; the network, also in weights.npz.

        An interruption leaves the folder with the last checkpoint, at most so many seconds old.
        """
        saved = time.monotonic()
        try:
            while self.progress.games < self.settings.games:
                self._play_round()
                report(self.progress)
                if self._is_test_due():
                    self._test()
                    report(self.progress)
                    saved = 0.0
                if time.monotonic() - saved > seconds_between_checkpoints:
                    self.save()
                    saved = time.monotonic()
        finally:
            self._learner.close()
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
        """Write the checkpoint and the table of measurements; the old ones stay until then."""
        header = {
            "version": CHECKPOINT_VERSION,
            "settings": asdict(self.settings),
            "seconds": self._seconds,
            "measurements": [asdict(measurement) for measurement in self.measurements],
        }
        write_archive(self.folder / CHECKPOINT, header, self._learner.state())
        write_measurements(self.folder / TESTS, self.measurements)

    def _play_round(self) -> None:
        games = self.progress.games
        next_test = games - games % self.settings.test_every + self.settings.test_every
        most = ROUND * self.settings.workers
        started = time.perf_counter()
        self._learner.advance(min(most, self.settings.games - games, next_test - games))
        self._seconds += time.perf_counter() - started

    def _is_test_due(self) -> bool:
        games = self.progress.games
        return games % self.settings.test_every == 0 or games == self.settings.games

    def _test(self) -> None:
        """Play against pubeval and random, with the same dice at every test; keep a snapshot."""
        network = self.network
        progress = self.progress
        self.measurements.append(
            measured(
                network,
                games=progress.games,
                seconds=progress.seconds,
                plies_per_game=progress.plies / progress.games,
                test_games=self.settings.test_games,
                seed=self.settings.seed,
            )
        )
        network.save(self.folder / "snapshots" / f"{progress.games:09}.npz")
