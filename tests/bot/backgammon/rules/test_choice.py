"""The choices of a recorded match."""

from dataclasses import replace

import pytest

from bot.backgammon.rules.choice import choices_of
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.game import Ending, OpeningRoll, Result
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, turned
from bot.backgammon.rules.record import Event, GameRecord, MatchRecord, Rules
from bot.backgammon.rules.roll import Roll
from tests.games import random_match

PLAY = legal_plays(START, Roll(3, 1))[0]
OPENED = (Event(OpeningRoll(3, 1)), Event(PLAY))


def choices(*events, result=None, **rules):
    game = GameRecord(events=events, result=result)
    return choices_of(MatchRecord(("one", "two"), Rules(**rules), (game,)))


def test_first_play_of_a_game_is_a_choice_without_the_cube():
    (choice,) = choices(*OPENED)
    assert (choice.game, choice.move, choice.seat, choice.answer) == (1, 1, 0, PLAY)
    assert choice.is_opening


def test_double_at_the_start_set_up_by_hand_is_no_opening():
    met = replace(Rules().new_game(), turn=0)
    for roll in (Roll(3, 1), Roll(3, 3)):
        (choice,) = choices(Event(met), Event(roll), Event(legal_plays(START, roll)[0]))
        assert choice.is_opening is not roll.is_double


def test_double_and_its_answer_are_choices_of_both_seats():
    drop = Result(1, 1, ending=Ending.DROPPED)
    events = *OPENED, Event(CubeAction.DOUBLE), Event(DoubleAnswer.DROP)
    _, double, answer = choices(*events, result=drop)
    assert (double.seat, double.answer) == (1, CubeAction.DOUBLE)
    assert isinstance(double.request, ChooseCubeAction)
    assert (answer.seat, answer.answer) == (0, DoubleAnswer.DROP)
    assert isinstance(answer.request, AnswerDouble)


def test_take_or_drop_that_ends_beavers_answers_the_double_whoever_says_it():
    rules = {"beavers": True}
    doubled = *OPENED, Event(CubeAction.DOUBLE), Event(DoubleAnswer.BEAVER)
    _, double, taken = choices(*doubled, Event(DoubleAnswer.TAKE), **rules)
    assert (taken.seat, taken.roller, taken.beavers) == (double.seat, double.seat, 1)
    assert (taken.answer, taken.request.state.cube) == (
        DoubleAnswer.TAKE,
        double.request.state.cube,
    )
    raccoon = Event(DoubleAnswer.BEAVER), Event(DoubleAnswer.DROP)
    drop = Result(1, 1, 4, ending=Ending.DROPPED)
    *_, dropped = choices(*doubled, *raccoon, result=drop, **rules)
    assert (dropped.seat, dropped.roller, dropped.beavers) == (0, 1, 2)


def test_roll_without_a_play_is_luck_and_no_choice_of_the_cube():
    first, second = choices(*OPENED, Event(Roll(6, 6)))
    assert (first.seat, second.seat) == (0, 1)
    assert second.answer is None
    assert second.request.roll == Roll(6, 6)


def test_whoever_rolls_and_might_have_doubled_chose_not_to():
    for seed in range(5):
        match = random_match(Rules(5), seed, resigns=0.0)
        found = choices_of(match)
        plays = [one for one in found if isinstance(one.answer, CheckerPlay)]
        events = [event for game in match.games for event in game.events]
        assert len(plays) == sum(isinstance(event.answer, CheckerPlay) for event in events)
        rolled = {(one.game, one.move): one for one in found if one.answer is CubeAction.ROLL}
        for play in plays:
            state = play.request.state
            might = state.doubling_refusal is None and state.position != START
            assert ((play.game, play.move) in rolled) == might
            game = match.games[play.game - 1]
            assert game.events[play.event].answer is play.answer


def test_game_without_the_cube_has_plays_alone():
    match = random_match(Rules(has_cube=False), 3)
    assert {type(one.request) for one in choices_of(match)} == {ChooseCheckerPlay}


def test_fault_at_the_end_of_the_last_game_is_told():
    with pytest.raises(ValueError, match="move 2: the game is not over"):
        choices(*OPENED, result=Result(1, 1, ending=Ending.DROPPED))


def test_moves_are_counted_with_every_play():
    reply = legal_plays(turned(PLAY.after), Roll(6, 4))[0]
    *_, last = choices(*OPENED, Event(Roll(6, 4)), Event(reply))
    assert last.move == 2
