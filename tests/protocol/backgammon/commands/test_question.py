import argparse

import pytest

from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
)
from bot.backgammon.rules.match import GameState, MoneyRules, Score
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.commands.question import add_question, question_about, question_of
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.formats.position_id import gnubg_id

START_ID = "4HPwATDgc/ABMA"


def asked(*arguments):
    parser = argparse.ArgumentParser()
    add_question(parser)
    return question_of(parser.parse_args(arguments))


def test_position_id_asks_for_the_chances_and_with_dice_for_a_play():
    assert question_about(pasted_id(START_ID)) == ChooseCubeAction(GameState(START))
    assert question_about(pasted_id(f" {START_ID} "), (1, 3)) == ChooseCheckerPlay(
        GameState(START), Roll(3, 1)
    )


def test_match_id_brings_score_and_dice_which_typed_dice_replace():
    state = GameState(START, score=Score(7, 2, 4))
    text = gnubg_id(ChooseCheckerPlay(state, Roll(6, 5)))
    assert question_about(pasted_id(text)) == ChooseCheckerPlay(state, Roll(6, 5))
    assert question_about(pasted_id(text), (2, 2)) == ChooseCheckerPlay(state, Roll(2, 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no position ID in ''"),
        ("4HPw!TDgc/ABMA", "letters, digits"),
        ("4HPwATDgc/ABMA:", "a match ID has 12, '' has 0"),
        ("AAAA4HMAAAAAAA", "the game is over"),
    ],
)
def test_id_that_cannot_be_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        question_about(pasted_id(text))


@pytest.mark.parametrize(
    ("options", "money"),
    [
        ((), MoneyRules(jacoby=True, beavers=False)),
        (("--no-jacoby",), MoneyRules(jacoby=False, beavers=False)),
        (("--jacoby", "--beavers"), MoneyRules(jacoby=True, beavers=True)),
    ],
)
def test_rules_of_money_games_are_options(options, money):
    assert asked(START_ID, *options).state.money == money
    assert asked(START_ID, "--dice", "31", *options).state.money == money


def test_match_id_tells_of_jacoby_unless_an_option_does():
    text = gnubg_id(ChooseCubeAction(GameState(START, money=MoneyRules(jacoby=False))))
    assert not asked(text).state.money.jacoby
    assert asked(text, "--jacoby").state.money.jacoby


@pytest.mark.parametrize("rule", ["--beavers", "--jacoby"])
def test_rules_of_money_games_are_refused_in_a_match(rule):
    text = gnubg_id(ChooseCubeAction(GameState(START, score=Score(7, 2, 4))))
    with pytest.raises(ValueError, match=f"{rule} is a rule of money games"):
        asked(text, rule)
    assert asked(text, rule.replace("--", "--no-")) == asked(text)


def test_xgid_tells_of_beavers_unless_an_option_does():
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:0:10"
    assert asked(text).state.money == MoneyRules(jacoby=False, beavers=True)
    rules = MoneyRules(jacoby=True, beavers=False)
    assert asked(text, "--jacoby", "--no-beavers").state.money == rules


@pytest.mark.parametrize("request_of", [AnswerDouble, lambda state: AnswerResignation(state, 1)])
def test_no_dice_are_taken_where_an_answer_is_awaited(request_of):
    text = gnubg_id(request_of(GameState(START)))
    with pytest.raises(ValueError, match="waits for its answer there: no dice are rolled before"):
        question_about(pasted_id(text), (3, 1))
