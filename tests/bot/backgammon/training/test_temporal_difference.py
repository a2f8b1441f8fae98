"""TD(lambda): what learning from a game does, and how workers share it."""

import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from bot import workers
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.inputs import NO_FEATURES
from bot.backgammon.kernels.learning import BACKWARD, Method, learn, learn_from_game
from bot.backgammon.kernels.network import Layers, network_workspace
from bot.backgammon.kernels.selfplay import (
    START_BOARD,
    learn_by_selfplay,
    learn_from_games,
    play_game,
    play_games,
    play_workspace,
)
from bot.backgammon.training import temporal_difference
from bot.backgammon.training.settings import Settings, Update
from bot.backgammon.training.temporal_difference import PIECE, TemporalDifference
from bot.generator import new_generator
from tests.plain.games import scattered_turns
from tests.plain.networks import decided_network

LIMIT = 300.0
"""Seconds any wait here may take; kernels may have to be compiled first."""

SMALL = Settings(games=60, hidden_units=8, rates=(0.05, 0.01), seed=4)


@pytest.mark.slow
def test_same_seed_gives_the_same_weights_bit_for_bit():
    one, other = TemporalDifference(SMALL), TemporalDifference(SMALL)
    for learner in (one, other):
        for games in (10, 5):
            learner.advance(games)
    assert one.tally.games == other.tally.games == 15
    assert all(map(np.array_equal, one.network.layers, other.network.layers))
    different = TemporalDifference(replace(SMALL, seed=5))
    different.advance(15)
    assert not np.array_equal(one.network.layers.first, different.network.layers.first)


def test_learning_starts_from_a_network_as_it_is(tmp_path):
    network = random_network(8, 9)
    network.save(tmp_path / "start.npz")
    learner = TemporalDifference(replace(SMALL, start=str(tmp_path / "start.npz")))
    assert all(map(np.array_equal, learner.network.layers, network.layers))
    learner.advance(1)
    assert not np.array_equal(learner.network.layers.last, network.layers.last)


def test_wider_network_rates_nearly_as_the_one_it_starts_from(tmp_path):
    network = decided_network(12)
    network.save(tmp_path / "start.npz")
    learner = TemporalDifference(replace(SMALL, hidden_units=30, start=str(tmp_path / "start.npz")))
    boards = np.array([board for board, _ in scattered_turns(60, 1)], np.int8)
    found, expected = learner.network.outcomes(boards), network.outcomes(boards)
    assert learner.network.shape == "196-30-5"
    assert np.abs(found - expected).mean() < 0.02
    assert expected.std(axis=0).max() > 0.05


def test_games_broken_off_are_counted():
    learner = TemporalDifference(Settings(games=10, hidden_units=4, most_plies=3))
    learner.advance(10)
    assert (learner.tally.games, learner.tally.plies, learner.tally.broken_off) == (10, 30, 10)


TOGETHER = replace(SMALL, games=600, workers=2, most_plies=300)


def two_workers_after(*rounds):
    learner = TemporalDifference(TOGETHER)
    with closing(learner):
        for games in rounds:
            learner.advance(games)
        return learner.state()


@pytest.fixture(scope="module")
def together():
    """What two workers have learnt after a round of 180 games and one of 110."""
    return two_workers_after(180, 110)


@pytest.mark.slow
def test_two_workers_learn_the_same_every_time(together):
    other = two_workers_after(0, 180, 110)
    assert all(np.array_equal(together[name], other[name]) for name in together)
    assert together["tally"][0] == 290


@pytest.mark.slow
def test_two_workers_learn_in_turn_from_pieces_they_play_at_once():
    """The same in one process: the weights that play a piece know none but their worker's turns."""
    games = 9 * PIECE + 3
    learnt = random_network(TOGETHER.hidden_units, TOGETHER.seed).layers
    copies = [copied(learnt), copied(learnt)]
    generators = [new_generator(TOGETHER.seed, worker) for worker in range(2)]
    tally = np.zeros(3, np.int64)
    for piece, size in enumerate([PIECE] * 9 + [3]):
        worker = piece % 2
        positions = np.empty((size * 301, 26), np.int8)
        plies, points = np.empty((2, size), np.int32)
        play_games(
            generators[worker], START_BOARD, copies[worker], NO_FEATURES, positions, plies, points
        )
        method = Method(BACKWARD, TOGETHER.rate_at(piece * PIECE), TOGETHER.trace)
        learn_from_games(positions, plies, points, method, learnt, NO_FEATURES, tally)
        copies[worker] = copied(learnt)
    state = two_workers_after(games)
    assert list(state["tally"]) == list(tally)
    assert tally[0] == games
    assert np.array_equal(state["generator"], np.concatenate(generators))
    assert all(np.array_equal(state[name], array) for name, array in learnt._asdict().items())


@pytest.mark.slow
def test_two_workers_go_on_as_if_never_stopped(together):
    resumed = TemporalDifference(TOGETHER)
    resumed.restore(two_workers_after(180))
    with closing(resumed):
        resumed.advance(110)
    assert all(np.array_equal(together[name], array) for name, array in resumed.state().items())


def test_a_round_is_waited_for_longer_than_a_piece_of_other_work(monkeypatch):
    limits = []

    def results(pool, work, shares, limit=workers.LIMIT):
        limits.append(limit)
        return [(generator, np.zeros(3, np.int64)) for *_, generator in shares]

    monkeypatch.setattr(temporal_difference, "joint_results", results)
    with closing(TemporalDifference(TOGETHER)) as learner:
        learner.advance(2000)  # 800 s on a core, with 4,096 units by traces
    assert min(limits) >= 10 * workers.LIMIT


