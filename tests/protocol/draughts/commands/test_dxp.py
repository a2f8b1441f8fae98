import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bot.draughts.rules.variant import Side
from protocol.cli import main
from protocol.draughts.adapters.dxp_client import DxpClient, dxp_line
from protocol.draughts.formats.pdn import read_pdn
from protocol.wire import MessageClient
from tests.fakes.draughts_player import RandomMove
from tests.processes import child

ROOT = Path(__file__).parents[4]
LIMIT = 300.0
"""Seconds that any wait in these tests may take; kernels may have to be compiled first."""

ACCEPT = f"A{'Peer':32}0"
START = "W:W50:B5"

ASKED_AT_THE_LAST_MOMENT = """
from contextlib import contextmanager
from protocol.draughts.commands import dxp

@contextmanager
def late(stopping=dxp.stopping_gently):
    with stopping() as is_stopped:
        yield is_stopped
        signal.raise_signal(signal.SIGINT)

dxp.stopping_gently = late
"""
"""Ctrl-C comes when the game is over and Ctrl-C is about to be heard as usual again."""


@pytest.fixture
def listener():
    """A socket that a peer of the test's listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(LIMIT)
        yield server


def address(listener):
    return f"127.0.0.1:{listener.getsockname()[1]}"


def peer_thread(listener, talk):
    """A thread in which the peer talks with the first who comes."""

    def run():
        connection, _ = listener.accept()
        with MessageClient(connection, "Blot") as line:
            talk(line)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def waiting(*words, first=""):
    """`blot draughts dxp` as a program of its own, which listens on any port.

    first: Python that it runs before.
    """
    ending = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{ending}\n{first}\nfrom protocol.cli import main; import sys; sys.exit(main())"
    command = [sys.executable, "-c", code, "draughts", "dxp", "--port", "0", *words]
    return child(command, LIMIT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)


def told_address(process):
    return re.search(r"at (\S+) \(DamExchange\)", process.stdout.readline())[1]


def test_we_ask_for_games_with_the_sides_swapped_and_keep_them(listener, tmp_path, capsys):
    path, played = tmp_path / "games.pdn", []

    def talk(line):
        follower = DxpClient(line, RandomMove(1), name="Peer")
        while (request := follower.agreed_request(LIMIT)) is not None:
            played.append(follower.play(request))

    thread = peer_thread(listener, talk)
    words = ["--connect", address(listener), "--player", "random", "--games", "2", "--side"]
    assert main(["draughts", "dxp", *words, "black", "--pdn", str(path)]) == 0
    thread.join(LIMIT)
    assert [game.side for game in played] == [Side.WHITE, Side.BLACK]
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("game 1: Peer - Blot (random), ")
    assert second.startswith(f"game 2: Blot (random) - Peer, {len(played[1].moves)} moves: ")
    games = read_pdn(path).whole
    assert [game.moves for game in games] == [game.moves for game in played]
    assert dict(games[0].tags)["White"] == dict(games[1].tags)["Black"] == "Peer"
    points = {None: (1, 1), Side.WHITE: (2, 0), Side.BLACK: (0, 2)}
    assert [game.score for game in games] == [points[game.result.winner] for game in played]


def test_a_position_a_time_and_a_number_of_moves_are_asked_for(listener, tmp_path, capsys):
    path, heard = tmp_path / "games.pdn", []

    def talk(line):
        for answer in (ACCEPT, "M0000051000", "E01"):
            heard.append(line.read(LIMIT))
            line.send(answer)

    thread = peer_thread(listener, talk)
    words = ["--connect", address(listener), "--minutes", "2", "--moves", "1", "--from", START]
    assert main(["draughts", "dxp", *words, "--player", "random", "--pdn", str(path)]) == 0
    thread.join(LIMIT)
    assert heard[0].startswith(f"R01{'Blot':32}Z002001BW")
    assert capsys.readouterr().out == "game 1: Blot (random) - Peer, 2 moves: no result\n"
    (game,) = read_pdn(path).whole
    assert (game.score, len(game.moves), game.start.turn) == (None, 2, Side.WHITE)
    assert "no result" in path.read_text()


def scripted(answers):
    """What a peer says that has an answer for each message it hears, and then goes."""

    def talk(line):
        for answer in answers:
            line.read(LIMIT)
            line.send(answer)

    return talk


def test_a_game_that_cannot_go_on_is_kept_as_far_as_it_went(listener, tmp_path, capsys):
    path = tmp_path / "games.pdn"
    thread = peer_thread(listener, scripted([ACCEPT, "M0000051000", "M0000010200"]))
    words = ["--connect", address(listener), "--from", START, "--player", "random"]
    assert main(["draughts", "dxp", *words, "--pdn", str(path)]) == 1
    thread.join(LIMIT)
    told = capsys.readouterr()
    assert told.out == "game 1: Blot (random) - Peer, 3 moves: no result\n"
    assert "made the move 1-2, which is not legal" in told.err
    (game,) = read_pdn(path).whole
    assert (len(game.moves), game.score) == (3, None)


def test_fewer_games_than_were_asked_for_are_told(listener, capsys):
    thread = peer_thread(listener, scripted([ACCEPT, "E11", "C"]))
    words = ["--connect", address(listener), "--games", "3", "--player", "random"]
    assert main(["draughts", "dxp", *words]) == 1
    thread.join(LIMIT)
    assert "the other side went after 1 of 3 games" in capsys.readouterr().err


def test_games_are_written_before_they_are_told(listener, tmp_path, monkeypatch):
    def closed(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr("protocol.draughts.commands.dxp.print", closed, raising=False)
    path = tmp_path / "games.pdn"
    thread = peer_thread(listener, scripted([ACCEPT, "E11", "C"]))
    words = ["--connect", address(listener), "--player", "random", "--pdn", str(path)]
    main(["draughts", "dxp", *words])
    thread.join(LIMIT)
    assert len(read_pdn(path).whole) == 1


def test_a_file_that_comes_meanwhile_is_not_written_over(listener, tmp_path, capsys):
    path = tmp_path / "games.pdn"

    def talk(line):
        path.write_text("precious")
        scripted([ACCEPT, "E11", "C"])(line)

    thread = peer_thread(listener, talk)
    words = ["--connect", address(listener), "--player", "random", "--pdn", str(path)]
    assert main(["draughts", "dxp", *words]) == 1
    thread.join(LIMIT)
    assert "games.pdn is there already: name a new file" in capsys.readouterr().err
    assert path.read_text() == "precious"


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["M0000010200", None])
def test_an_end_that_is_asked_for_comes_after_a_game_that_fails_too(fault):
    with waiting("--player", "random") as process, dxp_line(told_address(process)) as line:
        line.send(f"R01{'Peer':32}Z005000A")
        assert line.read(LIMIT) == f"A{'Blot':32}0"
        line.send("M0000322800")
        assert line.read(LIMIT).startswith("M")
        process.send_signal(signal.SIGINT)
        if fault is None:
            line.close()
        else:
            line.send(fault)
        assert process.wait(LIMIT) == 0
        assert process.stdout.readline().startswith("game 1: Peer - Blot (random), 2 moves: no ")


@pytest.mark.slow
def test_who_wants_no_more_games_makes_room_for_the_next():
    with waiting("--player", "random", "--games", "2") as process:
        place = told_address(process)
        with dxp_line(place) as line:
            line.send(f"R01{'Pe' + chr(27) + 'er':32}Z005000A")
            assert line.read(LIMIT) == f"A{'Blot':32}0"
            line.send("E11")
            assert line.read(LIMIT) == "E01"
            with dxp_line(place) as second:  # while the first is still there
                second.send(f"R01{'Second':32}Z005000A")
                assert second.read(LIMIT) == f"A{'Blot':32}0"
                second.send("E10")
                assert second.read(LIMIT) == "E01"
        assert process.wait(LIMIT) == 0
        assert process.stdout.readline().startswith("game 1: Pe?er - Blot (random), 0 moves: ")


@pytest.mark.slow
def test_we_wait_for_programs_one_after_the_other_and_ctrl_c_is_the_usual_end():
    with waiting("--player", "random") as process:
        place = told_address(process)
        with dxp_line(place) as line:
            line.send("garbage")
            line.send("R01")
            assert line.read(LIMIT) == f"A{'Blot':32}2"
            assert line.read(LIMIT) == f"A{'Blot':32}2"
        with dxp_line(place) as line:
            invited = DxpClient(line, RandomMove(2), name="Peer").invite(Side.BLACK, minutes=1)
        told = process.stdout.readline()
        assert told.startswith(f"game 1: Blot (random) - Peer, {len(invited.moves)} moves: ")
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) == 0


@pytest.mark.slow
def test_an_end_that_is_asked_for_as_the_game_ends_is_not_lost():
    with waiting("--player", "random", first=ASKED_AT_THE_LAST_MOMENT) as process:
        with dxp_line(told_address(process)) as line:
            DxpClient(line, RandomMove(2), name="Peer").invite(Side.BLACK, minutes=1)
        assert process.wait(LIMIT) == 0
        assert process.stdout.readline().startswith("game 1: Blot (random) - Peer, ")


@pytest.mark.slow
def test_a_peer_that_breaks_the_rules_is_told_of_and_the_next_one_heard():
    with waiting("--player", "random", "--games", "1") as process:
        place = told_address(process)
        with dxp_line(place) as line:
            line.send(f"R01{'Peer':32}Z005000A")
            assert line.read(LIMIT) == f"A{'Blot':32}0"
            line.send("M0000010200")
            assert line.read(LIMIT) == "E01"
        sentence = "blot: the DXP program made the move 1-2, which is not legal\n"
        assert process.stderr.readline() == sentence
        with dxp_line(place) as line:
            DxpClient(line, RandomMove(2)).invite(Side.WHITE, minutes=1)
        assert process.wait(LIMIT) == 0
        assert process.stdout.readline().startswith("game 1: Blot - Blot (random), ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--minutes", "3"], "--minutes has no use without --connect: leave it out"),
        (["--from", START], "--from has no use without --connect: leave it out"),
        (["--connect", "a:1", "--port", "5"], "--port has no use with --connect: leave it out"),
        (["--connect", "nowhere"], "no server at 'nowhere': give HOST:PORT"),
        (["--connect", "a:1", "--minutes", "1000"], "more than 0 and up to 999 minutes, not 1000"),
        (["--connect", "a:1", "--minutes", "nan"], "more than 0 and up to 999 minutes, not nan"),
        (["--connect", "a:1", "--minutes", "0.333"], "0.333 minutes do not fit into 3 signs"),
        (["--connect", "a:1", "--from", "x"], "cannot read the FEN 'x'"),
        (["--log", "x", "--pdn", "./x"], "--log and --pdn name the same file, x"),
        (["--player", "random", "--depth", "3"], "--depth limits a search, and nobody searches"),
    ],
)
def test_options_that_cannot_be_followed_are_one_sentence(words, sentence, capsys):
    assert main(["draughts", "dxp", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_what_cannot_be_done_is_one_sentence(listener, tmp_path, capsys):
    path = tmp_path / "games.pdn"
    path.touch()
    for words, sentence in (
        (["--player", "nobody"], "no player 'nobody': it is one of easy, medium"),
        (["--pdn", str(path)], "games.pdn is there already: name a new file"),
        (["--pdn", str(tmp_path / "none" / "x.pdn")], "there is no folder for the file"),
        (["--port", str(listener.getsockname()[1])], "another program listens there"),
    ):
        assert main(["draughts", "dxp", *words]) == 1
        assert sentence in capsys.readouterr().err
