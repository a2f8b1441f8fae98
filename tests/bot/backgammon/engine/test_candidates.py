import numpy as np
import pytest

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.position import START

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
