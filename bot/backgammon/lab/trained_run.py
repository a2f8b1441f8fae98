"""Trained run: networks that an attempt at an experiment trains, and their scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.archive import write_whole
from bot.backgammon.arena.network_duel import network_duel
from bot.backgammon.evaluation.network import Network
from bot.backgammon.training.run import Progress, Run
from bot.backgammon.training.settings import Settings
from bot.backgammon.training.settings_table import settings_text
from bot.estimate import Estimate
from bot.lab.attempt import Attempt
from bot.run_folder import CHECKPOINT, SNAPSHOTS, WEIGHTS
from bot.workers import results_as_done, worker_pool, works_alone

SHARED = "shared-runs"

SECONDS_FOR_A_RUN = 7 * 24 * 3600.0
"""Longest time for a run or a duel on a cluster."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A network on its way, after so many games of training."""

    games: int
    path: Path

    @property
    def network(self) -> Network:
        """The network, read from its file."""
        return Network.load(self.path)


@dataclass(frozen=True, slots=True)
class Trained:
    """A run that is done: its networks by games, and its games and seconds of training in all."""

    snapshots: tuple[Snapshot, ...]
    games: int
    seconds: float

    @property
    def network(self) -> Network:
        """The network at the end."""
        return self.snapshots[-1].network


@dataclass(frozen=True, slots=True)
class Score:
    """One player's result against another: points per game and share of games won."""

    points: Estimate
    won: Estimate
    games: int


def shared_run(attempt: Attempt, name: str, settings: Settings) -> Trained:
    """A run that other experiments with the same settings use as well, beside their folders.

    A run depends on nothing but its settings, of which the folder's name has a digest.
    """
    digest = sha256(settings_text(settings).encode()).hexdigest()[:8]
    return trained_run(attempt, f"{name}-{digest}", settings, attempt.folder.parent / SHARED)


def trained_run(
    attempt: Attempt, name: str, settings: Settings, parent: Path | None = None
) -> Trained:
    """The run of that name, begun or gone on with, to its end.

    parent: of its folder, if it is not the attempt's own.
    """
    folder = (parent or attempt.folder) / name
    is_begun = (folder / CHECKPOINT).exists()
    run = Run.resume(folder) if is_begun else Run.start(folder, settings)
    if settings_text(run.settings) != settings_text(settings):
        raise ValueError(f"{folder} holds a run by other settings: choose another folder")
    attempt.prepare()
    tested = run.progress.measurement
    if tested is None or tested.games < settings.games:
        attempt.note(f"{name}: {run.progress.games:,} of {settings.games:,} games")
        run.go_on(lambda progress: _tell(attempt, name, progress))
    attempt.count_broken_off(f"training {name}", run.progress.broken_off)
    return Trained(
        tuple(
            Snapshot(int(path.stem), path) for path in sorted((folder / SNAPSHOTS).glob("*.npz"))
        ),
        run.progress.games,
        run.progress.seconds,
    )


def _tell(attempt: Attempt, name: str, progress: Progress) -> None:
    rate = progress.games / progress.seconds if progress.seconds else 0.0
    attempt.note(f"{name}: {progress.games:,} games of training, {rate:,.0f} games/s")


def train_beside(attempt: Attempt, runs: Mapping[str, Settings]) -> None:
    """Bring runs, each by its name, to their end on a cluster, if there is one, beside each other.

    trained_run finds them done then. A run that was begun goes on; what a lost node has done of one
    is done again. Without a cluster nothing is done.
    """
    if works_alone(1):
        return
    left: dict[str, tuple[Settings, dict[str, bytes]]] = {}
    for name, settings in runs.items():
        files = _files_in(attempt.folder / name)
        if WEIGHTS not in files:
            left[name] = settings, files
    attempt.prepare()
    with worker_pool(1) as pool:
        pieces = [(name, *each) for name, each in left.items()]
        for name, files in results_as_done(pool, _trained_files, pieces, 2, SECONDS_FOR_A_RUN):
            folder = attempt.folder / name
            for place, content in files.items():
                (folder / place).parent.mkdir(parents=True, exist_ok=True)
                # the sign that the run is done comes last
                write_whole(folder / place, lambda file: file.write(content))  # noqa: B023
            attempt.note(f"{name}: done")


def _trained_files(
    name: str, settings: Settings, files: Mapping[str, bytes]
) -> tuple[str, dict[str, bytes]]:
    """Bring a run to its end; its name and all files of its folder, the weights last."""
    with TemporaryDirectory() as place:
        folder = Path(place) / name
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        run = Run.resume(folder) if CHECKPOINT in files else Run.start(folder, settings)
        run.go_on(lambda progress: None)
        return name, _files_in(folder)


def _files_in(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    paths.sort(key=lambda path: (path.name == WEIGHTS, path))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@dataclass(frozen=True, slots=True)
class Duel:
    """The duel of a player with another in so many games, in pairs with the same dice."""

    player: Network | str
    opponent: Network | str
    games: int
    seed: int

    def play(self) -> dict[str, Any]:
        """Play it; what the journal keeps of it."""
        pairs = max(self.games // 2, 1)
        duel = network_duel(self.player, self.opponent, pairs=pairs, seed=self.seed)
        return {
            "points": [duel.points_per_game, duel.points_error],
            "won": [duel.won, duel.won_error],
            "games": duel.games,
            "broken_off": duel.broken_off,
        }


def play_beside(attempt: Attempt, duels: Mapping[str, Duel]) -> None:
    """Play duels, each by its key, on a cluster, if there is one; duel_score finds them played."""
    if works_alone(1):
        return
    left = [(key, duel) for key, duel in duels.items() if not attempt.knows(key)]
    attempt.prepare()
    with worker_pool(1) as pool:
        for key, value in results_as_done(pool, _played, left, 2, SECONDS_FOR_A_RUN):
            attempt.found(key, lambda: value)  # noqa: B023
            attempt.note(f"{key}: played")


def _played(key: str, duel: Duel) -> tuple[str, dict[str, Any]]:
    return key, duel.play()


def duel_score(attempt: Attempt, key: str, duel: Duel) -> Score:
    """The player's score in a duel.

    Each side begins one game of a pair; the opening roll is no double.
    """

    def find() -> dict[str, Any]:
        attempt.note(f"{key}: {duel.games:,} games")
        return duel.play()

    value = attempt.found(key, find)
    attempt.count_broken_off("duels", value["broken_off"])
    return Score(Estimate(*value["points"]), Estimate(*value["won"]), value["games"])


def run_score(attempt: Attempt, name: str, settings: Settings, opponent: str) -> Score:
    """The score of a run's last network against a baseline, in as many games as a test has."""
    network = trained_run(attempt, name, settings).network
    duel = Duel(network, opponent, attempt.settings["test-games"], attempt.seed)
    return duel_score(attempt, name, duel)
