"""Position ID and match ID: GNU Backgammon's short names of what is on and around the board.

A GNUbg ID is both, `4HPwATDgc/ABMA:cAkAAAAAAAAE`. Bits are counted from the least significant one
of the first byte, and the bytes written in base 64 without padding.
Source: GNU Backgammon 1.07, positionid.c and matchid.c; compared with the program.
"""

import base64
import re
from dataclasses import dataclass
from enum import IntEnum

from bot.backgammon.kernels.boards import BAR, CHECKERS
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    Request,
)
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import Position, turned
from bot.backgammon.rules.roll import Roll

ALPHABET = re.compile("[A-Za-z0-9+/]*")
POSITION_BITS = 80
MATCH_FIELDS = {
    "cube": 4,
    "cube owner": 2,
    "roller": 1,
    "Crawford": 1,
    "stage": 3,
    "decider": 1,
    "doubled": 1,
    "resignation": 2,
    "die 1": 3,
    "die 2": 3,
    "match length": 15,
    "points of player 0": 15,
    "points of player 1": 15,
    "no Jacoby": 1,
    "padding": 5,
}
"""Bits of each field of a match ID, in this order."""

MATCH_BITS = sum(MATCH_FIELDS.values())
POSITION_LENGTH, MATCH_LENGTH = -(-POSITION_BITS // 6), -(-MATCH_BITS // 6)
"""Characters of a position ID and of a match ID."""

CENTRED = 3


class Stage(IntEnum):
    """The stage of a game; in gnubg's analyses a game is NONE until its first play."""

    NONE = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


@dataclass(frozen=True, slots=True)
class MatchIdFields:
    """The fields of a match ID; roller, decider and cube_owner are seats, 0 or 1.

    cube is its value, cube_owner None if it is centred, resignation 0 or the 1 to 3 times the cube
    offered, length 0 in a money session, points those of player 0 and of player 1.
    """

    roller: int
    decider: int
    stage: Stage = Stage.PLAYING
    roll: Roll | None = None
    cube: int = 1
    cube_owner: int | None = None
    doubled: bool = False
    resignation: int = 0
    length: int = 0
    points: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False

    def __post_init__(self) -> None:
        if not {self.roller, self.decider, self.cube_owner} <= {0, 1, None}:
            raise ValueError("seats are 0 and 1")
        if self.cube < 1 or self.cube & (self.cube - 1):
            raise ValueError(f"a cube shows a power of two, not {self.cube}")

    @property
    def match_winner(self) -> int | None:
        """The seat that has all the points it needs; None outside of matches and before that."""
        if not self.length or max(self.points) < self.length:
            return None
        return self.points.index(max(self.points))


def position_id(position: Position) -> str:
    """The 14 characters of a position; they do not tell who is on roll."""
    bits = ""
    for side in (turned(position), position):
        bits += "".join("1" * max(count, 0) + "0" for count in side.points[1:])
    return _text(int(bits[::-1], 2), POSITION_BITS)


def parse_position_id(text: str) -> Position:
    """The position, seen by the player on roll.

    Raises ValueError unless the text is exactly what position_id writes for some position.
    """
    number = _number(text, POSITION_BITS, "position ID")
    sides = []
    for side in ("other side", "player on roll"):
        counts = []
        for _ in range(BAR):
            count = 0
            while number & 1:
                number, count = number >> 1, count + 1
            counts.append(count)
            number >>= 1
        if sum(counts) > CHECKERS:
            raise ValueError(f"position ID {text!r} gives the {side} {sum(counts)} checkers")
        sides.append(counts)
    other, own = sides
    if number:
        raise ValueError(f"position ID {text!r} goes on after the last point")
    if not any(other) and not any(own):
        raise ValueError(f"position ID {text!r} has no checkers on the board")
    for point in range(1, BAR):
        if own[point - 1] and other[BAR - 1 - point]:
            raise ValueError(f"position ID {text!r} has both sides on point {point}")
    return Position.of(dict(enumerate(own, 1)), dict(enumerate(other, 1)))


def match_id(record: MatchIdFields) -> str:
    """The 12 characters of a record."""
    roll = record.roll
    values = (
        record.cube.bit_length() - 1,
        CENTRED if record.cube_owner is None else record.cube_owner,
        record.roller,
        record.crawford,
        record.stage,
        record.decider,
        record.doubled,
        record.resignation,
        *((roll.high, roll.low) if roll else (0, 0)),
        record.length,
        *record.points,
        not record.jacoby,
        0,
    )
    number = shift = 0
    for (field, width), value in zip(MATCH_FIELDS.items(), values, strict=True):
        if not 0 <= value < 1 << width:
            raise ValueError(f"a match ID has no room for {field} {int(value)}")
        number |= value << shift
        shift += width
    return _text(number, MATCH_BITS)


def parse_match_id(text: str) -> MatchIdFields:
    """The record; raises ValueError naming the field that cannot be."""
    number = _number(text, MATCH_BITS, "match ID")
    fields = {}
    for field, width in MATCH_FIELDS.items():
        fields[field] = number & ((1 << width) - 1)
        number >>= width
    dice = fields["die 1"], fields["die 2"]
    is_possible = {
        "cube": 1 << fields["cube"] <= MAX_CUBE,
        "cube owner": fields["cube owner"] != 2,
        "stage": fields["stage"] <= max(Stage),
        "die 1": dice[0] <= 6 and (dice[0] > 0) == (dice[1] > 0),
        "die 2": dice[1] <= 6,
        "padding": fields["padding"] == 0,
    }
    for field, holds in is_possible.items():
        if not holds:
            raise ValueError(f"match ID {text!r} has {field} {fields[field]}")
    return MatchIdFields(
        roller=fields["roller"],
        decider=fields["decider"],
        stage=Stage(fields["stage"]),
        roll=Roll.of_dice(*dice) if dice[0] else None,
        cube=1 << fields["cube"],
        cube_owner=None if fields["cube owner"] == CENTRED else fields["cube owner"],
        doubled=bool(fields["doubled"]),
        resignation=fields["resignation"],
        length=fields["match length"],
        points=(fields["points of player 0"], fields["points of player 1"]),
        crawford=bool(fields["Crawford"]),
        jacoby=not fields["no Jacoby"],
    )


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over: its last position, seen by the player on roll, and what the ID holds."""

    position: Position
    record: MatchIdFields

    def __str__(self) -> str:
        """A sentence on the end of a game or match: as a sentence without its stop."""
        winner = self.record.match_winner
        if winner is None:
            return "the game is over"
        points = self.record.points
        return f"the match is over: {'OX'[winner]} won it, {points[winner]} to {points[1 - winner]}"


def finished_game(position: Position, record: MatchIdFields | None) -> FinishedGame | None:
    """The game if it is over, None if it goes on; record is None where a position stands alone."""
    record = record or MatchIdFields(roller=1, decider=1)
    is_left = record.stage in (Stage.NONE, Stage.PLAYING)
    if is_left and position.checkers and position.other_checkers:
        return None
    return FinishedGame(position, record)


def parse_finished(identity: str) -> FinishedGame | None:
    """The game of a position ID, with or without `:MATCH`, if it is over; None if it is not.

    Raises ValueError if the text is no such ID.
    """
    position, colon, match = identity.partition(":")
    return finished_game(parse_position_id(position), parse_match_id(match) if colon else None)


def match_id_fields(
    request: Request, *, roller: int = 1, session_points: tuple[int, int] = (0, 0)
) -> MatchIdFields:
    """The fields of a request's match ID; roller is the seat of the player on roll.

    session_points, of a money session, are in the order of the seats. Beavers are not told.
    """
    state, score = request.state, request.state.score
    points = session_points
    if score:
        points = (score.own, score.other) if roller == 0 else (score.other, score.own)
    owners = {CubeOwner.CENTRED: None, CubeOwner.ON_ROLL: roller, CubeOwner.OTHER: 1 - roller}
    is_answer = isinstance(request, AnswerDouble | AnswerResignation)
    return MatchIdFields(
        roller=roller,
        decider=1 - roller if is_answer else roller,
        roll=request.roll if isinstance(request, ChooseCheckerPlay) else None,
        cube=state.cube.value,
        cube_owner=owners[state.cube.owner],
        doubled=isinstance(request, AnswerDouble),
        resignation=request.points if isinstance(request, AnswerResignation) else 0,
        length=score.length if score else 0,
        points=points,
        crawford=bool(score and score.is_crawford),
        jacoby=not score and state.money.jacoby,
    )


def request_of(position: Position, record: MatchIdFields) -> Request:
    """The request to the player who has to decide, in a game that goes on.

    position: seen by the player on roll. Raises ValueError if the record cannot be.
    """
    roller = record.roller
    owner = CubeOwner.ON_ROLL if record.cube_owner == roller else CubeOwner.OTHER
    if record.cube_owner is None:
        owner = CubeOwner.CENTRED
    score, rules = None, MoneyRules(jacoby=record.jacoby)
    if record.length:
        own, other = record.points[roller], record.points[1 - roller]
        score, rules = Score(record.length, own, other, record.crawford), MoneyRules()
    state = GameState(position, Cube(record.cube, owner), score, rules)
    if record.doubled and record.resignation:
        raise ValueError("a resignation in place of an answer to a double cannot be set up")
    if record.doubled and owner is CubeOwner.OTHER:
        raise ValueError("a double with the other side's cube is a beaver, which cannot be set up")
    if record.doubled and score and score.is_crawford:
        raise ValueError("a double waits for its answer, and nobody doubles in the Crawford game")
    if record.doubled and record.cube >= MAX_CUBE:
        raise ValueError("a double waits for its answer, and the cube goes no higher")
    if record.resignation:
        return AnswerResignation(state, record.resignation)
    if record.doubled:
        return AnswerDouble(state)
    return ChooseCheckerPlay(state, record.roll) if record.roll else ChooseCubeAction(state)


def gnubg_id(request: Request, *, roller: int = 1, session_points: tuple[int, int] = (0, 0)) -> str:
    """Position ID and match ID of what is asked; see match_id_fields."""
    record = match_id_fields(request, roller=roller, session_points=session_points)
    return f"{position_id(request.state.position)}:{match_id(record)}"


def parse_gnubg_id(text: str) -> Request:
    """The request to the player who has to decide; its state is seen by the player on roll.

    Raises ValueError if the text is no `POSITION:MATCH`, or the game is over there.
    """
    texts = text.strip().split(":")
    if len(texts) != 2:
        raise ValueError(f"no GNUbg ID of the form POSITION:MATCH: {text[:60]!r}")
    finished = parse_finished(text.strip())
    if finished:
        raise ValueError(f"{finished} (GNUbg ID {text!r})")
    return request_of(parse_position_id(texts[0]), parse_match_id(texts[1]))


def _text(number: int, bits: int) -> str:
    return base64.b64encode(number.to_bytes(bits // 8, "little")).decode().rstrip("=")


def _number(text: str, bits: int, name: str) -> int:
    """The bits of an ID as one number; the text must be exactly what _text writes."""
    length = -(-bits // 6)
    if len(text) != length:
        raise ValueError(f"a {name} has {length} characters, {text[:40]!r} has {len(text)}")
    if not ALPHABET.fullmatch(text):
        raise ValueError(f"a {name} has letters, digits, + and / only, not {text!r}")
    number = int.from_bytes(base64.b64decode(text + "=" * (-length % 4)), "little")
    if _text(number, bits) != text:
        raise ValueError(f"{name} {text!r} ends in bits that mean nothing")
    return number
