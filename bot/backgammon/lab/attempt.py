"""Attempt: one go at an experiment, in a folder of its own, resumable."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

from bot.backgammon.arena.network_duel import network_duel
from bot.backgammon.evaluation.network import Network
from bot.backgammon.lab.found_values import FoundValues, found_values
from bot.backgammon.training.run import Progress, Run
from bot.backgammon.training.settings import Settings
from bot.backgammon.training.settings_table import settings_text
from bot.estimate import Estimate
from bot.run_folder import CHECKPOINT, SNAPSHOTS

JOURNAL = "journal.jsonl"
SHARED = "shared-runs"

Value = int | float | str | tuple[int, ...] | tuple[float, ...] | tuple[str, ...]


class Scale(StrEnum):
    """A size of an experiment: small enough to be tried at once, or that of what is remade."""

    SMALL = "small"
    FULL = "full"


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


@dataclass(slots=True)
class Attempt:
    """One go at an experiment: its settings, its folder, and what was found before.

    settings: by name, as the experiment states them or as they were changed; note: told a sentence
    now and then; broken_off: games that reached the limit of plies, in training and in duels.
    """

    folder: Path
    scale: Scale
    seed: int
    settings: Mapping[str, Any]
    note: Callable[[str], None]
    journal: FoundValues
    broken_off: dict[str, int] = field(default_factory=dict)

    def found(self, key: str, find: Callable[[], Any]) -> Any:
        """The value of a key, found once and kept in the journal, as JSON gives it back."""
        return self.journal.found(key, find)

    def shared(self, name: str, settings: Settings) -> Trained:
        """A run that other experiments with the same settings use as well, beside their folders.

        A run depends on nothing but its settings, of which the folder's name has a digest.
        """
        digest = sha256(settings_text(settings).encode()).hexdigest()[:8]
        return self.trained(f"{name}-{digest}", settings, self.folder.parent / SHARED)

    def trained(self, name: str, settings: Settings, parent: Path | None = None) -> Trained:
        """The run of that name, begun or gone on with, to its end.

        parent: of its folder, if it is not the attempt's own.
        """
        folder = (parent or self.folder) / name
        is_begun = (folder / CHECKPOINT).exists()
        run = Run.resume(folder) if is_begun else Run.start(folder, settings)
        if run.settings != settings:
            raise ValueError(f"{folder} holds a run by other settings: choose another folder")
        if run.progress.games < settings.games or not run.measurements:
            self.note(f"{name}: {run.progress.games:,} of {settings.games:,} games")
            run.go_on(lambda progress: self._tell(name, progress))
        self._count(f"training {name}", run.progress.broken_off)
        return Trained(
            tuple(
                Snapshot(int(path.stem), path)
                for path in sorted((folder / SNAPSHOTS).glob("*.npz"))
            ),
            run.progress.games,
            run.progress.seconds,
        )

    def _tell(self, name: str, progress: Progress) -> None:
        rate = progress.games / progress.seconds if progress.seconds else 0.0
        self.note(f"{name}: {progress.games:,} games of training, {rate:,.0f} games/s")

    def score(
        self, key: str, player: Network | str, opponent: Network | str, games: int, seed: int
    ) -> Score:
        """The player's score against another in so many games, in pairs with the same dice.

        Each side begins one game of a pair; the opening roll is no double.
        """

        def find() -> dict[str, Any]:
            self.note(f"{key}: {games:,} games")
            duel = network_duel(player, opponent, pairs=max(games // 2, 1), seed=seed)
            return {
                "points": [duel.points_per_game, duel.points_error],
                "won": [duel.won, duel.won_error],
                "games": duel.games,
                "broken_off": duel.broken_off,
            }

        value = self.found(key, find)
        self._count("duels", value["broken_off"])
        return Score(Estimate(*value["points"]), Estimate(*value["won"]), value["games"])

    def _count(self, place: str, games: int) -> None:
        """Add games broken off; training counts its own from the beginning each time."""
        self.broken_off[place] = self.broken_off.get(place, 0) + games


@contextmanager
def opened_attempt(
    name: str,
    folder: Path,
    scale: Scale,
    seed: int,
    settings: Mapping[str, Any],
    *,
    is_resumed: bool,
    note: Callable[[str], None],
) -> Iterator[Attempt]:
    """An attempt at the experiment of that name, with what its folder's journal holds.

    is_resumed: go on with what is there. Raises ValueError if the folder holds an attempt and is
    not to be gone on with, if it holds none and is, or one with other settings.
    """
    path = folder / JOURNAL
    if path.exists() and not is_resumed:
        raise ValueError(f"{folder} holds an attempt: go on with --resume, or choose another --out")
    if is_resumed and not path.exists():
        raise ValueError(f"{folder} holds no attempt to go on with: there is no {JOURNAL} in it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(f"cannot make the folder {folder}: {error.strerror}") from None
    about = {"experiment": name, "scale": str(scale), "seed": seed, **settings}
    is_refused = False
    try:
        with found_values(path, about) as values:
            try:
                yield Attempt(folder, scale, seed, settings, note, values)
            except ValueError:  # settings that make no sense, say: nothing begun leaves nothing
                is_refused = values.is_empty
                raise
    finally:
        if is_refused and [each.name for each in folder.iterdir()] == [JOURNAL]:
            path.unlink()
            folder.rmdir()
