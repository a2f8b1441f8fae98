"""A network of its own for the tree: what evaluates the plays of a roll, and what all below."""

import numpy as np
import pytest
from hypothesis import given

from bot.backgammon.engine.candidates import CUBELESS
from bot.backgammon.engine.level import Level
from bot.backgammon.engine.move_filter import MoveFilter
from bot.backgammon.engine.rollout_trials import RolloutPlayer, Seat
from bot.backgammon.engine.search import NO_SEARCH, Search, SearchSettings
from bot.backgammon.evaluation.evaluator import CompositeEvaluator, load_evaluator
from bot.backgammon.evaluation.network import load_network
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll
from bot.weights import listed_weights, tree_weights, weights_aliases
from tests.plain.networks import decided_network
from tests.strategies import boards, rolls

TREE = CompositeEvaluator(decided_network(6))
BOTH = CompositeEvaluator(decided_network(9), tree=TREE)


ALONE = CompositeEvaluator(BOTH.network)

BACK_GAME = Position(
    (0, 0, 0, 0, 2, 2, 3, 0, 2, 0, 0, 0, -2, 2, 0, 0, -2, -3, -3, -3, -2, 0, 2, 0, 2, 0)
)


def those_asked(board):
    """Who evaluates what is looked at 0 plies, one ply and two plies deep from a board."""
    anchors = ((board[19:25] >= 2).sum(), (board[1:7] <= -2).sum())
    return ALONE, ALONE, TREE if max(anchors) < 2 else ALONE


@given(boards(), rolls())
def test_plays_are_looked_into_by_the_one_and_more_than_a_ply_by_the_other(board, roll):
    static = Search(ALONE, NO_SEARCH).candidates(board, roll)
    for ply, looking in enumerate(those_asked(board)):
        found = Search(BOTH, SearchSettings(ply)).candidates(board, roll)
        looked_into = np.flatnonzero(found.plies == ply)
        expected = Search(looking, SearchSettings(ply)).candidates(
            board, roll, wanted=list(found.after[looked_into])
        )
        np.testing.assert_array_equal(found.outcomes[looked_into], expected.outcomes[looked_into])
        rest = np.flatnonzero(found.plies == 0)
        np.testing.assert_array_equal(found.outcomes[rest], static.outcomes[rest])


@given(boards())
def test_before_the_dice_it_is_the_same(board):
    for ply, alone in enumerate(those_asked(board)):
        found, expected = (
            Search(each, SearchSettings(ply)).outcomes(board) for each in (BOTH, alone)
        )
        np.testing.assert_array_equal(found, expected)


def test_one_search_asks_each_where_it_belongs():
    search = Search(BOTH, SearchSettings(2))
    for board in (START.board, BACK_GAME.board, turned(BACK_GAME).board, START.board):
        expected = Search(those_asked(board)[2], SearchSettings(2)).outcomes(board)
        np.testing.assert_array_equal(search.outcomes(board), expected)
    assert those_asked(START.board)[2] is TREE
    assert those_asked(BACK_GAME.board)[2] is those_asked(turned(BACK_GAME).board)[2] is ALONE


def test_look_that_ends_after_one_ply_asks_the_one_though_it_might_go_deeper():
    leads = iter((0.0, 9.0))
    settings = SearchSettings(2, (MoveFilter(0), MoveFilter(1)))
    found, _ = Search(BOTH, settings).rolled(
        START.board, CUBELESS, margin=lambda rolled, cube: next(leads)
    )
    expected = Search(ALONE, SearchSettings(1)).outcomes(START.board)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_and_time_change_nothing(threads):
    settings = SearchSettings(2, threads=threads, seconds=None if threads == 2 else 600.0)
    roll = Roll(3, 1)
    found = Search(BOTH, settings).candidates(START.board, roll)
    expected = Search(BOTH, SearchSettings(2)).candidates(START.board, roll)
    deepest = expected.plies == 2
    np.testing.assert_array_equal(found.outcomes[deepest], expected.outcomes[deepest])


@pytest.mark.parametrize("name", [*listed_weights(), *weights_aliases()])
def test_weights_have_the_tree_that_is_listed(name):
    tree = tree_weights(name)
    evaluator = load_evaluator(name)
    assert (evaluator.tree is evaluator) == (tree is None)
    if tree is not None:
        assert tree_weights(tree) is None
        first = load_network(tree).layers.first
        np.testing.assert_array_equal(evaluator.tree.network.layers.first, first)


def test_a_file_has_no_tree_of_its_own(tmp_path):
    path = tmp_path / "some.npz"
    decided_network(3).save(path)
    assert tree_weights(str(path)) is None
    evaluator = Level(str(path)).evaluator(lambda _: None)
    assert evaluator.tree is evaluator


def test_rollouts_are_played_by_the_tree(monkeypatch):
    monkeypatch.setattr(RolloutPlayer, "evaluator", lambda _: BOTH)
    seat = Seat(RolloutPlayer(), SearchSettings(1))
    assert seat.evaluator is TREE
    np.testing.assert_array_equal(seat.tools.values[0].layers.first, TREE.network.playing.first)
