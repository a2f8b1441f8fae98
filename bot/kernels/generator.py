"""Generator: random numbers whose whole state is an array."""

import numpy as np
from numpy.typing import NDArray

from bot.kernels.kernel import kernel

Generator = NDArray[np.int64]

WORDS = 4
"""Length of a generator's state."""


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
