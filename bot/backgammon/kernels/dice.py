"""Dice: the 21 rolls in the order of ROLLS, and a generator whose whole state is an array."""

import numpy as np
from numpy.typing import NDArray

from bot.kernels import inner, kernel

Generator = NDArray[np.int64]

WORDS = 4
"""Length of a generator's state."""

ROLL_COUNT = 21
DICE = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], np.int64)
CHANCES = np.where(DICE[:, 0] == DICE[:, 1], 1, 2) / 36
"""Chance of each roll."""


@inner
def roll_number(high: int, low: int) -> int:
    """The place of a roll among the 21, the higher die first."""
    return high * (high - 1) // 2 + low - 1


@kernel
def next_word(state: Generator) -> int:
    """The next 32 random bits; int64[4] holding 32 bits each, changed.

    Source: Blackman and Vigna, Scrambled linear pseudorandom number generators, xoshiro128++.
    """
    mask = 0xFFFFFFFF
    total = (state[0] + state[3]) & mask
    word = ((((total << 7) & mask) | (total >> 25)) + state[0]) & mask
    shifted = (state[1] << 9) & mask
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = ((state[3] << 11) & mask) | (state[3] >> 21)
    return int(word)


@kernel
def next_below(state: Generator, bound: int) -> int:
    """A number from 0 to bound - 1, all equally likely but for 2 ** -32 of bias."""
    return (next_word(state) * bound) >> 32


@kernel
def next_dice(state: Generator, is_opening: bool) -> tuple[int, int]:
    """Two dice, the higher first; the opening roll is no double."""
    while True:
        throw = next_below(state, 36)
        first = throw // 6 + 1
        second = throw % 6 + 1
        if first != second or not is_opening:
            return max(first, second), min(first, second)
