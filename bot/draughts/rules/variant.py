"""Variant: what one kind of draughts does otherwise than another, as data.

Source: FMJD Annex 1 for international draughts; the Czech federation's rules for Czech draughts,
as R. Halbersma's dctl cites and codes them (rules/czech.hpp).
"""

from dataclasses import dataclass
from enum import Enum


class Side(Enum):
    """A player: White begins, and its men go towards square 1."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Side":
        """The other player."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE


@dataclass(frozen=True, slots=True)
class DrawRules:
    """Limits after which a game is drawn, in plies; None where the variant has no such rule.

    repetitions: times that a position with the same player to move may stand on the board.
    king_moves: plies in a row by kings only, without a capture. one_against_three: plies from the
    first time that a king alone stands against three pieces, one of them a king at least;
    one_against_two: against one or two. kings_alone: whether one king against one king, neither of
    which can capture, is drawn at once.
    """

    repetitions: int
    king_moves: int
    one_against_three: int | None
    one_against_two: int | None
    kings_alone: bool


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """One kind of draughts; squares are the dark ones, numbered along the rows from Black's side.

    rows: of the board, which has as many columns; row 1 is the one that holds square 1.
    rows_of_men: those each side fills in the beginning. men_capture_backward: whether a man may
    jump in all four directions. takes_most: whether only captures of most pieces are legal.
    kings_capture_first: whether men may not capture where a king can.
    """

    name: str
    rows: int
    rows_of_men: int
    men_capture_backward: bool
    takes_most: bool
    kings_capture_first: bool
    draws: DrawRules

    def __reduce__(self) -> tuple[object, ...]:
        """Let another process have its own value, as variants are compared by identity."""
        return _variant_called, (self.name,)

    @property
    def squares(self) -> int:
        """Number of squares, 50 or 32."""
        return self.rows * self.rows // 2

    @property
    def row_length(self) -> int:
        """Squares of a row, 5 or 4."""
        return self.rows // 2

    def far_row(self, side: Side) -> range:
        """Squares on which a man of a side becomes a king."""
        length = self.row_length
        last = self.squares + 1
        return range(1, 1 + length) if side is Side.WHITE else range(last - length, last)


INTERNATIONAL = Variant(
    name="international",
    rows=10,
    rows_of_men=4,
    men_capture_backward=True,
    takes_most=True,
    kings_capture_first=False,
    draws=DrawRules(
        repetitions=3,
        king_moves=50,
        one_against_three=32,
        one_against_two=10,
        kings_alone=False,
    ),
)
"""International draughts. Source of the draws: FMJD Annex 1, articles 6.1 to 6.4."""

CZECH = Variant(
    name="czech",
    rows=8,
    rows_of_men=3,
    men_capture_backward=False,
    takes_most=False,
    kings_capture_first=True,
    draws=DrawRules(
        repetitions=3,
        king_moves=60,
        one_against_three=None,
        one_against_two=None,
        kings_alone=True,
    ),
)
"""Czech draughts. Its texts say only that a third repetition and a position in which neither side
can capture any more are drawn; 60 plies by kings and a king against a king are limits of ours.
"""

VARIANTS = {variant.name: variant for variant in (INTERNATIONAL, CZECH)}
"""The variants by name."""


def _variant_called(name: str) -> Variant:
    return VARIANTS[name]
