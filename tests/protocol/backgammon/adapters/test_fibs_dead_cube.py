"""An opponent on FIBS doubles although the cube wins the match as it is."""

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.match import DoublingRefusal
from bot.backgammon.rules.record import replay
from protocol.backgammon.formats.match_file import read_match
from tests.fakes.fibs_board import Mischief
from tests.protocol.backgammon.adapters.test_fibs_client import stayed


def test_double_with_a_dead_cube_is_answered_and_recorded(tmp_path):
    fake, store = stayed(tmp_path, [Mischief.DEAD_DOUBLE], matches=3, lengths=(1,))
    played = store.matches()
    assert [(each.points, each.other_points) for each in played] == fake.finished
    assert {each.gaps for each in played} == {0}
    assert fake.refusals == 0
    moments = [
        moment for each in played for moment in replay(read_match(tmp_path / each.file).whole)
    ]
    dead = [game for game, event in moments if event.answer is CubeAction.DOUBLE]
    assert {game.state.doubling_refusal for game in dead} == {DoublingRefusal.DEAD}
    assert {game.turn for game in dead} == {1}
    answers = [event.answer for game, event in moments if game.doubles]
    assert len(answers) == len(dead)
    assert set(answers) <= {DoubleAnswer.TAKE, DoubleAnswer.DROP}
