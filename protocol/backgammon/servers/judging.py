"""Judging: our errors and luck in finished matches, counted beside the play.

A match has its line at once; what is counted is added to it later, by a process of its own that
reads the match's file. What was interrupted is counted when somebody asks for it again.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from pathlib import Path

from bot.workers import result_of, submitted, worker_pool
from protocol.backgammon.servers.match_store import Judgement, MatchStore

JUDGING_SECONDS = 3600.0
"""Seconds that the count of one match may take."""

NICENESS = 10
"""How much a process that counts stands back behind one that plays."""

_log = logging.getLogger("blot.servers")


def judgement_of(path: Path, judge: str) -> Judgement:
    """Our errors and luck in a match file, as `blot analyse` counts them; seat 0 is ours.

    judge: the name of a level. Raises ValueError for a file that is none, and for a level that is
    none.
    """
    from bot.backgammon.engine.analysts import AnalystSettings, verdicts
    from bot.backgammon.engine.level import level
    from bot.backgammon.engine.match_statistics import statistics_of
    from bot.backgammon.rules.choice import choices_of
    from protocol.backgammon.formats.match_file import read_match
    from protocol.backgammon.servers.board_drops import verdict_there

    match = read_match(path).whole
    choices = choices_of(match)
    found = verdicts(choices, AnalystSettings(level(judge)), lambda _: None)
    judged = [
        (choice, verdict_there(match, choice, verdict))
        for choice, verdict in zip(choices, found, strict=True)
    ]
    ours = statistics_of(judged)[0]
    return Judgement(ours.performance_rating, ours.rolls.equity)


def judge_waiting(
    store: MatchStore,
    tell: Callable[[str], None],
    is_unwanted: Callable[[], bool] = lambda: False,
    seconds: float = JUDGING_SECONDS,
) -> None:
    """Count errors and luck of all matches that wait for it, each in a process of its own.

    tell: hears what is wrong. A match that cannot be counted waits no longer; one that took too
    long, or whose process was killed, waits for the next time. Raises CancelledError as soon as
    it is unwanted.
    """
    done: set[int] = set()
    while waiting := [each for each in store.awaiting() if each[0] not in done]:
        number, line = waiting[0]
        done.add(number)
        assert line.awaits is not None
        try:
            with worker_pool(1) as pool:
                (future,) = submitted(pool, _gentle_judgement_of, [(store.path(line), line.awaits)])
                store.judge(number, result_of(pool, future, seconds, is_unwanted))
        except ValueError as error:
            tell(f"errors and luck of {line.file} cannot be counted: {error}")
            store.judge(number, Judgement())
        except ChildProcessError as error:
            tell(f"errors and luck of {line.file} are counted the next time: {error}")


def _gentle_judgement_of(path: Path, judge: str) -> Judgement:
    """The judgement, by a process that stands back behind others."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    return judgement_of(path, judge)


class Judging:
    """A thread that counts errors and luck of each match that waits for it; see judge_waiting."""

    def __init__(self, store: MatchStore) -> None:
        self._store = store
        self._wanted = threading.Event()
        self._is_idle = threading.Event()
        self._is_idle.set()
        self._lock = threading.Lock()  # so that it is never idle while a look is wanted
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="judging", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Look whether a match waits."""
        with self._lock:
            self._is_idle.clear()
            self._wanted.set()

    def wait(self, seconds: float) -> bool:
        """Wait until no match waits, so long at most; whether none does."""
        until = time.monotonic() + seconds
        while not self._is_idle.wait(0.1):
            if time.monotonic() > until or not self._thread.is_alive():
                return False
        return True

    def close(self) -> None:
        """Count no more; what is being counted is counted the next time."""
        self._is_closed = True
        self._wanted.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._is_closed:
                return
            try:
                judge_waiting(self._store, _log.warning, lambda: self._is_closed)
            except CancelledError:
                return
            except (ValueError, OSError) as error:
                _log.warning("errors and luck are counted the next time: %s", error)
            with self._lock:
                if not self._wanted.is_set():
                    self._is_idle.set()
