"""SVG board: a position drawn as an SVG element of a page that brings the colours by CSS classes.

Places are named as the first player counts them: `1` to `24`, `bar0` and `off0` for that player's
bar and tray, `bar1` and `off1` for the other's. Each is a group with its name in `data-place`.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from bot.backgammon.kernels.boards import BAR, CHECKERS, POINTS
from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, Request
from bot.backgammon.rules.match import CubeOwner
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import turned

NAMESPACE = "http://www.w3.org/2000/svg"
"""The name of SVG for programs that read XML; nothing is fetched from there."""

SIDE = 64
"""Width of the column with the cube, and of the one with the trays."""

STEP = 56
"""Width of a point and of the bar."""

EDGE = 22
"""Height of the strips with the numbers of the points."""

RADIUS, STACK = 25, 5
"""Of a checker; and the number of checkers on a point before they lie on each other."""

WIDTH = 2 * SIDE + 13 * STEP
HEIGHT = 660
DIE = 44
CENTRED = 64
"""The cube shows this while it stands at 1."""

_HALF = (HEIGHT - 2 * EDGE) / 2
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


BOARD_STYLE = """
:root { color-scheme: light dark }
svg.board { width: 100%; max-width: 36em; height: auto; display: block }
svg.board text { font: 15px sans-serif; fill: #efe6d3; text-anchor: middle }
.frame, .bar { fill: #6b5138 } .field { fill: #efe6d3 } .tray { fill: #523d2a }
.point.odd { fill: #b98f5e } .point.even { fill: #d9c39a } .hit { fill: none }
.checker, .off { stroke: #2b211a } .s0 { fill: #fdfdfb } .s1 { fill: #7c2620 }
.mark { fill: none; stroke: #e9b7a8; stroke-width: 2.5 }
svg.board .count.s0, svg.board .value { fill: #222; stroke: none }
svg.board .count.s1 { fill: #fff; stroke: none } svg.board .value { font-size: 20px }
.face { fill: #fdfdfb; stroke: #2b211a } .s1 .face { fill: #7c2620 } .pip { fill: #222 }
.s1 .pip { fill: #fff } .used { opacity: 0.4 } .arrow { fill: #1b62b5; opacity: 0.85 }
@media (prefers-color-scheme: dark) { .field { fill: #33302b } .point.odd { fill: #6b563b }
  .point.even { fill: #4a4236 } .frame, .bar { fill: #151310 } .arrow { fill: #7fb4f2 } }
"""
"""A style for pages that have none of their own."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A board to draw; seats are 0 and 1.

    points: 26 counts seen by seat 0, as in Position. cube: what it shows, None without a cube;
    cube_owner: a seat, None in the middle. dice: rolled by dice_seat, those used so far as used.
    arrows: between places, by their names.
    """

    points: tuple[int, ...]
    cube: int | None = None
    cube_owner: int | None = None
    dice: tuple[int, ...] = ()
    used: tuple[int, ...] = ()
    dice_seat: int = 0
    arrows: tuple[tuple[str, str], ...] = ()


def picture_of(request: Request, seat: int, play: CheckerPlay | None = None) -> Picture:
    """The picture of a question to the player on roll, who sits there, with arrows for a play."""
    state = request.state
    owners = {CubeOwner.CENTRED: None, CubeOwner.ON_ROLL: seat, CubeOwner.OTHER: 1 - seat}
    dice: tuple[int, ...] = ()
    if isinstance(request, ChooseCheckerPlay):
        roll = request.roll
        dice = (roll.high,) * 4 if roll.is_double else (roll.high, roll.low)
    legs = play.legs if play else ()
    return Picture(
        (turned(state.position) if seat else state.position).points,
        state.cube.value * (2 if isinstance(request, AnswerDouble) else 1),
        owners[state.cube.owner],
        dice,
        dice_seat=seat,
        arrows=tuple((place_name(it.source, seat), place_name(it.target, seat)) for it in legs),
    )


def place_name(point: int, seat: int) -> str:
    """The name of a place that a seat counts as this point, 25 its bar and 0 its tray."""
    if point in (0, BAR):
        return f"{'bar' if point else 'off'}{seat}"
    return str(BAR - point if seat else point)


def place_point(place: str, seat: int) -> int:
    """The point that a seat counts for the place of that name; ValueError if it has none."""
    names = {place_name(point, seat): point for point in range(POINTS)}
    if place not in names:
        raise ValueError(f"no place of this player is called {place[:20]!r}")
    return names[place]


def svg_board(picture: Picture, *, bottom: int = 0) -> str:
    """The board as an SVG element, the seat's home that sits at the bottom on the lower right."""
    parts = (
        *_ground(),
        *(part for point in range(1, BAR) for part in _point(picture, point, bottom)),
        *(part for seat in (0, 1) for part in _bar(picture, seat, bottom)),
        *(part for seat in (0, 1) for part in _tray(picture, seat, bottom)),
        *_dice(picture, bottom),
        *_cube(picture, bottom),
        *(_arrow(*arrow, bottom) for arrow in picture.arrows),
    )
    return (
        f'<svg class="board" xmlns="{NAMESPACE}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{''.join(parts)}</svg>"
    )


def _ground() -> Iterator[str]:
    """The frame, both fields and the bar."""
    yield _rect("frame", 0, 0, WIDTH, HEIGHT)
    for left in (SIDE, SIDE + 7 * STEP):
        yield _rect("field", left, EDGE, 6 * STEP, 2 * _HALF)
    yield _rect("bar", SIDE + 6 * STEP, EDGE, STEP, 2 * _HALF)


def _point(picture: Picture, point: int, bottom: int) -> Iterator[str]:
    """A point, as the seat at the bottom counts it, with its checkers and its number."""
    x, is_low = SIDE + _column(point) * STEP, point < 13
    base, tip = (HEIGHT - EDGE, HEIGHT - EDGE - 250) if is_low else (EDGE, EDGE + 250)
    counted = BAR - point if bottom else point
    count = picture.points[counted]
    shade = "odd" if point % 2 else "even"
    yield _open_place(str(counted), count)
    yield (
        f'<path class="point {shade}" d="M{x} {base}L{x + STEP} {base}L{x + STEP / 2:g} {tip}Z"/>'
    )
    top = base - _HALF if is_low else base
    yield _rect("hit", x, top, STEP, _HALF)
    centre = x + STEP / 2
    yield from _stack(str(counted), count, centre, base, -1 if is_low else 1)
    yield "</g>"
    y = HEIGHT - 6 if is_low else EDGE - 6
    yield f'<text class="number" x="{centre:g}" y="{y}">{point}</text>'


def _column(point: int) -> int:
    """The column of a point from the left, the bar being column 6."""
    column = 12 - point if point < 13 else point - 13
    return column + (column > 5)


def _bar(picture: Picture, seat: int, bottom: int) -> Iterator[str]:
    """A seat's bar: the half of it that is the seat's, stacked from the middle."""
    count = picture.points[BAR if seat == 0 else 0]
    is_low, x = seat == bottom, SIDE + 6 * STEP
    middle = EDGE + _HALF
    yield _open_place(f"bar{seat}", count)
    yield _rect("hit", x, middle if is_low else EDGE, STEP, _HALF)
    base = middle + STEP / 2 if is_low else middle - STEP / 2
    yield from _stack(f"bar{seat}", count, x + STEP / 2, base, 1 if is_low else -1)
    yield "</g>"


def _tray(picture: Picture, seat: int, bottom: int) -> Iterator[str]:
    """A seat's tray with the checkers that are off."""
    own = [count if seat == 0 else -count for count in picture.points]
    count = CHECKERS - sum(each for each in own if each > 0)
    is_low, x = seat == bottom, WIDTH - SIDE
    top = EDGE + _HALF if is_low else EDGE
    yield _open_place(f"off{seat}", count if seat == 0 else -count)
    yield _rect("tray", x + 4, top + 4, SIDE - 8, _HALF - 8)
    yield _rect("hit", x, top, SIDE, _HALF)
    for nth in range(count):
        y = HEIGHT - EDGE - 24 - 19 * nth if is_low else EDGE + 8 + 19 * nth
        yield _rect(f"off s{seat}", x + 8, y, SIDE - 16, 16)
    yield "</g>"


def _stack(place: str, count: int, x: float, base: float, way: int) -> Iterator[str]:
    """Checkers from the base on, upwards on the page if the way is -1; the last one is on top."""
    number, seat = abs(count), int(count < 0)
    apart = 2 * RADIUS + 1 if number <= STACK else (2 * RADIUS + 1) * (STACK - 1) / (number - 1)
    for nth in range(number):
        y = base + way * (RADIUS + 2 + apart * nth)
        yield (
            f'<circle class="checker s{seat}" data-at="{place}" data-nth="{nth}" '
            f'cx="{x:g}" cy="{y:g}" r="{RADIUS}"/>'
        )
        if seat:
            yield f'<circle class="mark" cx="{x:g}" cy="{y:g}" r="{RADIUS - 9}"/>'
    if number > STACK:
        yield f'<text class="count s{seat}" x="{x:g}" y="{y + 7:g}">{number}</text>'


def _dice(picture: Picture, bottom: int) -> Iterator[str]:
    """The dice, on the right for the seat at the bottom, else on the left."""
    left = SIDE + (7 * STEP if picture.dice_seat == bottom else 0) + 3 * STEP
    used = list(picture.used)
    width = len(picture.dice) * (DIE + 10) - 10
    for nth, die in enumerate(picture.dice):
        is_used = die in used
        if is_used:
            used.remove(die)
        x, y = left - width / 2 + nth * (DIE + 10), HEIGHT / 2 - DIE / 2
        state = " used" if is_used else ""
        yield f'<g class="die s{picture.dice_seat}{state}" data-die="{die}">'
        yield _rect("face", x, y, DIE, DIE, 7)
        for across, down in _PIPS[die]:
            cx, cy = x + DIE / 2 + 12 * across, y + DIE / 2 + 12 * down
            yield f'<circle class="pip" cx="{cx:g}" cy="{cy:g}" r="4.5"/>'
        yield "</g>"


def _cube(picture: Picture, bottom: int) -> Iterator[str]:
    """The cube at its owner's side, or in the middle."""
    if picture.cube is None:
        return
    if picture.cube_owner is None:
        y = HEIGHT / 2 - DIE / 2
    else:
        y = HEIGHT - EDGE - DIE - 10 if picture.cube_owner == bottom else EDGE + 10.0
    shown = picture.cube if picture.cube > 1 else CENTRED
    x = (SIDE - DIE) / 2
    narrow = f' textLength="{DIE - 8}" lengthAdjust="spacingAndGlyphs"' if shown > CENTRED else ""
    yield '<g class="cube" data-cube="">'
    yield _rect("face", x, y, DIE, DIE, 5)
    at = f'x="{x + DIE / 2:g}" y="{y + DIE / 2 + 8:g}"'
    yield f'<text class="value" {at}{narrow}>{shown}</text></g>'


def _arrow(source: str, target: str, bottom: int) -> str:
    """An arrow between two places, thinner where it begins."""
    (x, y), (to_x, to_y) = (_centre(place, bottom) for place in (source, target))
    far = math.hypot(to_x - x, to_y - y) or 1.0
    across, down = 7 * (y - to_y) / far, 7 * (to_x - x) / far
    neck_x, neck_y = to_x - 22 * (to_x - x) / far, to_y - 22 * (to_y - y) / far
    ends = (
        (x, y),
        (neck_x + across, neck_y + down),
        (neck_x + 2 * across, neck_y + 2 * down),
        (to_x, to_y),
        (neck_x - 2 * across, neck_y - 2 * down),
        (neck_x - across, neck_y - down),
    )
    return f'<path class="arrow" d="M{"L".join(f"{a:.1f} {b:.1f}" for a, b in ends)}Z"/>'


def _centre(place: str, bottom: int) -> tuple[float, float]:
    """The middle of a place, where its checkers are."""
    if place.isdigit():
        point = BAR - int(place) if bottom else int(place)
        y = HEIGHT - EDGE - 90 if point < 13 else EDGE + 90
        return SIDE + (_column(point) + 0.5) * STEP, y
    is_low, is_bar = place.endswith(str(bottom)), place.startswith("bar")
    x = SIDE + 6.5 * STEP if is_bar else WIDTH - SIDE / 2
    return x, HEIGHT / 2 + (60 if is_bar else 150) * (1 if is_low else -1)


def _open_place(place: str, count: int) -> str:
    seat = f' data-seat="{int(count < 0)}"' if count else ""
    return f'<g class="place" data-place="{place}"{seat} data-count="{abs(count)}">'


def _rect(name: str, x: float, y: float, width: float, height: float, round_by: int = 0) -> str:
    corners = f' rx="{round_by}"' if round_by else ""
    return (
        f'<rect class="{name}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corners}/>'
    )
