import threading
import time
from contextlib import nullcontext

import pytest

from bot.backgammon.arena.duel import duel
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.arena.referee import play_game
from bot.backgammon.arena.tally import Tally
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.game import Resignation
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from protocol import wire
from protocol.backgammon.adapters import outside_player
from protocol.backgammon.adapters.external_client import ExternalPlayer, parse_answer
from protocol.backgammon.adapters.gnubg_external import GnubgAdapter
from protocol.backgammon.adapters.gnubg_program import GnubgProgram
from protocol.backgammon.adapters.outside_player import OutsideError
from protocol.backgammon.arena.named_players import decider
from protocol.backgammon.reports.match import tally_text
from protocol.cli import main
from protocol.wire.client import ClientError
from tests.fakes.cube_player import CubePlayer
from tests.fakes.external_player import external_player

STATE = GameState(START)
PLAY = ChooseCheckerPlay(STATE, Roll(3, 1))
ROLL, TAKE = ChooseCubeAction(STATE), AnswerDouble(STATE)
SHUT_OUT = Position.of({25: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
SECONDS = (20.0, 20.0)
QUICK = (20.0, 0.3)
MATCH = GameState(START, Cube(2, CubeOwner.ON_ROLL), Score(7, 2, 5))

BOARD = "-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
"""The starting position, its points after player 0's bar, as gnubg writes it."""


def player(fake, seconds=SECONDS):
    return ExternalPlayer(fake.address, seconds=seconds)


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (PLAY, f"board:blot:external:0:0:0:0:{BOARD}:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"),
        (ROLL, f"board:blot:external:0:0:0:0:{BOARD}:1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"),
        (TAKE, f"board:external:blot:0:0:0:0:{BOARD}:-1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1"),
        (
            ChooseCubeAction(MATCH),
            f"board:blot:external:7:5:2:0:{BOARD}:1:0:0:0:0:2:1:0:0:1:-1:0:25:0:0:0:0:0:0:0:1",
        ),
        (
            AnswerDouble(MATCH),
            f"board:external:blot:7:5:2:0:{BOARD}:-1:0:0:0:0:2:0:1:1:1:-1:0:25:0:0:0:0:0:0:0:1",
        ),
    ],
)
def test_it_is_asked_in_the_very_lines_of_gnubg(asked, line):
    with external_player("plays") as fake, player(fake) as program:
        program.decide(asked)
        assert fake.heard == [line]
        assert len(line) < 250


def test_every_question_is_answered_over_either_kind_of_socket(tmp_path):
    for path in (None, tmp_path / "s"):
        with external_player("plays", path) as fake, player(fake) as program:
            assert program.decide(PLAY).play.after == CubePlayer().choose(START, PLAY.roll).after
            assert program.decide(ROLL).action is CubeAction.DOUBLE
            assert program.decide(TAKE).answer is DoubleAnswer.TAKE
            shut_out = ChooseCheckerPlay(GameState(SHUT_OUT), Roll(6, 6))
            assert program.decide(shut_out).play.legs == ()


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("garbage", "is not a legal play|cannot|no play"),
        ("illegal", "not a legal play of 3-1"),
        ("empty", "a play is missing: 3-1 can be played"),
        ("errors", "that is no decision"),
        ("roll", "answered 'roll'"),
        ("resigns", r"a resignation of 2 point\(s\): as much was declined"),
    ],
)
def test_a_bad_answer_loses_the_game_and_the_connection_stays(way, reason):
    with external_player(way) as fake, player(fake) as program:
        for _ in range(2):
            with pytest.raises(ForfeitError, match=rf"the external player 127.0.*{reason}"):
                program.decide(PLAY)
        assert len(fake.connections) == 1


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("crashes", "hung up instead of an answer"),
        ("hangs", r"gave no answer in 0\.3 s"),
        ("late", r"gave no answer in 0\.3 s"),
        ("endless", "said more than 1000 bytes"),
    ],
)
def test_a_program_that_fails_loses_the_game_and_is_met_again(way, reason):
    with external_player(way) as fake, player(fake, QUICK) as program:
        for _ in range(2):
            with pytest.raises(ForfeitError, match=rf"the external player .*{reason}"):
                program.decide(PLAY)
        assert program._starts == 3


def test_an_answer_that_takes_long_is_told(monkeypatch, capsys):
    monkeypatch.setattr(outside_player, "SECONDS_BETWEEN_LINES", 0.05)
    with external_player("hangs") as fake, player(fake, QUICK) as program:
        with pytest.raises(ForfeitError, match="gave no answer in"):
            program.decide(PLAY)
        assert capsys.readouterr().err == f"waiting for the external player {fake.address}\n"


def test_what_is_said_unasked_is_forgotten():
    with external_player("flood") as fake, player(fake) as program:
        for _ in range(3):
            assert program.decide(PLAY).play.legs


