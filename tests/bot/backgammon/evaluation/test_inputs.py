"""Inputs of the networks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.inputs import (
    BLOCKS,
    CLASSIC,
    INPUT_SETS,
    NBG,
    PLAYERS,
    TESAURO,
    input_set,
    inputs_of,
)
from bot.backgammon.rules.position import START, turned_boards
from tests.plain.games import scattered_turns
from tests.plain.networks import decided_network, plain_classic_inputs
from tests.plain.published_inputs import (
    plain_blocks_inputs,
    plain_nbg_inputs,
    plain_tesauro_inputs,
)
from tests.strategies import boards


@given(board=boards())
def test_classic_inputs_agree_with_plain_ones(board):
    assert inputs_of(board[np.newaxis], CLASSIC)[0] == pytest.approx(plain_classic_inputs(board))


@pytest.mark.parametrize(
    ("inputs", "plain", "size"),
    [
        (TESAURO, plain_tesauro_inputs, 198),
        (BLOCKS, plain_blocks_inputs, 212),
        (NBG, plain_nbg_inputs, 198),
    ],
)
@given(board=boards())
def test_published_inputs_agree_with_plain_ones(inputs, plain, size, board):
    found = inputs_of(board[np.newaxis], inputs)[0]
    assert len(found) == size
    assert found == pytest.approx(plain(board))


@pytest.mark.parametrize("name", INPUT_SETS)
def test_phases_are_those_of_the_board_whatever_the_inputs(name):
    network = decided_network(8, 4, inputs=input_set(name), phases=8)
    evaluator = CompositeEvaluator(network)
    for board, roll in scattered_turns(10, 2):
        found = Search(evaluator, SearchSettings()).candidates(np.array(board, np.int8), roll)
        expected = evaluator.outcomes(turned_boards(found.after))
        assert found.outcomes == pytest.approx(expected, abs=1e-4)


@given(board=boards())
def test_other_side_sees_the_halves_exchanged(board):
    both = np.stack([board, turned_boards(board[np.newaxis])[0]])
    inputs = inputs_of(both, CLASSIC)
    assert np.array_equal(inputs[0, :98], inputs[1, 98:])
    assert np.array_equal(inputs[0, 98:], inputs[1, :98])


def test_starting_position_switches_on_its_points():
    inputs = inputs_of(START.board[np.newaxis], CLASSIC)[0]
    six_point = inputs[4 * 5 : 4 * 6]
    assert six_point.tolist() == [1, 1, 1, 1]
    assert inputs.sum() == 2 * (4 + 3 + 4 + 2)


def test_input_set_is_found_by_name_and_version():
    assert input_set("classic-1") is CLASSIC


def test_unknown_version_is_refused():
    with pytest.raises(ValueError, match="classic-9"):
        input_set("classic-9")


def test_sums_want_a_kernel_for_the_features_that_are_none():
    for missing in ("sums", "fill_others"):
        with pytest.raises(ValueError, match=r"players-1 has sums without a kernel"):
            replace(PLAYERS, **{missing: None})


@pytest.mark.parametrize(("inputs", "limits"), [(PLAYERS, None), (CLASSIC, PLAYERS.limits)])
def test_features_and_their_limits_come_together(inputs, limits):
    with pytest.raises(ValueError, match=f"{inputs} has features without limits, or the reverse"):
        replace(inputs, limits=limits)


@pytest.mark.parametrize("inputs", INPUT_SETS.values(), ids=str)
def test_no_board_has_a_feature_beyond_its_limits(inputs):
    boards = np.array([board for board, _ in scattered_turns(2000, 5)], np.int8)
    features = inputs_of(boards, inputs)[:, CLASSIC.size :]
    least, largest = np.zeros((2, 0)) if inputs.limits is None else inputs.limits()
    assert least.shape == largest.shape == (inputs.feature_count,)
    beyond = np.flatnonzero(((features < least) | (features > largest + 1e-6)).any(axis=0))
    # throws that hit times pips may be more of so many blots
    assert set(beyond.tolist()) <= ({7, 31} if inputs is PLAYERS else set())
