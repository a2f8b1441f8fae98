import shlex
import sys
from pathlib import Path

import pytest

from bot.backgammon.arena.duel import duel
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.arena.tally import Tally
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import Cube, CubeOwner, GameState
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters import outside_player
from protocol.backgammon.adapters.outside_player import OutsideError
from protocol.backgammon.adapters.ubgi_client import UbgiPlayer
from protocol.backgammon.arena.named_players import decider
from protocol.backgammon.reports.match import tally_text
from protocol.wire.program import Program, ProgramError
from tests.fakes.cube_player import CubePlayer
from tests.processes import fake_program, group_goes, group_is_gone

ROOT = Path(__file__).parents[4]
SHUT_OUT = Position.of({25: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
OPENING = ChooseCheckerPlay(GameState(START), Roll(3, 1))
MIDDLE = Position.of({13: 5, 8: 3, 6: 5, 24: 2}, {24: 2, 13: 4, 8: 4, 6: 5})
SECONDS = (20.0, 20.0)


@pytest.fixture(autouse=True)
def _find_packages(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def command(way):
    return fake_program("ubgi_program", way)


def player(way, seconds=SECONDS):
    return UbgiPlayer(command(way), seconds=seconds)


@pytest.mark.parametrize(("way", "dialect"), [("plays", "0.1"), ("new", "0.2"), ("noisy", "0.1")])
def test_a_program_of_either_dialect_plays(way, dialect):
    with player(way) as program:
        assert program.dialect == dialect
        assert program.decide(OPENING).play in legal_plays(START, Roll(3, 1))
        shut_out = ChooseCheckerPlay(GameState(SHUT_OUT), Roll(6, 6))
        assert program.decide(shut_out).play.legs == ()


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("garbage", "cannot read"),
        ("illegal", "not a legal play of 3-1"),
        ("empty", "a play is missing"),
        ("errors", "error internal no idea"),
        ("cube", "bestcube double"),
        ("crashes", "ended with status 3"),
        ("killed", "was ended by SIGKILL"),
    ],
)
def test_a_bad_answer_loses_the_game_and_the_program_plays_on(way, reason):
    with player(way) as program:
        with pytest.raises(ForfeitError, match=rf"(?s)ubgi_program.py {way}.*{reason}"):
            program.decide(OPENING)
        assert program._program.wait(0) is None


@pytest.mark.parametrize("way", ["hangs", "babbles"])
def test_a_late_answer_loses_the_game_and_the_program_is_started_again(way):
    with player(way, (20.0, 0.5)) as program:
        with pytest.raises(ForfeitError, match=f"{way}.* gave no answer"):
            program.decide(OPENING)
        assert program._program.wait(0) is None


@pytest.mark.skipif(sys.platform != "linux", reason="signals without names are Linux's")
def test_a_program_may_be_ended_by_a_signal_without_a_name():
    expected = pytest.raises(ProgramError, match="it was ended by signal 40 instead")
    with Program(["sh", "-c", "kill -40 $$"], "it") as program, expected:
        program.read(20.0)


def test_a_program_that_dies_for_ever_ends_the_match(monkeypatch):
    monkeypatch.setattr(outside_player, "MAX_STARTS", 1)
    with player("crashes") as program, pytest.raises(OutsideError, match=r"it has failed 1 time"):
        program.decide(OPENING)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("false", "ended with status 1"),
        ("/nonesuch", "cannot start the UBGI program '/nonesuch': No such file"),
        ("", "cannot start .*there is no command"),
        ("'", "cannot read the command"),
    ],
)
def test_what_is_no_program_is_one_sentence(line, reason):
    with pytest.raises(OutsideError, match=reason):
        UbgiPlayer(line)


@pytest.mark.parametrize(
    ("way", "reason"), [("chess", "unknown_command position"), ("old", "0.01")]
)
def test_a_program_that_answers_the_handshake_only_is_refused(way, reason):
    with pytest.raises(OutsideError, match=reason):
        player(way)


def test_a_program_that_does_not_start_in_time_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(outside_player, "SECONDS_UNTOLD", 0.1)
    with pytest.raises(OutsideError, match="gave no answer to 'ubgi' in 1 s"):
        player("late-start", (1.0, 1.0))
    assert capsys.readouterr().err == f"waiting for the UBGI program {command('late-start')!r}\n"


@pytest.mark.parametrize("way", ["deaf", "starting"])
def test_nothing_is_left_of_a_program(way):
    with player(way) as program:
        process = program._program._process.pid
        assert not group_is_gone(process)
    assert group_goes(process)


