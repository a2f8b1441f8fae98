"""UBGI session: what the commands of dialect 0.1 tell about the match around a position."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import Position

Value = TypeVar("Value")

SEATS = {"p0": 0, "p1": 1}
_SWITCH = {"on": True, "off": False}


@dataclass(frozen=True, slots=True)
class UbgiSession:
    """Length, score, cube and turn, by seat; length None for money, where points do not count.

    crawford: whether a game in which one side alone is a point away is the Crawford game.
    """

    length: int | None = None
    jacoby: bool = True
    crawford: bool = True
    points: tuple[int, int] = (0, 0)
    cube: int = 1
    owner: int | None = None
    turn: int = 0

    def state(self, position: Position) -> GameState:
        """The game's state around the position; raises ValueError if no game has this score."""
        score = None
        if self.length is not None:
            own, other = self.points[self.turn], self.points[1 - self.turn]
            is_one_away = (own == self.length - 1) != (other == self.length - 1)
            score = Score(self.length, own, other, self.crawford and is_one_away)
        owner = CubeOwner.CENTRED
        if self.owner is not None:
            owner = CubeOwner.ON_ROLL if self.owner == self.turn else CubeOwner.OTHER
        return GameState(position, Cube(self.cube, owner), score, MoneyRules(self.jacoby))

    def next_game(self) -> "UbgiSession":
        """The session at the start of a game, with the cube in the middle."""
        return replace(self, cube=1, owner=None)


def new_session(words: Sequence[str]) -> UbgiSession:
    """The session of `type money|match [length N] [jacoby on|off] [crawford on|off]`.

    Raises ValueError with a clause for anything else.
    """
    given = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or len(words) != 2 * len(given):
        raise ValueError("words come in pairs: type money, length 7")
    if unknown := set(given) - {"type", "length", "jacoby", "crawford"}:
        raise ValueError(f"no {min(unknown)[:40]!r} of a session")
    if given.get("type") not in ("money", "match"):
        raise ValueError("type money or type match is wanted")
    is_match = given["type"] == "match"
    if is_match != ("length" in given):
        raise ValueError("a match has a length, a money session has none")
    session = UbgiSession(
        _number(given["length"]) if is_match else None,
        _one_of(_SWITCH, given.get("jacoby", "on")),
        _one_of(_SWITCH, given.get("crawford", "on")),
    )
    if session.length is not None:
        Score(session.length, 0, 0)
    return session


def with_score(session: UbgiSession, words: Sequence[str]) -> UbgiSession:
    """The session with the points of both seats; raises ValueError with a clause."""
    if len(words) != 2:
        raise ValueError("the points of p0 and of p1 are wanted")
    points = _number(words[0]), _number(words[1])
    if session.length is not None and max(points) >= session.length:
        raise ValueError(f"no score of a match to {session.length}: {points[0]}-{points[1]}")
    return replace(session, points=points)


def with_cube(session: UbgiSession, words: Sequence[str]) -> UbgiSession:
    """The session after `value N owner center|p0|p1`; raises ValueError with a clause."""
    if len(words) != 4 or words[0] != "value" or words[2] != "owner":
        raise ValueError("value N owner center, p0 or p1 is wanted")
    owner = _one_of({"center": None, **SEATS}, words[3])
    value = _number(words[1])
    Cube(value, CubeOwner.CENTRED if owner is None else CubeOwner.ON_ROLL)
    return replace(session, cube=value, owner=owner)


def with_turn(session: UbgiSession, words: Sequence[str]) -> UbgiSession:
    """The session with p0 or p1 on roll; raises ValueError with a clause."""
    if len(words) != 1:
        raise ValueError("p0 or p1 is wanted")
    return replace(session, turn=_one_of(SEATS, words[0]))


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 6):
        raise ValueError(f"{word[:40]!r} is no number")
    return int(word)


def _one_of(choices: Mapping[str, Value], word: str) -> Value:
    if word not in choices:
        raise ValueError(f"{word[:40]!r} is none of {', '.join(choices)}")
    return choices[word]