def test_a_program_that_does_not_stop_talking_loses_the_game():
    with external_player("flood") as fake, player(fake) as program:
        program.decide(PLAY)
        fake.connections[0].sendall(b"8/5 6/5\n" * 20_000)
        with pytest.raises(ForfeitError, match="does not stop talking"):
            program.decide(PLAY)


def test_a_program_that_fails_for_ever_ends_the_match(monkeypatch):
    monkeypatch.setattr(outside_player, "MAX_STARTS", 2)
    with external_player("crashes") as fake, player(fake) as program:
        with pytest.raises(ForfeitError, match="hung up"):
            program.decide(PLAY)
        with pytest.raises(OutsideError, match=r"it has failed 2 time") as failure:
            program.decide(PLAY)
        assert not isinstance(failure.value, ForfeitError)


def test_a_program_that_is_gone_ends_the_match():
    with external_player("crashes") as fake:
        program = player(fake)
        fake.close()
        with pytest.raises(OutsideError, match="Connection refused") as failure:
            program.decide(PLAY)
        assert not isinstance(failure.value, ForfeitError)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1:1", "cannot connect to 127.0.0.1:1: Connection refused"),
        ("127.0.0.1:x", "a port is 1 to 65535"),
        ("127.0.0.1:99999", "a port is 1 to 65535"),
        ("127.0.0.1:0000080000", "a port is 1 to 65535"),
        ("", "external:HOST:PORT or external: and the path of a socket is wanted"),
        ("nobody", "external:HOST:PORT or external: and the path of a socket is wanted"),
        ("./nobody", "cannot connect to ./nobody: No such file"),
        ("/" + "x" * 200, "too long"),
    ],
)
def test_an_address_where_nobody_listens_is_one_sentence(address, reason):
    with pytest.raises((OutsideError, ClientError), match=reason):
        ExternalPlayer(address)


@pytest.mark.parametrize(
    ("text", "request_", "answer"),
    [
        ("Accept", TAKE, DoubleAnswer.TAKE),
        ("t", TAKE, DoubleAnswer.TAKE),
        ("pass", TAKE, DoubleAnswer.DROP),
        ("reject", TAKE, DoubleAnswer.DROP),
        ("redouble", TAKE, DoubleAnswer.BEAVER),
        ("Roll", ROLL, CubeAction.ROLL),
        ("d", ROLL, CubeAction.DOUBLE),
        ("redouble", ROLL, Resignation(1)),
        ("resign", PLAY, Resignation(1)),
        ("resign n", PLAY, Resignation(1)),
        ("resign 2", ROLL, Resignation(2)),
        ("RESIGN backgammon", PLAY, Resignation(3)),
    ],
)
def test_words_mean_what_they_mean_to_gnubg(text, request_, answer):
    assert parse_answer(text, request_) == answer


@pytest.mark.parametrize(
    ("text", "request_"),
    [("resign 4", PLAY), ("take", ROLL), ("roll", TAKE), ("", ROLL), ("8/5 6/5", ROLL)],
)
def test_words_that_gnubg_does_not_know_are_refused(text, request_):
    with pytest.raises(ValueError, match=r"wanted|can be resigned"):
        parse_answer(text, request_)


def test_after_a_resignation_it_is_asked_for_its_play_as_well():
    with external_player("gives-up") as fake, player(fake) as program:
        decision = program.decide(PLAY)
        assert (decision.resigns, len(decision.play.legs)) == (1, 2)


@pytest.mark.parametrize(
    ("state", "points", "accepted"),
    [
        (STATE, 3, True),
        (GameState(START, money=MoneyRules(jacoby=False)), 2, False),
        (STATE, 1, True),
        (GameState(START, Cube(2, CubeOwner.ON_ROLL)), 1, False),
        (GameState(Position.of({1: 2}, {1: 1}), Cube(2, CubeOwner.OTHER)), 1, True),
        (GameState(START, score=Score(3, 0, 2)), 1, True),
        (GameState(START, score=Score(3, 0, 1)), 1, False),
    ],
)
def test_a_resignation_is_accepted_for_it_where_no_more_can_be_won(state, points, accepted):
    with external_player("plays") as fake, player(fake) as program:
        decision = program.decide(AnswerResignation(state, points))
        assert decision.accepted == accepted
        assert fake.heard == []


def cube_answers(ours, theirs):
    """All that is done with the cube in a money game with beavers."""
    answers = []
    rolls = [Roll(3, 1), Roll(6, 5), Roll(4, 2)] + [Roll(6, 5)] * 200
    rules = MoneyRules(jacoby=False, beavers=True)
    play_game((ours, theirs), rolls, first=0, money=rules, answers=answers)
    return [each for each in answers if isinstance(each, CubeAction | DoubleAnswer)]


KINDS = {
    "double": {"doubles": True},
    "double, then drop": {"doubles": True, "answer": DoubleAnswer.DROP},
    "beaver": {"answer": DoubleAnswer.BEAVER},
    "take": {},
}


