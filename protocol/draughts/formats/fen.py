"""FEN: a position of draughts in one line, as PDN files and programs write it.

Source: the draughts FEN of PDN; Scan 3.1, fen.cpp.
"""

import re
from collections.abc import Iterator

from bot.draughts.rules.position import Position, set_of, squares_of
from bot.draughts.rules.variant import Side, Variant
from protocol.draughts.formats.square import parse_square

MAX_FEN = 1000
"""Signs of a FEN; the longest that we write has 160."""

SIDES = {"W": Side.WHITE, "B": Side.BLACK}
"""The letters of the sides."""

_COUNTS = re.compile(r"(?::[HF]\d{1,4}){1,2}$", re.ASCII)
"""Two counts of moves, which Lidraughts puts behind the squares."""

_LETTERS = {side: letter for letter, side in SIDES.items()}
_PIECE = re.compile(r"(K?)([a-j]?\d{1,2})(?:-([a-j]?\d{1,2}))?", re.ASCII)


def fen_text(position: Position) -> str:
    """The position as `W:W31,K32:B1,2`: squares by number, rising, White first, no ranges."""
    lists = (f"{_LETTERS[side]}{','.join(_piece_texts(position, side))}" for side in Side)
    return ":".join((_LETTERS[position.turn], *lists))


def parse_fen(text: str, variant: Variant) -> Position:
    """The position that the text describes, squares by number or as a1, in either order of colours.

    Ranges as 31-50, a full stop and Lidraughts' counts at the end are read as well. Raises
    ValueError with one sentence if it is none.
    """
    try:
        return _parsed(text, variant)
    except ValueError as error:
        raise ValueError(f"cannot read the FEN {text[:40]!r}: {error}") from None


def _parsed(text: str, variant: Variant) -> Position:
    if len(text) > MAX_FEN:
        raise ValueError(f"it has more than {MAX_FEN} characters")
    turn, *lists = _COUNTS.sub("", text.strip().removesuffix(".")).split(":")
    if turn.strip() not in SIDES:
        raise ValueError("it must begin with W or B, the side to move, and a colon")
    if len(lists) != 2:
        raise ValueError(f"two lists of squares are wanted behind the side, not {len(lists)}")
    men: dict[Side, int] = {}
    kings: dict[Side, int] = {}
    for each in map(str.strip, lists):
        side = SIDES.get(each[:1])
        if side is None:
            raise ValueError(f"the list {each[:20]!r} does not begin with W or B")
        if side in men:
            raise ValueError(f"there are two lists of {side.value} pieces")
        men[side], kings[side] = _pieces(each[1:].strip(), variant)
    white, black = Side.WHITE, Side.BLACK
    return Position(
        variant, SIDES[turn.strip()], men[white], kings[white], men[black], kings[black]
    )


def _pieces(text: str, variant: Variant) -> tuple[int, int]:
    """The squares of men and of kings in one list."""
    squares: tuple[list[int], list[int]] = ([], [])
    for piece in text.split(",") if text else ():
        found = _PIECE.fullmatch(piece.strip())
        if found is None:
            raise ValueError(f"{piece.strip()[:20]!r} is no square")
        king, first, last = found.groups()
        begin = parse_square(variant, first)
        end = parse_square(variant, last) if last else begin
        if begin > end:
            raise ValueError(f"the range {first}-{last} falls")
        squares[bool(king)].extend(range(begin, end + 1))
    every = [*squares[0], *squares[1]]
    if len(set(every)) < len(every):
        twice = next(square for square in every if every.count(square) > 1)
        raise ValueError(f"square {twice} stands there twice")
    return set_of(squares[0]), set_of(squares[1])


def _piece_texts(position: Position, side: Side) -> Iterator[str]:
    kings = position.kings(side)
    for square in squares_of(position.pieces(side)):
        yield f"K{square}" if kings >> square - 1 & 1 else str(square)
