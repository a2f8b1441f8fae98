"""The choices of people at a table, as a tutor judges and adds them up."""

from dataclasses import replace

from bot.backgammon.engine.analysis import PlayVerdict
from bot.backgammon.engine.match_statistics import Fortune
from bot.backgammon.rules.decision import AnswerDouble, CubeAction, DoubleAnswer
from protocol.backgammon.table.judgement import choice_at, statistics_of
from protocol.backgammon.table.table import HUMAN, Setting, Table
from tests.tables import opened, play_first

WITH_BOT = (HUMAN, "pubeval")


def test_answer_to_a_double_is_judged_and_that_to_a_beaver_is_not():
    table = opened(CubeAction.DOUBLE)
    choice = choice_at(table, DoubleAnswer.TAKE)
    assert (choice.seat, type(choice.request)) == (0, AnswerDouble)
    table.answer(DoubleAnswer.BEAVER)
    assert choice_at(table, DoubleAnswer.TAKE) is None


def test_play_against_the_rules_is_not_judged():
    table = opened()
    table.throw(6, 5)
    play = table.turn.with_text("24/13").play
    assert choice_at(table, play).answer == play
    assert choice_at(table, replace(play, legs=play.legs[:1])) is None


def test_nothing_is_judged_before_the_opening_roll_and_once_the_game_is_over():
    assert choice_at(Table(Setting((HUMAN, HUMAN), cube=True)), CubeAction.DOUBLE) is None
    assert choice_at(opened(CubeAction.DOUBLE, DoubleAnswer.DROP), DoubleAnswer.DROP) is None


def test_choices_of_bots_are_not_judged():
    assert choice_at(opened(players=WITH_BOT), CubeAction.DOUBLE) is None
    assert choice_at(opened(), CubeAction.DOUBLE) is not None


def test_bots_are_added_up_by_their_luck_alone():
    table = opened(players=WITH_BOT)
    table.throw(6, 5)
    play_first(table, "24/13")
    person, bot = statistics_of(
        table,
        lambda choice: PlayVerdict((), 2, 1, 0.25, 1.0),
        lambda request, is_opening: 0.75,
    )
    assert (person.moves, person.rolls.equity) == (1, 0.25)
    assert (bot.moves, bot.decisions) == (0, 0)
    assert (bot.rolls.count, bot.rolls.equity, bot.fortunes[Fortune.of(0.75)]) == (1, 0.75, 1)
