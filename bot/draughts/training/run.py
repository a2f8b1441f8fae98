"""Run: self-play with checkpoints in a folder, stopped and gone on with at any time."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bot.archive import read_archive, write_archive
from bot.draughts.evaluation.patterns import PatternEvaluation
from bot.draughts.kernels.patterns import FIRST_KING, MEN
from bot.draughts.training.self_play import SelfPlay
from bot.draughts.training.settings import Settings, settings_in
from bot.files import Stamp, make_folder, stamp_of
from bot.run_folder import CHECKPOINT, WEIGHTS, alone_in

_VERSION = 1
_SECONDS_BETWEEN_CHECKPOINTS = 10.0
_ROUND = 10
"""Games between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a run; seconds: of all sessions. king: the first one's worth, counted in men.

    It is the mean of its worth on the full and on the empty board, without its place.
    """

    games: int
    plies: int
    seconds: float
    settings: Settings
    king: float


class Run:
    """One evaluation's self-play in one folder: checkpoint.npz, and weights.npz when it is done."""

    def __init__(self, folder: Path, learner: SelfPlay, seconds: float = 0.0) -> None:
        self.folder = folder
        self.settings = learner.settings
        self._learner = learner
        self._seconds = seconds
        self._stamp: Stamp = None

    @classmethod
    def start(cls, folder: Path, settings: Settings) -> "Run":
        """A new run; raises ValueError if the folder holds another one, or weights."""
        if (folder / CHECKPOINT).exists():
            raise ValueError(f"{folder} holds another run: resume it or choose another folder")
        if (folder / WEIGHTS).exists():
            raise ValueError(f"{folder / WEIGHTS} would be written over: choose another folder")
        make_folder(folder)
        run = cls(folder, SelfPlay(settings))
        run.save()
        return run

    @classmethod
    def resume(cls, folder: Path) -> "Run":
        """The run in a folder as its last checkpoint left it; raises ValueError without one."""
        path = folder / CHECKPOINT
        if not path.exists():
            raise ValueError(f"{folder} holds no run: there is no {CHECKPOINT} in it")
        stamp = stamp_of(path)
        header, state = read_archive(path, "checkpoint of draughts", _VERSION, ["variant"])
        settings = settings_in(
            path, header, Settings, ("discount", f"blot draughts learn --resume {folder}")
        )
        try:
            learner = SelfPlay(settings)
            learner.restore(state)
            run = cls(folder, learner, float(header["seconds"]))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} cannot be gone on with: {error}") from None
        run._stamp = stamp
        return run

    @property
    def progress(self) -> Progress:
        """Progress of the run."""
        learner = self._learner
        terms = learner.evaluation.terms
        king = float(terms[FIRST_KING].sum() / terms[MEN].sum())
        return Progress(learner.games, learner.plies, self._seconds, self.settings, king)

    @property
    def evaluation(self) -> PatternEvaluation:
        """The evaluation as it is now, with its history."""
        history = {
            "settings": asdict(self.settings),
            "games": self._learner.games,
            "plies": self._learner.plies,
        }
        return replace(self._learner.evaluation, history=history)

    def go_on(
        self,
        report: Callable[[Progress], None],
        *,
        is_stopped: Callable[[], bool] = lambda: False,
        seconds_between_checkpoints: float = _SECONDS_BETWEEN_CHECKPOINTS,
    ) -> PatternEvaluation:
        """Play and learn to the end; the evaluation, which is also in weights.npz.

        is_stopped: asked after each round; if so the run is saved and KeyboardInterrupt raised. Any
        other end leaves the last checkpoint. Raises ValueError if another process trains here, or
        has trained here since the run was read.
        """
        with alone_in(self.folder, self._stamp):
            saved = time.monotonic()
            while self._learner.games < self.settings.games:
                started = time.perf_counter()
                self._learner.advance(min(_ROUND, self.settings.games - self._learner.games))
                self._seconds += time.perf_counter() - started
                if time.monotonic() - saved > seconds_between_checkpoints:
                    self.save()
                    saved = time.monotonic()
                report(self.progress)
                if is_stopped():
                    self.save()
                    raise KeyboardInterrupt
            self.save()
            evaluation = self.evaluation
            evaluation.save(self.folder / WEIGHTS)
        return evaluation

    def save(self) -> None:
        """Write the checkpoint; the old one stays until the new one is there."""
        header = {
            "version": _VERSION,
            "settings": asdict(self.settings),
            "seconds": self._seconds,
        }
        write_archive(self.folder / CHECKPOINT, header, self._learner.state())
        self._stamp = stamp_of(self.folder / CHECKPOINT)
