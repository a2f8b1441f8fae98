"""What a page is told, looked at without a page."""

import pytest

from bot.backgammon.engine.analysis import CubeVerdict
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCubeAction,
    CubeAction,
    CubeEvaluation,
    DoubleAnswer,
)
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.position import START
from protocol.backgammon.browser.api import _chances_of_first
from protocol.backgammon.browser.sitting import Lesson
from protocol.backgammon.browser.view import lesson_values

EVALUATION = CubeEvaluation(0.5, 0.4, 1.0)
CHANCES = Chances(0.6, 0.2, 0.01, 0.1, 0.02)


@pytest.mark.parametrize(
    ("request_type", "answer", "chances"),
    [
        (ChooseCubeAction, CubeAction.DOUBLE, (0.6, 0.2, 0.01, 0.1, 0.02)),
        (AnswerDouble, DoubleAnswer.DROP, (0.4, 0.1, 0.02, 0.2, 0.01)),
    ],
)
def test_chances_of_a_lesson_are_those_of_whoever_chose(request_type, answer, chances):
    choice = Choice(1, 1, 0, 0, request_type(GameState(START)), answer)
    told = lesson_values(Lesson(choice, CubeVerdict(answer, EVALUATION, CHANCES, 1.0)))
    assert told["chances"] == pytest.approx(chances)


@pytest.mark.parametrize(
    ("no_double", "right"), [(-0.3, "double_beaver"), (-0.15, "no_double"), (-0.5, "double_beaver")]
)
def test_right_action_is_the_one_that_a_lesson_puts_the_others_behind(no_double, right):
    evaluation = CubeEvaluation(no_double, -0.1, 1.0, may_beaver=True)
    choice = Choice(1, 1, 0, 0, ChooseCubeAction(GameState(START)), CubeAction.DOUBLE)
    verdict = CubeVerdict(CubeAction.DOUBLE, evaluation, CHANCES, 1.0)
    rows = lesson_values(Lesson(choice, verdict))["rows"]
    assert [row["key"] for row in rows if row["diff"] == 0] == [right]


def test_chances_beside_the_board_are_those_of_the_first_seat_whoever_is_on_roll():
    own = _chances_of_first(0.3, (0.6, 0.2, 0.01, 0.1, 0.02), 0)
    assert own == {"chances": [0.6, 0.2, 0.01, 0.1, 0.02], "equity": 0.3}
    other = _chances_of_first(0.3, (0.6, 0.2, 0.01, 0.1, 0.02), 1)
    assert other["equity"] == -0.3
    assert other["chances"] == pytest.approx([0.4, 0.1, 0.02, 0.2, 0.01])
