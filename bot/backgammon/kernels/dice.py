"""Dice: the 21 rolls in the order of ROLLS, and throws by chance."""

import numpy as np

from bot.kernels import inner, kernel
from bot.kernels.generator import WORDS, Generator, next_below, next_word

__all__ = ["CHANCES", "DICE", "NO_DICE", "ROLL_COUNT", "WORDS", "Generator"]
__all__ += ["next_below", "next_dice", "next_word", "roll_number"]

ROLL_COUNT = 21
NO_DICE = ROLL_COUNT
"""In place of a roll's number: no dice are thrown, and the board stays as it is."""

DICE = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], np.int64)
CHANCES = np.where(DICE[:, 0] == DICE[:, 1], 1, 2) / 36
"""Chance of each roll."""


@inner
def roll_number(high: int, low: int) -> int:
    """The place of a roll among the 21, the higher die first."""
    return high * (high - 1) // 2 + low - 1


@kernel
def next_dice(state: Generator, is_opening: bool) -> tuple[int, int]:
    """Two dice, the higher first; the opening roll is no double."""
    while True:
        throw = next_below(state, 36)
        first = throw // 6 + 1
        second = throw % 6 + 1
        if first != second or not is_opening:
            return max(first, second), min(first, second)
