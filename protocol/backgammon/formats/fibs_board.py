"""FIBS board: the line with which GNU Backgammon asks an external player.

52 fields follow `board:`. GNU Backgammon fills some of them in its own way: a position is always
player 1's, names and scores change places when the player asked is not the one on roll, the dice
stand twice, and field 52 is 0 exactly in the Crawford game. Other programs ask as FIBS does, where
each side has its own dice, field 52 is 0 in most games, and the first player named may have the
negative checkers or move up.
Source: GNU Backgammon 1.07, drawboard.c, FIBSBoard; every quirk seen on the program.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import itemgetter

from bot.backgammon.kernels.boards import CHECKERS
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    Request,
)
from bot.backgammon.rules.match import MAX_LENGTH, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import Position, turned
from bot.backgammon.rules.roll import Roll
from protocol.errors import MalformedLineError

PREFIX = "board:"
UNLIMITED = 9999
"""The length of a match that has no end, as FIBS writes it; GNU Backgammon writes 0."""

POINTS = tuple(f"point {point}" for point in range(26))
FIELDS = (
    "name 1",
    "name 2",
    "match length",
    "score 1",
    "score 2",
    *POINTS,
    "turn",
    *(f"die {die}" for die in range(1, 5)),
    "cube",
    "may double 1",
    "may double 2",
    "doubled",
    "colour",
    "direction",
    "home",
    "bar",
    "checkers off of player 1",
    "checkers off of player 0",
    "checkers on bar 1",
    "checkers on bar 2",
    "can move",
    "forced move",
    "post-Crawford",
    "Crawford",
)
"""Names of the 52 fields; the last two are 0 in the Crawford game."""

CONSTANTS = {"colour": 1, "direction": -1, "home": 0, "bar": 25}
"""Player 1's in GNU Backgammon: his checkers are positive, and move down."""

ALLOWED = {
    **dict.fromkeys(("colour", "direction"), (-1, 1)),
    **dict.fromkeys(("home", "bar"), (0, 25)),
    **dict.fromkeys(
        ("may double 1", "may double 2", "doubled", "post-Crawford", "Crawford"), (0, 1)
    ),
    "turn": (-1, 1),
}
"""Values of the fields that have few."""

INTEGER = re.compile(r"-?[0-9]{1,5}")
NUMBERS = FIELDS[2:]
USUAL_NUMBERS = {str(number): number for number in range(-CHECKERS, 100)}
"""Numbers by their text, those that most fields hold: looking one up is quicker than reading it."""


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """A request as GNU Backgammon sends it, and what its line says besides.

    roller and decider are seats, 0 or 1; names and session_points (of a money session) are in the
    order of the seats. The decider differs from the roller when it answers a double.
    """

    request: Request
    roller: int
    decider: int
    names: tuple[str, str] = ("gnubg", "blot")
    session_points: tuple[int, int] = (0, 0)
    low_die_first: bool = False

    @property
    def is_beaver(self) -> bool:
        """Whether the double to answer is a beaver or raccoon: the cube is not the roller's."""
        return (
            isinstance(self.request, AnswerDouble)
            and self.request.state.cube.owner is CubeOwner.OTHER
        )


def parse_board(
    line: str,
    *,
    jacoby: bool = True,
    beavers: bool = False,
    crawford: bool = True,
    seat: int | None = None,
) -> BoardRequest:
    """The request of the line; jacoby and beavers are the money rules, which no line carries.

    crawford: whether there is a Crawford game, if the line is of one. seat is the reader's, known
    from any earlier request; it decides who answers a beaver or raccoon. Without it the roller,
    whose double was beavered, is taken to be asked.
    Raises MalformedLineError with the name of the field that is wrong.
    """
    names, fields = _checked_fields(line)
    roller = 1 if fields["turn"] == 1 else 0
    cube = _cube(fields, roller, line)
    decider = roller if fields["doubled"] == 0 else 1 - roller
    if fields["doubled"] and cube.owner is CubeOwner.OTHER:
        decider = roller if seat is None else seat
    points = fields["score 1"], fields["score 2"]
    if decider != roller:
        names, points = (names[1], names[0]), (points[1], points[0])
    score = _score(fields, points[roller], points[1 - roller], line)
    if score and not crawford:
        score = replace(score, is_crawford=False)
    state = GameState(_position(fields, roller, line), cube, score, MoneyRules(jacoby, beavers))
    dice = _thrown(fields, roller)
    return BoardRequest(
        _request(state, dice, fields, line),
        roller,
        decider,
        names,
        (0, 0) if score else points,
        dice[0] < dice[1],
    )


