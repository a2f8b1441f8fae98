"""A small network chooses which replies the search's own evaluates."""

import functools

import numpy as np
import pytest

from bot.backgammon.engine.move_filter import MoveFilter
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.bearoff import build_databases
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import load_network, random_network
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from tests.plain.games import plain_turned, scattered_turns
from tests.plain.networks import decided_network
from tests.plain.search import plain_lookahead, plain_pruned_reply, plain_rate

ONE_PLY = SearchSettings(1, (MoveFilter(0, 1000, 100.0),))
"""Looks at every play."""

EVALUATOR = CompositeEvaluator(decided_network(6))
OPENING = (START.board, Roll(3, 1))


@pytest.fixture(scope="module")
def unpruned():
    return Search(EVALUATOR, ONE_PLY).candidates(*OPENING).outcomes


def test_pruner_that_agrees_with_the_network_changes_nothing(unpruned):
    found = Search(EVALUATOR, ONE_PLY, pruner=EVALUATOR.network).candidates(*OPENING)
    assert found.outcomes == pytest.approx(unpruned, abs=2e-6)


def test_pruner_that_knows_nothing_makes_replies_worse(unpruned):
    found = Search(EVALUATOR, ONE_PLY, pruner=random_network(3, 7)).candidates(*OPENING)
    gained = cubeless_equities(found.outcomes) - cubeless_equities(unpruned)
    assert (gained < 1e-6).all()
    assert gained.min() < -1e-4


def test_replies_that_the_tables_know_need_no_network():
    """Some replies bear the last checkers in, so that the tables know them, others do not."""
    evaluator = CompositeEvaluator(EVALUATOR.network, build_databases(lambda _: None, 4, 3))
    board = Position.of({7: 1, 6: 1, 3: 2}, {8: 1, 7: 1, 5: 1, 2: 1}).board
    unpruned, pruned = (
        Search(evaluator, ONE_PLY, pruner=pruner).candidates(board, Roll(4, 3)).outcomes
        for pruner in (None, evaluator.network)
    )
    assert pruned == pytest.approx(unpruned, abs=2e-6)


def test_plays_that_a_pruner_has_close_to_its_best_are_evaluated_eight_at_most():
    main, small = (CompositeEvaluator(load_network(name)) for name in ("td-256", "td-128"))
    pruned = Search(main, ONE_PLY, pruner=small.network)
    rate = plain_rate(main)
    reply = functools.partial(plain_pruned_reply, guess=plain_rate(small))
    changed = 0
    for board, roll in scattered_turns(8, 2):
        candidates = pruned.candidates(np.array(board, np.int8), roll)
        for after, outcomes in list(zip(candidates.after, candidates.outcomes, strict=True))[:3]:
            root = plain_turned(tuple(after.tolist()))
            expected = plain_lookahead(root, 1, rate, reply)
            assert outcomes == pytest.approx(np.array(expected), abs=2e-6)
            changed += expected != plain_lookahead(root, 1, rate)
    assert changed > 3
