"""Mutation: duels of champion and mutant, and what becomes of the champion."""

from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.arena.network_duel import network_duel
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.network import Layers
from bot.backgammon.training.mutation import Mutation
from bot.backgammon.training.rate_trials import RateTrials
from bot.backgammon.training.settings import LearnerName, Schedule, Settings

SMALL = Settings(
    learner=LearnerName.MUTATION,
    games=400,
    test_every=40,
    hidden_units=8,
    duel_games=4,
    most_plies=300,
    seed=4,
)


def advanced(settings, *rounds):
    learner = Mutation(settings)
    for games in rounds:
        learner.advance(games)
    return learner


def test_champion_begins_with_zeros():
    assert not any(array.any() for array in Mutation(SMALL).network.layers)


def test_same_seed_gives_the_same_champion_bit_for_bit():
    one, other = advanced(SMALL, 40), advanced(SMALL, 0, 8, 32)
    assert all(map(np.array_equal, one.network.layers, other.network.layers))
    assert one.tally.games == other.tally.games == 40
    assert one.network.layers.first.any()
    different = advanced(replace(SMALL, seed=5), 40)
    assert not np.array_equal(one.network.layers.first, different.network.layers.first)


def test_stopped_learning_goes_on_as_if_never_stopped():
    resumed = Mutation(SMALL)
    resumed.restore({name: array.copy() for name, array in advanced(SMALL, 20).state().items()})
    resumed.advance(20)
    whole = advanced(SMALL, 40).state()
    assert all(np.array_equal(whole[name], array) for name, array in resumed.state().items())


def test_checkpoint_of_another_width_is_refused():
    with pytest.raises(ValueError, match="first in the checkpoint does not fit"):
        Mutation(SMALL).restore(Mutation(replace(SMALL, hidden_units=9)).state())


@pytest.mark.parametrize(("champions_points", "goes"), [(-1, True), (0, False), (1, False)])
def test_champion_goes_a_step_towards_a_mutant_that_won(monkeypatch, champions_points, goes):
    mutants = []

    def outcome(learner, mutant, pairs):
        assert pairs == SMALL.duel_games // 2
        mutants.append(mutant)
        return champions_points

    monkeypatch.setattr(Mutation, "_points_against", outcome)
    learner = advanced(replace(SMALL, step=0.25), 4)
    assert len(mutants) == 1
    for array, mutant in zip(learner.network.layers, mutants[0], strict=True):
        assert np.array_equal(array, np.float32(0.25) * mutant * goes)


def test_noise_is_gaussian_of_the_size_asked_and_new_in_every_duel(monkeypatch):
    mutants = []

    def lost(learner, mutant, pairs):
        mutants.append(mutant)
        return 1

    monkeypatch.setattr(Mutation, "_points_against", lost)
    advanced(replace(SMALL, noise=0.2, hidden_units=40), 8)
    one, other = (mutant.first.ravel() for mutant in mutants)
    for noise in (one, other):
        assert noise.std() == pytest.approx(0.2, rel=0.03)
        assert abs(noise.mean()) < 0.01
        assert (np.abs(noise) < 0.2).mean() == pytest.approx(0.683, abs=0.02)
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.05


def test_weights_are_scaled_back_together_when_one_leaves_the_bounds(monkeypatch):
    mutant = Layers(*(np.full_like(array, 0.5) for array in Mutation(SMALL).network.layers))
    mutant.first[3, 2] = -2.0
    monkeypatch.setattr(Mutation, "_points_against", lambda learner, mutant, pairs: -1)
    monkeypatch.setattr(Mutation, "_mutant", lambda learner: mutant)
    champion = advanced(replace(SMALL, step=1.0), 4).network.layers
    assert champion.first[3, 2] == -1.0
    assert set(champion.last.ravel()) == {0.25}
    assert max(np.abs(array).max(initial=0) for array in champion) == 1.0


def test_games_broken_off_are_counted():
    tally = advanced(replace(SMALL, most_plies=3), 8).tally
    assert (tally.games, tally.plies, tally.broken_off) == (8, 24, 8)


def test_mutation_starts_from_a_network_as_it_is(tmp_path):
    network = random_network(8, 9)
    network.save(tmp_path / "start.npz")
    learner = Mutation(replace(SMALL, start=str(tmp_path / "start.npz")))
    assert all(map(np.array_equal, learner.network.layers, network.layers))


@pytest.mark.slow
def test_champion_learns_to_beat_random():
    duel = network_duel(advanced(SMALL, 1200).network, "random", pairs=100, seed=1)
    assert duel.points_per_game > 4 * duel.points_error


def test_trials_lower_the_step(monkeypatch):
    settings = replace(
        SMALL,
        games=2_000,
        schedule=Schedule.TRIALS,
        rates=(0.25, 0.1),
        duel_games=10,
        hidden_units=1,
    )
    held, steps = [], []

    def hold(trials, network, games):
        held.append(games)
        trials._counts[0] = 1

    monkeypatch.setattr(RateTrials, "hold", hold)
    monkeypatch.setattr(
        Mutation, "_go_towards", lambda learner, mutant: steps.append(learner._trials.rate)
    )
    learner = Mutation(settings)

    def lost(mutant, pairs):
        learner.tally.counts[0] += 2 * pairs
        return -1

    monkeypatch.setattr(learner, "_points_against", lost)
    learner.advance(2_000)
    assert held == [1_000, 2_000]
    assert steps == [0.25] * 100 + [0.1] * 100
    assert settings.objection_to("step").startswith("changes nothing beside the schedule trials")
    assert not settings.objection_to("rates")
    with pytest.raises(ValueError, match=r"--duel-games divides that, which 16 does not"):
        replace(settings, duel_games=16, test_every=1_600, games=1_600)
