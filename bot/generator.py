"""Generator: the state of a kernel's random numbers, made from a seed."""

import numpy as np

from bot.kernels.generator import WORDS, Generator


def new_generator(seed: int, stream: int = 0) -> Generator:
    """The state of a generator; streams of one seed are independent of each other.

    Raises ValueError for a negative seed.
    """
    if seed < 0:
        raise ValueError(f"a seed is 0 or more, not {seed}")
    words = np.random.SeedSequence((seed, stream)).generate_state(WORDS)
    return words.astype(np.int64)
