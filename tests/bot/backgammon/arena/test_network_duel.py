"""A network against others."""

import numpy as np
import pytest

from bot.backgammon.arena.network_duel import NetworkDuel, network_duel
from bot.backgammon.evaluation.network import random_network


def test_network_against_itself_is_exactly_even():
    network = random_network(8, 1)
    result = network_duel(network, network, pairs=20, seed=3)
    assert (result.points.sum(axis=1) == 0).all()
    assert result.points_per_game == 0
    assert result.points_error == 0


def test_same_seed_gives_the_same_duel():
    network = random_network(8, 1)
    one = network_duel(network, "random", pairs=10, seed=3)
    assert np.array_equal(one.points, network_duel(network, "random", pairs=10, seed=3).points)
    assert not np.array_equal(one.points, network_duel(network, "random", pairs=10, seed=4).points)


def test_pubeval_beats_a_network_that_knows_nothing():
    assert network_duel(random_network(8, 1), "pubeval", pairs=20, seed=1).points_per_game < -1


def test_figures_are_those_of_the_pairs():
    result = NetworkDuel(np.array([[1, 2], [-1, 1], [0, 3]], np.int8))
    assert result.games == 5
    assert result.broken_off == 1
    assert result.won == 0.75
    assert result.points_per_game == 0.75
    assert result.points_error == pytest.approx(0.75)
    assert result.won_error == pytest.approx(0.25)


def test_a_single_pair_tells_nothing_of_the_error():
    result = NetworkDuel(np.array([[1, 2], [0, 3]], np.int8))
    assert result.points_per_game == 1.5
    assert result.points_error is result.won_error is None


@pytest.mark.parametrize(("opponent", "pairs"), [("nobody", 1), ("random", 0)])
def test_impossible_duel_is_refused(opponent, pairs):
    with pytest.raises(ValueError, match=r"nobody|at least one pair"):
        network_duel(random_network(8, 1), opponent, pairs=pairs, seed=1)
