"""Thinker: a process that thinks for the browser, so that no page waits and it can be stopped."""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import astuple
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from bot.backgammon.engine.analysis import Analyst, Verdict
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import LEVELS, quick_twin
from bot.backgammon.engine.match_statistics import PlayerStatistics
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import Decider, Decision, Request
from bot.backgammon.rules.match import GameState
from bot.workers import result_of, submitted, worker_pool
from protocol.backgammon.arena.named_players import decider, known_level
from protocol.backgammon.formats.met_file import read_table
from protocol.backgammon.reports.hint import hint_values
from protocol.backgammon.table.judgement import statistics_of
from protocol.backgammon.table.table import Table

Result = TypeVar("Result")

LIMIT = 600.0
"""Seconds that an answer may take."""


class StoppedError(Exception):
    """An answer that was broken off before there was one."""


class Thinker:
    """One process that thinks about one thing at a time, started when first asked.

    stops: how often it was told to stop.
    """

    def __init__(self) -> None:
        self.stops = 0
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._is_closed = False

    def ask(
        self, work: Callable[..., Result], *arguments: object, stops: int | None = None
    ) -> Result:
        """The answer of a function of this module.

        stops: when it was decided to ask, to be stopped by what has come since. Raises ValueError
        if the function does, StoppedError if `stop` or `close` came between, and ChildProcessError
        if the process died or took too long; the next question finds a new one.
        """
        with self._lock:
            if self._is_closed or stops not in (None, self.stops):
                raise StoppedError
            pool = self._pool = self._pool or worker_pool(1)
        try:
            (future,) = submitted(pool, _guarded, [(work, *arguments)])
            answer, refusal = result_of(pool, future, LIMIT)
        except (OSError, RuntimeError, CancelledError):  # it may end at any moment of the asking
            with self._lock:
                was_stopped = self._pool is not pool
                if not was_stopped:
                    self._pool = None
            if was_stopped:
                raise StoppedError from None
            pool.shutdown()
            raise
        if refusal is not None:
            raise ValueError(refusal)
        found: Result = answer
        return found

    def wake(self, players: Iterable[tuple[str, int, bool, Path | None]]) -> None:
        """Load these players while nobody waits for them; what fails is told when they are asked.

        Each by its name, its seed, whether there is a cube, and the file of match equities.
        """

        def load() -> None:
            with suppress(StoppedError, ValueError, ChildProcessError):
                for player in players:
                    self.ask(wake_player, *player)

        threading.Thread(target=load, daemon=True).start()

    def stop(self) -> None:
        """Break off what is being thought about."""
        with self._lock:
            self.stops += 1
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        """Break off, and think no more."""
        self._is_closed = True
        self.stop()


def decision_of(
    name: str, seed: int, cube: bool, met: Path | None, request: Request, is_hurried: bool
) -> Decision:
    """The decision of the player of that name; is_hurried: by a quick look."""
    return _player(name, seed, cube, met, is_hurried).decide(request)


def wake_player(name: str, seed: int, cube: bool, met: Path | None) -> None:
    """Load what the player of that name decides with."""
    _player(name, seed, cube, met, False)


def hint_of(level: str, cube: bool, met: Path | None, question: Request) -> dict[str, Any]:
    """The hint of a level, as `blot hint --json` tells it."""
    return hint_values(question, _engine(level, cube, met), uses_cube=cube)


def chances_of(state: GameState) -> tuple[float, tuple[float, ...]]:
    """Equity and the five chances of the player on roll, cubeless, without looking ahead."""
    chances = _engine("hard", False, None).worth(state)[0]
    return chances.equity, astuple(chances)


def verdict_of(level: str, cube: bool, met: Path | None, choice: Choice) -> Verdict:
    """The verdict on a person's choice by an analyst of that level."""
    return _analyst(level, cube, met).verdict(choice)


def summary_of(
    level: str, met: Path | None, table: Table
) -> tuple[PlayerStatistics, PlayerStatistics]:
    """The statistics of a game that has ended."""
    analyst = _analyst(level, table.setting.cube, met)
    return statistics_of(
        table,
        analyst.verdict,
        lambda request, is_opening: analyst.luck(
            request.state, request.roll, is_opening=is_opening
        ),
    )


def _guarded(work: Callable[..., Any], *arguments: object) -> tuple[Any, str | None]:
    """The result, or why there is none: an error would end the process and what it has loaded."""
    try:
        return work(*arguments), None
    except ValueError as error:
        return None, str(error)


@lru_cache(maxsize=1)
def _table(met: Path | None) -> MatchEquityTable | None:
    return None if met is None else read_table(met)


@lru_cache(maxsize=4)
def _player(name: str, seed: int, cube: bool, met: Path | None, is_hurried: bool) -> Decider:
    level = known_level(name)
    return decider(
        quick_twin(level) if is_hurried else level, seed=seed, cube=cube, met=_table(met)
    )


@lru_cache(maxsize=4)
def _engine(level: str, cube: bool, met: Path | None) -> Engine:
    return LEVELS[level].engine(lambda sentence: None, cube=cube, met=_table(met))


@lru_cache(maxsize=2)
def _analyst(level: str, cube: bool, met: Path | None) -> Analyst:
    deep = _engine(level, cube, met)
    static = _engine("hard", cube, met)
    return Analyst(deep, static, _table(met), has_cube=cube)