@pytest.mark.parametrize("ours", KINDS)
@pytest.mark.parametrize("theirs", KINDS)
def test_an_outside_seat_answers_as_the_same_player_in_its_chair_would(ours, theirs, tmp_path):
    listener = wire.unix_listener(str(tmp_path / "s"))
    rules = MoneyRules(jacoby=False, beavers=True)
    seated = CubePlayer(**KINDS[theirs])
    with (
        wire.serving(listener, lambda send: GnubgAdapter(seated, send, money=rules)),
        ExternalPlayer(str(tmp_path / "s"), seconds=SECONDS) as outside,
    ):
        told = cube_answers(CubePlayer(**KINDS[ours]), outside)
    assert told == cube_answers(CubePlayer(**KINDS[ours]), CubePlayer(**KINDS[theirs]))


@pytest.mark.parametrize(
    ("state", "reason"),
    [(GameState(START), None), (GameState(START, score=Score(5, 0, 0)), "is not allowed here")],
)
def test_a_beaver_that_no_line_forbids_is_a_take_where_there_are_none(state, reason, tmp_path):
    listener = wire.unix_listener(str(tmp_path / "s"))

    class Beaver:
        def __init__(self, send):
            self.receive = lambda line: send("beaver")

    with (
        wire.serving(listener, Beaver),
        ExternalPlayer(str(tmp_path / "s"), seconds=SECONDS) as outside,
        pytest.raises(OutsideError, match=reason) if reason else nullcontext(),
    ):
        assert outside.decide(AnswerDouble(state)).answer is DoubleAnswer.TAKE


def test_a_raccoon_is_the_double_of_the_player_on_roll(tmp_path):
    listener, heard = wire.unix_listener(str(tmp_path / "s")), []

    class Beaver:
        def __init__(self, send):
            self.receive = lambda line: (heard.append(line), send("beaver"))

    rules = MoneyRules(beavers=True)
    with (
        wire.serving(listener, Beaver),
        ExternalPlayer(str(tmp_path / "s"), seconds=SECONDS) as outside,
    ):
        for cube in (Cube(), Cube(2, CubeOwner.ON_ROLL)):
            outside.decide(AnswerDouble(GameState(START, cube, money=rules)))
    assert [line.split(":")[1:3] for line in heard] == [["external", "blot"]] * 2


def test_failures_in_a_match_are_told_with_the_name():
    for way, reason in (("illegal", "is not a legal play"), ("crashes", "hung up")):
        tally = Tally()
        with external_player(way) as fake, player(fake) as program:
            duel(decider("blockers", seed=1), program, MatchFormat(games=2, cube=True), tally)
        assert tally.won.total() == 2
        assert "forfeited, as single games: 2\nforfeit: the external player 127" in tally_text(
            tally
        )
        assert reason in tally_text(tally)


def test_a_match_against_an_external_player_is_reported(tmp_path, capsys):
    with external_player("plays", tmp_path / "s"):
        arguments = ["--weights", "blockers", "--opponent", f"external:{tmp_path}/s"]
        assert main(["match", *arguments, "--length", "3", "--games", "2"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"blockers against external:{tmp_path}/s, 2 matches to 3, with the cube")
    assert "forfeit" not in said


def test_nobody_at_the_address_is_one_sentence(tmp_path, capsys):
    address = f"external:{tmp_path}/s"
    assert main(["match", "--weights", "blockers", "--opponent", address, "--games", "2"]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("blot: the external player /")
    assert said.endswith("No such file or directory")


@pytest.mark.gnubg
def test_gnubg_as_a_server_plays_money_games_and_a_match():
    with GnubgProgram() as gnubg:
        gnubg.command("set threads 1")
        for kind in ("chequerplay", "cubedecision"):
            gnubg.command(f"set evaluation {kind} evaluation plies 0")
        gnubg.send("external ./s")
        with _met(str(gnubg.folder / "s")) as program:
            for match_format in (MatchFormat(games=2), MatchFormat(2, length=3, cube=True)):
                tally = Tally(match_format.length)
                duel(CubePlayer(doubles=True), program, match_format, tally)
                assert tally.forfeits == []
                assert tally.games >= 2
                assert len(tally.samples) == 1


def _met(path: str) -> ExternalPlayer:
    """gnubg at its socket, as soon as it listens there."""
    until = time.monotonic() + 30
    while True:
        try:
            return ExternalPlayer(path, seconds=(20.0, 60.0))
        except OutsideError:
            assert time.monotonic() < until
            threading.Event().wait(0.05)


def test_a_program_that_resigns_whatever_it_is_asked_is_taken_at_its_word():
    with external_player("resigns") as fake, player(fake) as program:
        with pytest.raises(ForfeitError, match="as much was declined") as failed:
            program.decide(PLAY)
        assert failed.value.resigns == 2