def board_line(board: BoardRequest) -> str:
    """The line GNU Backgammon sends for a request, without the line end.

    Raises ValueError for a resignation, which it answers itself.
    """
    if isinstance(board.request, AnswerResignation):
        raise ValueError("no board line asks about a resignation")
    state = board.request.state
    names, length, points = board.names, 0, board.session_points
    if score := state.score:
        length = score.length
        points = (score.own, score.other) if board.roller == 0 else (score.other, score.own)
    if board.decider != board.roller:
        names, points = (names[1], names[0]), (points[1], points[0])
    position = state.position if board.roller == 1 else turned(state.position)
    dice = _dice(board)
    fields = (
        *(name.replace(":", "_") for name in names),
        *(length, *points),
        *position.points,
        1 if board.roller == 1 else -1,
        *(*dice, *dice),
        state.cube.value,
        *_may_double(state.cube, board.roller),
        int(isinstance(board.request, AnswerDouble)),
        *CONSTANTS.values(),
        *(position.off, position.other_off),
        *(0, 0, 0, 0),
        *_crawford_flags(score),
    )
    return PREFIX + ":".join(map(str, fields))


def _checked_fields(line: str) -> tuple[tuple[str, str], Mapping[str, int]]:
    """The fields of a line as GNU Backgammon fills them in, those checked that have few values."""
    names, fields = board_fields(line)
    for field, allowed in ALLOWED.items():
        if fields[field] not in allowed:
            raise MalformedLineError(f"{field} {fields[field]}", line)
    colour, direction = fields["colour"], fields["direction"]
    if (colour, direction) != (1, -1):
        points = [colour * fields[point] for point in POINTS][::-direction]
        turned_round = dict(zip(POINTS, points, strict=True)) | {"turn": colour * fields["turn"]}
        fields = {**fields, **turned_round}
    return names, fields


def board_fields(line: str) -> tuple[tuple[str, str], Mapping[str, int]]:
    """The two names as sent, and the 50 integers by name, none of them checked.

    Raises MalformedLineError with the name of the field that cannot be read.
    """
    body = line.strip("\r\n\0")
    if not body.startswith(PREFIX):
        raise MalformedLineError(f"the word {PREFIX!r}", line)
    name1, _, rest = body.removeprefix(PREFIX).partition(":")
    name2, _, numbers = rest.partition(":")
    texts = numbers.split(":")
    if len(texts) != len(NUMBERS):
        found = body.count(":")
        raise MalformedLineError(f"the {len(FIELDS)} fields (there are {found})", line)
    try:
        fields = dict(zip(NUMBERS, map(USUAL_NUMBERS.__getitem__, texts), strict=True))
    except KeyError:
        for field, text in zip(NUMBERS, texts, strict=True):
            if not INTEGER.fullmatch(text):
                raise MalformedLineError(f"{field} {text[:20]!r}", line) from None
        fields = dict(zip(NUMBERS, map(int, texts), strict=True))
    return (name1, name2), fields


def _check(is_right: bool, field: str, fields: Mapping[str, int], line: str) -> None:
    if not is_right:
        raise MalformedLineError(f"{field} {fields[field]}", line)


