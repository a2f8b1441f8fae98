"""Hub position: the side to move, then one sign for each square in order.

Source: Scan 3.1, protocol.txt. The Czech board, with 33 signs instead of 51, is our extension.
"""

from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.variant import Side, Variant

EMPTY = "e"
"""The sign of an empty square."""

TURNS = {"W": Side.WHITE, "B": Side.BLACK}
"""The first sign."""


def hub_position_text(position: Position) -> str:
    """The position as `Wbb...ww`: small letters are men, capital ones kings, e is empty."""
    signs = [EMPTY] * position.variant.squares
    pieces = zip(
        "wWbB",
        (position.white_men, position.white_kings, position.black_men, position.black_kings),
        strict=True,
    )
    for sign, squares in pieces:
        for place in range(position.variant.squares):
            if squares >> place & 1:
                signs[place] = sign
    turn = "W" if position.turn is Side.WHITE else "B"
    return turn + "".join(signs)


def parse_hub_position(text: str, variant: Variant) -> Position:
    """The position that the text shows; raises ValueError with one sentence if it is none."""
    wanted = variant.squares + 1
    if len(text) != wanted:
        raise ValueError(f"the {variant.name} position has {wanted} signs, not {len(text)}")
    if text[0] not in TURNS:
        raise ValueError(f"a position begins with W or B, not {text[0]!r}")
    if strange := set(text[1:]) - set("wWbBe"):
        raise ValueError(f"a square is one of w, W, b, B and e, not {min(strange)!r}")
    white_men, white_kings, black_men, black_kings = (
        set_of(square for square, found in enumerate(text[1:], 1) if found == sign)
        for sign in "wWbB"
    )
    return Position(variant, TURNS[text[0]], white_men, white_kings, black_men, black_kings)
