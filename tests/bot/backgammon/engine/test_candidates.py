import math

import numpy as np
import pytest

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.move_filter import MoveFilter
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll

EVALUATOR = CompositeEvaluator(random_network(12, 1))


@pytest.mark.parametrize("candidates", [0, -1])
def test_decision_lists_one_play_at_the_least(candidates):
    with pytest.raises(ValueError, match=f"one play or more, not {candidates}"):
        Engine(EVALUATOR, candidates=candidates)


@pytest.mark.parametrize("ply", [0, 1])
def test_boards_need_a_roll_each(ply):
    engine = Engine(EVALUATOR, SearchSettings(ply))
    boards = np.stack([START.board] * 3)
    with pytest.raises(ValueError, match=r"3 boards have as many rolls, not \(2, 2\)"):
        engine.boards_chosen(boards, np.array([[6, 4]] * 2, np.int8))
    with pytest.raises(ValueError, match="boards have shape"):
        engine.boards_chosen(boards[:, :24], np.array([[6, 4]] * 3, np.int8))


def test_margin_is_how_far_the_best_play_stands_before_the_next_one_seen_as_deep():
    request = ChooseCheckerPlay(GameState(START), Roll(3, 1))
    for ply, most, is_known in ((0, 1, True), (1, 2, True), (1, 1, False)):
        search = SearchSettings(ply, (MoveFilter(0, most, 9.0),))
        decision = Engine(EVALUATOR, search, candidates=2).decide(request)
        first, second = (row.equity for row in decision.candidates)
        assert decision.margin == (pytest.approx(first - second) if is_known else math.inf)
    alone = GameState(Position.of({25: 1, 6: 14}, {1: 2, 2: 2, 4: 2, 5: 2, 6: 2, 20: 5}))
    assert Engine(EVALUATOR).decide(ChooseCheckerPlay(alone, Roll(6, 3))).margin == math.inf
