from collections import Counter

import numpy as np

from bot.backgammon.engine.rollout_dice import first_throws
from bot.backgammon.kernels.rollout import next_roll
from bot.backgammon.rules.roll import ROLLS
from bot.generator import new_generator


def test_every_throw_comes_once_in_36_trials_and_every_pair_once_in_1296():
    throws = first_throws(3, 0, 2 * 36 * 36)
    for first in range(0, len(throws), 36):
        for ply in (0, 1):
            assert sorted(throws[first : first + 36, ply]) == list(range(36))
    for first in (0, 36 * 36):
        assert len({tuple(pair) for pair in throws[first : first + 36 * 36]}) == 36 * 36
    assert not np.array_equal(throws[: 36 * 36], throws[36 * 36 :])
    assert not np.array_equal(throws[:36], first_throws(4, 0, 36))


def test_any_throw_may_come_first_second_or_last_of_36_trials():
    first = [first_throws(seed, 0, 36)[:, 0].tolist() for seed in range(250)]
    for place in (0, 1, 35):
        assert {throws[place] for throws in first} == set(range(36))


def test_throws_of_a_piece_of_work_are_those_of_the_whole():
    assert np.array_equal(first_throws(3, 1290, 1300), first_throws(3, 0, 1300)[1290:])


def test_36_throws_are_two_of_each_roll_and_one_of_each_double():
    nothing = new_generator(1)
    counts = Counter(ROLLS[next_roll(np.array([throw, 0]), 0, nothing)] for throw in range(36))
    assert counts == {roll: 1 if roll.is_double else 2 for roll in ROLLS}
