"""The evaluator of every phase."""

import numpy as np
import pytest

from bot.backgammon.evaluator import NetworkEvaluator
from bot.backgammon.network import random_network
from bot.backgammon.outcome import cubeless_equities
from bot.backgammon.position import START

EVALUATOR = NetworkEvaluator(random_network(6, 1))


@pytest.mark.parametrize(
    ("own", "points"), [({3: 14}, 1), ({3: 15}, 2), ({3: 14, 19: 1}, 3), ({3: 14, 25: 1}, 3)]
)
def test_finished_game_is_worth_what_was_lost(own, points):
    board = np.zeros(26, np.int8)
    for point, checkers in own.items():
        board[point] = checkers
    some = np.stack([START.board, board, START.board])
    outcomes = EVALUATOR.outcomes(some)
    assert cubeless_equities(outcomes)[1] == -points
    assert outcomes[0] == pytest.approx(outcomes[2])
    assert 0 < outcomes[0][0] < 1
