"""Trained run: networks that an attempt at an experiment trains, and their scores."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bot.backgammon.arena.network_duel import network_duel
from bot.backgammon.evaluation.network import Network
from bot.backgammon.training.run import Progress, Run
from bot.backgammon.training.settings import Settings
from bot.backgammon.training.settings_table import settings_text
from bot.estimate import Estimate
from bot.lab.attempt import Attempt
from bot.run_folder import CHECKPOINT, SNAPSHOTS

SHARED = "shared-runs"


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
    if run.settings != settings:
        raise ValueError(f"{folder} holds a run by other settings: choose another folder")
    if run.progress.games < settings.games or not run.measurements:
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


def duel_score(
    attempt: Attempt,
    key: str,
    player: Network | str,
    opponent: Network | str,
    games: int,
    seed: int,
) -> Score:
    """The player's score against another in so many games, in pairs with the same dice.

    Each side begins one game of a pair; the opening roll is no double.
    """

    def find() -> dict[str, Any]:
        attempt.note(f"{key}: {games:,} games")
        duel = network_duel(player, opponent, pairs=max(games // 2, 1), seed=seed)
        return {
            "points": [duel.points_per_game, duel.points_error],
            "won": [duel.won, duel.won_error],
            "games": duel.games,
            "broken_off": duel.broken_off,
        }

    value = attempt.found(key, find)
    attempt.count_broken_off("duels", value["broken_off"])
    return Score(Estimate(*value["points"]), Estimate(*value["won"]), value["games"])
