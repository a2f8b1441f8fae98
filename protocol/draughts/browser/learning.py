"""Learning: a table of states that learns in a process of its own, told to pages as it goes on."""

import threading
from collections.abc import Callable
from dataclasses import asdict
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, TypeAlias, cast

from bot.draughts.training.state_learning import LearningSettings
from bot.draughts.training.state_run import StateRun
from bot.estimate import NORMAL_95
from bot.run_folder import CHECKPOINT
from bot.workers import ProcessPool, result_of, shared_with_workers, submitted
from protocol.thinker import StoppedError

Values = dict[str, Any]
Shared: TypeAlias = "tuple[Connection[Any, Any], Event]"

FOLDER = "draughts-learning"
_LOOK = 0.25
"""Seconds between two looks at the process."""


def run_name(settings: LearningSettings) -> str:
    """The name of the folder that runs of such settings go on in."""
    return f"{settings.variant}-{settings.depth}{'' if settings.is_shared else '-each'}"


def learn(folder: Path, settings: LearningSettings) -> None:
    """Go on with the run in a folder, or begin one, until it is done or stopped.

    It works in the process of a LiveLearning. Raises what StateRun does.
    """
    report, is_stopped = cast("Shared", shared_with_workers())
    if (folder / CHECKPOINT).exists():
        run = StateRun.resume(folder, settings.games)
    else:
        run = StateRun.start(folder, settings)
    report.send(figures(run))
    try:
        run.go_on(lambda _: report.send(figures(run)), is_stopped=is_stopped.is_set)
    except KeyboardInterrupt:
        run.save_tables()
    report.send(figures(run))


def figures(run: StateRun) -> Values:
    """The figures of a run so far.

    score: of the side at its best, in percent; error: how far off it is in 95 of 100 cases.
    """
    results, score = run.learning.results, run.learning.results.score
    return {
        "settings": asdict(run.settings),
        "games": results.games,
        "states": run.learning.states,
        "seconds": run.seconds,
        "won": results.won,
        "drawn": results.drawn,
        "lost": results.lost,
        "score": None if score is None else 100 * score.mean,
        "error": None if score is None or score.error is None else 100 * NORMAL_95 * score.error,
    }


class LiveLearning:
    """One run at a time; tell hears of it, on_end that its table has been written anew.

    folder: of all runs.
    """

    def __init__(
        self,
        folder: Path,
        tell: Callable[[Values], None],
        *,
        prepare: Callable[[], None],
        on_end: Callable[[], None],
    ) -> None:
        self.folder = folder
        self._tell = tell
        self._prepare = prepare
        self._on_end = on_end
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = get_context("spawn").Event()

    @property
    def is_running(self) -> bool:
        """Whether a run is under way."""
        return self._thread is not None and self._thread.is_alive()

    def tables(self, variant: str) -> list[Path]:
        """The tables of a variant that runs have written."""
        return sorted(self.folder.glob(f"{variant}-*/states*.npz"))

    def start(self, settings: LearningSettings) -> None:
        """Go on with the run of such settings; raises ValueError if one is under way."""
        with self._lock:
            if self.is_running:
                raise ValueError("a run is under way: stop it first")
            self._stop = get_context("spawn").Event()
            self._thread = threading.Thread(target=self._run, args=(settings,), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop after the game that is being played, and write the table."""
        with self._lock:
            self._stop.set()
            if self._thread is not None:
                self._thread.join(60)

    def _run(self, settings: LearningSettings) -> None:
        told: Values = {"settings": asdict(settings), "games": 0}
        failed = None
        self._tell(told | {"running": True, "failed": None})
        hear, say = get_context("spawn").Pipe(duplex=False)
        try:
            self._prepare()
            with ProcessPool(1, (say, self._stop)) as pool:
                folder = self.folder / run_name(settings)
                (future,) = submitted(pool, learn, [(folder, settings)])
                while not future.done():
                    told = self._heard(hear, told)
                told = self._heard(hear, told)
                result_of(pool, future)
        except (ValueError, OSError, RuntimeError, StoppedError) as error:
            failed = str(error)
        self._on_end()
        self._tell(told | {"running": False, "failed": failed})

    def _heard(self, hear: "Connection[Any, Any]", told: Values) -> Values:
        """The last figures that the process has told; those are told at once."""
        if not hear.poll(_LOOK):
            return told
        while hear.poll():
            told = hear.recv()
        self._tell(told | {"running": True, "failed": None})
        return told
