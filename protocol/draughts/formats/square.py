"""Square: its number, or its column and row as in chess.

Source: FMJD Annex 1 for numbers; a1 is the dark corner at White's left hand.
"""

import re

from bot.draughts.rules.variant import Variant

_FORM = re.compile(r"(0?[1-9]|[1-9]\d)|([a-j])([1-9]|10)", re.ASCII)


def square_name(variant: Variant, square: int) -> str:
    """The square as column and row: b8 is square 1 of the small board, a1 its square 29."""
    row, place = divmod(square - 1, variant.row_length)
    height = variant.rows - row
    return f"{chr(ord('a') + 2 * place + 1 - height % 2)}{height}"


def parse_square(variant: Variant, text: str) -> int:
    """The number of the square that the text names, by its number or by column and row.

    Raises ValueError with one sentence if the board has no such dark square.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:20]!r} is no square")
    number, column, height = found.groups()
    if number is not None:
        if int(number) > variant.squares:
            raise ValueError(f"the squares are 1 to {variant.squares}, not {number}")
        return int(number)
    place, row = ord(column) - ord("a"), variant.rows - int(height)
    if not (row >= 0 and place < variant.rows):
        raise ValueError(f"{text} stands beside a board of {variant.rows} rows")
    if (place + int(height)) % 2 == 0:
        raise ValueError(f"{text} is a light square, where no piece stands")
    return row * variant.row_length + place // 2 + 1
