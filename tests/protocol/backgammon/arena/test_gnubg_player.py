import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.backgammon.arena.duel import played_pairs
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.match import GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.arena.gnubg_player import GnubgPlayer
from protocol.errors import WireError
from tests.fakes.restless_player import RestlessPlayer

FAKE = Path(__file__).parents[3] / "fakes" / "gnubg_server.py"
STATE = GameState(START)
PLAY = ChooseCheckerPlay(STATE, Roll(3, 1))


def fake(way, limit=60.0):
    return closing(GnubgPlayer(2, MatchFormat(2), limit, [sys.executable, str(FAKE), way]))


def test_every_question_gets_its_kind_of_decision():
    with fake("answers") as player:
        play = player.decide(PLAY).play
        assert {(leg.source, leg.target) for leg in play.legs} == {(8, 5), (6, 5)}
        assert player.decide(ChooseCubeAction(STATE)).action is CubeAction.ROLL
        assert player.decide(AnswerDouble(STATE)).answer is DoubleAnswer.TAKE
        with_gammons = replace(STATE, money=MoneyRules(jacoby=False))
        assert not player.decide(AnswerResignation(with_gammons, 2)).accepted
        assert player.decide(AnswerResignation(STATE, 1)).accepted  # by the Jacoby rule
        assert player.decide(AnswerResignation(STATE, 3)).accepted
        last_point = replace(STATE, score=Score(1, 0, 0))
        assert player.decide(AnswerResignation(last_point, 1)).accepted


def test_it_is_not_asked_where_nothing_can_be_played():
    shut_out = Position.of({25: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
    with fake("nonsense") as player:
        decision = player.decide(ChooseCheckerPlay(GameState(shut_out), Roll(3, 1)))
    assert decision.play.legs == ()


@pytest.mark.parametrize(
    ("way", "limit"), [("hangs-up", 60.0), ("nonsense", 60.0), ("silent", 2.0)]
)
def test_who_fails_forfeits_and_is_started_again(way, limit):
    with fake(way, limit) as player:
        for _ in range(2):
            with pytest.raises(ForfeitError, match="gnubg ") as failed:
                player.decide(PLAY)
            assert failed.value.transcript[0].startswith("> board:")


def test_a_gnubg_that_cannot_be_started_does_not_sit_down():
    with pytest.raises(WireError, match="gnubg died at"):
        fake("dies")


@pytest.mark.gnubg
@pytest.mark.parametrize(
    "match_format",
    [MatchFormat(2, cube=True, jacoby=True, beavers=True), MatchFormat(2, 5, cube=True)],
)
def test_gnubg_plays_whole_games_with_a_restless_player_by_the_rules(match_format):
    with closing(GnubgPlayer(0, match_format)) as gnubg:
        pairs = played_pairs((gnubg, RestlessPlayer()), match_format, range(2))
    assert [pair.faults for pair in pairs] == [(), ()]
    assert all(pair.contests[0] and not pair.unfinished for pair in pairs)
