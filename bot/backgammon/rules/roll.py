"""Roll: two dice, and the 21 there are."""

from dataclasses import dataclass
from numbers import Integral


@dataclass(frozen=True, slots=True)
class Roll:
    """Two dice, the higher first; a double is a roll with equal dice.

    Raises ValueError for other dice, and the lower one first.
    """

    high: int
    low: int

    def __post_init__(self) -> None:
        is_whole = isinstance(self.high, Integral) and isinstance(self.low, Integral)
        if not (is_whole and 1 <= self.low <= self.high <= 6):
            raise ValueError(f"no roll of two dice: {self.high}-{self.low}")

    @classmethod
    def of_dice(cls, first: int, second: int) -> "Roll":
        """The roll of two dice in the order they fell."""
        return cls(max(first, second), min(first, second))

    @property
    def is_double(self) -> bool:
        """Whether the dice are equal."""
        return self.high == self.low

    @property
    def chance(self) -> float:
        """Chance of the roll, 1/36 or 1/18."""
        return 1 / 36 if self.is_double else 1 / 18


ROLLS = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 different rolls."""

OPENINGS = tuple(roll for roll in ROLLS if not roll.is_double)
"""The 15 rolls that may begin a game."""
