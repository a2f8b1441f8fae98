"""Diagram: the board drawn in text, as GNU Backgammon draws it.

Source: GNU Backgammon 1.07, drawboard.c, DrawBoard; compared with the program.
"""

from bot.backgammon.kernels.boards import BAR
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    Request,
)
from bot.backgammon.rules.match import CubeOwner, Score
from bot.backgammon.rules.position import Position, turned
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.position_id import (
    FinishedGame,
    MatchIdFields,
    match_id,
    match_id_fields,
    position_id,
)

HIGH_POINTS = " +13-14-15-16-17-18------19-20-21-22-23-24-+"
LOW_POINTS = " +12-11-10--9--8--7-------6--5--4--3--2--1-+"

ROWS = 5
"""Checkers drawn above each other; the last one becomes the count where there are more."""

COUNTS = "0123456789ABCDEF"
STAKES = {1: "single game", 2: "gammon", 3: "backgammon"}


def diagram(
    request: Request,
    *,
    roller: int = 1,
    names: tuple[str, str] = ("gnubg", "blot"),
    record: MatchIdFields | None = None,
) -> str:
    """The board with its IDs, cube, score, dice and pip counts; 16 lines without trailing blanks.

    roller is the seat of the player on roll: player 1 (X) is drawn at the bottom, player 0 (O) at
    the top; points are numbered as the player on roll counts. names are in the order of the seats.
    record: of the match ID that asked, whose roller it is then; it may tell more than the request,
    as the points of a money session, or a roll before a resignation.
    """
    record = record or match_id_fields(request, roller=roller)
    position, cubes = request.state.position, _owned_cubes(request, record.roller)
    players = names[0] + cubes[0], names[1] + cubes[1]
    return _drawing(position, record, players, _stakes(request), _notes(request, record))


def final_diagram(game: FinishedGame, *, names: tuple[str, str] = ("gnubg", "blot")) -> str:
    """The last position of a game as diagram draws it, with the final score; it says who won."""
    record = game.record
    cubes = ["", ""]
    stakes = _points(record.length) + " match" if record.length else ""
    if record.cube_owner is not None:
        cubes[record.cube_owner] = f" (Cube: {record.cube})"
    elif record.length != 1:
        cube = "(Crawford game)" if record.crawford else f"(Cube: {record.cube})"
        stakes = f"{stakes} {cube}".lstrip()
    players = names[0] + cubes[0], names[1] + cubes[1]
    board = _drawing(game.position, record, players, stakes, _score_notes(record))
    sentence = str(game)
    return f"{board}\n{sentence[0].upper()}{sentence[1:]}."


def board_rows(position: Position, *, roller: int) -> list[str]:
    """The 13 rows of the board alone, from edge to edge, without a word but BAR.

    position: seen by the player on roll, whose seat is roller; see diagram.
    """
    below = position if roller == 1 else turned(position)
    edges = (HIGH_POINTS, LOW_POINTS) if roller == 1 else (LOW_POINTS, HIGH_POINTS)
    rows = [f" {row}" for row in _rows(below)]
    arrow = "v" if roller == 1 else "^"
    bar = f"{arrow}|{' ' * 18}|BAR|{' ' * 18}|"
    return [edges[0], *rows[:ROWS], bar, *rows[ROWS:], edges[1]]


def _drawing(
    position: Position,
    record: MatchIdFields,
    players: tuple[str, str],
    stakes: str,
    notes: list[str],
) -> str:
    """The lines of a diagram; position: seen by the roller; players: what stands at each seat."""
    below = position if record.roller == 1 else turned(position)
    upper, *rows, lower = board_rows(position, roller=record.roller)
    beside = [*notes[:ROWS], f"    {stakes}", *notes[ROWS:]]
    lines = (
        f" GNU Backgammon  Position ID: {position_id(position)}",
        f"                 Match ID   : {match_id(record)}",
        f"{upper}     O: {players[0]}",
        *(f"{row} {note}" for row, note in zip(rows, beside, strict=True)),
        f"{lower}     X: {players[1]}",
        f"Pip counts: O {turned(below).pip_count}, X {below.pip_count}",
    )
    return "\n".join(line.rstrip() for line in lines)


def _rows(below: Position) -> list[str]:
    """Ten rows from top to bottom, with the checkers off at the right; seen by player 1."""
    upper = (range(13, 19), (0,), range(19, 25))
    lower = (range(12, 6, -1), (BAR,), range(6, 0, -1))
    rows = [_row(below, upper, depth, below.other_off, "O") for depth in range(1, ROWS + 1)]
    return rows + [_row(below, lower, depth, below.off, "X") for depth in range(ROWS, 0, -1)]


def _row(
    below: Position,
    groups: tuple[range | tuple[int], ...],
    depth: int,
    off: int,
    letter: str,
) -> str:
    """One row: what lies on each point at this depth, counted from the edge of the board."""
    cells = ["".join(f" {_checker(below.points[p], depth)} " for p in group) for group in groups]
    borne_off = "".join(letter if off >= depth + ROWS * i else " " for i in range(3))
    return f"|{'|'.join(cells)}| {borne_off}"


def _checker(count: int, depth: int) -> str:
    """The checker at a depth on a point, player 1's counted up; the count where it is too many."""
    height = abs(count)
    if height < depth:
        return " "
    if depth == ROWS and height > ROWS:
        return COUNTS[height]
    return "X" if count > 0 else "O"


def _score_notes(record: MatchIdFields) -> list[str]:
    """The notes beside the ten rows: the points of both sides, and nothing between them."""
    first, last = map(_points, record.points)
    return [first, *[""] * (2 * ROWS - 2), last]


def _notes(request: Request, record: MatchIdFields) -> list[str]:
    """The notes beside the ten rows: points of both sides, and what the side in question does."""
    notes = _score_notes(record)
    speaker = 1 - record.roller if isinstance(request, AnswerDouble) else record.roller
    notes[-2 if speaker == 1 else 1] = _action(request, record.roll)
    return notes


def _action(request: Request, rolled: Roll | None) -> str:
    rolls = f"Rolled {rolled.high}{rolled.low}" if rolled else "On roll"
    match request:
        case AnswerDouble(state):
            return f"Cube offered at {2 * state.cube.value}"
        case AnswerResignation(_, points):
            return f"{rolls}, resigns {STAKES[points]}"
        case _:
            return rolls


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def _stakes(request: Request) -> str:
    """Match length and centred cube; nothing while a double waits for its answer."""
    score, cube = request.state.score, request.state.cube
    if isinstance(request, AnswerDouble):
        return ""
    cube_text = f"(Cube: {cube.value})" if cube.owner is CubeOwner.CENTRED else ""
    if score is None:
        return cube_text
    return f"{_points(score.length)} match {_crawford_or_cube(score, cube_text)}"


def _crawford_or_cube(score: Score, cube_text: str) -> str:
    if score.is_crawford:
        return "(Crawford game)"
    return "" if score.length == 1 else cube_text


def _owned_cubes(request: Request, roller: int) -> tuple[str, str]:
    """The cube beside the name of player 0 and of player 1, if one of them owns it."""
    cube = request.state.cube
    if cube.owner is CubeOwner.CENTRED or isinstance(request, AnswerDouble):
        return "", ""
    owner = roller if cube.owner is CubeOwner.ON_ROLL else 1 - roller
    text = f" (Cube: {cube.value})"
    return ("", text) if owner == 1 else (text, "")
