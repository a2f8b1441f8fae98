"""Every question of a game, answered from one evaluator."""

import numpy as np
import pytest
from hypothesis import given

from bot.backgammon.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.engine import Engine
from bot.backgammon.evaluator import CompositeEvaluator, NetworkEvaluator
from bot.backgammon.match import GameState
from bot.backgammon.move_filter import MoveFilter
from bot.backgammon.network import random_network
from bot.backgammon.outcome import chances_of, cubeless_equities
from bot.backgammon.play import legal_plays
from bot.backgammon.position import START, Position, turned
from bot.backgammon.roll import Roll
from bot.backgammon.search import Search, SearchSettings
from tests.strategies import positions, rolls

EVALUATOR = NetworkEvaluator(random_network(12, 1))
ENGINE = Engine(EVALUATOR, cube=False)


class Fixed:
    """Gives every position the same chances."""

    def __init__(self, *chances):
        self._chances = np.array(chances, np.float32)

    def outcomes(self, boards):
        return np.repeat(self._chances[np.newaxis], len(boards), axis=0)


@given(position=positions(), roll=rolls())
def test_every_legal_play_is_rated_and_the_best_chosen(position, roll):
    decision = ENGINE.decide(ChooseCheckerPlay(GameState(position), roll))
    plays = legal_plays(position, roll)
    assert {rated.play for rated in decision.rated} == set(plays)
    if not plays:
        assert decision.play.legs == ()
        assert decision.play.after == position
        return
    replies = np.stack([turned(rated.play.after).board for rated in decision.rated])
    expected = -cubeless_equities(EVALUATOR.outcomes(replies))
    assert [rated.equity for rated in decision.rated] == pytest.approx(expected.tolist(), abs=1e-4)
    assert decision.play == decision.rated[0].play
    assert list(expected) == sorted(expected, reverse=True) or np.allclose(
        expected, sorted(expected, reverse=True), atol=1e-4
    )
    for rated in decision.rated:
        assert rated.chances.equity == pytest.approx(rated.equity, abs=1e-5)


def test_winning_play_is_rated_by_the_rules():
    points = [0] * 26
    points[1], points[24] = 2, -15
    decision = ENGINE.decide(ChooseCheckerPlay(GameState(Position(tuple(points))), Roll(2, 1)))
    assert decision.play.after.checkers == 0
    assert decision.rated[0].equity == 2


def test_fewer_candidates_are_listed_on_demand():
    decision = Engine(EVALUATOR, candidates=2).decide(
        ChooseCheckerPlay(GameState(START), Roll(3, 1))
    )
    assert len(decision.rated) == 2


def test_without_the_cube_it_never_doubles():
    decision = Engine(Fixed(0.8, 0.2, 0, 0, 0), cube=False).decide(
        ChooseCubeAction(GameState(START))
    )
    assert decision.action is CubeAction.ROLL
    assert decision.chances.win == pytest.approx(0.8)


@pytest.mark.parametrize(("win", "answer"), [(0.74, DoubleAnswer.TAKE), (0.76, DoubleAnswer.DROP)])
def test_without_the_cube_it_takes_with_a_quarter_of_the_games(win, answer):
    decision = Engine(Fixed(win, 0, 0, 0, 0), cube=False).decide(AnswerDouble(GameState(START)))
    assert decision.answer is answer
    assert decision.chances.win == pytest.approx(1 - win)


@pytest.mark.parametrize(("points", "accepted"), [(1, False), (2, True), (3, True)])
def test_resignation_is_accepted_when_it_gives_what_is_expected(points, accepted):
    losing_gammons = Engine(Fixed(0, 0, 0, 0.6, 0), cube=False)
    decision = losing_gammons.decide(AnswerResignation(GameState(START), points))
    assert decision.accepted is accepted


def test_plays_rated_deeper_stand_first_and_say_so():
    evaluator = CompositeEvaluator(EVALUATOR.network)
    search = SearchSettings(1, (MoveFilter(0, 3, 3.0),))
    engine = Engine(evaluator, search, cube=False)
    decision = engine.decide(ChooseCheckerPlay(GameState(START), Roll(3, 1)))
    plies = [rated.ply for rated in decision.rated]
    assert plies == [1, 1, 1] + [0] * (len(plies) - 3)
    for first, last in ((0, 3), (3, len(plies))):
        equities = [rated.equity for rated in decision.rated[first:last]]
        assert equities == sorted(equities, reverse=True)
    for rated in decision.rated:
        assert rated.chances.equity == pytest.approx(rated.equity, abs=1e-5)


def test_cube_is_answered_as_deep_as_plays_are_rated():
    evaluator = CompositeEvaluator(EVALUATOR.network)
    for ply in (0, 1):
        search = SearchSettings(ply)
        decision = Engine(evaluator, search).decide(AnswerDouble(GameState(START)))
        expected = Search(evaluator, search).outcomes(START.board)[0]
        assert decision.chances == chances_of(expected).turned()


def test_evaluator_without_a_network_cannot_look_ahead():
    with pytest.raises(ValueError, match="Fixed rates positions, it cannot look ahead"):
        Engine(Fixed(0.5, 0, 0, 0, 0), SearchSettings(1))
