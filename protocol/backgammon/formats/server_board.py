"""Server board: what a game server shows of a game, and the raw board line of FIBS.

The line has the fields of fibs_board, filled in as a server does: names and scores are ours and the
opponent's, colour and direction are free, each side's dice have fields of their own, and while a
double waits nobody may double. Seat 0 is ours, seat 1 the opponent's.

The specification tells to leave the fields "forced move" and "did Crawford" alone, but they are all
that a server says of the Crawford rule. On FIBS and BaldLies "did Crawford", `post-Crawford` here,
is 1 in every game after Crawford's, and "forced move" is 3 where Crawford's game would have been if
both players did not want it, and in all games after that. Else they are 0, also in Crawford's game;
Jibs always has 0. So what is told for certain is that a game is not Crawford's.
Source: FIBS Client Protocol Detailed Specification 1.3, Board State; BaldLies, CLIP-BUGS and
Match.pm; GNU Backgammon 1.07, external.h; each quirk seen on BaldLies or Jibs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.backgammon.rules.match import Cube, CubeOwner
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.fibs_board import UNLIMITED, board_fields
from protocol.errors import MalformedLineError

TURN = 32
"""The place in the line of the field that tells whose turn it is."""

NO_CRAWFORD = 3
"""The number in the field "forced move" of games in which the Crawford rule is over."""

YOU = "You"
"""The name of who plays; the board of a match that is only watched has another."""


@dataclass(frozen=True, slots=True)
class ServerBoard:
    """A board as a server shows it: the position as we see it, and whose turn it is.

    length is None in an unlimited match. turn: the seat of the player on roll, None between games;
    while a double waits the doubler's. roll: of the player on roll, None before it. cube_owner: a
    seat, None for the middle; of a double that waits nobody tells. is_crawford: whether this is
    the Crawford game; False if it is told not to be, None if nobody tells. is_ascending: whether
    the server counts our points up, so that our 24 is its 1.
    """

    opponent: str
    length: int | None
    points: tuple[int, int]
    position: Position
    turn: int | None
    roll: Roll | None = None
    cube: int = 1
    cube_owner: int | None = None
    is_doubled: bool = False
    is_crawford: bool | None = None
    is_ascending: bool = False

    @property
    def rollers_cube(self) -> Cube:
        """The cube as the player on roll sees it."""
        if self.cube_owner is None:
            return Cube(self.cube)
        is_rollers = self.cube_owner == self.turn
        return Cube(self.cube, CubeOwner.ON_ROLL if is_rollers else CubeOwner.OTHER)


def parse_server_board(line: str) -> ServerBoard:
    """The board of the line; raises MalformedLineError with the name of the field that is wrong."""
    (name, opponent), fields = board_fields(line)
    if name != YOU:
        raise MalformedLineError("a board of our own game", line)
    try:
        return _board(opponent, fields)
    except ValueError as error:
        raise MalformedLineError(f"a board ({error})", line) from None


def has_ended(line: str) -> bool:
    """Whether the game of a board is over, whatever else it shows.

    Jibs takes both players' checkers off after a game that was dropped or resigned.
    """
    fields = line.split(":")
    return len(fields) > TURN and fields[TURN] == "0"


def _board(opponent: str, fields: Mapping[str, int]) -> ServerBoard:
    """The board of the fields; raises ValueError with what is wrong."""
    colour, direction = fields["colour"], fields["direction"]
    if colour not in (-1, 1) or direction not in (-1, 1):
        raise ValueError(f"colour {colour} and direction {direction}")
    if fields["turn"] not in (-1, 0, 1):
        raise ValueError(f"turn {fields['turn']}")
    may_double = fields["may double 1"], fields["may double 2"]
    is_doubled = fields["doubled"] == 1 or may_double == (0, 0)
    turn = None if not fields["turn"] else int(fields["turn"] != colour)
    if turn is not None and is_doubled:
        turn = 1 if fields["doubled"] == 1 else 0  # shown is who answers
    length = fields["match length"]
    return ServerBoard(
        opponent,
        None if length == UNLIMITED else length,
        (fields["score 1"], fields["score 2"]),
        _position(fields, colour, direction),
        turn,
        _roll(fields, turn),
        fields["cube"],
        None if may_double[0] == may_double[1] else int(may_double == (0, 1)),
        is_doubled,
        _is_crawford(fields),
        direction == 1,
    )


def _is_crawford(fields: Mapping[str, int]) -> bool | None:
    """False if the game is told not to be Crawford's, None if nobody tells."""
    is_none = fields["post-Crawford"] == 1 or fields["forced move"] == NO_CRAWFORD
    return False if is_none else None


def _position(fields: Mapping[str, int], colour: int, direction: int) -> Position:
    """The position as we see it; the bars are told by fields of their own."""
    shown = [colour * fields[f"point {point}"] for point in range(26)]
    points = shown if direction == -1 else shown[::-1]
    points[25], points[0] = fields["checkers on bar 1"], -fields["checkers on bar 2"]
    position = Position(tuple(points))
    # fibs_board names these two by gnubg's players; here the first is ours
    off = fields["checkers off of player 1"], fields["checkers off of player 0"]
    if off != (position.off, position.other_off):
        raise ValueError(f"{off[0]} and {off[1]} checkers off, beside the others")
    return position


def _roll(fields: Mapping[str, int], turn: int | None) -> Roll | None:
    if turn is None:
        return None
    dice = [fields[f"die {die}"] for die in ((1, 2) if turn == 0 else (3, 4))]
    return Roll.of_dice(*dice) if any(dice) else None
