"""The window that batches are drawn from."""

from itertools import pairwise

import numpy as np

from bot.backgammon.training.lookahead import Window


def test_window_keeps_the_latest():
    window = Window(5, 4)
    for first in range(0, 9, 3):
        boards = np.full((3, 26), first, np.int8) + np.arange(3, dtype=np.int8)[:, np.newaxis]
        window.add(boards, np.zeros((3, 5), np.float32), np.zeros(3, np.int8))
    assert window.filled == 5
    drawn, _, firsts = window.batch(200, np.random.default_rng(1))
    assert set(drawn[:, 0]) == {4, 5, 6, 7, 8}
    assert np.array_equal(firsts, np.arange(200))


def test_what_is_left_of_a_group_does_not_go_on_with_the_one_before_it():
    window = Window(4, 3)
    for numbers, places in (([1, 1, 1, 2], [0, 1, 2, 0]), ([3], [0])):
        boards = np.zeros((len(numbers), 26), np.int8) + np.array(numbers, np.int8)[:, np.newaxis]
        window.add(boards, np.zeros((len(numbers), 5), np.float32), np.array(places, np.int8))
    drawn, _, firsts = window.batch(100, np.random.default_rng(1))
    groups = {tuple(group[:, 0].tolist()) for group in np.split(drawn, firsts[1:])}
    assert groups == {(3,), (1,), (2,)} or groups == {(3,), (1, 1), (2,)}


def test_window_draws_what_stands_side_by_side_together():
    window = Window(7, 3)
    numbers = np.array([1, 1, 2, 3, 3, 3, 4, 5, 5], np.int8)
    boards = np.zeros((9, 26), np.int8) + numbers[:, np.newaxis]
    places = np.array([0, 1, 0, 0, 1, 2, 0, 0, 1], np.int8)
    window.add(boards, np.zeros((9, 5), np.float32), places)  # the first two are overwritten
    drawn, _, firsts = window.batch(700, np.random.default_rng(1))
    groups = [drawn[start:end, 0].tolist() for start, end in pairwise([*firsts, len(drawn)])]
    assert {tuple(group) for group in groups} == {(2,), (3, 3, 3), (4,), (5, 5)}
    share = sum(group == [3, 3, 3] for group in groups) / len(groups)
    assert 0.2 < share < 0.3
    assert 600 < len(drawn) < 800
