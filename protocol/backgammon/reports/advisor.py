"""Advisor: the engine that a person asks for hints."""

from bot.backgammon.compilation import jobs_of_level
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import Level
from bot.backgammon.evaluation.met import MatchEquityTable
from protocol.backgammon.reports.compilation import compile_first
from protocol.progress import tell


def advisor(level: Level, *, cube: bool = True, met: MatchEquityTable | None = None) -> Engine:
    """An engine that evaluates every play; raises ValueError if there are no such weights."""
    compile_first(jobs_of_level(level))
    engine = level.engine(tell, cube=cube, met=met)
    if level.roller is not None and level.roller.seconds is not None:
        engine.prepare()  # or it would start its processes in the time for the first decision
    return engine
