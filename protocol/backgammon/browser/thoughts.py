"""Thoughts: what a thinker of `protocol.thinker` finds out for a page of backgammon."""

from dataclasses import astuple
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.backgammon.engine.analysis import Analyst, Verdict
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import LEVELS, Level, quick_twin
from bot.backgammon.engine.match_statistics import PlayerStatistics
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import Decider, Decision, Request
from bot.backgammon.rules.match import GameState
from protocol.backgammon.arena.named_players import decider, is_outside, known_level
from protocol.backgammon.formats.met_file import read_table
from protocol.backgammon.reports.hint import hint_values
from protocol.backgammon.table.judgement import statistics_of
from protocol.backgammon.table.table import HUMAN, Table


def player_of_page(name: str) -> Level:
    """The level of that name, or the weights or baseline of it.

    Raises ValueError if there are no such weights, and for a program.
    """
    if is_outside(name):
        raise ValueError(f"a page starts no programs, so {name[:40]!r} plays in the terminal only")
    return known_level(name, (HUMAN,))


def decision_of(
    name: str, seed: int, cube: bool, met: Path | None, request: Request, is_hurried: bool
) -> Decision:
    """The decision of the player of that name; is_hurried: by a quick look."""
    return _player(name, seed, cube, met, is_hurried).decide(request)


def wake_player(name: str, seed: int, cube: bool, met: Path | None) -> None:
    """Load what the player of that name decides with."""
    _player(name, seed, cube, met, False)


def hint_of(
    level: str, cube: bool, met: Path | None, question: Request, is_beavered: bool
) -> dict[str, Any]:
    """The hint of a level, as `blot hint --json` tells it; is_beavered: see Game."""
    engine = _engine(level, cube, met)
    return hint_values(question, engine, uses_cube=cube, is_beavered=is_beavered)


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


@lru_cache(maxsize=1)
def _table(met: Path | None) -> MatchEquityTable | None:
    return None if met is None else read_table(met)


@lru_cache(maxsize=4)
def _player(name: str, seed: int, cube: bool, met: Path | None, is_hurried: bool) -> Decider:
    level = player_of_page(name)
    return decider(quick_twin(level) if is_hurried else name, seed=seed, cube=cube, met=_table(met))


@lru_cache(maxsize=4)
def _engine(level: str, cube: bool, met: Path | None) -> Engine:
    return LEVELS[level].engine(lambda sentence: None, cube=cube, met=_table(met))


@lru_cache(maxsize=2)
def _analyst(level: str, cube: bool, met: Path | None) -> Analyst:
    deep = _engine(level, cube, met)
    static = _engine("hard", cube, met)
    return Analyst(deep, static, _table(met), has_cube=cube)
