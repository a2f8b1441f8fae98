"""SGF set-up: a position made by hand in the nodes of an SGF file.

Source: GNU Backgammon 1.08, sgf.c, RestoreNode; https://www.red-bean.com/sgf/backgammon.html.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from bot.backgammon.rules.game import Game, OpeningRoll
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState
from bot.backgammon.rules.position import Position, turned
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import BAR, OFF
from protocol.backgammon.formats.sgf_grammar import Node, property_text

COLOURS = "WB"
SETS_UP = {"AE", "AW", "AB", "CV", "CP", "CO", "PL", "DI"}
STONES = re.compile(r"(?P<first>[a-z])(?::(?P<last>[a-z]))?")


def seat_of(colour: str) -> int:
    """The seat of W or B, or of a word that begins so; raises ValueError for another."""
    seat = COLOURS.find(colour[:1].upper())
    if not colour or seat < 0:
        raise ValueError(f"no colour: {colour[:40]!r}")
    return seat


def cube_turned(game: Game, value: str) -> Game:
    """The game before its opening roll with the cube turned by automatic doubles."""
    cube = Cube(_cube_value(value))
    return replace(game, state=replace(game.state, cube=cube))


def _cube_value(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(f"a cube shows a power of two up to {MAX_CUBE}, not {text[:40]!r}")
    return int(text)


class SetUp:
    """The changes that nodes make in the game, until an action follows."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._turn = game.turn
        self._cube, self._cube_owner = game.state.cube.value, game.cube_owner
        position = game.state.position
        self._points = list((turned(position) if game.turn else position).points)
        self._roll: Roll | None = None
        self._is_new = False

    def take(self, node: Node) -> None:
        """Change what the node tells; raises ValueError for what cannot be."""
        properties = node.properties
        for letter in _letters(properties.get("AE", ())):
            for point in (BAR, OFF) if letter == BAR else (letter,):
                self._points[point] = 0
        for name, sign, bar in (("AW", 1, BAR), ("AB", -1, OFF)):
            for letter in _letters(properties.get(name, ())):
                self._add(bar if letter == BAR else letter, sign)
        if "CV" in properties:
            self._cube = _cube_value(node.value("CV"))
        if owner := node.value("CP") or node.value("CO"):
            self._cube_owner = None if owner[0] in "cn" else seat_of(owner)
        if "PL" in properties:
            self._turn = seat_of(node.value("PL"))
        if dice := node.value("DI"):
            if not re.fullmatch("[1-6]{2}", dice):
                raise ValueError(f"no two dice: {dice[:40]!r}")
            self._roll = Roll.of_dice(int(dice[0]), int(dice[1]))
        self._is_new |= bool(properties.keys() & {"AE", "AW", "AB", "CV", "CP", "CO"})

    def take_back_roll(self) -> None:
        """Leave the dice out: who doubles has not rolled."""
        self._roll = None

    def go_on(self, seat: int, dice: str) -> None:
        """Give the turn to who acts; dice: his, of which an earlier node may have told others.

        GNU Backgammon's `set turn` and `set dice` have no nodes of their own.
        """
        is_told = self._roll and sorted(dice) == sorted(f"{self._roll.high}{self._roll.low}")
        if seat != self._turn or not is_told:
            self._roll = None
        self._turn = seat

    def is_opening_of(self, seat: int) -> bool:
        """Whether nothing is told but the opening roll of a seat."""
        return not self._is_new and self._game.turn is None and self._turn == seat

    def _add(self, point: int, sign: int) -> None:
        if self._points[point] * sign < 0:
            raise ValueError("both sides are on one point")
        self._points[point] += sign

    @property
    def answer(self) -> Game | OpeningRoll | Roll | None:
        """The game as it was set up; a roll if only that was told, None if nothing is changed."""
        game, roll = self._game, self._roll
        if not self._is_new and self._turn is not None and game.turn in (None, self._turn):
            if roll is None and self._turn == game.turn:
                return None
            if game.turn is not None and game.roll is None:
                return roll
            if roll and game.turn is None and not roll.is_double:
                dice = (roll.high, roll.low)
                return OpeningRoll(*(dice if self._turn == 0 else dice[::-1]))
        return self._made()

    def _made(self) -> Game:
        before = self._game
        position = Position(tuple(self._points))
        if self._turn:
            position = turned(position)
        score = before.state.score
        if score and (before.turn or 0) != (self._turn or 0):
            score = score.turned()
        owner = CubeOwner.CENTRED
        if self._cube_owner is not None:
            owner = CubeOwner.ON_ROLL if self._cube_owner == (self._turn or 0) else CubeOwner.OTHER
        if self._turn is None and owner is not CubeOwner.CENTRED:
            raise ValueError("nobody owns the cube before the opening roll")
        state = GameState(position, Cube(self._cube, owner), score, before.state.money)
        roll = self._roll if self._turn is not None else None
        return Game(state, self._turn, roll, has_cube=before.has_cube)


def _letters(values: Iterable[str]) -> list[int]:
    """The points that the values name, a 1 to x 24, y 25 for the bars; z, which is off, is none."""
    points: list[int] = []
    for value in values:
        found = STONES.fullmatch(value)
        if not found:
            raise ValueError(f"cannot read the points {value[:40]!r}")
        first, last = found["first"], found["last"] or found["first"]
        named = range(ord(first) - ord("a") + 1, ord(last) - ord("a") + 2)
        points.extend(point for point in named if point <= BAR)
    return points


def set_up_text(game: Game) -> str:
    """The nodes that set up a game, as GNU Backgammon writes them.

    Raises ValueError if a beaver or a resignation waits there, for which there are no nodes.
    """
    if game.doubles > 1 or game.resigned:
        raise ValueError("no node sets up a game in which a beaver or a resignation waits")
    position = turned(game.state.position) if game.turn else game.state.position
    white: list[str] = []
    black: list[str] = []
    for point, count in enumerate(position.points):
        letter = "y" if point in (BAR, OFF) else chr(ord("a") + point - 1)
        (white if count > 0 else black).extend([letter] * abs(count))
    player = COLOURS[game.turn or 0]
    owner = "c" if game.cube_owner is None else COLOURS[game.cube_owner].lower()
    checkers = property_text("AE", ["a:y"])
    checkers += "".join(
        property_text(name, letters) for name, letters in (("AW", white), ("AB", black)) if letters
    )
    text = f"\n;{_player_text(game)}{checkers}"
    text += f"\n;CV[{game.state.cube.value}]\n;CP[{owner}]"
    if game.roll:
        text += roll_text(player, game.roll)
    return text + (f"\n;{player}[double]" if game.doubles else "")


def _player_text(game: Game) -> str:
    """The player whose turn it is; nobody before the opening roll."""
    return "" if game.turn is None else f"PL[{COLOURS[game.turn]}]"


def roll_text(player: str, roll: Roll) -> str:
    """The node of a roll that was not played."""
    return f"\n;PL[{player}]DI[{roll.high}{roll.low}]"
