"""`blot fibs`: wrong usage, the report, and a stay on a server of this machine."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from protocol.backgammon.servers.match_store import MatchStore, PlayedMatch
from protocol.cli import main
from protocol.wire import ClientError
from tests.fakes.fibs_server import FakeFibs
from tests.processes import hang_ups_heard

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "--user NAME"),
        (("--user", "blot x"), "'blot x'; a name has letters, digits and _ only"),
        (("--json",), "--json goes with --report"),
        (("--picture", "x.png"), "--picture goes with --report"),
        (("--user", "blot", "--ca-file", "x"), "--ca-file goes with --tls"),
        (("--report", "--ply", "2"), "--ply is for playing, and --report plays nothing"),
        (("--report", "--password-file", "x"), "--password-file is for playing"),
        (("--report", "--tls"), "--tls is for playing"),
        (("--report", "--server", "a:1"), "--server is for playing"),
        (("--report", "--protocol", "fibs"), "--protocol is for playing"),
        (("--report", "--judge", "expert"), "leave out --judge expert"),
    ],
)
def test_wrong_usage_is_one_sentence(words, sentence, tmp_path, capsys):
    assert main(["fibs", *words, "--record", str(tmp_path / "record")]) == 2
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "server",
    [
        *("", "localhost", "localhost:", "localhost:x", "localhost:0", "localhost:65536", ":4321"),
        *("/tmp/socket", "a/b:1", "[::1]:4321", "two words:4321", "a..b:4321", f"{'a' * 70}:4321"),
    ],
)
def test_a_server_that_can_be_nowhere_is_refused_at_once(server, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["fibs", "--user", "blot", "--server", server])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert f"argument --server: no server at {server!r}: give HOST:PORT" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "no password"),
        (("--tls", "--ca-file", "none.pem"), "cannot read certificates from none.pem: No such"),
        (("--password-file", "none"), "cannot read none: No such"),
    ],
)
def test_missing_files_end_it_at_once_and_nothing_is_made(
    words, sentence, tmp_path, capsys, monkeypatch
):
    monkeypatch.delenv("BLOT_PASSWORD", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["fibs", "--user", "blot", *words, "--record", "record", "--log", "log"]) == 1
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_password_is_no_option(capsys):
    with pytest.raises(SystemExit):
        main(["fibs", "--user", "blot", "--password", "secret99"])
    assert "unrecognized" in capsys.readouterr().err


def test_the_report_of_nothing_makes_nothing(tmp_path, capsys, monkeypatch):
    record = tmp_path / "record"
    assert main(["fibs", "--report", "--record", str(record)]) == 1
    assert f"no folder {record}" in capsys.readouterr().err
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for words in ([], ["--record", str(tmp_path)]):
        assert main(["fibs", "--report", "--judge", "none", *words]) == 0
        assert capsys.readouterr().out == "no matches yet\n"
    assert not list(tmp_path.iterdir())


def test_the_report_tells_what_was_played(tmp_path, capsys):
    from tests.protocol.backgammon.servers.test_match_store import match_to

    store = MatchStore(tmp_path)
    store.rate(store.finish(PlayedMatch("fake", "blot", "bob", 3, 3, 1), match_to(3)), 1511.0)
    picture = tmp_path / "rating.svg"
    words = ["fibs", "--report", "--record", str(tmp_path)]
    assert main([*words, "--json", "--picture", str(picture)]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["opponent"], row["rating_after"]) == ("bob", 1511.0)
    assert picture.read_text().startswith("<?xml")


def serve(listener, fake, seen):
    """Let the fake talk over one connection until the client goes."""
    connection, _ = listener.accept()
    connection.settimeout(30)
    fake.connect()
    rest = b""
    with connection:
        while True:
            try:
                while (line := fake.read(0.0)) is not None:
                    connection.sendall(line.encode() + (b"" if "login:" in line else b"\r\n"))
                fake.read(1.0)  # silence: it invites
                connection.settimeout(0.05)
                try:
                    data = connection.recv(4096)
                except TimeoutError:
                    continue
                *lines, rest = (rest + data).split(b"\r\n")
                for each in lines:
                    fake.send(each.decode())
                    seen.set()
                if not data:
                    return
            except (ClientError, OSError):
                return


@contextmanager
def playing(tmp_path, *options):
    """A stay on a fake in the midst of its first match, and that fake."""
    password = tmp_path / "password"
    password.write_text("secret99\n")
    password.chmod(0o600)
    policy = tmp_path / "policy.toml"
    policy.write_text("delay = 0.01\npatience = 0.01\nlengths = [1, 3]")
    fake, seen = FakeFibs(lengths=(3,)), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(120)
        server = threading.Thread(target=serve, args=(listener, fake, seen), daemon=True)
        server.start()
        command = [sys.executable, "-m", "protocol", "fibs", "--user", "blot", "--level", "easy"]
        command += ["--server", f"127.0.0.1:{listener.getsockname()[1]}", *options]
        command += ["--password-file", str(password), "--policy", str(policy)]
        command += ["--record", str(tmp_path / "record"), "--log", str(tmp_path / "log")]
        with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as process:
            try:
                assert seen.wait(120)
                until = time.monotonic() + 120
                while not any(line.startswith("move") for line in fake.heard):
                    assert process.poll() is None
                    assert time.monotonic() < until
                    threading.Event().wait(0.02)
                yield process, fake
            finally:
                process.kill()
        server.join(30)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_after_the_match(tmp_path, number):
    with hang_ups_heard(), playing(tmp_path, "--judge", "easy") as (process, fake):
        os.kill(process.pid, number)
        said = process.communicate(timeout=120)[1].decode()
        assert process.returncode == 0, said
    (played,) = MatchStore(tmp_path / "record").matches()
    assert [(played.points, played.other_points)] == fake.finished
    assert played.luck is not None
    assert fake.heard[-1] == "bye"
    assert "secret99" not in (tmp_path / "log").read_text() + said


def test_a_second_signal_ends_it_at_once_and_the_match_is_kept(tmp_path):
    with playing(tmp_path, "--judge", "none") as (process, fake):
        os.kill(process.pid, signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.1)
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(30) == 130
    assert fake.finished == []
    store = MatchStore(tmp_path / "record")
    assert store.matches() == []
    assert store.departures("fake", "mallory") == 0
    assert len(list((tmp_path / "record" / "unfinished").iterdir())) == 1


@pytest.mark.parametrize("signals", [[signal.SIGTERM] * 2, [signal.SIGKILL]], ids=["term", "kill"])
def test_an_analysis_that_was_interrupted_is_made_by_the_report(tmp_path, signals, capsys):
    record = tmp_path / "record"
    with playing(tmp_path, "--judge", "easy") as (process, fake):
        store = MatchStore(record)
        until = time.monotonic() + 120
        while not store.matches():
            assert process.poll() is None
            assert time.monotonic() < until
            threading.Event().wait(0.02)
        for each in signals:
            os.kill(process.pid, each)
            time.sleep(0.1)
        assert process.wait(30) in (130, -signal.SIGKILL)
    (played,) = store.matches()
    assert [(played.points, played.other_points)] == fake.finished
    assert (played.luck, played.awaits) == (None, "easy")
    assert main(["fibs", "--report", "--json", "--record", str(record)]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["luck"] is not None
    assert store.awaiting() == []
