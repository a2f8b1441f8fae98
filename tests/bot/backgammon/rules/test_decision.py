"""What is said about a decision."""

import pytest

from bot.backgammon.arena.baselines import PubevalPlayer
from bot.backgammon.engine.engine import Engine
from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.decision import AnswerResignation, CubeEvaluation, ProperAction
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START


def test_lead_is_what_the_next_best_decision_would_lose():
    assert CubeEvaluation(0.5, 0.7, 1.0).action_margin == pytest.approx(0.2)
    assert CubeEvaluation(1.2, 1.5, 1.0).action_margin == pytest.approx(0.2)
    assert CubeEvaluation(0.5, 0.7, 1.0, may_beaver=True).answer_margin == pytest.approx(0.3)
    assert CubeEvaluation(0.5, 0.1, 1.0, may_beaver=True).answer_margin == pytest.approx(0.1)
    assert CubeEvaluation(-0.4, -0.2, 1.0, may_beaver=True).answer_margin == pytest.approx(0.2)
    assert CubeEvaluation(0.5, 0.1, 1.0).answer_margin == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("equities", "proper"),
    [
        ((-1.0, -1.0, 1.0), ProperAction.OPTIONAL_TAKE),
        ((0.14, 0.140009, 1.0), ProperAction.OPTIONAL_TAKE),
        ((0.14, 0.1402, 1.0), ProperAction.DOUBLE_TAKE),
        ((0.14, 0.1398, 1.0), ProperAction.NO_DOUBLE_TAKE),
        ((1.0, 2.0, 1.0), ProperAction.OPTIONAL_DROP),
        ((1.000009, 2.0, 1.0), ProperAction.OPTIONAL_DROP),
        ((1.0002, 2.0, 1.0), ProperAction.TOO_GOOD_DROP),
    ],
)
def test_double_that_changes_nothing_is_optional(equities, proper):
    assert CubeEvaluation(*equities).proper is proper


@pytest.mark.parametrize(
    ("equities", "may_beaver", "proper"),
    [
        ((-0.3, -0.5, 1.0), True, ProperAction.NO_DOUBLE_BEAVER),
        ((-0.3, -0.5, 1.0), False, ProperAction.NO_DOUBLE_TAKE),
        ((0.2, 0.0, 1.0), True, ProperAction.NO_DOUBLE_TAKE),
        ((1.0, 0.9, 1.0), True, ProperAction.NO_DOUBLE_TAKE),
        ((-0.5, -0.2, 1.0), True, ProperAction.DOUBLE_BEAVER),
        ((0.5, 0.7, 1.0), True, ProperAction.DOUBLE_TAKE),
        ((0.5, 1.0, 1.0), False, ProperAction.DOUBLE_TAKE),
        ((0.5, 1.1, 1.0), False, ProperAction.DOUBLE_DROP),
        ((1.2, 0.9, 1.0), False, ProperAction.TOO_GOOD_TAKE),
        ((1.2, 1.3, 1.0), False, ProperAction.TOO_GOOD_DROP),
    ],
)
def test_proper_actions_are_those_worth_most_to_each_side(equities, may_beaver, proper):
    assert CubeEvaluation(*equities, may_beaver=may_beaver).proper is proper


def test_optional_double_may_be_beavered():
    found = CubeEvaluation(-0.4, -0.2, 1.0, may_beaver=True)
    assert found.proper is ProperAction.OPTIONAL_BEAVER


@pytest.mark.parametrize(
    "decider", [Engine(NetworkEvaluator(random_network(4, 1))), PubevalPlayer()]
)
@pytest.mark.parametrize("request_", ["hello", None, GameState(START)])
def test_what_is_no_request_is_refused_by_its_name(decider, request_):
    with pytest.raises(ValueError, match=r"one of ChooseCheckerPlay, .* not ") as refused:
        decider.decide(request_)
    assert str(refused.value).endswith(f"not {request_!r:.80}")


@pytest.mark.parametrize("points", [0, 4])
def test_resignation_of_other_points_is_no_question(points):
    with pytest.raises(ValueError, match=f"1, 2 or 3 times the cube, not {points}"):
        AnswerResignation(GameState(START), points)
