import threading
from types import SimpleNamespace

import pytest

from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, Score
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.arena import timed_seat
from protocol.backgammon.arena.judged_decisions import MONEY
from protocol.backgammon.arena.timed_seat import CubelessPlays, blot_seat
from protocol.errors import WireError

LIMIT = 60.0
EVEN = Chances(0.5, 0.0, 0.0, 0.0, 0.0)
STATE = GameState(START, money=MONEY)
PLAY = ChooseCheckerPlay(STATE, Roll(3, 1))
PLAYS = legal_plays(START, Roll(3, 1))


class Scripted:
    """Gives the decisions in their order and keeps the requests."""

    def __init__(self, *decisions):
        self.requests = []
        self._decisions = list(decisions)

    def decide(self, request):
        self.requests.append(request)
        return self._decisions.pop(0)


def test_every_kind_of_question_reaches_the_player_and_is_answered():
    match = GameState(START, Cube(2, CubeOwner.ON_ROLL), Score(9, 3, 0), MONEY)
    player = Scripted(
        PlayDecision(PLAYS[0], ()),
        CubeDecision(CubeAction.DOUBLE, EVEN),
        DoubleDecision(DoubleAnswer.DROP, EVEN),
        CubeDecision(CubeAction.ROLL, EVEN),
    )
    requests = [PLAY, ChooseCubeAction(STATE), AnswerDouble(STATE), ChooseCubeAction(match)]
    with blot_seat(player, limit=LIMIT) as seat:
        answers = [seat.ask(request) for request in requests]
    assert player.requests[:3] == requests[:3]
    assert player.requests[3].state.score == match.score
    assert player.requests[3].state.cube == match.cube
    assert all(0 < seconds < LIMIT for seconds, _ in answers)
    expected = [PLAYS[0].after.points, CubeAction.DOUBLE, DoubleAnswer.DROP, CubeAction.ROLL]
    assert [answer for _, answer in answers] == expected


def test_a_resignation_is_declined_and_the_same_asked_again():
    player = Scripted(
        PlayDecision(PLAYS[0], (), resigns=1),
        PlayDecision(PLAYS[0], (), resigns=2),
        PlayDecision(PLAYS[1], (), resigns=2),
    )
    with blot_seat(player, limit=LIMIT) as seat:
        assert seat.ask(PLAY)[1] == PLAYS[1].after.points
    assert player.requests == [PLAY, PLAY, PLAY]


def test_time_of_an_answer_is_that_of_all_its_offers_to_resign(monkeypatch):
    seconds = iter([1.0, 3.0, 10.0, 14.0, 20.0, 21.0])
    monkeypatch.setattr(timed_seat, "time", SimpleNamespace(perf_counter=seconds.__next__))
    player = Scripted(
        *(PlayDecision(PLAYS[0], (), resigns=level) for level in (1, 2)),
        PlayDecision(PLAYS[0], ()),
    )
    with blot_seat(player, limit=LIMIT) as seat:
        assert seat.ask(PLAY) == (7.0, PLAYS[0].after.points)


def test_the_same_question_again_is_of_another_game(caplog):
    player = Scripted(*(PlayDecision(PLAYS[0], ()) for _ in range(3)))
    with blot_seat(player, limit=LIMIT) as seat:
        for _ in range(3):
            seat.ask(PLAY)
    assert caplog.text == ""


def test_an_illegal_play_is_named():
    with (
        blot_seat(Scripted(PlayDecision(CheckerPlay((), START), ())), limit=LIMIT) as seat,
        pytest.raises(WireError, match=r"blot answered 'Error \(the roll can be played\)'"),
    ):
        seat.ask(PLAY)


def test_an_answer_to_another_question_is_named():
    with (
        blot_seat(Scripted(PlayDecision(PLAYS[0], ())), limit=LIMIT) as seat,
        pytest.raises(WireError, match=r"blot answered 'Error .a player answered ChooseCubeAction"),
    ):
        seat.ask(ChooseCubeAction(STATE))


def test_a_player_who_never_answers_is_not_waited_for():
    awake = threading.Event()

    class Asleep:
        def decide(self, request):
            awake.wait(LIMIT)
            return PlayDecision(PLAYS[0], ())

    with blot_seat(Asleep(), limit=0.5) as seat:
        with pytest.raises(WireError, match=r"blot gave no answer in 0\.5 s"):
            seat.ask(PLAY)
        awake.set()


def test_the_seat_is_given_up_at_the_end():
    before = threading.active_count()
    with blot_seat(Scripted(), limit=LIMIT) as seat:
        pass  # nothing is asked; its end is what matters
    assert threading.active_count() == before
    with pytest.raises(WireError, match="blot hung up"):
        seat.ask(PLAY)


def test_only_checker_plays_leave_out_the_cube():
    without = Scripted(PlayDecision(PLAYS[0], ()))
    with_cube = Scripted(
        CubeDecision(CubeAction.ROLL, EVEN), DoubleDecision(DoubleAnswer.TAKE, EVEN)
    )
    player = CubelessPlays(without, with_cube)
    for request in (PLAY, ChooseCubeAction(STATE), AnswerDouble(STATE)):
        player.decide(request)
    assert without.requests == [PLAY]
    assert with_cube.requests == [ChooseCubeAction(STATE), AnswerDouble(STATE)]
