"""Match reading: what was read of a match file, and where and why reading stopped."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.backgammon.rules.decision import DoubleAnswer
from bot.backgammon.rules.game import Game, OpeningRoll
from bot.backgammon.rules.record import GameRecord, MatchRecord, Points, Rules, breaks_of
from bot.backgammon.rules.recorder import Recorder
from bot.backgammon.rules.roll import Roll


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """The first thing in a file that cannot be: its line and column, from 1, and why.

    Both are 0 for a file without lines, whose reason tells the place.
    """

    line: int
    column: int
    reason: str

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}: " if self.line else ""
        return place + self.reason


@dataclass(frozen=True, slots=True)
class ReadMatch:
    """A match as far as it could be read; fault: what comes then, None if all was read.

    unread: what else the file has, in words, for which a match has no room; empty if nothing.
    """

    match: MatchRecord
    fault: Fault | None = None
    unread: str = ""

    @property
    def whole(self) -> MatchRecord:
        """The match; raises ValueError with the fault if not all of it could be read."""
        if self.fault:
            raise ValueError(str(self.fault))
        return self.match

    @property
    def broken_scores(self) -> str:
        """Where a score does not follow from the game before, in a sentence; empty if nowhere."""
        breaks = list(breaks_of(self.match))
        first_of = f", the first of {len(breaks)} such games" if len(breaks) > 1 else ""
        return f"{breaks[0]}{first_of}: each game counts at its own score" if breaks else ""


class Games:
    """The games of a match file, each checked on the rules while it is read.

    recorder: the game being read, None before the first. has_had_crawford: whether Crawford's game
    was played before the first.
    """

    def __init__(self, rules: Rules, *, has_had_crawford: bool = False) -> None:
        self.recorder: Recorder | None = None
        self._rules = rules
        self._finished: list[GameRecord] = []
        self._had_crawford = has_had_crawford

    @property
    def records(self) -> tuple[GameRecord, ...]:
        """All games so far, the one being read too."""
        last = () if self.recorder is None else (self.recorder.record,)
        return (*self._finished, *last)

    def begin(self, points: Points, *, is_crawford: bool | None = None) -> Recorder:
        """Begin the next game; None: whether it is Crawford's follows from the games before.

        Of a first game it is assumed where exactly one side is a point short, as GNU Backgammon
        does. Raises ValueError if there is no such game.
        """
        before = self.records[-1] if self.records else None
        if before is None and self._had_crawford and max(points) + 1 != self._rules.length:
            raise ValueError("Crawford's game comes later")
        if is_crawford is None:
            is_crawford = self._is_crawford(points)
        recorder = Recorder(self._rules, points, is_crawford=is_crawford)
        if before is not None:
            self._finished.append(before)
        self.recorder = recorder
        self._had_crawford |= is_crawford
        return recorder

    def _is_crawford(self, points: Points) -> bool:
        length = self._rules.length
        if length is None or not (self._rules.crawford and self._rules.has_cube):
            return False
        return not self._had_crawford and (points[0] == length - 1) != (points[1] == length - 1)


def throw(recorder: Recorder, seat: int, roll: Roll) -> Game:
    """The game once a seat has thrown this roll, which begins the game if it is the first.

    Who is beavered or raccooned may go on without a word, and has taken then. Raises ValueError if
    the seat cannot throw.
    """
    game = recorder.going_on
    if game.turn is None:
        if roll.is_double:
            raise ValueError(f"no game begins with {roll.high}-{roll.low}")
        first, second = (roll.high, roll.low) if seat == 0 else (roll.low, roll.high)
        recorder.add(OpeningRoll(first, second))
        return recorder.going_on
    if seat != game.turn:
        raise ValueError("the other player is on roll")
    if game.doubles > 1:
        recorder.add(DoubleAnswer.TAKE)
    if recorder.going_on.roll != roll:
        recorder.add(roll)
    return recorder.going_on


def best_reading(readings: Iterable[ReadMatch]) -> ReadMatch:
    """The first reading of a whole file, else the first of those that read most of it.

    readings: by rules that may be meant. Files that do not tell a rule show it where somebody makes
    use of it.
    """
    best: ReadMatch | None = None
    for reading in readings:
        if reading.fault is None:
            return reading
        if best is None or best.fault is None or best.fault < reading.fault:
            best = reading
    if best is None:
        raise ValueError("no rules to read by")
    return best
