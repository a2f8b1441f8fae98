"""Analysis answers: what the analysis engine is to say to a query."""

import threading
from dataclasses import dataclass
from typing import Any

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import LEVELS, Level
from bot.backgammon.evaluation.met import MatchEquityTable
from protocol.backgammon.adapters.analysis_engine import FieldError, Query
from protocol.backgammon.commands.options import level_text
from protocol.backgammon.commands.question import question_about
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.reports.hint import hint_values
from protocol.progress import tell

NAMES = tuple(name for name, level in LEVELS.items() if level.roller is None)
"""The levels that a query may ask for: none that rolls out."""


@dataclass(slots=True)
class _Seat:
    """An engine of one thread, and what makes it stop."""

    engine: Engine
    query: "_Stop"


class _Stop(threading.Event):
    """Set once the query that is being answered is not wanted any more."""

    query: Query | None = None

    def is_set(self) -> bool:
        """Whether the search is to end."""
        return self.query is not None and self.query.stop.is_set()


class Answers:
    """Answers queries with engines of the level, or of one by name; each thread has its own."""

    def __init__(self, level: Level, met: MatchEquityTable | None = None) -> None:
        self._level = level
        self._met = met
        self._own = threading.local()

    def answer(self, query: Query) -> dict[str, Any]:
        """The values that answer a query; raises FieldError or ValueError if there are none."""
        if query.level is not None and query.level not in NAMES:
            raise FieldError("level", f"one of {', '.join(NAMES)}, not {query.level[:40]!r}")
        try:
            pasted = pasted_id(query.position)
        except ValueError as error:
            raise FieldError("position", str(error)) from None
        try:
            question = question_about(
                pasted, query.dice, jacoby=query.jacoby, beavers=query.beavers
            )
        except ValueError as error:
            raise FieldError("dice" if query.dice else "position", str(error)) from None
        _refuse_useless(query, is_match=question.state.score is not None)
        level = self._level if query.level is None else LEVELS[query.level]
        seat = self._seat(level, cube=query.cube)
        seat.query.query = query
        values = hint_values(question, seat.engine, query.count, uses_cube=query.cube)
        return {"position": pasted.text, "level": level_text(level), **values}

    def _seat(self, level: Level, *, cube: bool) -> _Seat:
        """This thread's engine of a level, made when it is first asked for."""
        seats: dict[tuple[Level, bool], _Seat] = self._own.__dict__.setdefault("seats", {})
        if (level, cube) not in seats:
            stop = _Stop()
            engine = level.engine(tell, cube=cube, met=self._met, stop=stop)
            seats[level, cube] = _Seat(engine, stop)
        return seats[level, cube]


def _refuse_useless(query: Query, *, is_match: bool) -> None:
    """Raise FieldError for a rule that was asked for and would not count."""
    for name in ("jacoby", "beavers"):
        if not getattr(query, name):
            continue
        if is_match:
            raise FieldError(name, "it is a rule of money games; leave it out of a match")
        if not query.cube:
            raise FieldError(name, "it is a rule of the cube; leave it out without one")