@pytest.mark.parametrize("request_type", [ChooseCubeAction, AnswerDouble])
def test_the_cube_is_nothing_to_ask_about(request_type):
    with player("plays") as program, pytest.raises(ValueError, match="without the cube only"):
        program.decide(request_type(GameState(START)))


def test_a_program_that_knows_no_cube_is_refused_where_it_is_in_use():
    with pytest.raises(OutsideError, match=r"unknown_command go.*: play without it"):
        decider(f"ubgi:{command('plays')}", seed=1)


def test_a_program_that_knows_the_cube_plays_a_match_with_it():
    tally = Tally(3)
    with UbgiPlayer(command("doubles"), cube=True, seconds=SECONDS) as program:
        duel(CubePlayer(doubles=True), program, MatchFormat(2, length=3, cube=True), tally)
        assert program.decide(ChooseCubeAction(GameState(START))).action is CubeAction.DOUBLE
        assert program.decide(AnswerDouble(GameState(MIDDLE))).answer is DoubleAnswer.TAKE
        with pytest.raises(ValueError, match="cannot be asked about a beaver"):
            program._answer(Game(GameState(START, Cube(2, CubeOwner.OTHER)), 0, doubles=2))
    assert tally.forfeits == []


def test_blots_own_engine_plays_itself_with_the_cube(weights):
    blot = [sys.executable, "-c", "import sys; from protocol.cli import main; sys.exit(main())"]
    line = shlex.join([*blot, "ubgi", "--weights", weights, "--ply", "0"])
    tally = Tally(3)
    with UbgiPlayer(line, cube=True) as program:
        duel(CubePlayer(doubles=True), program, MatchFormat(4, length=3, cube=True), tally)
    assert (tally.forfeits, len(tally.samples)) == ([], 2)


@pytest.mark.parametrize("answer", ["bestcube maybe", "bestmove 8/5 6/5"])
def test_a_bad_answer_about_the_cube_loses_the_game(answer, monkeypatch):
    with UbgiPlayer(command("doubles"), cube=True, seconds=SECONDS) as program:
        monkeypatch.setattr(program, "_answers", lambda seconds, asked: iter([answer]))
        with pytest.raises(ForfeitError, match=answer):
            program.decide(ChooseCubeAction(GameState(START)))


def test_a_program_hears_of_every_game_that_begins_and_after_a_bad_answer():
    second = ChooseCheckerPlay(
        GameState(turned(legal_plays(START, Roll(3, 1))[0].after)), Roll(6, 5)
    )
    with player("illegal") as program:
        for asked in (second, second, ChooseCheckerPlay(GameState(SHUT_OUT), Roll(6, 6))):
            with pytest.raises(ForfeitError, match="answered 'bestmove"):
                program.decide(asked)
        assert list(program.transcript).count("> newgame") == 4  # and before it all
    with player("plays") as program:
        for asked in (second, ChooseCheckerPlay(GameState(SHUT_OUT), Roll(6, 6))):
            program.decide(asked)
        assert list(program.transcript).count("> newgame") == 2


def test_a_game_begins_with_a_double_if_who_answers_it_has_not_moved():
    with UbgiPlayer(command("doubles"), cube=True, seconds=SECONDS) as program:
        for position, begun in ((MIDDLE, 3), (turned(MIDDLE), 4)):  # 3 times before it all
            program.decide(AnswerDouble(GameState(position)))
            assert list(program.transcript).count("> newgame") == begun


def test_a_duel_goes_on_when_games_are_forfeited():
    tally = Tally()
    with player("illegal") as program:
        duel(decider("blockers", seed=1), program, MatchFormat(games=2), tally)
    assert tally.won.total() == 2
    assert "forfeited, as single games: 2\nforfeit: the UBGI program" in tally_text(tally)


def test_a_duel_is_played_to_its_end():
    tally = Tally()
    with player("new") as program:
        duel(decider("blockers", seed=1), program, MatchFormat(games=4), tally)
    assert (tally.games, tally.forfeits) == (4, [])


def test_a_failure_at_a_table_is_told_in_one_sentence(blot, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    players = ["--me", "blockers", "--opponent", f"ubgi:{command('illegal')}"]
    code, _, errors = blot("play", *players, "--no-cube", "--new")
    assert code == 1
    assert "answered 'bestmove 24/1 13/1' to" in errors.splitlines()[-1]
