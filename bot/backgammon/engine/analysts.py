"""Analysts: processes that judge the choices of a match beside each other."""

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from bot.backgammon.engine.analysis import Analyst, Verdict
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import Level
from bot.backgammon.engine.search import NO_SEARCH
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.rules.choice import Choice
from bot.workers import result_of, shared_with_workers, submitted, worker_pool


@dataclass(frozen=True, slots=True)
class AnalystSettings:
    """Settings of an analyst: level, whether there is a cube, match equities, Blot's own if None.

    A level that rolls out does so in processes of its own.
    """

    level: Level
    has_cube: bool = True
    met: MatchEquityTable | None = None


def verdicts(
    choices: Sequence[Choice],
    settings: AnalystSettings,
    tell: Callable[[str], None],
    *,
    workers: int = 1,
) -> Generator[Verdict]:
    """The verdicts on the choices, in their order, by so many processes; tell: see Level.engine.

    Raises ValueError if there are no such weights, ChildProcessError if a process dies.
    """
    if workers == 1 or settings.level.roller is not None:
        engine, analyst = _analyst(settings, tell)
        with engine:
            yield from map(analyst.verdict, choices)
        return
    with worker_pool(workers, settings) as pool:
        for future in submitted(pool, _verdict, [(choice,) for choice in choices]):
            yield result_of(pool, future)


def _analyst(
    settings: AnalystSettings, tell: Callable[[str], None]
) -> tuple[AbstractContextManager[Engine], Analyst]:
    level, has_cube, met = settings.level, settings.has_cube, settings.met
    static = replace(level, search=NO_SEARCH, roller=None)
    evaluator = level.evaluator(tell)
    engine, quick = (
        each.engine(tell, candidates=count, cube=has_cube, met=met, evaluator=evaluator)
        for each, count in ((level, None), (static, 1))
    )
    return engine, Analyst(engine, quick, met, has_cube=has_cube)


_own: tuple[AnalystSettings, Analyst] | None = None


def _verdict(choice: Choice) -> Verdict:
    """The verdict by this worker's analyst, who stays for the next choice of the same pool."""
    global _own
    settings = shared_with_workers()
    assert isinstance(settings, AnalystSettings)
    if _own is None or _own[0] is not settings:
        _own = settings, _analyst(settings, lambda _: None)[1]
    return _own[1].verdict(choice)
