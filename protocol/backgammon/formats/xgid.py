"""XGID: eXtreme Gammon's one line for a position and what stands around it.

XGID=BOARD:CUBE:OWNER:TURN:DICE:SCORE1:SCORE2:RULE:LENGTH:MAXCUBE, where player 1 is drawn at the
bottom and player 2 at the top, whoever is on roll. Player 1 is seat 1 here, player 2 is seat 0, as
in GNU Backgammon's IDs.
Source: eXtreme Gammon 2's manual, position identifiers; compared with GNU Backgammon 1.07.
"""

import re
from collections.abc import Container
from dataclasses import dataclass, replace

from bot.backgammon.kernels.boards import BAR, CHECKERS
from bot.backgammon.rules.decision import Request
from bot.backgammon.rules.match import MAX_CUBE, Score
from bot.backgammon.rules.position import Position, turned
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.position_id import MatchIdFields, Stage, request_of

PREFIX = "XGID="
EMPTY = "-"
LETTERS = "ABCDEFGHIJKLMNOP"
"""One to sixteen checkers of player 1; in small letters, of player 2."""

COUNTS = {EMPTY: 0}
"""Checkers of player 1 that a character stands for; those of player 2 count down."""
for _count, _letter in enumerate(LETTERS, start=1):
    COUNTS |= {_letter: _count, _letter.lower(): -_count}

CHARACTERS = {count: character for character, count in COUNTS.items()}

FIELDS = 10
USUAL_LIMIT = 10
NUMBER = re.compile(r"-?[0-9]{1,5}")
NOT_ROLLED, DOUBLED = "00", "D"
BEAVERED = {"B": "beaver", "R": "raccoon"}
SEATS = {1: 1, -1: 0}
"""The seat of player 1 and that of player 2, as TURN and OWNER name them."""

OWNERS = {**SEATS, 0: None}
MAX_POINTS = 2**15 - 1
"""As many as a match ID has room for."""


@dataclass(frozen=True, slots=True)
class Xgid:
    """An XGID: the position, seen by the player on roll, and a record as in a match ID.

    limit: the highest cube, as a power of two; 0 if there is no cube.
    """

    position: Position
    record: MatchIdFields
    beavers: bool = False
    limit: int = USUAL_LIMIT

    @property
    def request(self) -> Request:
        """The request to the player who has to decide; the game must not be over."""
        request = request_of(self.position, self.record)
        money = replace(request.state.money, beavers=self.beavers)
        return replace(request, state=replace(request.state, money=money))

    @property
    def note(self) -> str:
        """A sentence on what Blot does not keep of it; empty if it keeps all."""
        if self.limit == 0:
            return "This XGID is of a game without the cube; --no-cube tells Blot so."
        if self.limit == USUAL_LIMIT or 1 << self.limit >= MAX_CUBE:
            return ""
        return f"This XGID lets the cube go up to {1 << self.limit}; Blot's goes to {MAX_CUBE}."


def xgid_text(xgid: Xgid) -> str:
    """The XGID with its prefix; raises ValueError for what it has no room for."""
    record = xgid.record
    if record.stage not in (Stage.NONE, Stage.PLAYING):
        raise ValueError("an XGID cannot tell that a game is over")
    if record.resignation:
        raise ValueError("an XGID cannot tell of a resignation")
    side = {seat: number for number, seat in SEATS.items()}
    dice = NOT_ROLLED
    if record.roll:
        dice = f"{record.roll.high}{record.roll.low}"
    rule = int(record.crawford) if record.length else record.jacoby + 2 * xgid.beavers
    fields = (
        _board_text(xgid.position if record.roller == 1 else turned(xgid.position)),
        record.cube.bit_length() - 1,
        0 if record.cube_owner is None else side[record.cube_owner],
        side[record.roller],
        DOUBLED if record.doubled else dice,
        record.points[1],
        record.points[0],
        rule,
        record.length,
        xgid.limit,
    )
    return PREFIX + ":".join(map(str, fields))


def xgid_line(xgid: Xgid) -> str:
    """The XGID, or a sentence that says why there is none."""
    try:
        return xgid_text(xgid)
    except ValueError as error:
        sentence = str(error)
        return f"{sentence[0].upper()}{sentence[1:]}."


