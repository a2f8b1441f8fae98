"""Dice, games against itself, and one step of learning."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.dice import next_dice, next_word
from bot.backgammon.kernels.inputs import NO_FEATURES
from bot.backgammon.kernels.learning import learn
from bot.backgammon.kernels.network import Layers, network_workspace
from bot.backgammon.kernels.outputs import turn_outputs
from bot.backgammon.kernels.selfplay import START_BOARD, play_game, play_workspace
from bot.backgammon.rules.outcome import Chances, chances_of
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import ROLLS
from bot.generator import new_generator
from tests.plain.dice import plain_words
from tests.plain.networks import numerical_gradient, plain_chances, plain_classic_inputs
from tests.strategies import boards


@given(words=st.lists(st.integers(0, 2**32 - 1), min_size=4, max_size=4).filter(any))
def test_generator_agrees_with_plain_one(words):
    state = np.array(words, np.int64)
    assert [next_word(state) for _ in range(20)] == plain_words(words, 20)


def test_all_36_throws_are_equally_likely():
    generator = new_generator(1)
    counts = dict.fromkeys(((roll.high, roll.low) for roll in ROLLS), 0)
    for _ in range(36_000):
        counts[next_dice(generator, False)] += 1
    for (high, low), count in counts.items():
        expected = 1000 if high == low else 2000
        assert abs(count - expected) < 5 * expected**0.5


def test_opening_roll_is_no_double():
    generator = new_generator(2)
    assert all(high > low for high, low in (next_dice(generator, True) for _ in range(1000)))


def test_streams_of_a_seed_differ():
    assert not np.array_equal(new_generator(1, 0), new_generator(1, 1))


def test_negative_seed_is_refused():
    with pytest.raises(ValueError, match="-1"):
        new_generator(-1)


def test_game_goes_from_the_start_by_legal_plays_to_its_end():
    layers = random_network(8, 3).layers
    positions = np.empty((2001, 26), np.int8)
    plies, points = play_game(
        positions,
        new_generator(3),
        START_BOARD,
        layers,
        network_workspace(layers, NO_FEATURES),
        play_workspace(),
    )
    game = [Position.of_board(board) for board in positions[: plies + 1]]
    assert game[0] == START
    assert points in (1, 2, 3)
    assert game[-1].other_checkers == 0
    for before, after in pairwise(game[:40]):
        reached = {play.after for roll in ROLLS for play in legal_plays(before, roll)}
        assert turned(after) in reached | {before}


def test_game_is_broken_off_at_the_ply_limit():
    layers = random_network(8, 3).layers
    positions = np.empty((6, 26), np.int8)
    assert play_game(
        positions,
        new_generator(3),
        START_BOARD,
        layers,
        network_workspace(layers, NO_FEATURES),
        play_workspace(),
    ) == (5, 0)


@given(values=st.lists(st.floats(0, 1, width=32), min_size=5, max_size=5))
def test_chances_turned_in_the_kernel_are_those_turned_outside(values):
    chances = np.array(values, np.float32)
    expected = chances_of(chances).turned()
    turn_outputs(chances)
    turned_inside = chances_of(chances)
    for name in Chances.__dataclass_fields__:
        assert getattr(turned_inside, name) == pytest.approx(getattr(expected, name), abs=1e-6)


@given(board=boards(), seed=st.integers(0, 1000))
def test_a_step_of_learning_follows_the_gradient(board, seed):
    layers = random_network(6, seed).layers
    before = Layers(*(array.copy() for array in layers))
    target = np.array([0.7, 0.3, 0.1, 0.2, 0.05], np.float32)
    workspace = network_workspace(layers, NO_FEATURES)
    rate = 1e-2
    learn(board, target, rate, layers, workspace)
    inputs = plain_classic_inputs(board)
    # where a unit begins to be active there is no slope
    assume(np.abs(inputs @ before.first + before.biases).min() > 1e-3)
    assert workspace.outputs == pytest.approx(plain_chances(before, inputs), abs=1e-5)
    active = int(np.flatnonzero(inputs)[0])
    for name, place in (
        ("first", (active, 2)),
        ("biases", (3,)),
        ("last", (1, 4)),
        ("last_biases", (2,)),
    ):
        moved = float(getattr(layers, name)[place] - getattr(before, name)[place])
        slope = numerical_gradient(before, inputs, target, name, place)
        assert moved == pytest.approx(-rate * slope, abs=2e-5)
    unused = inputs == 0
    assert np.array_equal(layers.first[unused], before.first[unused])
