"""Features of a position."""

import numpy as np
import pytest
from hypothesis import given, settings

from bot.backgammon.evaluation.inputs import PLAYERS, inputs_of
from bot.backgammon.kernels.features import fill_other_features, sums_of_classic
from bot.backgammon.kernels.inputs import CLASSIC_INPUTS
from bot.backgammon.rules.position import START, turned_boards
from tests.plain.features import plain_features
from tests.plain.networks import plain_classic_inputs
from tests.strategies import boards


@settings(max_examples=300)
@given(board=boards())
def test_features_agree_with_plain_ones(board):
    row = inputs_of(board[np.newaxis], PLAYERS)[0]
    assert row[:CLASSIC_INPUTS] == pytest.approx(plain_classic_inputs(board))
    expected = np.array(plain_features(board), float)
    for number, (found, wanted) in enumerate(zip(row[CLASSIC_INPUTS:], expected, strict=True)):
        assert found == pytest.approx(wanted, abs=1e-6), number


@settings(max_examples=300)
@given(board=boards())
def test_some_features_are_sums_of_classic_inputs_and_the_others_are_left(board):
    row = inputs_of(board[np.newaxis], PLAYERS)[0]
    classic, features = row[:CLASSIC_INPUTS], row[CLASSIC_INPUTS:]
    is_sum = sums_of_classic().any(axis=0)
    assert np.flatnonzero(is_sum[:24]).tolist() == [0, 1, 3, 8, 9, 10, 23]
    assert classic @ sums_of_classic()[:, is_sum] == pytest.approx(features[is_sum], abs=1e-6)
    others = np.full(48, np.nan, np.float32)
    fill_other_features(board, others)
    assert others == pytest.approx(np.where(is_sum, 0, features))


@given(board=boards())
def test_other_side_sees_the_features_exchanged(board):
    both = np.stack([board, turned_boards(board[np.newaxis])[0]])
    rows = inputs_of(both, PLAYERS)[:, CLASSIC_INPUTS:]
    assert np.array_equal(rows[0], np.roll(rows[1], 24))


def test_starting_position_by_hand():
    side = inputs_of(START.board[np.newaxis], PLAYERS)[0, CLASSIC_INPUTS:][:24]
    assert side[0] == pytest.approx(1.67)
    assert side[[1, 2]] == pytest.approx(1 / 6)
    assert side[[3, 5, 6, 7]].tolist() == [0, 0, 0, 0]
    assert side[10] == 0.5
