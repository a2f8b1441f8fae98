import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, Score
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters.gnubg_program import GnubgError, GnubgProgram
from protocol.backgammon.arena.judged_decisions import game_decisions, results
from protocol.backgammon.arena.timed_gnubg import gnubg_evaluations_per_second, gnubg_seat
from protocol.backgammon.arena.timed_seat import Seat
from protocol.backgammon.formats.notation import parse_play
from protocol.errors import WireError
from tests.processes import group_is_gone

FAKE = Path(__file__).parents[3] / "fakes" / "gnubg_server.py"
LIMIT = 60.0
SHORT = 3.0
STATE = GameState(START)
PLAY = ChooseCheckerPlay(STATE, Roll(3, 1))


def fake(way: str, limit: float = LIMIT) -> AbstractContextManager[Seat]:
    return gnubg_seat(2, [sys.executable, str(FAKE), way], limit=limit)


@pytest.fixture
def groups(monkeypatch):
    """Ids of the process groups that are started."""
    start, found = GnubgProgram._start, []

    def note(gnubg):
        start(gnubg)
        found.append(gnubg.process)

    monkeypatch.setattr(GnubgProgram, "_start", note)
    return found


@pytest.fixture
def only_our_files(tmp_path, monkeypatch):
    """A folder for temporary files, which must be empty in the end."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    yield tmp_path
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("only_our_files")
def test_every_kind_of_question_is_answered_and_timed():
    with fake("answers") as gnubg:
        seconds, play = gnubg.ask(PLAY)
        assert play == parse_play("8/5 6/5", START, Roll(3, 1)).after.points
        assert 0 < seconds < LIMIT
        assert gnubg.ask(ChooseCubeAction(STATE))[1] is CubeAction.ROLL
        assert gnubg.ask(AnswerDouble(STATE))[1] is DoubleAnswer.TAKE


@pytest.mark.usefixtures("only_our_files")
def test_the_program_ends_with_the_block_whatever_happens(groups):
    def interrupted() -> None:
        with fake("answers"):
            assert not group_is_gone(groups[0])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert group_is_gone(groups[0])


@pytest.mark.usefixtures("only_our_files")
@pytest.mark.parametrize(
    ("way", "limit", "sentence"),
    [
        ("silent", SHORT, r"gnubg gave no answer in 3 s"),
        ("hangs-up", LIMIT, r"gnubg hung up instead of an answer to 'board:"),
        ("babbles", LIMIT, r"gnubg said more than 1000 bytes instead of an answer to 'board:"),
        ("nonsense", LIMIT, r"gnubg answered 'pass': "),
    ],
)
def test_a_program_that_answers_badly_is_reported_and_ended(groups, way, limit, sentence):
    with fake(way, limit) as gnubg, pytest.raises(WireError, match=sentence):
        gnubg.ask(PLAY)
    assert group_is_gone(groups[0])


@pytest.mark.usefixtures("only_our_files")
@pytest.mark.parametrize(
    ("way", "limit", "sentence"),
    [
        ("deaf", SHORT, r"gnubg did not listen within 3 s"),
        ("dies", LIMIT, r"gnubg died at 'external ./seat' with status 3"),
    ],
)
def test_a_program_that_never_listens_is_reported_and_ended(groups, way, limit, sentence):
    with pytest.raises(GnubgError, match=sentence), fake(way, limit):
        pass
    assert group_is_gone(groups[0])


@pytest.mark.usefixtures("only_our_files")
def test_gnubg_is_told_how_long_to_calibrate():
    command = [sys.executable, str(FAKE), "answers"]
    assert gnubg_evaluations_per_second(2.0, command) == 200_000.0
    assert gnubg_evaluations_per_second(0.001, command) == 1_000.0


@pytest.mark.usefixtures("only_our_files")
@pytest.mark.parametrize(
    ("way", "limit", "sentence"),
    [
        ("mute", LIMIT, r"gnubg did not calibrate; its last lines:\n  \| Calibration\?"),
        ("slow", 1.5, r"gnubg stalled at 'calibrate 50' for 2 s"),
    ],
)
def test_a_calibration_without_a_result_is_reported(way, limit, sentence):
    with pytest.raises(GnubgError, match=sentence):
        gnubg_evaluations_per_second(0.5, [sys.executable, str(FAKE), way], limit=limit)


def test_gnubg_plays_at_plies_it_knows():
    with pytest.raises(ValueError, match="gnubg plays at 0 to 4 plies, not at 5"), gnubg_seat(5):
        pass


@pytest.mark.gnubg
def test_gnubg_answers_decisions_of_games_with_legal_plays():
    with gnubg_seat(0) as gnubg:
        (result,) = results(game_decisions(5), gnubg.ask)
    assert result.kind == "play"
    assert len(result.seconds) == 5


@pytest.mark.gnubg
def test_gnubg_answers_about_the_cube_in_matches_and_for_money():
    states = [STATE, GameState(START, Cube(2, CubeOwner.ON_ROLL), Score(7, 2, 3))]
    with gnubg_seat(0) as gnubg:
        for state in states:
            assert gnubg.ask(ChooseCubeAction(state))[1] is CubeAction.ROLL
            assert gnubg.ask(AnswerDouble(state))[1] is DoubleAnswer.TAKE
        _, points = gnubg.ask(PLAY)
    assert points in {play.after.points for play in legal_plays(START, PLAY.roll)}


@pytest.mark.gnubg
def test_gnubg_calibrates():
    assert gnubg_evaluations_per_second(0.05) > 1000


def test_a_folder_too_deep_for_a_socket_is_named(tmp_path, monkeypatch):
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    with pytest.raises(
        GnubgError, match=rf"cannot reach gnubg in {deep}/.*: AF_UNIX path too long"
    ):
        fake("answers").__enter__()
    assert list(deep.iterdir()) == []
