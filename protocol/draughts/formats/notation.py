"""Notation: moves as people and PDN files write them, by numbers or by letters.

A capture tells every square it lands on where its start and end do not decide. International
texts have numbers, Czech ones letters; both are read in both games. Source: PDN; FMJD Annex 1.
"""

import re
from collections.abc import Sequence

from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Variant
from protocol.draughts.formats.square import parse_square, square_name

MAX_TEXT = 100
"""Signs of a move; one that lands on 20 squares has 62."""

_SIGNS = {INTERNATIONAL.name: "x", CZECH.name: ":"}
_LETTERED = {CZECH.name}
_FORM = re.compile(r"[a-j]?\d{1,2}(?:-[a-j]?\d{1,2}|(?:[xX:×][a-j]?\d{1,2})+)", re.ASCII)  # noqa: RUF001
_BETWEEN = re.compile(r"[-xX:×]")  # noqa: RUF001
_JOINED = re.compile(r"([a-j]\d{1,2})([a-j]\d{1,2})", re.ASCII)
"""A move without a sign, a3b4, as PDN 3.0 allows where squares have letters."""


def move_text(
    move: Move, moves: Sequence[Move], variant: Variant, *, is_lettered: bool | None = None
) -> str:
    """A legal move as the variant's books write it: 32-28, 28x19, 28x19x10; a3-b4, c3:e5.

    moves: all that are legal. Every landing square is told if another capture has the same ends.
    is_lettered: whether squares have letters, None for as in the books.
    """
    squares: tuple[int, ...] = (move.start, move.end)
    if move.captured and sum((each.start, each.end) == squares for each in moves) > 1:
        squares = (move.start, *move.path)
    sign = _SIGNS[variant.name] if move.captured else "-"
    if variant.name in _LETTERED if is_lettered is None else is_lettered:
        return sign.join(square_name(variant, square) for square in squares)
    return sign.join(map(str, squares))


def parse_move(text: str, moves: Sequence[Move], variant: Variant) -> Move:
    """The one of the legal moves that the text means, in either notation.

    Landing squares between start and end may be left out where the rest decides. Raises ValueError
    with one sentence if the text is unreadable, ambiguous or no legal move.
    """
    text = text.strip()
    if joined := _JOINED.fullmatch(text):  # who can capture must, so the moves tell the sign
        text = (":" if moves and moves[0].captured else "-").join(joined.groups())
    if len(text) > MAX_TEXT or not _FORM.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no move: write {example_moves(variant)}")
    squares = [parse_square(variant, name) for name in _BETWEEN.split(text)]
    is_capture = "-" not in text
    ends = (squares[0], squares[-1])
    found = [
        move
        for move in moves
        if (move.start, move.end) == ends and bool(move.captured) == is_capture
    ]
    if len(squares) > 2 or len(found) > 1:
        whole = [move for move in found if is_way(move, squares[1:], variant)]
        found = whole or [move for move in found if _is_part(squares[1:], move.path)]
    if len(found) == 1:
        return found[0]
    if found:
        ways = ", ".join(move_text(move, moves, variant) for move in found[:3])
        raise ValueError(f"{text} is ambiguous: {ways}")
    raise ValueError(f"{text} is not legal{_reason(is_capture, moves, variant)}")


def is_way(move: Move, squares: Sequence[int], variant: Variant) -> bool:
    """Whether a capture that lands on these squares, one after the other, takes its pieces.

    Each jump must take one of them; whether other pieces stand in between is not asked.
    """
    left = set(move.captured)
    for start, end in zip((move.start, *squares), squares, strict=False):
        taken = left.intersection(squares_between(start, end, variant))
        if len(taken) != 1:
            return False
        left -= taken
    return not left


def _is_part(squares: Sequence[int], path: Sequence[int]) -> bool:
    """Whether the squares stand in the path in this order, perhaps with others between them."""
    way = iter(path)
    return all(square in way for square in squares)


def squares_between(start: int, end: int, variant: Variant) -> list[int]:
    """The squares between two on one diagonal, in order; none if they are on no diagonal."""
    row, column = _place(start, variant)
    last_row, last_column = _place(end, variant)
    if abs(last_row - row) != abs(last_column - column) or start == end:
        return []
    down, right = (1 if last_row > row else -1), (1 if last_column > column else -1)
    return [
        (row + down * step) * variant.row_length + (column + right * step) // 2 + 1
        for step in range(1, abs(last_row - row))
    ]


def _place(square: int, variant: Variant) -> tuple[int, int]:
    """Row and column of a square, from 0, top left."""
    row, place = divmod(square - 1, variant.row_length)
    return row, 2 * place + 1 - row % 2


def example_moves(variant: Variant) -> str:
    """Examples of a step and a capture on this board."""
    return "a3-b4 or c3:e5" if variant.name in _LETTERED else "32-28 or 28x19"


def _reason(is_capture: bool, moves: Sequence[Move], variant: Variant) -> str:
    """A reason why a move is not legal, if one is plain."""
    if not moves:
        return ": the game is over"
    if not is_capture and moves[0].captured:
        return f": a capture must be made, as {move_text(moves[0], moves, variant)}"
    if is_capture and not moves[0].captured:
        return f": no piece can capture; {move_text(moves[0], moves, variant)} would be a move"
    return f" here; {move_text(moves[0], moves, variant)} would be"
