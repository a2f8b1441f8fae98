"""Rollout dice: those of the trials, spread evenly at first, by chance from then on.

A throw is one of the 36 ways in which two dice fall, where a roll is one of 21.
"""

from functools import lru_cache

import numpy as np

from bot.backgammon.kernels.dice import Generator, next_below
from bot.backgammon.kernels.rollout import CHOSEN_THROWS, THROWS, Throws
from bot.generator import new_generator


def first_throws(seed: int, first: int, end: int) -> Throws:
    """The first two throws of trials from the first up to the end; int64[end - first, 2], 0 to 35.

    In each 36 trials from a multiple of 36 on every throw comes first once and second once, in
    each 1296 every pair once, in an order that chance gives to each 1296.
    """
    throws = np.empty((end - first, CHOSEN_THROWS), np.int64)
    for trial in range(first, end):
        block, within = divmod(trial, THROWS**2)
        row, column = divmod(within, THROWS)
        firsts, shifts, seconds = _orders(seed, block)
        throws[trial - first] = firsts[column], seconds[(row + shifts[column]) % THROWS]
    return throws


@lru_cache(maxsize=4)
def _orders(seed: int, block: int) -> tuple[list[int], ...]:
    """Three orders of all throws."""
    generator = new_generator(seed, 2 * block)
    orders = []
    for _ in range(3):
        order = list(range(THROWS))
        for i in range(THROWS - 1, 0, -1):
            other = next_below(generator, i + 1)
            order[i], order[other] = order[other], order[i]
        orders.append(order)
    return tuple(orders)


def generator_of(seed: int, trial: int) -> Generator:
    """The dice of a trial after its first two throws; another stream than any order's."""
    return new_generator(seed, 2 * trial + 1)
