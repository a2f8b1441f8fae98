import itertools
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.draughts.rules.decision import Clock, Limits
from bot.draughts.rules.game import Game
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from protocol.draughts.adapters import hub_client
from protocol.draughts.adapters.hub_client import HubPlayer, HubSeconds, IllegalMoveError
from protocol.draughts.formats.fen import parse_fen
from protocol.wire import ProgramError
from tests.processes import fake_program

ROOT = Path(__file__).parents[4]
START = Game.start(INTERNATIONAL)
SECONDS = HubSeconds(start=20.0, answer=20.0, grace=5.0)
SHORT = HubSeconds(start=20.0, answer=0.2, grace=0.3)


@pytest.fixture(autouse=True)
def _find_packages(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def command(way):
    return fake_program("hub_program", way)


def player(way, variant=INTERNATIONAL, seconds=SECONDS):
    return HubPlayer(command(way), variant, seconds=seconds)


def move_of(program, game=START, limits=None, stop=None, told=None):
    heard = [] if told is None else told
    stop = stop or threading.Event()
    return program.search(game, limits or Limits(seconds=1.0), stop, heard.append)


def test_a_program_plays_and_tells_what_it_thinks():
    told = []
    with player("plays") as program:
        found = move_of(program, told=told)
        assert program.identity == {"name": "Fake", "version": "2", "author": "A. B."}
    assert found.move == Move(32, 28)
    assert (found.score, found.depth, found.nodes, found.seconds) == (-0.25, 5, 12345, 0.5)
    assert found.line == (Move(32, 28),)
    assert told == [found]


def test_a_program_plays_czech_draughts_if_it_says_so():
    with player("czech", CZECH) as program:
        assert move_of(program, Game.start(CZECH)).move == Move(22, 18)
        assert "> set-param name=variant value=czech" in program.transcript
    with pytest.raises(ProgramError, match=r"hub_program\.py plays.* does not play czech draughts"):
        player("plays", CZECH)


@pytest.mark.parametrize(
    ("limits", "line"),
    [
        (Limits(), "level"),
        (Limits(depth=3), "level depth=3"),
        (Limits(nodes=9), "level nodes=9"),
        (Limits(seconds=0.5), "level move-time=0.500"),
        (Limits(seconds=0.0004), "level move-time=0.001"),
        (Limits(clock=Clock(60.0, 1.0, 9)), "level moves=9 time=60.000 inc=1.000"),
        (Limits(is_infinite=True), "level infinite"),
    ],
)
def test_limits_are_told_as_levels(limits, line):
    with player("plays") as program:
        move_of(program, limits=limits)
        assert f"> {line}" in program.transcript


def test_moves_by_kings_are_told_for_repetitions():
    game = Game.of(parse_fen("W:WK46,45:BK1", INTERNATIONAL))
    for start, end in ((46, 41), (1, 6), (41, 46)):
        game = game.after(Move(start, end))
    with player("plays") as program:
        found = move_of(program, game)
        (line,) = (line for line in program.transcript if line.startswith("> pos"))
    assert line.endswith(' moves="46-41 1-6 41-46"')
    assert found.move in game.moves


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("illegal", "answered W[a-z]* with '32-22': the move 32-22 is not legal"),
        ("empty", "answered W[a-z]* with '': '' is no move"),
        ("errors", "answered W[a-z]* with the error 'no idea'"),
    ],
)
def test_a_bad_answer_is_a_sentence_and_the_program_plays_on(way, reason):
    with player(way) as program:
        with pytest.raises(IllegalMoveError, match=rf"hub_program\.py {way}.* {reason}"):
            move_of(program)
        assert move_of(program).move == Move(32, 28)
        assert program._starts == 1


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("crashes", "ended with status 3"),
        ("killed", "was ended by SIGKILL"),
        ("stubborn", "gave no answer to W[a-z]* in time"),
        ("babbles", "gave no answer to W[a-z]* in time"),
    ],
)
def test_a_program_that_fails_is_named_and_started_again(way, reason):
    with player(way, seconds=SHORT) as program:
        for starts in (1, 2):
            with pytest.raises(ProgramError, match=rf"(?s)hub_program\.py {way}.*{reason}"):
                move_of(program, limits=Limits(depth=3))
            assert program._starts == starts


