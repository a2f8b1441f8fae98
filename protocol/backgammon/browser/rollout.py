"""Live rollout: a rollout for a page, told as it becomes known, until it is done or stopped."""

import threading
from collections.abc import Callable
from typing import Any

from bot.backgammon.engine.rollout import rolled_out
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.rules.decision import Request
from protocol.backgammon.reports.rollout import known_values, trials_of

PLAYS = 3
"""Plays that are rolled out, the best without looking ahead."""

PLY = 1
WORKERS = 2


class LiveRollout:
    """One rollout at a time; tell is told what is known so far, from a thread of its own."""

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(
        self,
        question: Request,
        trials: int,
        *,
        position_id: str,
        has_cube: bool,
        met: MatchEquityTable | None,
    ) -> None:
        """Begin, in place of one that is under way; the ID is told with what is known."""
        with self._lock:
            self._end()
            stop = self._stop = threading.Event()
            settings = RolloutSettings(trials=trials, ply=PLY, workers=WORKERS)
            arguments = question, settings, position_id, has_cube, met, stop
            self._tell(rollout_values(position_id, None, is_done=False))
            self._thread = threading.Thread(target=self._run, args=arguments, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Break it off; what is known was told."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(60)
            self._thread = None

    def _run(
        self,
        question: Request,
        settings: RolloutSettings,
        position_id: str,
        has_cube: bool,
        met: MatchEquityTable | None,
        stop: threading.Event,
    ) -> None:
        position, told = question.state.position, None
        try:
            found = rolled_out(
                question, RolloutPlayer(), settings, has_cube=has_cube, met=met, count=PLAYS
            )
            for known in found:
                told = known_values(known, settings, position, uses_cube=has_cube)
                is_done = stop.is_set() or trials_of(known) >= settings.trials
                self._tell(rollout_values(position_id, told, is_done=is_done))
                if stop.is_set():
                    return
        except (ValueError, OSError) as error:
            self._tell(rollout_values(position_id, told, failed=str(error)))


def rollout_values(
    position_id: str | None,
    known: dict[str, Any] | None,
    *,
    is_done: bool = True,
    failed: str | None = None,
) -> dict[str, Any]:
    """All that a page is told of a rollout, or that there is none: no ID and nothing known."""
    return {"id": position_id, "done": is_done, "failed": failed, "known": known}