def _position(fields: Mapping[str, int], roller: int, line: str) -> Position:
    """The position seen by the roller."""
    points = itemgetter(*POINTS)(fields)
    _check(points[0] <= 0, "point 0", fields, line)
    _check(points[25] >= 0, "point 25", fields, line)
    checkers_of_1 = sum([count for count in points if count > 0])
    for player, checkers in ((1, checkers_of_1), (0, checkers_of_1 - sum(points))):
        if not 0 < checkers <= CHECKERS:
            raise MalformedLineError(f"the {checkers} checkers of player {player}", line)
        off = f"checkers off of player {player}"
        _check(fields[off] == CHECKERS - checkers, off, fields, line)
    position = Position(points)
    return position if roller == 1 else turned(position)


def _cube(fields: Mapping[str, int], roller: int, line: str) -> Cube:
    may_double = fields["may double 1"], fields["may double 2"]
    if may_double == (0, 0):
        raise MalformedLineError("may double 1 and 2, both 0", line)
    owner = CubeOwner.CENTRED
    if may_double != (1, 1):
        owner = CubeOwner.ON_ROLL if may_double == (roller, 1 - roller) else CubeOwner.OTHER
    try:
        return Cube(fields["cube"], owner)
    except ValueError:
        raise MalformedLineError(f"cube {fields['cube']}", line) from None


def _score(fields: Mapping[str, int], own: int, other: int, line: str) -> Score | None:
    """The score seen by the roller; none in a money session, whose points may be any."""
    length = fields["match length"]
    if length in (0, UNLIMITED):
        _check(fields["score 1"] >= 0, "score 1", fields, line)
        _check(fields["score 2"] >= 0, "score 2", fields, line)
        return None
    _check(1 <= length <= MAX_LENGTH, "match length", fields, line)
    _check(0 <= fields["score 1"] < length, "score 1", fields, line)
    _check(0 <= fields["score 2"] < length, "score 2", fields, line)
    is_crawford = fields["post-Crawford"] == fields["Crawford"] == 0
    return Score(length, own, other, is_crawford and (length - own == 1) != (length - other == 1))


def _thrown(fields: Mapping[str, int], roller: int) -> tuple[int, int]:
    """The dice of the roller: player 1's stand first; where only one side has dice, those."""
    first, second = (fields["die 1"], fields["die 2"]), (fields["die 3"], fields["die 4"])
    own, other = (first, second) if roller == 1 else (second, first)
    return own if any(own) else other


def _request(
    state: GameState, dice: tuple[int, int], fields: Mapping[str, int], line: str
) -> Request:
    if fields["doubled"]:
        if dice != (0, 0):
            raise MalformedLineError("doubled 1 with the dice rolled", line)
        if state.score and (state.score.is_crawford or state.cube.owner is CubeOwner.OTHER):
            raise MalformedLineError("doubled 1 where nobody may double", line)
        return AnswerDouble(state)
    if dice == (0, 0):
        return ChooseCubeAction(state)
    try:
        return ChooseCheckerPlay(state, Roll.of_dice(*dice))
    except ValueError:
        raise MalformedLineError(f"the dice {dice[0]} and {dice[1]}", line) from None


def _dice(board: BoardRequest) -> tuple[int, int]:
    """The dice as they fell; 0 and 0 before the roll."""
    if not isinstance(board.request, ChooseCheckerPlay):
        return 0, 0
    roll = board.request.roll
    return (roll.low, roll.high) if board.low_die_first else (roll.high, roll.low)


def _may_double(cube: Cube, roller: int) -> tuple[int, int]:
    """Whether player 1 and player 0 may double."""
    match cube.owner:
        case CubeOwner.CENTRED:
            return 1, 1
        case CubeOwner.ON_ROLL:
            return roller, 1 - roller
        case CubeOwner.OTHER:
            return 1 - roller, roller


def _crawford_flags(score: Score | None) -> tuple[int, int]:
    """Whether the Crawford game is over, and whether this is not it."""
    if score is None:
        return 0, 1
    if score.is_crawford:
        return 0, 0
    return int(score.away == 1 or score.other_away == 1), 1
