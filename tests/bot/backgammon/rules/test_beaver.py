import pytest

from bot.backgammon.rules.beaver import MOST_BEAVERS, answer_of_roller, chain_question
from bot.backgammon.rules.decision import CubeRating, DoubleAnswer, DoubleDecision
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.position import START

BEAVERS = MoneyRules(beavers=True)
EVEN = Chances(0.5, 0, 0, 0, 0)


def chain_state(value, money=BEAVERS):
    return GameState(START, Cube(value, CubeOwner.OTHER), money=money)


def test_chain_asks_what_a_redouble_to_the_same_value_asks():
    question = chain_question(chain_state(2), first_value=1)
    assert question.state == GameState(START, Cube(2, CubeOwner.ON_ROLL), money=BEAVERS)


@pytest.mark.parametrize(
    ("value", "first_value", "may_beaver"),
    [(2, 1, True), (4, 1, True), (8, 1, False), (8, 2, True), (16, 2, False)],
)
def test_chain_grows_by_three_doubles(value, first_value, may_beaver):
    question = chain_question(chain_state(value), first_value=first_value)
    assert question.state.money.beavers == may_beaver
    assert may_beaver == (value < first_value * 2**MOST_BEAVERS)


def test_chain_stops_at_the_highest_cube_and_where_no_beavers_are():
    assert not chain_question(chain_state(MAX_CUBE // 2), first_value=512).state.money.beavers
    assert not chain_question(chain_state(2, MoneyRules()), first_value=1).state.money.beavers


@pytest.mark.parametrize(
    ("points", "answer"),
    [
        (-1.01, DoubleAnswer.DROP),
        (-1.0, DoubleAnswer.TAKE),
        (0.0, DoubleAnswer.TAKE),
        (0.01, DoubleAnswer.BEAVER),
    ],
)
def test_roller_drops_takes_or_raccoons_by_what_the_stake_is_worth(points, answer):
    question = chain_question(chain_state(2), first_value=1)
    decision = DoubleDecision(DoubleAnswer.TAKE, EVEN, CubeRating(0, points, 1))
    assert answer_of_roller(question, decision).answer is answer


@pytest.mark.parametrize(
    ("win", "answer"),
    [(0.24, DoubleAnswer.DROP), (0.26, DoubleAnswer.TAKE), (0.51, DoubleAnswer.BEAVER)],
)
def test_without_a_rating_the_roller_answers_by_cubeless_chances(win, answer):
    question = chain_question(chain_state(2), first_value=1)
    theirs = Chances(1 - win, 0, 0, 0, 0)
    found = answer_of_roller(question, DoubleDecision(DoubleAnswer.TAKE, theirs))
    assert found.answer is answer
    assert found.chances.win == pytest.approx(win)


def test_roller_takes_where_the_chain_must_end():
    question = chain_question(chain_state(8), first_value=1)
    decision = DoubleDecision(DoubleAnswer.TAKE, EVEN, CubeRating(0, 0.5, 1))
    assert answer_of_roller(question, decision).answer is DoubleAnswer.TAKE
