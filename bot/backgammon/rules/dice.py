"""Dice: a generator of rolls for every seed."""

import numpy as np

from bot.backgammon.kernels.dice import WORDS, Generator


def new_generator(seed: int, stream: int = 0) -> Generator:
    """The state of a generator of dice; streams of one seed are independent of each other."""
    if seed < 0:
        raise ValueError(f"a seed is 0 or more, not {seed}")
    words = np.random.SeedSequence((seed, stream)).generate_state(WORDS)
    return words.astype(np.int64)
