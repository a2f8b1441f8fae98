"""Board: a position as kernels see it, and back.

A kernel's board is seen by the player to move, whose men go towards its first bit; squares have
their numbers from White's side here. See bot.draughts.kernels.boards.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from bot.draughts.kernels.boards import Boards, Rules
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import Side, Variant


@cache
def rules_of(variant: Variant) -> Rules:
    """The variant as kernels see it."""
    length = variant.row_length
    bits = variant.squares + variant.rows // 2 - 1
    return Rules(
        squares=_spread((1 << variant.squares) - 1, variant),
        far=(1 << length) - 1,
        bits=bits,
        short=length,
        long=length + 1,
        men_capture_backward=variant.men_capture_backward,
        takes_most=variant.takes_most,
        kings_capture_first=variant.kings_capture_first,
        distinct=True,
    )


def _spread(squares: int, variant: Variant) -> int:
    """The set with a bit left out after every two rows."""
    rows = variant.rows
    two_rows = (1 << rows) - 1
    return sum(((squares >> rows * i) & two_rows) << (rows + 1) * i for i in range(rows // 2))


def _packed(squares: int, variant: Variant) -> int:
    """Undo _spread."""
    rows = variant.rows
    two_rows = (1 << rows) - 1
    return sum(((squares >> (rows + 1) * i) & two_rows) << rows * i for i in range(rows // 2))


def _turned(squares: int, variant: Variant) -> int:
    """The set on the board turned by half a turn."""
    return int(f"{squares:0{variant.squares}b}"[::-1], 2)


def kernel_squares(squares: int, variant: Variant, turn: Side) -> int:
    """A set of squares as the kernels write it for the player to move."""
    return _spread(squares if turn is Side.WHITE else _turned(squares, variant), variant)


def own_squares(squares: int, variant: Variant, turn: Side) -> int:
    """A set that the kernels wrote for the player to move, by the squares' own numbers."""
    packed = _packed(squares, variant)
    return packed if turn is Side.WHITE else _turned(packed, variant)


def boards_of(positions: Sequence[Position]) -> Boards:
    """Positions as boards, int64[n, 4], each seen by the player to move."""
    rows = [
        [kernel_squares(squares, each.variant, each.turn) for squares in _sets(each)]
        for each in positions
    ]
    return np.array(rows, np.int64).reshape(len(rows), 4)


def _sets(position: Position) -> tuple[int, int, int, int]:
    own, other = position.turn, position.turn.other
    return position.men(own), position.kings(own), position.men(other), position.kings(other)


def positions_of(boards: Boards, variant: Variant, turn: Side) -> list[Position]:
    """Boards as positions of a variant with the same player to move in all of them."""
    found = []
    for row in boards:
        own = [own_squares(int(row[i]), variant, turn) for i in range(2)]
        other = [own_squares(int(row[i]), variant, turn) for i in range(2, 4)]
        white, black = (own, other) if turn is Side.WHITE else (other, own)
        found.append(Position(variant, turn, *white, *black))
    return found
