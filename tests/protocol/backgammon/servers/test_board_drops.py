"""Board drops: a double is taken, or offered, by what the board says that a drop costs."""

import pytest

from bot.backgammon.engine.analysis import CubeVerdict
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    CubeEvaluation,
    DoubleAnswer,
    DoubleDecision,
)
from bot.backgammon.rules.match import Cube, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.record import MatchRecord, Occasion, Rules
from protocol.backgammon.servers.board_drops import (
    BoardDrops,
    place_with_board_drops,
    points_of_drop,
    verdict_there,
)
from tests.fakes.cube_player import CHANCES

BACK = START
GAMMON = Position.of({6: 15}, {6: 10, 13: 5})
SINGLE = Position.of({6: 15}, {6: 10, 13: 4})
ON_BAR = Position.of({6: 15}, {6: 10, 25: 1})
MONEY = MoneyRules(jacoby=False)


class Fixed:
    """Says the same of every position, and decides by it as everywhere else."""

    def __init__(self, evaluation):
        self._evaluation = evaluation

    def decide(self, request):
        found = self._evaluation
        if isinstance(request, AnswerDouble):
            drops = found.double_take > found.double_drop
            answer = DoubleAnswer.DROP if drops else DoubleAnswer.TAKE
            return DoubleDecision(answer, CHANCES, found)
        doubles = found.doubled > found.no_double
        return CubeDecision(CubeAction.DOUBLE if doubles else CubeAction.ROLL, CHANCES, found)


@pytest.mark.parametrize(("position", "points"), [(BACK, 3), (ON_BAR, 3), (GAMMON, 2), (SINGLE, 1)])
def test_a_drop_costs_what_the_board_would(position, points):
    assert points_of_drop(position) == points
    state = GameState(position, money=MONEY)
    decision = BoardDrops(Fixed(CubeEvaluation(0.5, 1.2, 1.0))).decide(AnswerDouble(state))
    assert decision.evaluation.double_drop == pytest.approx(points)


@pytest.mark.parametrize(
    ("position", "double_take", "answer"),
    [
        (BACK, 2.9, DoubleAnswer.TAKE),
        (BACK, 3.1, DoubleAnswer.DROP),
        (GAMMON, 1.9, DoubleAnswer.TAKE),
        (GAMMON, 2.1, DoubleAnswer.DROP),
        (SINGLE, 0.9, DoubleAnswer.TAKE),
        (SINGLE, 1.1, DoubleAnswer.DROP),
    ],
)
def test_a_double_is_dropped_if_that_costs_less(position, double_take, answer):
    decider = BoardDrops(Fixed(CubeEvaluation(0.5, double_take, 1.0)))
    assert decider.decide(AnswerDouble(GameState(position, money=MONEY))).answer is answer


@pytest.mark.parametrize(
    ("position", "equities", "action"),
    [
        (SINGLE, (1.1, 1.5), CubeAction.ROLL),
        (GAMMON, (1.1, 1.5), CubeAction.DOUBLE),
        (GAMMON, (2.2, 3.1), CubeAction.ROLL),
        (BACK, (2.2, 3.1), CubeAction.DOUBLE),
        (BACK, (0.6, 0.5), CubeAction.ROLL),
        (BACK, (0.4, 0.5), CubeAction.DOUBLE),
    ],
)
def test_who_is_too_good_elsewhere_may_double_for_a_dear_drop(position, equities, action):
    decider = BoardDrops(Fixed(CubeEvaluation(*equities, 1.0)))
    assert decider.decide(ChooseCubeAction(GameState(position, money=MONEY))).action is action


def test_in_a_match_points_count_by_the_match_equities():
    score = Score(5, 2, 1)
    state = GameState(GAMMON, Cube(2), score)
    usual = CubeEvaluation(0.5, 1.2, 1.0, mwc=(0.6, 0.7, 0.65))
    found = BoardDrops(Fixed(usual)).decide(AnswerDouble(state)).evaluation
    met = blot_table()
    won, lost, gammon = (met.mwc_after(score, points) for points in (2, -2, 4))
    assert found.mwc == (0.6, 0.7, pytest.approx(gammon))
    assert found.double_drop == pytest.approx((2 * gammon - won - lost) / (won - lost))


def test_who_says_nothing_of_the_cube_decides_alone():
    class Silent:
        def decide(self, request):
            return DoubleDecision(DoubleAnswer.DROP, CHANCES)

    state = GameState(BACK, money=MONEY)
    assert BoardDrops(Silent()).decide(AnswerDouble(state)).answer is DoubleAnswer.DROP


@pytest.mark.parametrize(
    ("place", "position", "answer", "loss"),
    [
        ("", GAMMON, DoubleAnswer.TAKE, 0.5),
        ("bgammon.org", GAMMON, DoubleAnswer.TAKE, 0.5),
        (place_with_board_drops("fake:1337"), GAMMON, DoubleAnswer.TAKE, 0.0),
        (place_with_board_drops("fake:1337"), GAMMON, DoubleAnswer.DROP, 0.5),
        (place_with_board_drops("fake:1337"), SINGLE, DoubleAnswer.TAKE, 0.5),
        (place_with_board_drops("fake:1337"), GAMMON, CubeAction.ROLL, 0.6),
        ("", GAMMON, CubeAction.ROLL, 0.1),
    ],
)
def test_an_analysis_counts_a_drop_by_where_the_match_was_played(place, position, answer, loss):
    match = MatchRecord(("blot", "bob"), Rules(None), occasion=Occasion(place=place))
    verdict = CubeVerdict(answer, CubeEvaluation(0.9, 1.5, 1.0), CHANCES, 1.0)
    choice = Choice(1, 1, 0, 0, AnswerDouble(GameState(position, money=MONEY)), answer)
    assert verdict_there(match, choice, verdict).loss == pytest.approx(loss)
