"""Turn: a roll being played by a person, all at once or leg by leg.

The points are the mover's; what is legal follows from the legal plays of the whole roll.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from bot.backgammon.rules.legality import Points, points_after
from bot.backgammon.rules.play import CheckerPlay, Leg, legal_plays
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import (
    BAR,
    OFF,
    AmbiguousPlayError,
    Chain,
    parse_chains,
    parse_play,
    play_text,
    point_text,
    short_play_text,
)

HOME = 6
MAX_COMPLETIONS = 40
"""More would not be looked at."""

Dice = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """The position before the roll is played, seen by the mover, and the legs played so far."""

    position: Position
    roll: Roll
    legs: tuple[Leg, ...] = ()

    @property
    def now(self) -> Position:
        """The position after the legs played so far, seen by the mover."""
        points = self.position.points
        for leg in self.legs:
            points = points_after(points, leg)
        return Position(points)

    @property
    def dice_left(self) -> Dice:
        """The dice not yet played, the higher first."""
        return max(_paths(self.position, self.roll).states(self.legs))[1]

    @property
    def next_legs(self) -> tuple[Leg, ...]:
        """Every leg that a legal play can go on with, from the highest source down."""
        paths = _paths(self.position, self.roll)
        legs = {leg for state in paths.states(self.legs) for leg in paths.legs_of(state)}
        return tuple(sorted(legs, key=lambda leg: (-leg.source, -leg.target)))

    @property
    def moves(self) -> dict[int, dict[int, tuple[Leg, ...]]]:
        """Legs by which one checker gets from a point to others, by one die or several.

        By source and target; of several ways the one with the fewest legs, the higher die first.
        """
        found: dict[int, dict[int, tuple[Leg, ...]]] = {}
        waiting: list[tuple[Turn, tuple[Leg, ...]]] = [(self, ())]
        while waiting:
            turn, legs = waiting.pop(0)
            for leg in sorted(turn.next_legs, key=lambda leg: leg.target):
                if legs and leg.source != legs[-1].target:
                    continue
                targets = found.setdefault((*legs, leg)[0].source, {})
                if leg.target not in targets:
                    targets[leg.target] = (*legs, leg)
                    waiting.append((turn.with_leg(leg), (*legs, leg)))
        return found

    def with_move(self, source: int, target: int) -> "Turn":
        """The turn after one checker went there; raises ValueError with the reason if it cannot."""
        legs = self.moves.get(source, {}).get(target)
        if legs is None:
            raise ValueError(_reason(self, source, target))
        return replace(self, legs=(*self.legs, *legs))

    @property
    def is_complete(self) -> bool:
        """Whether the legs are a legal play; without legs, whether the roll allows none."""
        ends = _paths(self.position, self.roll).ends
        return self.now.points in ends if ends else not self.legs

    @property
    def play(self) -> CheckerPlay:
        """The legs as a play; raises ValueError unless they are a whole one."""
        if not self.is_complete:
            left = "-".join(map(str, self.dice_left))
            raise ValueError(f"{left} can still be played")
        return CheckerPlay(self.legs, self.now)

    @property
    def plays(self) -> tuple[CheckerPlay, ...]:
        """All legal plays of the roll, whatever was played so far."""
        return _paths(self.position, self.roll).plays

    def allows(self, play: CheckerPlay) -> bool:
        """Whether the legs played so far can still become that play."""
        paths = _paths(self.position, self.roll)
        wanted = frozenset((play.after.points,))
        return any(reaches(state, wanted, {}) for state in paths.states(self.legs))

    def with_leg(self, leg: Leg) -> "Turn":
        """The turn after one more leg, one of next_legs."""
        return replace(self, legs=(*self.legs, leg))

    def without_last_leg(self) -> "Turn":
        """The turn before its last leg."""
        return replace(self, legs=self.legs[:-1])

    def with_text(self, text: str) -> "Turn":
        """The turn after the text: a whole play, what is left of one, or its next legs.

        Read as notation.parse_play reads. Raises ValueError with the reason in one sentence.
        """
        chains = parse_chains(text)
        if not chains:
            raise ValueError("a play is missing")
        made = play_text(CheckerPlay(self.legs, self.position), self.position)
        try:
            play = parse_play(f"{made} {text}".strip(), self.position, self.roll)
        except AmbiguousPlayError:
            raise AmbiguousPlayError(text) from None
        except ValueError:
            pass  # a part of a play, perhaps
        else:
            return replace(self, legs=play.legs)
        turn = self
        for chain in chains:
            turn = turn._with_chain(chain)
        return turn

    def _with_chain(self, chain: Chain) -> "Turn":
        turn = self
        for source, target in pairwise(chain):
            ways = list(turn._ways(source, target))
            if not ways:
                raise ValueError(_reason(turn, source, target))
            most = max(way.now.points[OFF] for way in ways)
            quiet = {way.now: way for way in ways if way.now.points[OFF] == most}
            if len(quiet) > 1:
                raise AmbiguousPlayError(_leg_text(source, target))
            turn = next(iter(quiet.values()))
        return turn

    def _ways(self, source: int, target: int) -> Iterator["Turn"]:
        """The turn after one checker went from source to target, by one leg or several."""
        for leg in self.next_legs:
            if leg.source == source and leg.target >= target:
                turn = self.with_leg(leg)
                if leg.target == target:
                    yield turn
                else:
                    yield from turn._ways(leg.target, target)


def completions(turn: Turn, text: str) -> list[str]:
    """Lines that the text may become: whole plays first, then plays by the next leg.

    Text that is no play, or no legal one, becomes nothing.
    """
    head, _, tail = text.replace("-", "/").rpartition(" ")
    start = f"{head} {tail}".lower().lstrip()
    whole = () if turn.legs else _paths(turn.position, turn.roll).texts
    found = [play for play in whole if play.startswith(start)]
    try:
        reached = turn.with_text(head) if head.strip() else turn
    except ValueError:
        return found[:MAX_COMPLETIONS]
    for leg in reached.next_legs:
        line = f"{head} {leg_text(leg, reached)}".lstrip()
        if leg_text(leg, reached).startswith(tail.lower()) and line not in found:
            found.append(line)
    return found[:MAX_COMPLETIONS]


def leg_text(leg: Leg, turn: Turn) -> str:
    """A leg that the turn may go on with, starred where it hits: `bar/22*`."""
    hits = leg.target != OFF and turn.now.points[leg.target] == -1
    return _leg_text(leg.source, leg.target) + "*" * hits


def _by_points(text: str) -> tuple[int, ...]:
    """Sorts plays from the highest points down."""
    words = text.replace("*", "").replace("bar", "25").replace("off", "0").replace("(", "/")
    return tuple(-int(word.rstrip(")")) for word in words.replace(" ", "/").split("/"))


def _leg_text(source: int, target: int) -> str:
    return f"{point_text(source)}/{point_text(target)}"


def _reason(turn: Turn, source: int, target: int) -> str:
    """Why a checker cannot go from source to target, in one sentence."""
    text, points = _leg_text(source, target), turn.now.points
    if points[source] <= 0:
        where = "on the bar" if source == BAR else f"on point {source}"
        return f"{text}: you have no checker {where}"
    if points[BAR] and source != BAR:
        return f"{text}: the checker on the bar has to enter first"
    if target != OFF and points[target] <= -2:
        return f"{text}: the other side holds point {target}"
    if target == OFF and any(count > 0 for count in points[HOME + 1 :]):
        return f"{text}: no checker goes off before all are home"
    left = turn.dice_left
    rolled = "-".join(map(str, left))
    if not left:
        return f"{text}: the roll is played"
    distance = source - target
    sums = {sum(left[:count]) for count in range(1, len(left) + 1)} | set(left)
    if target != OFF and distance not in sums:
        return f"{text}: {rolled} does not make {distance}"
    if target == OFF and distance < max(left):
        return f"{text}: a higher checker has to go first"
    return f"{text} cannot be played with {rolled}: the way is blocked or a die would be lost"


State = tuple[Points, Dice]
"""A position in the middle of a turn and the dice not played yet, the higher first."""


class _Paths:
    """Every way through one roll, found when asked for and remembered."""

    def __init__(self, position: Position, roll: Roll) -> None:
        self.plays = legal_plays(position, roll)
        self.ends = frozenset(play.after.points for play in self.plays)
        dice = (roll.high,) * 4 if roll.is_double else (roll.high, roll.low)
        self._position = position
        self._first: State = position.points, dice
        self._known: dict[State, bool] = {}

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """All plays as people read them, the highest points first."""
        texts = (short_play_text(play, self._position) for play in self.plays)
        return tuple(sorted(texts, key=_by_points))

    def states(self, legs: tuple[Leg, ...]) -> set[State]:
        """The states that the legs may have led to: a checker may go off by either of two dice."""
        states = {self._first}
        for leg in legs:
            states = {after for state in states for step, after in _steps(state) if step == leg}
        return states

    def legs_of(self, state: State) -> Iterator[Leg]:
        """Legs that lead on to a legal play."""
        for leg, after in _steps(state):
            if reaches(after, self.ends, self._known):
                yield leg


@lru_cache(maxsize=8)
def _paths(position: Position, roll: Roll) -> _Paths:
    return _Paths(position, roll)


def reaches(state: State, ends: frozenset[Points], known: dict[State, bool]) -> bool:
    """Whether legs can lead from the state to one of the ends; known is added to."""
    if state not in known:
        steps = list(_steps(state))
        known[state] = state[0] in ends or any(reaches(after, ends, known) for _, after in steps)
    return known[state]


def _steps(state: State) -> Iterator[tuple[Leg, State]]:
    """Each single leg by one of the dice, and where it leads."""
    points, dice = state
    for i, die in enumerate(dice):
        if die not in dice[:i]:
            for leg in _legs_of_die(points, die):
                yield leg, (points_after(points, leg), dice[:i] + dice[i + 1 :])


def _legs_of_die(points: Points, die: int) -> Iterator[Leg]:
    """Every leg by one die; bar first, off only from the home and, if too high, from the top."""
    own = [point for point in range(BAR, OFF, -1) if points[point] > 0]
    for source in own[:1] if points[BAR] else own:
        target = source - die
        if target > OFF:
            if points[target] >= -1:
                yield Leg(source, target)
        elif own[0] <= HOME and (target == OFF or source == own[0]):
            yield Leg(source, OFF)
