"""A network against others."""

import numpy as np
import pytest

from bot.backgammon.arena import network_duel as network_duel_module
from bot.backgammon.arena.baselines import BASELINES
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


def test_each_baseline_is_another_player():
    duels = [network_duel(name, "pubeval", pairs=10, seed=3) for name in BASELINES]
    assert len({tuple(each.points.flat) for each in duels}) == len(BASELINES)


def test_caller_hears_of_the_pairs_now_and_then_and_the_duel_stays_the_same(monkeypatch):
    at_once = network_duel("blockers", "random", pairs=10, seed=3)
    monkeypatch.setattr(network_duel_module, "PAIRS_AT_ONCE", 4)
    told = []
    result = network_duel("blockers", "random", pairs=10, seed=3, on_pairs=told.append)
    assert told == [4, 8, 10]
    assert np.array_equal(result.points, at_once.points)


def test_duel_of_which_every_pair_was_broken_off_is_even():
    result = NetworkDuel(np.array([[0, 0], [1, 0]], np.int8))
    assert (result.won, result.points_per_game) == (0.0, 0.0)


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
