"""What is said about a decision."""

import pytest

from bot.backgammon.rules.decision import CubeRating


def test_lead_is_what_the_next_best_decision_would_lose():
    assert CubeRating(0.5, 0.7, 1.0).action_lead == pytest.approx(0.2)
    assert CubeRating(1.2, 1.5, 1.0).action_lead == pytest.approx(0.2)
    assert CubeRating(0.5, 0.7, 1.0, may_beaver=True).answer_lead == pytest.approx(0.3)
    assert CubeRating(0.5, 0.1, 1.0, may_beaver=True).answer_lead == pytest.approx(0.1)
    assert CubeRating(0.5, 0.1, 1.0).answer_lead == pytest.approx(0.9)
