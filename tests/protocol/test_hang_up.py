"""Commands whose terminal is closed: they say farewell to nobody, and leave nothing half done."""

import os
import re
import signal
import subprocess
import sys

import pytest

from protocol.backgammon.formats.match_file import read_match
from protocol.cli import main
from tests.processes import LIMIT, child, group_goes, hang_ups_heard

AT_THE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, '-m', 'protocol', *sys.argv[1:]])"
)


def hung_up(until, *words):
    """The exit code of a command whose terminal is closed once it has said what matches."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-c", AT_THE_TERMINAL, *words]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    with hang_ups_heard(), child(command, LIMIT, start_new_session=True, **streams) as blot:
        os.close(theirs)
        said = b""
        while not re.search(until, said):
            said += os.read(ours, 4096)
        os.close(ours)
        os.kill(blot.pid, signal.SIGHUP)  # the second: a shell tells it, and the system
        blot.wait(LIMIT)
        assert group_goes(blot.pid)
    return blot.returncode


def test_serve_takes_its_socket_away(tmp_path):
    path = tmp_path / "socket"
    assert hung_up(b"Ctrl-C ends", "serve", "--unix", str(path), "--ply", "0") == 0
    assert not path.exists()


def test_board_ends_with_all_its_processes(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert hung_up(b"Ctrl-C ends", "board", "--port", "0") == 0


def test_match_keeps_the_games_that_were_played(tmp_path):
    path = tmp_path / "games.sgf"
    words = ["match", "--weights", "pubeval", "--opponent", "pubeval", "--sgf", str(path)]
    assert hung_up(b"[1-9][0-9]* of 1000000 games, ", *words, "--games", "1000000") == 130
    assert read_match(path).match.games


def test_ubgi_ends_as_at_the_end_of_its_input():
    asked = subprocess.PIPE
    command = [sys.executable, "-m", "protocol", "ubgi"]
    with hang_ups_heard(), child(command, LIMIT, stdin=asked, stdout=asked, stderr=asked) as blot:
        blot.stdin.write("ubgi\n")
        blot.stdin.flush()
        assert blot.stdout.readline().startswith("id name")
        blot.send_signal(signal.SIGHUP)
        assert blot.communicate(timeout=LIMIT)[1] == ""
    assert blot.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_every_command_is_ended_as_by_an_interrupt(number, monkeypatch, capsys):
    monkeypatch.setattr(
        "protocol.backgammon.commands.show._show", lambda options: signal.raise_signal(number)
    )
    with hang_ups_heard():
        assert main(["show", "4HPwATDgc/ABMA"]) == 130
    assert capsys.readouterr() == ("", "")
