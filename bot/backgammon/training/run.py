"""Run: a learner carried through its games, with checkpoints and tests in a folder of its own."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Protocol

from bot.archive import Arrays, read_archive, write_archive, write_whole
from bot.backgammon.arena.benchmark import KindErrors
from bot.backgammon.compilation import player_jobs
from bot.backgammon.evaluation.inputs import CLASSIC
from bot.backgammon.evaluation.network import Network
from bot.backgammon.training.game_count import GameCount
from bot.backgammon.training.lookahead import Lookahead
from bot.backgammon.training.measurement import (
    Measurement,
    kind_errors,
    measured,
    measurement_of,
    write_measurements,
)
from bot.backgammon.training.mutation import Mutation
from bot.backgammon.training.plays_lost import SHARE_OF_TEST_GAMES
from bot.backgammon.training.settings import LearnerName, Schedule, Settings
from bot.backgammon.training.settings_table import settings_of, settings_text
from bot.backgammon.training.temporal_difference import TemporalDifference
from bot.files import Stamp, stamp_of
from bot.run_folder import (
    CHECKPOINT,
    SETTINGS,
    SNAPSHOTS,
    TESTS,
    WEIGHTS,
    alone_in,
    prepare,
    prepare_snapshots,
)
from bot.weights import DEFAULT

TEST_JOBS = ("boards", "evaluation", "tests")
"""Jobs to compile for the tests of a run: duels, and the errors by kind of game."""

CHECKPOINT_VERSION = 4
_KIND = "checkpoint of backgammon"


class Learner(Protocol):
    """The learner that a run takes through its games."""

    settings: Settings
    tally: GameCount

    @property
    def round_games(self) -> int:
        """Games of a round, after which a run may stop: work for some seconds at most."""

    def advance(self, games: int) -> None:
        """Play a round of so many games and learn; a round of none makes ready."""

    @property
    def network(self) -> Network:
        """The network as it is now, a copy."""

    def state(self) -> Arrays:
        """All that advance changes, as arrays by name."""

    def restore(self, state: Arrays) -> None:
        """Go back to a state; raises ValueError if it is of another network."""

    def close(self) -> None:
        """End what advance started."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a run.

    seconds: spent playing and learning, all sessions added, testing apart; tested: games of the
    test going on, None outside of one; measurement: the latest; kinds: what it was off by kind of
    game, empty if another session measured that.
    """

    games: int
    plies: int
    broken_off: int
    seconds: float
    settings: Settings
    measurement: Measurement | None
    tested: int | None = None
    kinds: Sequence[KindErrors] = ()


class Run:
    """One network's training in one folder.

    checkpoint.npz; settings.toml, for people and for another run; tests.csv with a row for each
    test; snapshots/ with the network at each test; weights.npz when it is done.
    """

    def __init__(self, folder: Path, settings: Settings, learner: Learner) -> None:
        self.folder = folder
        self.settings = settings
        self.measurements: list[Measurement] = []
        self.prolonged: list[tuple[int, int]] = []
        self._learner = learner
        self._seconds = 0.0
        self._kinds: Sequence[KindErrors] = ()
        self._stamp: Stamp = None

    @classmethod
    def start(cls, folder: Path, settings: Settings) -> "Run":
        """A new run; raises ValueError if the folder holds another one, or a file of its names."""
        run = cls(folder, settings, _learner_of(settings))
        prepare(folder)
        run.save()
        return run

    @classmethod
    def resume(cls, folder: Path, games: int | None = None) -> "Run":
        """The run in a folder as its last checkpoint left it; raises ValueError without one.

        games: to play in all from now on, more than it has played; the schedule's rates are spread
        over all of them, so that they rise again where a run has ended.
        """
        path = folder / CHECKPOINT
        if not path.exists():
            raise ValueError(f"{folder} holds no run: there is no {CHECKPOINT} in it")
        stamp = stamp_of(path)
        header, state = read_archive(path, _KIND, CHECKPOINT_VERSION, ["measurements"])
        try:
            table = dict(header["settings"])
            if table.get("learner") == LearnerName.TEMPORAL_DIFFERENCE and "outputs" not in table:
                # from before that learner had a choice of inputs: what stands there was never used
                table["inputs"] = str(CLASSIC)
            if table.get("start") and "teacher_inputs" not in state:
                # from before a start could have another teacher: what stands there was never used
                table["teacher"] = ""
            settings = settings_of(table)
            # the networks it began with are in the checkpoint, the pruner apart: their files may be
            # gone
            run = cls(folder, settings, _learner_of(replace(settings, start="", teacher=DEFAULT)))
            run._learner.restore(state)
            run._stamp = stamp
            run._seconds = float(header["seconds"])
            run.measurements = [measurement_of(row) for row in header["measurements"]]
            run.prolonged = [(int(at), int(end)) for at, end in header.get("prolonged", ())]
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} cannot be gone on with: {error}") from None
        if games is not None and games != settings.games:
            run._prolong(games)
        return run

    def _prolong(self, games: int) -> None:
        played = self.progress.games
        if games <= played:
            raise ValueError(
                f"the run in {self.folder} has played {played:,} games: --games, which counts "
                f"those, is more than that, not {games:,}"
            )
        self.prolonged.append((played, self.settings.games))
        self.settings = self._learner.settings = replace(self.settings, games=games)

    @property
    def progress(self) -> Progress:
        """Progress of the run."""
        tally = self._learner.tally
        return Progress(
            tally.games,
            tally.plies,
            tally.broken_off,
            self._seconds,
            self.settings,
            self.measurements[-1] if self.measurements else None,
            kinds=self._kinds,
        )

    @property
    def jobs(self) -> list[str]:
        """The jobs to compile for it; see bot.backgammon.compilation."""
        if self.settings.learner is LearnerName.LOOKAHEAD:
            return [*player_jobs(searches=False), "lookahead training", "tests"]
        if self.settings.learner is LearnerName.MUTATION:
            return [*TEST_JOBS]
        return ["self-play of several" if self.settings.workers > 1 else "self-play", *TEST_JOBS]

    def make_ready(self) -> None:
        """Start the workers, which go_on would do, too; if that fails they are gone again."""
        try:
            self._learner.advance(0)
        except BaseException:
            self._learner.close()
            raise

    def go_on(
        self,
        report: Callable[[Progress], None],
        *,
        is_stopped: Callable[[], bool] = lambda: False,
        seconds_between_checkpoints: float = 30.0,
    ) -> Network:
        """Train to the end, reporting after rounds and in tests; the network, also in weights.npz.

        is_stopped: asked after each round; if so the run is saved and KeyboardInterrupt raised.
        Any other end leaves the folder with the last checkpoint, at most so many seconds old; so
        does a worker that dies, which is a KeyboardInterrupt, too, if the run is to stop. Raises
        ValueError if another process trains in the folder, or has done so since this one read the
        checkpoint.
        """

        def pause(progress: Progress) -> None:
            report(progress)
            if is_stopped():
                self.save()
                raise KeyboardInterrupt

        alone = alone_in(self.folder, self._stamp)
        with alone, closing(self._learner), _told_to_stop(is_stopped):
            self.make_ready()
            self.save()
            saved = time.monotonic()
            while True:
                if self._is_test_due():
                    self._test(pause)
                    self.save()
                    saved = time.monotonic()
                if self.progress.games >= self.settings.games:
                    break
                self._play_round()
                if time.monotonic() - saved > seconds_between_checkpoints:
                    self.save()
                    saved = time.monotonic()
                pause(self.progress)
            report(self.progress)
            network = self.network
            network.save(self.folder / WEIGHTS)
        return network

    @property
    def network(self) -> Network:
        """The network as it is now, with its history."""
        progress = self.progress
        history = {
            "learner": str(self.settings.learner),
            "settings": asdict(self.settings),
            "games": progress.games,
            "plies": progress.plies,
            "broken_off": progress.broken_off,
        }
        if self.prolonged:
            history["prolonged"] = self.prolonged
        return replace(self._learner.network, history=history)

    def save(self) -> None:
        """Write checkpoint, settings and measurements; the old files stay until each is there."""
        header = {
            "version": CHECKPOINT_VERSION,
            "settings": asdict(self.settings),
            "seconds": self._seconds,
            "measurements": [asdict(measurement) for measurement in self.measurements],
            "prolonged": self.prolonged,
        }
        path = self.folder / CHECKPOINT
        write_archive(path, header, self._learner.state())
        self._stamp = stamp_of(path)
        text = settings_text(self.settings, self._remarks()).encode("utf-8")
        write_whole(self.folder / SETTINGS, lambda file: file.write(text))
        write_measurements(self.folder / TESTS, self.measurements)

    def _remarks(self) -> list[str]:
        return [
            "The settings of a run: blot train --settings with this file makes it again.",
            "Changes have no effect on the run itself, which goes on from its checkpoint.",
            *(
                f"After {played:,} games its end was moved from {end:,}: with these settings from "
                "the beginning another network may come out."
                for played, end in self.prolonged
            ),
        ]

    def _play_round(self) -> None:
        games = self.progress.games
        next_test = games - games % self.settings.test_every + self.settings.test_every
        started = time.perf_counter()
        try:
            self._learner.advance(
                min(self._learner.round_games, self.settings.games - games, next_test - games)
            )
        except ChildProcessError:
            if self.settings.schedule is Schedule.TRIALS:  # whole trials; other rounds are cut off
                self.save()
            raise
        self._seconds += time.perf_counter() - started

    def _is_test_due(self) -> bool:
        progress = self.progress
        is_tested = (
            progress.measurement is not None and progress.measurement.games == progress.games
        )
        is_place = progress.games % self.settings.test_every == 0 and progress.games > 0
        return (is_place or progress.games == self.settings.games) and not is_tested

    def _test(self, pause: Callable[[Progress], None]) -> None:
        """Play pubeval and random, ask the teacher, always with the same dice; keep a snapshot."""
        try:
            network = self.network
        except ValueError as error:
            raise ValueError(f"training came apart, so try smaller rates: {error}") from None
        progress = self.progress
        self._kinds = kind_errors(network)
        lost = None
        if isinstance(self._learner, Lookahead):
            lost = self._learner.plays_lost(self.settings.test_games // SHARE_OF_TEST_GAMES)
        self.measurements.append(
            measured(
                network,
                games=progress.games,
                seconds=progress.seconds,
                plies_per_game=progress.plies / progress.games,
                test_games=self.settings.test_games,
                seed=self.settings.seed,
                on_games=lambda tested: pause(replace(progress, tested=tested)),
                lost=lost,
            )
        )
        prepare_snapshots(self.folder)
        network.save(self.folder / SNAPSHOTS / f"{progress.games:09}.npz")


@contextmanager
def _told_to_stop(is_stopped: Callable[[], bool]) -> Iterator[None]:
    """Takes the death of a worker for the stop, if there is one: both were sent the signal.

    `timeout`, systemd and Slurm send it to all processes of a command.
    """
    try:
        yield
    except ChildProcessError:
        if is_stopped():
            raise KeyboardInterrupt from None
        raise


LEARNERS: dict[LearnerName, Callable[..., Learner]] = {
    LearnerName.TEMPORAL_DIFFERENCE: TemporalDifference,
    LearnerName.BACKPROPAGATION: TemporalDifference,
    LearnerName.MUTATION: Mutation,
    LearnerName.LOOKAHEAD: Lookahead,
}
"""Learners by name; made of settings and, if it is not the usual one, the board of their games."""


def _learner_of(settings: Settings) -> Learner:
    return LEARNERS[settings.learner](settings)
