"""The evaluator of every phase."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.evaluation.bearoff import NO_DATABASES, build_databases, known_outcomes
from bot.backgammon.evaluation.evaluator import (
    CompositeEvaluator,
    NetworkEvaluator,
    load_evaluator,
)
from bot.backgammon.evaluation.network import load_network, random_network
from bot.backgammon.kernels.outcomes import fill_clamped
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.weights import DEFAULT, tree_weights
from tests.plain.positions import plain_is_race
from tests.strategies import batches, boards

NETWORK = random_network(6, 1)
EVALUATOR = NetworkEvaluator(NETWORK)


@pytest.fixture(scope="module")
def databases():
    """Exact endings of at most three checkers a side."""
    return build_databases(lambda _: None, 3, 3)


def most_points_lost(board):
    """Points the player on roll can still lose: 1, 2 (no checker off) or 3 (one may stay back)."""
    if sum(count for count in board if count > 0) < 15:
        return 1
    has_one_back = any(count > 0 for count in board[19:])
    return 3 if has_one_back or not plain_is_race(tuple(board)) else 2


@pytest.mark.parametrize("evaluator", [EVALUATOR, CompositeEvaluator(NETWORK)])
@pytest.mark.parametrize(
    ("own", "points"), [({3: 14}, 1), ({3: 15}, 2), ({3: 14, 19: 1}, 3), ({3: 14, 25: 1}, 3)]
)
def test_finished_game_is_worth_what_was_lost(own, points, evaluator):
    some = np.stack([START.board, Position.of(own, {}).board, START.board])
    outcomes = evaluator.outcomes(some)
    assert cubeless_equities(outcomes)[1] == -points
    assert outcomes[0] == pytest.approx(outcomes[2])
    assert 0 < outcomes[0][0] < 1


def test_trees_of_deep_searches_are_seen_by_the_network_listed_for_them(databases):
    tree = tree_weights(DEFAULT)
    assert tree is not None
    found = load_evaluator(DEFAULT, databases)
    assert found.tree is not found
    assert found.tree.databases is found.databases is databases
    for evaluator, name in ((found, DEFAULT), (found.tree, tree)):
        assert np.array_equal(evaluator.network.layers.first, load_network(name).layers.first)
    alone = load_evaluator("easy", databases)
    assert alone.tree is alone
    assert alone.databases is databases


@given(board=boards(), chances=st.lists(st.floats(-1, 2, width=32), min_size=5, max_size=5))
def test_chances_are_held_to_what_the_board_allows(board, chances):
    outcomes = np.array([chances], np.float32)
    fill_clamped(board[np.newaxis], outcomes)
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (float(x) for x in outcomes[0])
    assert 0 <= win_backgammon <= win_gammon <= win <= 1
    assert 0 <= lose_backgammon <= lose_gammon <= 1 - win + 1e-7
    own, other = most_points_lost(board), most_points_lost(turned_boards(board[np.newaxis])[0])
    assert win_gammon == 0 or other >= 2
    assert win_backgammon == 0 or other == 3
    assert lose_gammon == 0 or own >= 2
    assert lose_backgammon == 0 or own == 3


@given(board=boards(), shares=st.lists(st.floats(0, 1, width=32), min_size=5, max_size=5))
def test_possible_chances_are_left_alone(board, shares):
    """The chances of an end are those of the milder one times a share, 0 if the board forbids."""
    own, other = most_points_lost(board), most_points_lost(turned_boards(board[np.newaxis])[0])
    win = shares[0]
    win_gammon = win * shares[1] * (other >= 2)
    lose_gammon = np.float32(1 - win) * shares[3] * (own >= 2)
    nested = [
        win,
        win_gammon,
        win_gammon * shares[2] * (other == 3),
        lose_gammon,
        lose_gammon * shares[4] * (own == 3),
    ]
    outcomes = np.array([nested], np.float32)
    fill_clamped(board[np.newaxis], outcomes)
    assert outcomes[0] == pytest.approx(nested, abs=1e-7)


@given(some=batches())
def test_composite_rates_by_the_network_what_no_table_knows(some):
    outcomes = CompositeEvaluator(NETWORK, NO_DATABASES).outcomes(some)
    expected = NETWORK.outcomes(some)
    fill_clamped(some, expected)
    assert outcomes == pytest.approx(expected, abs=1e-6)


@given(some=batches(), places=st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6))))
def test_composite_rates_bear_offs_by_the_tables(databases, some, places):
    for row, (own, other) in zip(some, places, strict=False):
        row[:] = 0
        row[[own, 25 - other]] = 2, -3
    exact, is_known = known_outcomes(some, databases)
    assert is_known[: len(places)].all()
    outcomes = CompositeEvaluator(NETWORK, databases).outcomes(some)
    assert np.array_equal(outcomes[is_known], exact[is_known])
    others = CompositeEvaluator(NETWORK).outcomes(some)
    assert outcomes[~is_known] == pytest.approx(others[~is_known], abs=1e-6)


@pytest.mark.parametrize("evaluator", [NETWORK, EVALUATOR, CompositeEvaluator(NETWORK)])
def test_boards_that_are_no_positions_are_not_evaluated(evaluator):
    # their numbers in the bear-off databases would lie beyond these
    many = np.zeros((2, 26), np.int8)
    many[:, 1:7], many[:, 19:25] = 100, -100
    with pytest.raises(ValueError, match="has 600 checkers"):
        evaluator.outcomes(many)
    with pytest.raises(ValueError, match="whole numbers"):
        evaluator.outcomes(np.full((2, 26), np.nan))
    with pytest.raises(ValueError, match="shape"):
        evaluator.outcomes(START.board)
