"""TD(lambda): settings, and what learning from a game does."""

import numpy as np
import pytest

from bot.backgammon.kernels.network import Layers, room_for
from bot.backgammon.kernels.selfplay import learn, learn_from_game
from bot.backgammon.network import random_network
from bot.backgammon.training.settings import Schedule, Settings, settings_of
from bot.backgammon.training.temporal_difference import TemporalDifference

SMALL = Settings(games=60, hidden_units=8, rates=(0.05, 0.01), seed=4)


def test_linear_schedule_goes_straight_between_rates():
    settings = Settings(games=100, rates=(0.3, 0.1, 0.0001), schedule=Schedule.LINEAR)
    assert [settings.rate_at(games) for games in (0, 25, 50, 100, 500)] == pytest.approx(
        [0.3, 0.2, 0.1, 0.0001, 0.0001]
    )


def test_steps_have_equal_shares_of_the_games():
    settings = Settings(games=90, rates=(0.3, 0.2, 0.1), schedule=Schedule.STEPS)
    assert [settings.rate_at(games) for games in (0, 29, 30, 60, 90)] == [0.3, 0.3, 0.2, 0.1, 0.1]


def test_constant_schedule_has_one_rate():
    assert Settings(rates=(0.1,), schedule=Schedule.CONSTANT).rate_at(10**9) == 0.1
    with pytest.raises(ValueError, match="one rate"):
        Settings(rates=(0.1, 0.2), schedule=Schedule.CONSTANT)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"games": 0}, "at least 1"),
        ({"trace": 1.5}, "1.5"),
        ({"rates": [0.1, -0.1]}, "learning rates"),
        ({"schedule": "sudden"}, "sudden"),
        ({"hiden_units": 3}, "hiden_units"),
    ],
)
def test_impossible_settings_are_refused(table, words):
    with pytest.raises(ValueError, match=words):
        settings_of(table)


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
