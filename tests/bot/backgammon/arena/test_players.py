from contextlib import suppress

import pytest

from bot.backgammon.arena.players import ask_everything, seated
from bot.backgammon.engine.engine import Engine
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
)
from bot.backgammon.rules.position import START
from tests.fakes.restless_player import RestlessPlayer, RunningEvaluator
from tests.fakes.scripted_player import ScriptedPlayer


class Noted(Engine):
    """An engine that notes when it is made ready and parted from."""

    def __init__(self):
        super().__init__(RunningEvaluator())
        self.noted = []

    def prepare(self):
        self.noted.append("ready")

    def close(self):
        self.noted.append("gone")


def test_engines_are_ready_while_they_are_seated_and_gone_whatever_ends_that():
    engines = Noted(), Noted()
    with suppress(KeyboardInterrupt), seated(engines[0], RestlessPlayer(), engines[1]):
        assert [engine.noted for engine in engines] == [["ready"]] * 2
        raise KeyboardInterrupt
    assert [engine.noted for engine in engines] == [["ready", "gone"]] * 2


def test_engine_that_cannot_be_made_ready_is_parted_from_like_the_others():
    class Unready(Noted):
        def prepare(self):
            raise ChildProcessError

    engines = Noted(), Unready()
    with pytest.raises(ChildProcessError), seated(*engines):
        pass
    assert [engine.noted for engine in engines] == [["ready", "gone"], ["gone"]]


def test_every_question_is_asked_in_money_games_and_matches_at_the_start_and_at_the_end():
    player = ScriptedPlayer()
    ask_everything(player)
    asked = {
        (type(each), each.state.score is None, each.state.position == START)
        for each in player.asked
    }
    kinds = ChooseCheckerPlay, ChooseCubeAction, AnswerDouble, AnswerResignation
    assert asked == {
        (kind, is_money, is_start)
        for kind in kinds
        for is_money in (True, False)
        for is_start in (True, False)
    }
