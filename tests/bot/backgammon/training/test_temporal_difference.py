"""TD(lambda): what learning from a game does, and how workers share it."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.kernels.network import Layers, room_for
from bot.backgammon.kernels.selfplay import learn, learn_from_game
from bot.backgammon.network import random_network
from bot.backgammon.training.settings import Settings
from bot.backgammon.training.temporal_difference import TemporalDifference

SMALL = Settings(games=60, hidden_units=8, rates=(0.05, 0.01), seed=4)


def test_same_seed_gives_the_same_weights_bit_for_bit():
    one, other = TemporalDifference(SMALL), TemporalDifference(SMALL)
    one.advance(40)
    for _ in range(4):
        other.advance(10)
    assert one.tally.games == other.tally.games == 40
    expected = TemporalDifference(SMALL)
    expected.advance(40)
    assert all(map(np.array_equal, one.network.layers, expected.network.layers))
    different = TemporalDifference(Settings(games=60, hidden_units=8, rates=(0.05, 0.01), seed=5))
    different.advance(40)
    assert not np.array_equal(one.network.layers.first, different.network.layers.first)


def test_games_broken_off_are_counted():
    learner = TemporalDifference(Settings(games=10, hidden_units=4, most_plies=3))
    learner.advance(10)
    assert (learner.tally.games, learner.tally.plies, learner.tally.broken_off) == (10, 30, 10)


def two_workers_after(rounds):
    learner = TemporalDifference(replace(SMALL, workers=2))
    with closing(learner):
        for games in rounds:
            learner.advance(games)
        return learner.state()


@pytest.mark.slow
def test_two_workers_learn_the_same_every_time():
    one, other = two_workers_after([21, 20]), two_workers_after([0, 21, 20])
    assert all(np.array_equal(one[name], other[name]) for name in one)
    assert list(one["tally"]) == list(other["tally"])
    assert one["tally"][0] == 41


@pytest.mark.slow
def test_two_workers_add_up_what_each_has_learnt():
    state = two_workers_after([20])
    settings = replace(SMALL, workers=2)
    start = TemporalDifference(settings).state()
    learnt = []
    for worker in range(2):
        alone = TemporalDifference(SMALL)
        alone._generators[0] = TemporalDifference(settings)._generators[worker]
        alone.advance(10)
        learnt.append(alone.state())
    for name in ("first", "biases", "last", "last_biases"):
        added = start[name] + (learnt[0][name] - start[name]) + (learnt[1][name] - start[name])
        assert np.allclose(state[name], added, atol=1e-6)
        assert not np.allclose(state[name], learnt[0][name], atol=1e-6)


@pytest.mark.slow
def test_death_of_a_worker_is_told_and_changes_nothing():
    learner = TemporalDifference(replace(SMALL, workers=2))
    with closing(learner):
        learner.advance(20)
        before = {name: array.copy() for name, array in learner.state().items()}
        assert learner._pool is not None
        next(iter(learner._pool._processes.values())).kill()
        with pytest.raises(ChildProcessError, match="a worker process died"):
            learner.advance(20)
        assert all(np.array_equal(before[name], array) for name, array in learner.state().items())


def won_in_two_plies():
    """Positions of a game that ends when the first mover's opponent bears off; gammon."""
    first, second, last = np.zeros((3, 26), np.int8)
    first[[3, 20]] = [15, -1]
    second[[5, 22]] = [1, -15]
    last[3] = 15
    return np.stack([first, second, last])


def test_with_lambda_1_every_position_learns_the_outcome():
    positions = won_in_two_plies()
    learnt = random_network(5, 1).layers
    by_hand = Layers(*(array.copy() for array in learnt))
    learn_from_game(positions, 2, 2, 0.1, 1.0, learnt, room_for(learnt))
    room = room_for(by_hand)
    learn(positions[1], np.array([1, 1, 0, 0, 0], np.float32), 0.1, by_hand, room)
    learn(positions[0], np.array([0, 0, 0, 1, 0], np.float32), 0.1, by_hand, room)
    assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(learnt, by_hand, strict=True))


def test_with_lambda_0_a_position_learns_what_the_next_was_rated():
    positions = won_in_two_plies()
    learnt = random_network(5, 1).layers
    by_hand = Layers(*(array.copy() for array in learnt))
    learn_from_game(positions, 2, 2, 0.1, 0.0, learnt, room_for(learnt))
    room = room_for(by_hand)
    learn(positions[1], np.array([1, 1, 0, 0, 0], np.float32), 0.1, by_hand, room)
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = room.outputs.copy()
    seen_by_first = [1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon]
    learn(positions[0], np.array(seen_by_first, np.float32), 0.1, by_hand, room)
    assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(learnt, by_hand, strict=True))
