import pytest

from bot.backgammon.rules.answer import answer_by, answer_of, answer_of_roller
from bot.backgammon.rules.decision import (
    AnswerResignation,
    ChooseCheckerPlay,
    CubeAction,
    CubeDecision,
    CubeEvaluation,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    ResignationDecision,
)
from bot.backgammon.rules.game import Game, Resignation, ResignationAnswer
from bot.backgammon.rules.match import GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll

EVEN = Chances(0.5, 0, 0, 0, 0)
TAKE, DROP, BEAVER = DoubleAnswer.TAKE, DoubleAnswer.DROP, DoubleAnswer.BEAVER
PLAY = legal_plays(START, Roll(3, 1))[0]


def on_roll(*, beavers=True, score=None):
    return Game(GameState(START, score=score, money=MoneyRules(beavers=beavers)), 0)


def test_decision_is_the_answer_that_it_names():
    game = on_roll()
    thrown = Game.asking(ChooseCheckerPlay(GameState(START), Roll(3, 1)), 0)
    resigned = Game.asking(AnswerResignation(GameState(START), 1), 0)
    assert answer_of(thrown, PlayDecision(PLAY, ())) == PLAY
    for action in CubeAction:
        assert answer_of(game, CubeDecision(action, EVEN)) is action
    for word in DoubleAnswer:
        assert answer_of(game.after(CubeAction.DOUBLE), DoubleDecision(word, EVEN)) is word
    for accepted, word in ((True, ResignationAnswer.ACCEPT), (False, ResignationAnswer.DECLINE)):
        assert answer_of(resigned, ResignationDecision(accepted, EVEN)) is word


@pytest.mark.parametrize(
    "game", [on_roll(beavers=False), on_roll(score=Score(5, 0, 0))], ids=["unwanted", "match"]
)
def test_beaver_is_a_take_where_none_is_allowed(game):
    assert answer_of(game.after(CubeAction.DOUBLE), DoubleDecision(BEAVER, EVEN)) is TAKE


def test_player_resigns_once_and_then_plays_on():
    game = on_roll()
    decision = CubeDecision(CubeAction.DOUBLE, EVEN, resigns=2)
    assert answer_of(game, decision) == Resignation(2)
    declined = game.after(Resignation(2)).after(ResignationAnswer.DECLINE)
    assert answer_of(declined, decision) is CubeAction.DOUBLE
    thrown = declined.after(Roll(3, 1))
    assert answer_of(thrown, PlayDecision(PLAY, (), resigns=1)) == PLAY
    assert answer_of(thrown, PlayDecision(PLAY, (), resigns=3)) == Resignation(3)


def test_decision_on_another_question_is_refused():
    decision = CubeDecision(CubeAction.ROLL, EVEN)
    with pytest.raises(ValueError, match="a player answered ChooseCheckerPlay with CubeDecision"):
        answer_of(on_roll().after(Roll(3, 1)), decision)
    with pytest.raises(ValueError, match="a player answered NoneType with CubeDecision"):
        answer_of(on_roll().after(CubeAction.ROLL), decision)


@pytest.mark.parametrize(
    ("points", "answer"), [(-1.01, DROP), (-1.0, TAKE), (0.0, TAKE), (0.01, BEAVER)]
)
def test_roller_drops_takes_or_beavers_by_what_the_stake_is_worth(points, answer):
    decision = DoubleDecision(TAKE, EVEN, CubeEvaluation(0, points, 1))
    assert answer_of_roller(decision) is answer
    game = on_roll().after(CubeAction.DOUBLE).after(BEAVER)
    assert answer_of(game, decision) is answer


@pytest.mark.parametrize(("win", "answer"), [(0.24, DROP), (0.26, TAKE), (0.51, BEAVER)])
def test_without_a_evaluation_the_roller_answers_by_cubeless_chances(win, answer):
    theirs = Chances(1 - win, 0, 0, 0, 0)
    assert answer_of_roller(DoubleDecision(TAKE, theirs)) is answer


def test_roller_takes_where_the_chain_must_end():
    game = on_roll().after(CubeAction.DOUBLE)
    for _ in range(3):
        game = game.after(BEAVER)
    assert answer_of(game, DoubleDecision(TAKE, EVEN, CubeEvaluation(0, 0.5, 1))) is TAKE


class Sure:
    """A player whose decision is always the same."""

    def __init__(self, decision):
        self._decision = decision

    def decide(self, request):
        return self._decision


def test_player_answers_by_his_decision_and_rolls_unasked():
    double = Sure(CubeDecision(CubeAction.DOUBLE, EVEN))
    game = on_roll()
    assert answer_by(double, game) is CubeAction.DOUBLE
    assert answer_by(double, game.after(CubeAction.ROLL)) is CubeAction.ROLL


def test_decision_against_the_rules_is_no_answer():
    thrown = on_roll().after(Roll(6, 5))
    with pytest.raises(ValueError, match="the legs are not those of the dice"):
        answer_by(Sure(PlayDecision(PLAY, ())), thrown)