def test_a_program_that_always_has_one_more_line_is_late_too(monkeypatch):
    with player("plays") as program:
        looks, lines = itertools.count(), iter(["info depth=1"] * 5000)
        monkeypatch.setattr(hub_client, "time", SimpleNamespace(monotonic=lambda: next(looks)))
        monkeypatch.setattr(program._program, "read", lambda seconds: next(lines))
        with pytest.raises(ProgramError, match=r"gave no answer to W[a-z]* in time"):
            move_of(program)


def test_an_answer_in_the_last_moment_is_taken(monkeypatch):
    with player("plays") as program:
        now = [0.0]

        def read(seconds):
            now[0] = 6.0  # a second to think, and five of grace
            return "done move=32-28"

        monkeypatch.setattr(hub_client, "time", SimpleNamespace(monotonic=lambda: now[0]))
        monkeypatch.setattr(program._program, "read", read)
        assert move_of(program).move == Move(32, 28)
        assert "> stop" not in program.transcript


@pytest.mark.parametrize("way", ["hangs", "garbage"])
def test_a_program_that_takes_too_long_is_told_to_stop(way):
    with player(way, seconds=SHORT) as program:
        assert move_of(program, limits=Limits(depth=3)).move == Move(32, 28)
        assert program.transcript.count("> stop") == 1


def test_a_stop_is_handed_on():
    stop = threading.Event()
    stop.set()
    with player("hangs") as program:
        assert move_of(program, limits=Limits(is_infinite=True), stop=stop).move == Move(32, 28)


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("mute", "gave no answer to 'hub' in time"),
        ("unready", "gave no answer to 'init' in time"),
        ("refuses", "answered 'init' with the error 'no book'"),
    ],
)
def test_a_program_that_does_not_start_is_a_sentence(way, reason):
    with pytest.raises(ProgramError, match=reason):
        player(way, seconds=HubSeconds(start=1.0))


def test_a_start_that_takes_long_is_told(monkeypatch, capsys):
    monkeypatch.setattr(hub_client, "SECONDS_UNTOLD", 0.1)
    with pytest.raises(ProgramError, match="gave no answer"):
        player("mute", seconds=HubSeconds(start=1.0))
    assert capsys.readouterr().err == f"waiting for the Hub program {command('mute')!r}\n"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("false", "ended with status 1"),
        ("/nonesuch", "cannot start .*No such file"),
        ("", "cannot start .*there is no command"),
        ("'", "cannot read the command"),
    ],
)
def test_what_is_no_program_is_one_sentence(line, reason):
    with pytest.raises(ProgramError, match=reason):
        HubPlayer(line)


def test_a_program_that_fails_for_ever_is_not_started_again(monkeypatch):
    monkeypatch.setattr(hub_client, "MAX_STARTS", 1)
    with player("crashes") as program:
        with pytest.raises(ProgramError, match="status 3"):
            move_of(program)
        with pytest.raises(ProgramError, match="has failed 1 times"):
            move_of(program)


def test_a_finished_game_and_another_variant_are_not_asked_about():
    with player("plays") as program:
        with pytest.raises(ValueError, match="the game is over"):
            move_of(program, Game.of(parse_fen("W:W:B1", INTERNATIONAL)))
        with pytest.raises(ValueError, match="was started for international draughts"):
            move_of(program, Game.start(CZECH))


def test_a_deaf_program_is_ended():
    program = player("deaf")
    process = program._program
    program.close()
    assert process.wait(0) is not None
    assert program.transcript == ()
