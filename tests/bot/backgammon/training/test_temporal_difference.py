"""TD(lambda): what learning from a game does, and how workers share it."""

import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.kernels.network import Layers, room_for
from bot.backgammon.kernels.selfplay import (
    learn,
    learn_by_selfplay,
    learn_from_game,
)
from bot.backgammon.network import random_network
from bot.backgammon.selfplay import new_generator
from bot.backgammon.training.exchange import LAG, in_one_row
from bot.backgammon.training.settings import Settings
from bot.backgammon.training.temporal_difference import GAMES_APART, TemporalDifference

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
def test_two_workers_average_what_they_learnt_some_exchanges_before():
    """The same in one process: each plays GAMES_APART games, then the old steps are averaged."""
    games = 2 * 5 * GAMES_APART + 3
    start = random_network(TOGETHER.hidden_units, TOGETHER.seed).layers
    copies = [in_one_row(start) for _ in range(2)]
    generators = [new_generator(TOGETHER.seed, worker) for worker in range(2)]
    shares = [5 * GAMES_APART + 2, 5 * GAMES_APART + 1]
    tally = np.zeros(3, np.int64)
    steps = []
    for number in range(6 + LAG):
        rate = 2 * TOGETHER.rate_at(2 * GAMES_APART * number)
        before = [row.copy() for row, _ in copies]
        for (_, layers), generator, share in zip(copies, generators, shares, strict=True):
            now = min(max(share - GAMES_APART * number, 0), GAMES_APART)
            learn_by_selfplay(now, 300, rate, TOGETHER.trace, generator, layers, tally)
        steps.append([row - old for (row, _), old in zip(copies, before, strict=True)])
        if number >= LAG:
            mean = (steps[number - LAG][0] + steps[number - LAG][1]) / 2
            for (row, _), step in zip(copies, steps[number - LAG], strict=True):
                row += mean - step
    state = two_workers_after(games)
    assert list(state["tally"]) == list(tally)
    assert tally[0] == games
    assert np.array_equal(state["generator"], np.concatenate(generators))
    (_, layers), (_, others) = copies
    assert all(np.array_equal(state[name], array) for name, array in layers._asdict().items())
    assert all(np.allclose(a, b, atol=1e-5) for a, b in zip(layers, others, strict=True))


@pytest.mark.slow
def test_two_workers_go_on_as_if_never_stopped(together):
    resumed = TemporalDifference(TOGETHER)
    resumed.restore(two_workers_after(180))
    with closing(resumed):
        resumed.advance(110)
    assert all(np.array_equal(together[name], array) for name, array in resumed.state().items())


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