def parse_xgid(text: str) -> Xgid:
    """The fields of an XGID, with its prefix or without; nine fields have the usual limit.

    Raises ValueError with one sentence for what no game can be, and for what Blot has no word for.
    """
    fields = text.strip().removeprefix(PREFIX).split(":")
    try:
        if len(fields) == FIELDS - 1:
            fields.append(str(USUAL_LIMIT))
        if len(fields) != FIELDS:
            raise ValueError(f"is not {FIELDS} fields with colons between them but {len(fields)}")
        return _read(fields)
    except ValueError as error:
        raise ValueError(f"XGID {text.strip()[:80]!r} {error}") from None


def _read(fields: list[str]) -> Xgid:
    """The value of ten fields; raises ValueError with the end of a sentence."""
    below = _position(fields[0])
    cube = _number("a cube of 2 to the power of", fields[1], range(MAX_CUBE.bit_length()))
    owner = _number("owner", fields[2], OWNERS)
    turn = _number("turn", fields[3], SEATS)
    doubled, roll = _dice(fields[4])
    points = [_number("score", field, range(MAX_POINTS + 1)) for field in fields[5:7]]
    rule = _number("rule", fields[7], range(4))
    length = _number("match length", fields[8], range(MAX_POINTS + 1))
    limit = _number("a highest cube of 2 to the power of", fields[9], range(16))
    if owner and not cube:
        raise ValueError("gives a cube at 1 an owner")
    if length:
        if rule > 1:
            raise ValueError(f"has rule {rule} in a match, where 1 is the Crawford game and 0 none")
        _check_score(length, points, is_crawford=rule == 1)
    seat = SEATS[turn]
    record = MatchIdFields(
        roller=seat,
        decider=1 - seat if doubled else seat,
        roll=roll,
        cube=1 << cube,
        cube_owner=OWNERS[owner],
        doubled=doubled,
        length=length,
        points=(points[1], points[0]),
        crawford=length > 0 and rule == 1,
        jacoby=length == 0 and rule & 1 == 1,
    )
    position = below if seat == 1 else turned(below)
    return Xgid(position, record, length == 0 and rule & 2 == 2, limit)


def _check_score(length: int, points: list[int], *, is_crawford: bool) -> None:
    own, other = points
    try:
        Score(length, own, other, is_crawford)
    except ValueError as error:
        raise ValueError(f"cannot be: {error}") from None


def _number(name: str, field: str, allowed: Container[int]) -> int:
    """The number in a field; raises ValueError unless it is an allowed one."""
    if not NUMBER.fullmatch(field) or int(field) not in allowed:
        raise ValueError(f"has {name} {field[:20]!r}")
    return int(field)


def _dice(field: str) -> tuple[bool, Roll | None]:
    """Whether a double waits, and the roll; raises ValueError for what is neither."""
    if field in BEAVERED:
        raise ValueError(f"waits for the answer to a {BEAVERED[field]}, which Blot cannot set up")
    if field in (DOUBLED, NOT_ROLLED):
        return field == DOUBLED, None
    if not re.fullmatch("[1-6]{2}", field):
        raise ValueError(f"has dice {field[:20]!r}, neither two from 1 to 6 nor 00 nor D")
    return False, Roll.of_dice(int(field[0]), int(field[1]))


def _board_text(below: Position) -> str:
    """The 26 characters of a position seen by player 1."""
    return "".join(CHARACTERS[count] for count in below.points)


def _position(board: str) -> Position:
    """The position seen by player 1; raises ValueError with the end of a sentence."""
    if len(board) != BAR + 1:
        raise ValueError(f"has a board of {len(board)} characters, not {BAR + 1}")
    for character in board:
        if character not in COUNTS:
            raise ValueError(f"has {character!r} on the board")
    counts = [COUNTS[character] for character in board]
    if counts[0] > 0 or counts[BAR] < 0:
        raise ValueError("has a checker on the other player's bar")
    for player, sign in ((1, 1), (2, -1)):
        checkers = sum(max(sign * count, 0) for count in counts)
        if checkers > CHECKERS:
            raise ValueError(f"gives player {player} {checkers} checkers")
    if not any(counts):
        raise ValueError("has no checkers on the board")
    return Position(tuple(counts))
