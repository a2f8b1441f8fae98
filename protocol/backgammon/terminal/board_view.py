"""Board view: the board a person plays on, with colours where they are wanted.

Nothing is told by colour alone: the sides have their own shapes, and what has just moved or may
be reached has its own signs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from bot.backgammon.rules.position import Position, turned

WIDTH = 80
NARROWEST = 20
"""Columns that words are given at least."""

HEIGHT = 15
DEPTH = 5
"""Checkers drawn on a point; more are told by a number."""

BAR = 25
UPPER_POINTS = range(13, 25)
LOWER_POINTS = range(12, 0, -1)
MIDDLE = DEPTH
ROWS = 2 * DEPTH + 1
NAME_WIDTH = 19
HALF_WIDTH = 24
BAR_WIDTH = 5
CRAWFORD = "Crawford game"

# SGR parameters; the numbers after 38;5 and 48;5 are of the 256-colour palette. Side colours are
# seen on the board's own background only, so that they show on dark and on light terminals.
FELT = "48;5;236"
FRAME = "38;5;246;48;5;236"
STRIPES = ("48;5;239", "48;5;23")
FAINT = "38;5;246"
SIDES = ("38;5;231;1", "38;5;220;1")
MOVED = "38;5;214;1"
TARGET = "38;5;157;1"
CUBE = "38;5;16;48;5;231;1"
BOLD = "1"


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters of a board; of two, the first is the first player's.

    left, came and target mark points on the frame; slots are empty places, odd points' first.
    """

    checkers: str
    moved: str
    line: str
    side: str
    corners: str
    left: str
    came: str
    target: str
    slots: str
    die: tuple[str, str, str]


UNICODE = Signs("●○", "◉◎", "─", "│", "┌┬┐└┴┘", "◌", "◆", "▼", "·:", ("╭───╮", "│ {} │", "╰───╯"))
ASCII = Signs("XO", "xo", "-", "|", "++++++", ".", "*", "v", ".:", (".---.", "| {} |", "'---'"))


@dataclass(frozen=True, slots=True)
class Look:
    """The look that a terminal wants its text in."""

    unicode: bool = True
    colour: bool = False

    @property
    def signs(self) -> Signs:
        """The characters to draw with."""
        return UNICODE if self.unicode else ASCII

    def styled(self, text: str, *styles: str) -> str:
        """The text in the styles, SGR parameters, if there is colour."""
        wanted = ";".join(filter(None, styles))
        return f"\x1b[{wanted}m{text}\x1b[0m" if self.colour and wanted and text else text

    def player(self, seat: int, name: str) -> str:
        """A player's name behind the shape of the checkers."""
        return self.styled(f"{self.signs.checkers[seat]} {name}", BOLD)


