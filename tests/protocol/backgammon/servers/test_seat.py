"""A seat: when something is asked of us, and what we answer."""

import pytest

from bot.backgammon.rules.decision import AnswerResignation, CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Resignation, ResignationAnswer
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.servers.agenda import Task
from protocol.backgammon.servers.policy import Policy
from protocol.backgammon.servers.seat import (
    MAX_REFUSALS,
    MAX_SILENCES,
    SERVER_SECONDS,
    Seat,
    ServerError,
)
from tests.fakes.cube_player import CubePlayer

POLICY = Policy(delay=2.0, patience=3.0, opponent_seconds=100.0)


def seat_at(match, agenda, **ways):
    return Seat(match, CubePlayer(**ways), POLICY, agenda)


def play_on(match, *, until):
    """Plays of both sides until it is a seat's turn again."""
    match.told(0, legal_plays(START, Roll(6, 1))[0])
    if until == 0:
        match.told(1, Roll(5, 2))
        match.told(1, legal_plays(match.game.state.position, Roll(5, 2))[0])


def test_question_is_answered_once(match, agenda):
    seat = seat_at(match, agenda)
    seat.look()
    assert isinstance(seat.answer(), CheckerPlay)
    assert (seat.answer(), seat.has_answered) == (None, True)
    seat.look()
    assert Task.ANSWER not in agenda
    assert Task.SERVER in agenda
    play_on(match, until=1)
    seat.look()
    assert (seat.is_asked, seat.has_answered, Task.SERVER in agenda) == (False, False, False)


@pytest.mark.parametrize(("is_prompted", "seconds"), [(False, 5.0), (True, 2.0)])
def test_server_that_asks_in_words_is_answered_sooner(match, agenda, is_prompted, seconds):
    seat_at(match, agenda).look(is_prompted=is_prompted)
    assert (agenda.first, agenda.seconds) == (Task.ANSWER, seconds)


def test_question_that_is_known_is_not_put_off_but_words_bring_it_forward(match, agenda, clock):
    seat = seat_at(match, agenda)
    seat.look()
    clock.now += 1
    seat.look()
    assert agenda.seconds == 4.0
    seat.look(is_prompted=True)
    assert agenda.seconds == 2.0
    clock.now += 1
    seat.look(is_prompted=True)
    assert agenda.seconds == 1.0


def test_double_needs_no_words(match, agenda):
    play_on(match, until=1)
    match.told(1, CubeAction.DOUBLE)
    seat = seat_at(match, agenda)
    seat.look()
    assert agenda.seconds == 2.0
    assert seat.answer() is DoubleAnswer.TAKE


def test_resignation_needs_no_words(match, agenda):
    match.resigns(1, 1)
    seat_at(match, agenda).look()
    assert agenda.seconds == 2.0


def test_opponent_has_their_time_from_each_change_of_the_match(match, agenda, clock):
    seat = seat_at(match, agenda)
    seat.look()
    agenda.drop(Task.ANSWER)
    assert (agenda.first, agenda.seconds) == (Task.OPPONENT, 100.0)
    clock.now += 10
    play_on(match, until=1)
    seat.look()
    assert (agenda.first, agenda.seconds) == (Task.OPPONENT, 100.0)


def test_what_is_asked_is_forgotten_until_the_opponent_is_back(match, agenda):
    seat = seat_at(match, agenda)
    seat.look()
    seat.answer()
    seat.forget()
    assert (Task.ANSWER in agenda, Task.SERVER in agenda) == (False, False)
    seat.look()
    assert Task.ANSWER in agenda
    assert seat.answer() is not None


def test_server_that_does_not_obey_is_asked_again_and_then_taken_to_be_gone(match, agenda):
    seat = seat_at(match, agenda)
    seat.look()
    for _ in range(MAX_SILENCES - 1):
        assert seat.answer() is not None
        agenda.drop(Task.OPPONENT)
        assert (agenda.first, agenda.seconds) == (Task.ANSWER, 5.0)
        agenda.drop(Task.ANSWER)
        assert (agenda.first, agenda.seconds) == (Task.SERVER, SERVER_SECONDS)
        seat.ask_again()
        seat.look()
    with pytest.raises(ServerError, match="does not go on"):
        seat.ask_again()


def test_silences_and_refusals_count_from_each_change_of_the_match(match, agenda):
    seat = seat_at(match, agenda)
    for until in (None, 1):
        if until is not None:
            play_on(match, until=until)
        seat.look()
        for _ in range(MAX_SILENCES - 1):
            seat.ask_again()
        assert [seat.refused() for _ in range(MAX_REFUSALS)] == [True, True, False]


def test_double_that_is_refused_is_not_offered_again_in_that_turn(match, agenda):
    play_on(match, until=0)
    seat = seat_at(match, agenda, doubles=True)
    assert seat.answer() is CubeAction.DOUBLE
    assert seat.refused()
    assert seat.answer() is CubeAction.ROLL


@pytest.mark.parametrize("is_refused", [True, False])
def test_who_cannot_or_shall_not_resign_plays_on(match, agenda, is_refused):
    seat = seat_at(match, agenda, resigns=(0, 2))
    if is_refused:
        assert seat.answer() == Resignation(2)
        seat.refused()
    else:
        seat.never_resigns()
    assert isinstance(seat.answer(), CheckerPlay)


@pytest.mark.parametrize(("accepts", "answer"), [(True, "ACCEPT"), (False, "DECLINE")])
@pytest.mark.parametrize("turn", [0, 1])
def test_resignation_is_judged_from_the_side_of_who_resigns(match, agenda, accepts, answer, turn):
    play_on(match, until=turn)
    state = match.game.state
    match.resigns(1, 1)
    seat = seat_at(match, agenda, accepts=accepts)
    assert seat.is_asked
    assert seat.answer() is ResignationAnswer[answer]
    assert seat._decider.asked == [AnswerResignation(state if turn else state.turned(), 1)]
