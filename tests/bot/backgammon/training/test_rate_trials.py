"""Trials of a rate: whom the network plays, and when the next rate's turn comes."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.evaluation.network import random_network
from bot.backgammon.training import rate_trials
from bot.backgammon.training.rate_trials import RateTrials
from bot.backgammon.training.settings import Schedule, Settings
from bot.backgammon.training.temporal_difference import TemporalDifference

SMALL = Settings(
    games=9_000, hidden_units=4, rates=(0.05, 0.02, 0.01), schedule=Schedule.TRIALS, seed=4
)


class Played:
    """A duel that brought so many points."""

    def __init__(self, points):
        self.points = np.array([[points, 0]])


@pytest.fixture
def duels(monkeypatch):
    """Pairs of network and opponent that have played; each duel brings what is in points, or 0."""
    taken, points = [], []

    def duel(network, opponent, *, pairs, seed):
        taken.append((network, opponent, pairs, seed))
        return Played(points.pop(0) if points else 0)

    monkeypatch.setattr(rate_trials, "network_duel", duel)
    return taken, points


def trials_after(points, duels):
    """Trials whose first twenty-five copies are there, and that then brought these points."""
    duels[1].extend(points)
    trials = RateTrials(SMALL, random_network(4, 0))
    places = []
    for number in range(1, 25 + len(points)):
        trials.hold(random_network(4, number), 1000 * number)
        places.append(trials.place)
    return trials, places[24:]


def test_network_plays_200_games_against_its_copy_25000_games_younger(duels):
    trials_after([1] * 30, duels)
    assert len(duels[0]) == 30
    for number, (network, opponent, pairs, _) in enumerate(duels[0], start=25):
        for found, seed in ((network, number), (opponent, number - 25)):
            expected = random_network(4, seed).layers
            assert all(map(np.array_equal, found.layers, expected))
        assert pairs == 100
    assert len({seed for *_, seed in duels[0]}) == 30


def test_the_next_rate_comes_when_25_trials_come_to_fewer_than_0(duels):
    trials, places = trials_after([5] * 24 + [-121] + [0] * 3, duels)
    assert places == [0] * 24 + [1] * 4
    assert trials.rate == 0.02


def test_trials_that_come_to_0_leave_the_rate(duels):
    _, places = trials_after([-9] * 24 + [24 * 9], duels)
    assert set(places) == {0}


def test_older_trials_than_the_last_25_are_forgotten(duels):
    _, places = trials_after([100] + [-1] * 25, duels)
    assert places == [0] * 25 + [1]


def test_adding_up_begins_anew_with_each_rate_and_the_last_stays(duels):
    trials, places = trials_after([-1] * 80, duels)
    assert places == [0] * 24 + [1] * 25 + [2] * 31
    assert trials.rate == 0.01


def test_learner_holds_a_trial_every_1000_games_and_learns_at_its_rate(monkeypatch):
    held = []

    def hold(trials, network, games):
        held.append(games)
        trials._counts[0] = min(games // 1000, 2)

    monkeypatch.setattr(RateTrials, "hold", hold)
    tried = TemporalDifference(SMALL)
    for games in (0, 700, 1_600):
        tried.advance(games)
    assert held == [1_000, 2_000]
    by_hand = TemporalDifference(replace(SMALL, schedule=Schedule.CONSTANT, rates=(0.05,)))
    for rate, games in ((0.05, 1_000), (0.02, 1_000), (0.01, 300)):
        by_hand.settings = replace(by_hand.settings, rates=(rate,))
        by_hand.advance(games)
    assert all(map(np.array_equal, tried.network.layers, by_hand.network.layers))


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_nothing_is_learnt_at_a_last_rate_of_0(monkeypatch, workers):
    monkeypatch.setattr(RateTrials, "rate", 0.0)
    settings = replace(SMALL, rates=(0.05, 0.0), workers=workers)
    with closing(TemporalDifference(settings)) as learner:
        before = learner.network.layers
        learner.advance(3)
        assert learner.tally.games == 3
        assert all(map(np.array_equal, learner.network.layers, before))


def test_trials_go_on_from_a_checkpoint(duels):
    learner = TemporalDifference(SMALL)
    learner.advance(1_200)
    resumed = TemporalDifference(SMALL)
    resumed.restore({name: array.copy() for name, array in learner.state().items()})
    for each in (learner, resumed):
        each.advance(900)
    state = resumed.state()
    assert state["trial_copies"][1:3].any(axis=1).all()
    assert all(np.array_equal(state[name], array) for name, array in learner.state().items())


@pytest.mark.slow
def test_trials_are_games_between_the_two_networks():
    trials = RateTrials(SMALL, random_network(4, 0))
    for number in range(1, 27):
        trials.hold(random_network(4, number), 1000 * number)
    assert trials.state()["trial_counts"].tolist() == [0, 2]
    assert trials.state()["trial_points"][:2].any()
