"""Position: where the pieces stand, and who is to move."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.draughts.rules.variant import Side, Variant


def set_of(squares: Iterable[int]) -> int:
    """The set of these squares as an int: bit n - 1 stands for square n."""
    found = 0
    for square in squares:
        found |= 1 << square - 1
    return found


def squares_of(squares: int) -> Iterator[int]:
    """The numbers of the squares in a set, rising."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length()
        squares ^= lowest


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a variant; men and kings are sets of squares as `set_of` makes them.

    Squares have the variant's own numbers, whoever is to move. Raises ValueError for pieces beside
    the board or two on one square, and for a man on the row where it would be a king.
    """

    variant: Variant
    turn: Side
    white_men: int
    white_kings: int
    black_men: int
    black_kings: int

    def __post_init__(self) -> None:
        sets = (self.white_men, self.white_kings, self.black_men, self.black_kings)
        taken = 0
        for each in sets:
            if each < 0 or each >> self.variant.squares:
                raise ValueError(f"the squares are 1 to {self.variant.squares}")
            if taken & each:
                raise ValueError(f"two pieces stand on square {next(squares_of(taken & each))}")
            taken |= each
        for side in Side:
            late = self.men(side) & set_of(self.variant.far_row(side))
            if late:
                square = next(squares_of(late))
                raise ValueError(f"a {side.value} man on square {square} would be a king")

    @classmethod
    def start(cls, variant: Variant) -> "Position":
        """The position in which a game begins."""
        count = variant.rows_of_men * variant.row_length
        black = set_of(range(1, 1 + count))
        white = set_of(range(variant.squares - count + 1, variant.squares + 1))
        return cls(variant, Side.WHITE, white, 0, black, 0)

    def men(self, side: Side) -> int:
        """The set of squares with men of a side."""
        return self.white_men if side is Side.WHITE else self.black_men

    def kings(self, side: Side) -> int:
        """The set of squares with kings of a side."""
        return self.white_kings if side is Side.WHITE else self.black_kings

    def pieces(self, side: Side) -> int:
        """The set of squares with men and kings of a side."""
        return self.men(side) | self.kings(side)
