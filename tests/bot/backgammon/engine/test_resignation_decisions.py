"""Resignations that are offered, and that are answered."""

import pytest

from bot.backgammon.engine.engine import Engine
from bot.backgammon.rules.decision import (
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
)
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from tests.bot.backgammon.engine.test_engine import OTHERS, PLAYER, TRAINED, Fixed, in_match, money

LAST_TWO = {1: 2}
SINGLE = Position.of({6: 10}, LAST_TWO)
GAMMON = Position.of({8: 5, 12: 10}, LAST_TWO)
OPEN_GAMMON = Position.of({6: 15}, {1: 1, 2: 3})
HOPE = Position.of({6: 2, 1: 1}, {3: 2, 5: 1})
CONTACT = Position.of({23: 1, 1: 1}, {3: 1, 1: 1})


@pytest.mark.parametrize(("points", "accepted"), [(1, False), (2, True), (3, True)])
def test_resignation_is_accepted_when_it_gives_what_is_expected(points, accepted):
    losing_gammons = Engine(Fixed(0, 0, 0, 0.6, 0), cube=False)
    decision = losing_gammons.decide(AnswerResignation(GameState(START), points))
    assert decision.accepted is accepted
    assert decision.margin == pytest.approx(abs(points - 1.6))


def test_without_the_cube_just_what_is_expected_is_accepted():
    lost = Engine(Fixed(0, 0, 0, 0, 0), cube=False)
    assert lost.decide(AnswerResignation(GameState(START), 1)).accepted


@pytest.mark.parametrize(("own", "points", "accepted"), [(6, 1, True), (5, 1, False), (5, 2, True)])
def test_without_the_cube_a_resignation_of_the_match_is_accepted(own, points, accepted):
    losing_backgammons = Engine(Fixed(0, 0, 0, 1, 1), cube=False)
    offer = AnswerResignation(GameState(START, score=Score(7, 2, own)), points)
    assert losing_backgammons.decide(offer).accepted is accepted


def test_who_declines_a_resignation_may_be_doubled():
    state = in_match(7, 3, 6)  # after the Crawford game
    _, *doubled = PLAYER.decide(ChooseCubeAction(state)).evaluation.mwc
    assert PLAYER.decide(AnswerResignation(state, 1)).mwc == pytest.approx(1 - min(doubled))
    assert PLAYER.decide(AnswerResignation(money(), 1)).mwc is None


@pytest.mark.parametrize(
    ("state", "points"),
    [
        (money(SINGLE), 1),
        (money(SINGLE, OTHERS), 1),
        (in_match(7, 2, 3, position=SINGLE), 1),
        (money(GAMMON), 2),
        (money(GAMMON, jacoby=True), 1),
        (money(GAMMON, OTHERS, jacoby=True), 2),
        (in_match(7, 2, 6, position=GAMMON), 1),
        (in_match(7, 2, 5, position=GAMMON), 2),
        (money(OPEN_GAMMON), 0),
        (money(OPEN_GAMMON, jacoby=True), 1),
        (in_match(7, 2, 6, position=OPEN_GAMMON), 1),
        (money(HOPE), 0),
        (money(CONTACT), 0),
        (money(START), 0),
    ],
)
def test_what_is_lost_for_sure_is_offered(state, points):
    assert PLAYER.decide(ChooseCubeAction(state)).resigns == points
    assert PLAYER.decide(ChooseCheckerPlay(state, Roll(2, 1))).resigns == points
    assert Engine(TRAINED, cube=False).decide(ChooseCubeAction(state)).resigns == 0
    if points:
        assert PLAYER.decide(AnswerResignation(state, points)).accepted


@pytest.mark.parametrize(
    ("state", "points", "accepted"),
    [
        (money(GAMMON), 1, False),
        (money(GAMMON), 2, True),
        (money(GAMMON, jacoby=True), 1, True),
        (in_match(7, 2, 6, position=GAMMON), 1, True),
        (in_match(7, 2, 5, OTHERS, position=GAMMON), 1, True),
        (in_match(7, 2, 4, OTHERS, position=GAMMON), 1, False),
        (money(HOPE), 1, True),
        (money(START), 1, True),
    ],
)
def test_resignation_is_accepted_for_what_it_is_worth_at_the_score(state, points, accepted):
    assert PLAYER.decide(AnswerResignation(state, points)).accepted is accepted