@dataclass(frozen=True, slots=True)
class CubePicture:
    """The doubling cube: what it shows, and whose it is, None if it lies in the middle.

    is_offered: whether a double waits for its answer; the value is then the doubled one.
    """

    value: int
    owner: int | None = None
    is_offered: bool = False


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A picture of the board; points and marks are in the numbers of the lower player.

    position: seen by the lower player. dice: those not yet played. left and moved: points that the
    last play left, and how many checkers it brought to a point. targets: where a leg may go.
    cube: None if it is not in use.
    """

    position: Position
    lower: int
    names: tuple[str, str]
    score: tuple[int, int]
    length: int | None = None
    is_numbered_for_upper: bool = False
    dice: Sequence[int] = ()
    left: frozenset[int] = frozenset()
    moved: Mapping[int, int] = field(default_factory=dict)
    targets: frozenset[int] = frozenset()
    cube: CubePicture | None = None
    is_crawford: bool = False


def board_lines(picture: BoardPicture, look: Look) -> list[str]:
    """The board, HEIGHT lines of at most WIDTH columns."""
    panel = _panel_rows(picture, look)
    rows = [
        _number_row(picture, UPPER_POINTS, look),
        _frame_row(picture, UPPER_POINTS, look),
        *(f"{_row(picture, row, look)}  {panel[row]}".rstrip() for row in range(ROWS)),
        _frame_row(picture, LOWER_POINTS, look),
        _number_row(picture, LOWER_POINTS, look),
    ]
    return [row.rstrip() for row in rows]


def described_lines(picture: BoardPicture, look: Look, width: int) -> list[str]:
    """The position in words for a window too small for the board; lines of at most width columns.

    Both sides' points are in the numbers of the player who plays.
    """
    lines = []
    is_upper = picture.is_numbered_for_upper
    for seat in (1 - picture.lower, picture.lower):
        own = picture.position if seat == picture.lower else turned(picture.position)
        seen_by_other = is_upper if seat == picture.lower else not is_upper
        held = [
            f"{25 - point if seen_by_other else point}({own.points[point]})"
            for point in range(24, 0, -1)
            if own.points[point] > 0
        ]
        bar = own.points[BAR]
        places = [" ".join(held)] * bool(held) + [f"bar {bar}"] * (bar > 0) + [f"off {own.off}"]
        text = f"{look.signs.checkers[seat]} {picture.names[seat]}: {', '.join(places)}"
        text += f", {own.pip_count} pips, "
        lines += wrap(
            text + _score_text(picture, seat), max(width, NARROWEST), subsequent_indent="  "
        )
    cube = picture.cube
    if cube and cube.owner is not None and not cube.is_offered:
        owner = f"{look.signs.checkers[cube.owner]} {picture.names[cube.owner]}"
        lines += wrap(f"cube {cube.value}, owned by {owner}", max(width, NARROWEST))
    elif cube:
        lines.append(f"cube {cube.value}, {'offered' if cube.is_offered else 'in the middle'}")
    if picture.is_crawford:
        lines.append(CRAWFORD)
    if picture.dice:
        lines.append("dice " + " ".join(map(str, picture.dice)))
    return lines


def _number_row(picture: BoardPicture, points: Sequence[int], look: Look) -> str:
    numbers = [25 - point if picture.is_numbered_for_upper else point for point in points]
    texts = [f" {number:<3}" for number in numbers]
    return look.styled(f" {''.join(texts[:6])}       {''.join(texts[6:])}", FAINT)


def _frame_row(picture: BoardPicture, points: Sequence[int], look: Look) -> str:
    """The upper or lower edge, with the marks of its points."""
    signs = look.signs
    corners = signs.corners[:3] if points is UPPER_POINTS else signs.corners[3:]
    cells = []
    for point in points:
        sign, style = _mark(picture, point, look)
        edge = look.styled(signs.line, FRAME)
        marked = edge + look.styled(sign, style, FELT) + look.styled(signs.line * 2, FRAME)
        cells.append(marked if style else look.styled(signs.line * 4, FRAME))
    cube = picture.cube
    is_owners = cube and not cube.is_offered and cube.owner == _seat(picture, points)
    bar = look.styled(corners[1], FRAME)
    if cube and is_owners:
        shown = _cube_text(cube)
        edges = (BAR_WIDTH - len(shown) + 1) // 2, (BAR_WIDTH - len(shown)) // 2
        bar += look.styled(signs.line * edges[0], FRAME) + look.styled(shown, CUBE)
        bar += look.styled(signs.line * edges[1], FRAME)
    else:
        bar += look.styled(signs.line * BAR_WIDTH, FRAME)
    bar += look.styled(corners[1], FRAME)
    ends = look.styled(corners[0], FRAME), look.styled(corners[2], FRAME)
    return ends[0] + "".join(cells[:6]) + bar + "".join(cells[6:]) + ends[1]


def _mark(picture: BoardPicture, point: int, look: Look) -> tuple[str, str]:
    signs = look.signs
    if point in picture.targets:
        return signs.target, TARGET
    if picture.moved.get(point):
        return signs.came, MOVED
    if point in picture.left:
        return signs.left, MOVED
    return signs.line, ""


def _row(picture: BoardPicture, row: int, look: Look) -> str:
    """A line across the board, the bar in its middle."""
    side = look.styled(look.signs.side, FRAME)
    if row == MIDDLE:
        return _middle_row(picture, look)
    points = UPPER_POINTS if row < MIDDLE else LOWER_POINTS
    depth = row if row < MIDDLE else ROWS - 1 - row
    cells = [_cell(picture, point, depth, look) for point in points]
    bar = _bar_cell(picture, row < MIDDLE, DEPTH - 1 - depth, look)
    return side + "".join(cells[:6]) + side + bar + side + "".join(cells[6:]) + side


def _middle_row(picture: BoardPicture, look: Look) -> str:
    """The line between the halves: a cube that nobody owns on the bar, beside it what it is."""
    side, cube = look.styled(look.signs.side, FRAME), picture.cube
    bar, label = look.styled(f"{'bar':^{BAR_WIDTH}}", FRAME), ""
    if cube and (cube.owner is None or cube.is_offered):
        label = "doubled to " if cube.is_offered else "cube "
        shown = _cube_text(cube)
        before = (BAR_WIDTH - len(shown) + 1) // 2
        bar = look.styled(" " * before, FELT) + look.styled(shown, CUBE)
        bar += look.styled(" " * (BAR_WIDTH - before - len(shown)), FELT)
    left = look.styled(f"{label:>{HALF_WIDTH}}", FRAME)
    game = CRAWFORD if picture.is_crawford else ""
    right = look.styled(f" {game:<{HALF_WIDTH - 1}}", FRAME)
    return side + left + side + bar + side + right + side


def _cube_text(cube: CubePicture) -> str:
    """The value as on the cube, in brackets if the bar has room for them."""
    shown = f"[{cube.value}]"
    return shown if len(shown) <= BAR_WIDTH else str(cube.value)


def _seat(picture: BoardPicture, points: Sequence[int]) -> int:
    """The seat at that edge of the board."""
    return 1 - picture.lower if points is UPPER_POINTS else picture.lower


def _cell(picture: BoardPicture, point: int, depth: int, look: Look) -> str:
    """Four columns of a point, depth 0 at the edge of the board."""
    count = picture.position.points[point]
    shown, stripe = min(abs(count), DEPTH), STRIPES[point % 2]
    seat = picture.lower if count > 0 else 1 - picture.lower
    text, style = look.signs.slots[point % 2], FAINT
    if point in picture.targets and depth == min(shown, DEPTH - 1):
        text, style = look.signs.target, TARGET
    elif depth < shown:
        style = SIDES[seat]
        is_moved = depth >= shown - picture.moved.get(point, 0)
        text = (look.signs.moved if is_moved else look.signs.checkers)[seat]
        if depth == DEPTH - 1 and abs(count) > DEPTH:
            text = str(abs(count))
    elif look.colour:
        text = " "
    return look.styled(f" {text:<3}", style, stripe)


def _bar_cell(picture: BoardPicture, is_upper: bool, height: int, look: Look) -> str:
    """Five columns of the bar, height 0 next to the middle."""
    points = picture.position.points
    count = -points[0] if is_upper else points[BAR]
    seat = 1 - picture.lower if is_upper else picture.lower
    text = " "
    if height < min(count, DEPTH):
        text = look.signs.checkers[seat]
        if height == DEPTH - 1 and count > DEPTH:
            text = str(count)
    return look.styled(f"  {text:<3}", SIDES[seat], FELT)


def _panel_rows(picture: BoardPicture, look: Look) -> list[str]:
    """The text beside each of the rows: upper player, dice, lower player."""
    upper = list(_player_rows(picture, 1 - picture.lower, look))
    lower = list(_player_rows(picture, picture.lower, look))[::-1]
    dice = ["".join(part.format(die) for die in picture.dice) for part in look.signs.die]
    return [*upper, *(look.styled(row, BOLD) for row in dice), *lower]


def _player_rows(picture: BoardPicture, seat: int, look: Look) -> Iterator[str]:
    side = picture.position if seat == picture.lower else turned(picture.position)
    name = picture.names[seat]
    yield look.player(seat, name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 1] + "~")
    cube = picture.cube
    is_owner = cube and cube.owner == seat and not cube.is_offered
    yield f"{side.pip_count} pips" + (f", cube {cube.value}" if cube and is_owner else "")
    yield _score_text(picture, seat)
    groups = [look.signs.checkers[seat] * min(5, side.off - done) for done in range(0, side.off, 5)]
    yield "off " + (" ".join(groups) or "none")


def _score_text(picture: BoardPicture, seat: int) -> str:
    points = picture.score[seat]
    if picture.length is not None:
        return f"{points} of {picture.length}"
    return f"{points} point{'s' * (points != 1)}"
