"""Board view: a board of draughts in letters or signs, its squares numbered or named.

Nothing is told by colour alone: men and kings of both sides have their own shapes, and the squares
of the last move are in brackets.
"""

from collections.abc import Collection
from dataclasses import dataclass

from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, Side, Variant

CELL = 4
"""Columns of a square."""

SIGNS = {False: {"men": "ox", "kings": "OX"}, True: {"men": "⛀⛂", "kings": "⛁⛃"}}
"""Signs of men and of kings, White's first, by whether they are Unicode's."""

_STYLES = {Side.WHITE: "38;5;231;1", Side.BLACK: "38;5;220;1"}
_DARK, _LIGHT, _FAINT = "48;5;238", "48;5;244", "38;5;250"
SIDES = tuple(Side)


@dataclass(frozen=True, slots=True)
class Look:
    """The look that a terminal wants its board in; flipped: whether Black sits below."""

    unicode: bool = True
    colour: bool = False
    flipped: bool = False

    def sign(self, side: Side, *, king: bool) -> str:
        """The sign of a piece."""
        return SIGNS[self.unicode]["kings" if king else "men"][SIDES.index(side)]

    def styled(self, text: str, *styles: str) -> str:
        """The text in the styles, SGR parameters, if there is colour."""
        return f"\x1b[{';'.join(styles)}m{text}\x1b[0m" if self.colour and styles else text


def board_text(position: Position, look: Look, marked: Collection[int] = ()) -> str:
    """The board, a line for each row, with names where the variant's players use them.

    marked: squares that are shown in brackets.
    """
    variant = position.variant
    rows = range(variant.rows)
    columns = range(variant.rows)
    if look.flipped:
        rows, columns = rows[::-1], columns[::-1]
    has_names = variant is CZECH
    lines = []
    for row in rows:
        name = f"{variant.rows - row:2} " if has_names else "   "
        cells = [_cell(position, look, row, column, marked) for column in columns]
        lines.append(name + "".join(cells))
    if has_names:
        letters = "".join(f"{chr(ord('a') + column):^{CELL}}" for column in columns)
        lines.append(f"   {letters}".rstrip())
    return "\n".join(lines)


def square_at(variant: Variant, row: int, column: int) -> int | None:
    """The number of the dark square in a row and column from the top left; None for a light one."""
    if (row + column) % 2 == 0:
        return None
    return row * variant.row_length + column // 2 + 1


def _cell(position: Position, look: Look, row: int, column: int, marked: Collection[int]) -> str:
    """A square of CELL columns: a piece, or the number of an empty dark one."""
    square = square_at(position.variant, row, column)
    if square is None:
        return look.styled(" " * CELL, _LIGHT)
    bit = 1 << square - 1
    text, styles = (f"{square}" if position.variant is not CZECH else "."), [_FAINT]
    for side in Side:
        if position.pieces(side) & bit:
            text = look.sign(side, king=bool(position.kings(side) & bit))
            styles = [_STYLES[side]]
    if square in marked:
        text = f"[{text}]"
    return look.styled(f"{text:^{CELL}}", _DARK, *styles)
