"""Learning from a game: by traces, backwards and by its outcome, against what TD(lambda) is."""

import numpy as np
import pytest

from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.inputs import NO_FEATURES
from bot.backgammon.kernels.learning import (
    BACKWARD,
    CROSS_ENTROPY,
    OUTCOME,
    SQUARES,
    TRACES,
    Method,
    learn,
    learn_by_traces,
    learn_from_game,
)
from bot.backgammon.kernels.network import Layers, network_workspace
from bot.backgammon.kernels.outputs import OUTPUT_COUNTS, fill_lost, turn_outputs
from bot.backgammon.kernels.selfplay import START_BOARD, play_game, play_workspace
from bot.generator import new_generator
from tests.plain.learning import plain_changes

RATE = 0.01


def copied(layers):
    return Layers(*(array.copy() for array in layers))


def game_of(seed, most_plies=400):
    """The positions, plies and points of one game, whoever learns from it."""
    layers = random_network(8, 3).layers
    positions = np.empty((most_plies + 1, 26), np.int8)
    workspace = network_workspace(layers, NO_FEATURES)
    plies, points = play_game(
        positions, new_generator(seed), START_BOARD, layers, workspace, play_workspace()
    )
    assert points or plies == most_plies < 400
    return positions, plies, points


def assert_changed_by(before, after, changes, rate):
    """All weights changed by rate times the changes, to 1e-6, and some by much more than that."""
    assert max(np.abs(rate * array).max(initial=0) for array in changes) > 1e-5
    for old, new, change in zip(before, after, changes, strict=True):
        assert np.abs(new - old.astype(float) - rate * change).max(initial=0) < 1e-6


@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("outputs", OUTPUT_COUNTS)
def test_traces_sum_up_to_the_forward_view_when_weights_are_held(outputs, trace):
    layers = random_network(6, outputs, outputs=outputs).layers
    learnt, workspace = copied(layers), network_workspace(layers, NO_FEATURES)
    game = game_of(4)
    learn_by_traces(*game, Method(TRACES, RATE, trace), layers, learnt, workspace)
    assert_changed_by(layers, learnt, plain_changes(layers, *game, trace), RATE)


def test_traces_of_a_game_broken_off_end_with_its_last_evaluation():
    layers = random_network(6, 3).layers
    learnt, workspace = copied(layers), network_workspace(layers, NO_FEATURES)
    game = game_of(4, most_plies=11)
    assert game[1:] == (11, 0)
    learn_by_traces(*game, Method(TRACES, 1.0, 0.8), layers, learnt, workspace)
    assert_changed_by(layers, learnt, plain_changes(layers, *game, 0.8), 1.0)


@pytest.mark.parametrize("outputs", OUTPUT_COUNTS)
def test_steps_towards_the_outcome_sum_up_to_td_1_when_weights_are_held(outputs):
    layers = random_network(6, outputs, outputs=outputs).layers
    positions, plies, points = game_of(4)
    workspace = network_workspace(layers, NO_FEATURES)
    sums = [array.astype(float) for array in layers]
    target = np.empty(outputs, np.float32)
    fill_lost(points, target)
    for ply in range(plies - 1, -1, -1):
        turn_outputs(target)
        learnt = copied(layers)
        learn(positions[ply], target, RATE, learnt, workspace)
        for total, new, old in zip(sums, learnt, layers, strict=True):
            total += new.astype(float) - old
    assert_changed_by(layers, sums, plain_changes(layers, positions, plies, points, 1.0), RATE)


@pytest.mark.parametrize(("update", "trace"), [(OUTCOME, 1.0), (BACKWARD, 1.0), (BACKWARD, 0.4)])
def test_every_way_comes_to_td_lambda_as_the_rate_comes_to_nothing(update, trace):
    layers = random_network(6, 8).layers
    learnt, workspace = copied(layers), network_workspace(layers, NO_FEATURES)
    game = game_of(4)
    learn_from_game(*game, Method(update, 1e-5, trace), learnt, workspace)
    assert_changed_by(layers, learnt, plain_changes(layers, *game, trace), 1e-5)


def test_traces_learn_with_the_weights_of_the_ply_before():
    """Two plies by hand: the second is evaluated after the first was learnt."""
    layers = random_network(6, 1).layers
    positions, _, _ = game_of(4, most_plies=2)
    workspace = network_workspace(layers, NO_FEATURES)
    learnt, by_hand = copied(layers), copied(layers)
    learn_from_game(positions, 2, 0, Method(TRACES, 0.5, 0.0), learnt, workspace)
    for ply in range(2):
        method = Method(TRACES, 0.5, 0.0)
        learn_by_traces(positions[ply : ply + 2], 1, 0, method, copied(by_hand), by_hand, workspace)
    assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(learnt, by_hand, strict=True))


def test_a_game_without_an_outcome_teaches_backpropagation_nothing():
    layers = random_network(6, 1).layers
    learnt, workspace = copied(layers), network_workspace(layers, NO_FEATURES)
    learn_from_game(*game_of(4, most_plies=9), Method(OUTCOME, 0.5, 1.0), learnt, workspace)
    assert all(map(np.array_equal, learnt, layers))


@pytest.mark.parametrize("trace", [0.0, 0.7])
@pytest.mark.parametrize("is_logistic", [True, False])
def test_traces_go_down_the_squared_error_as_in_the_theses(is_logistic, trace):
    layers = random_network(6, 2, outputs=4, is_logistic=is_logistic).layers
    learnt, workspace = copied(layers), network_workspace(layers, NO_FEATURES)
    game = game_of(4)
    learn_by_traces(*game, Method(TRACES, 0.1, trace, SQUARES), layers, learnt, workspace)
    expected = plain_changes(layers, *game, trace, has_squares=True)
    assert_changed_by(layers, learnt, expected, 0.1)


@pytest.mark.parametrize(("update", "trace"), [(OUTCOME, 1.0), (BACKWARD, 0.4)])
@pytest.mark.parametrize("loss", [CROSS_ENTROPY, SQUARES])
def test_steps_of_logistic_units_go_down_either_loss(update, trace, loss):
    layers = random_network(6, 8, is_logistic=True).layers
    learnt, workspace = copied(layers), network_workspace(layers, NO_FEATURES)
    game = game_of(4)
    learn_from_game(*game, Method(update, 3e-5, trace, loss), learnt, workspace)
    expected = plain_changes(layers, *game, trace, has_squares=loss == SQUARES)
    assert_changed_by(layers, learnt, expected, 3e-5)