def test_checkpoint_of_other_workers_is_refused():
    saved = TemporalDifference(SMALL).state()
    with pytest.raises(ValueError, match="generator in the checkpoint does not fit"):
        TemporalDifference(TOGETHER).restore(saved)


@pytest.mark.slow
def test_training_together_leaves_nothing_and_says_nothing():
    program = (
        "from contextlib import closing\n"
        "from bot.backgammon.training.settings import Settings\n"
        "from bot.backgammon.training.temporal_difference import TemporalDifference\n"
        "if __name__ == '__main__':\n"
        "    with closing(TemporalDifference(Settings(hidden_units=4, workers=2))) as learner:\n"
        "        learner.advance(0)\n"
        "        learner.advance(1)\n"
        "        print(learner.tally.games)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def copied(layers):
    return Layers(*(array.copy() for array in layers))


def test_games_learnt_later_are_learnt_as_at_once():
    at_once, later = (random_network(8, 1).layers for _ in range(2))
    tally, later_tally = np.zeros((2, 3), np.int64)
    generator, later_generator = new_generator(2), new_generator(2)
    positions = np.empty((61, 26), np.int8)
    plies, points = np.empty((2, 1), np.int32)
    method = Method(BACKWARD, 0.05, 0.3)
    for _ in range(5):
        learn_by_selfplay(1, 60, method, generator, START_BOARD, at_once, NO_FEATURES, tally)
        play_games(later_generator, START_BOARD, later, NO_FEATURES, positions, plies, points)
        learn_from_games(positions, plies, points, method, later, NO_FEATURES, later_tally)
    assert all(map(np.array_equal, at_once, later))
    assert list(tally) == list(later_tally)
    assert tally[2] > 0


def test_positions_of_several_games_stand_one_after_another():
    layers = random_network(8, 3).layers
    positions = np.empty((4 * 401, 26), np.int8)
    plies, points = np.empty((2, 4), np.int32)
    rows = play_games(new_generator(3), START_BOARD, layers, NO_FEATURES, positions, plies, points)
    assert rows == plies.sum() + 4
    generator = new_generator(3)
    row = 0
    for count, won in zip(plies, points, strict=True):
        game = np.empty((401, 26), np.int8)
        assert play_game(
            game,
            generator,
            START_BOARD,
            layers,
            network_workspace(layers, NO_FEATURES),
            play_workspace(),
        ) == (
            count,
            won,
        )
        assert np.array_equal(game[: count + 1], positions[row : row + count + 1])
        row += count + 1


@pytest.mark.slow
def test_death_of_a_worker_is_told_and_changes_nothing():
    learner = TemporalDifference(replace(SMALL, workers=2))
    with closing(learner):
        learner.advance(60)
        before = {name: array.copy() for name, array in learner.state().items()}
        assert learner._pool is not None
        next(iter(learner._pool._processes.values())).kill()
        with pytest.raises(ChildProcessError, match="a worker process died"):
            learner.advance(60)
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
    method = Method(BACKWARD, 0.1, 1.0)
    learn_from_game(positions, 2, 2, method, learnt, network_workspace(learnt, NO_FEATURES))
    workspace = network_workspace(by_hand, NO_FEATURES)
    learn(positions[1], np.array([1, 1, 0, 0, 0], np.float32), 0.1, by_hand, workspace)
    learn(positions[0], np.array([0, 0, 0, 1, 0], np.float32), 0.1, by_hand, workspace)
    assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(learnt, by_hand, strict=True))


def test_with_lambda_0_a_position_learns_what_the_next_was_evaluated():
    positions = won_in_two_plies()
    learnt = random_network(5, 1).layers
    by_hand = Layers(*(array.copy() for array in learnt))
    method = Method(BACKWARD, 0.1, 0.0)
    learn_from_game(positions, 2, 2, method, learnt, network_workspace(learnt, NO_FEATURES))
    workspace = network_workspace(by_hand, NO_FEATURES)
    learn(positions[1], np.array([1, 1, 0, 0, 0], np.float32), 0.1, by_hand, workspace)
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = workspace.outputs.copy()
    seen_by_first = [1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon]
    learn(positions[0], np.array(seen_by_first, np.float32), 0.1, by_hand, workspace)
    assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(learnt, by_hand, strict=True))


@pytest.mark.parametrize(
    ("update", "inputs", "shape"),
    [
        (Update.BACKWARD, "players-1", "244-8-2"),
        (Update.TRACES, "players-1", "244-8-2"),
        (Update.TRACES, "tesauro-1", "198-8-2"),
        (Update.TRACES, "blocks-1", "212-8-2"),
    ],
)
def test_every_way_through_a_game_learns_with_any_outputs_and_inputs(update, inputs, shape):
    settings = replace(SMALL, update=update, trace=0.5, inputs=inputs, outputs=2)
    learner = TemporalDifference(settings)
    before = learner.network
    learner.advance(3)
    assert learner.network.shape == shape
    changed = learner.network.layers.first != before.layers.first
    assert changed[:196].any()
    assert changed[196:].any()


def test_traces_and_the_way_back_learn_different_weights():
    ways = [TemporalDifference(replace(SMALL, update=update, trace=0.5)) for update in Update]
    for learner in ways:
        learner.advance(3)
    one, other = (learner.network.layers for learner in ways)
    assert not np.array_equal(one.last, other.last)


def test_network_of_other_outputs_cannot_start_a_run(tmp_path):
    random_network(8, 9, outputs=2).save(tmp_path / "start.npz")
    with pytest.raises(ValueError, match="it has 2 outputs, and this run 5"):
        TemporalDifference(replace(SMALL, start=str(tmp_path / "start.npz")))
