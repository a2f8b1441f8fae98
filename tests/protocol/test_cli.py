import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot import VERSION
from bot.backgammon.evaluation.network import random_network
from protocol.cli import main
from tests.processes import child

BLOT = [sys.executable, "-c", "import sys; from protocol.cli import main; sys.exit(main())"]
TO_PLAY = (
    "board:gnubg:root:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
)
TO_EVALUATE = f"evaluation fibsboard {TO_PLAY} PLIES 0 CUBEFUL"
LIMIT = 120.0
"""Seconds any wait in these tests may take; kernels may have to be compiled first."""


@pytest.fixture(scope="module")
def weights(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("weights") / "small.npz"
    random_network(8, seed=1).save(path)
    return str(path)


@contextmanager
def blot_serving(
    *options: str, before: Sequence[str] = ()
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running command, and what it says before it listens.

    before: words that start it in some other way.
    """
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with child([*before, *BLOT, "serve", *options], LIMIT, **streams) as blot:
        assert blot.stdout is not None
        yield blot, blot.stdout.readline() + blot.stdout.readline()


def ask(address: str, line: str) -> str:
    unix = "/" in address
    host, _, port = address.rpartition(":")
    with closing(socket.socket(socket.AF_UNIX if unix else socket.AF_INET)) as peer:
        peer.settimeout(LIMIT)
        peer.connect(address if unix else (host, int(port)))
        peer.sendall(line.encode() + b"\n\0")
        with peer.makefile("r") as answers:
            return answers.readline().removesuffix("\n")


def address_in(invitation: str) -> str:
    typed = re.search(r'set player 1 external "?(.+?)"?$', invitation, re.MULTILINE)
    assert typed is not None
    return typed[1]


def run_blot(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*BLOT, *arguments], capture_output=True, text=True, timeout=LIMIT, **more
    )


def test_help_imports_neither_numba_nor_numpy():
    listed = "import sys; from protocol.cli import main\ntry: main(['--help'])\n"
    listed += "except SystemExit: print('|', *sys.modules)"
    command = [sys.executable, "-c", listed]
    said = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT).stdout
    help_text, modules = said.split("|")
    assert "serve" in help_text
    assert not {"numba", "numpy", "pexpect", "socket"} & set(modules.split())


def test_an_interrupt_while_commands_are_imported_leaves_no_traceback(monkeypatch):
    listed = "import sys, protocol.cli; print(*sys.modules)"
    command = [sys.executable, "-c", listed]
    modules = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT).stdout.split()
    assert "protocol.errors" in modules
    assert "protocol.backgammon" not in modules  # they take their time inside of main

    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("protocol.cli._subcommand", interrupted)
    assert main(["--version"]) == 130


def test_serve_listens_where_the_readme_says_if_nothing_else_is_told(capsys):
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "(default: 127.0.0.1)" in told
    assert "0 for any free one (default: 7100)" in told


@pytest.mark.slow
def test_serve_invites_gnubg_and_answers(weights):
    with blot_serving("--port", "0", "--weights", weights, "--no-cube") as (blot, invitation):
        assert re.search(r"3-ply; jacoby on, beavers off, cube off", invitation)
        assert re.fullmatch(r"[\d/ *]+", ask(address_in(invitation), TO_PLAY))
        assert ask(address_in(invitation), "hello").startswith("Error: syntax error")
        assert len(ask(address_in(invitation), TO_EVALUATE).split()) == 6
        blot.send_signal(signal.SIGTERM)
        assert blot.wait(LIMIT) == 0


def test_interrupted_serve_ends_well_and_says_nothing(weights):
    with blot_serving("--port", "0", "--weights", weights, "--ply", "0") as (blot, invitation):
        assert address_in(invitation)
        blot.send_signal(signal.SIGINT)
        output, errors = blot.communicate(timeout=LIMIT)
        assert (blot.returncode, output) == (0, "")
        assert all(line.startswith(("compil", "building")) for line in errors.splitlines())


def test_serve_in_the_background_of_a_script_leaves_interrupts_to_the_foreground(weights):
    ignoring = ["sh", "-c", 'trap "" INT; exec "$@"', "sh"]
    options = ("--port", "0", "--weights", weights, "--ply", "0")
    with blot_serving(*options, before=ignoring) as (blot, invitation):
        blot.send_signal(signal.SIGINT)
        assert "/" in ask(address_in(invitation), TO_PLAY)
        blot.send_signal(signal.SIGTERM)
        assert blot.wait(LIMIT) == 0


def test_serve_on_a_unix_socket_takes_its_file_away(weights, tmp_path):
    path = tmp_path / "a socket"
    with blot_serving("--unix", str(path), "--weights", weights, "--ply", "0") as (
        blot,
        invitation,
    ):
        assert f'set player 1 external "{path}"\n' in invitation
        assert "/" in ask(str(path), TO_PLAY)
        blot.send_signal(signal.SIGTERM)
        assert blot.wait(LIMIT) == 0
    assert not path.exists()


LAST_ROLLS = (
    f"board:gnubg:root:7:0:0:0:2:2:2:{'0:' * 18}-1:-2:-2:0"
    ":1:0:0:0:0:1:1:1:0:1:-1:0:25:9:10:0:0:0:0:0:1"
)
"""Before its roll player 1 needs three rolls, and so does the other: a double."""


def test_serve_doubles_unless_the_cube_is_not_in_use(weights):
    options = ("serve", "--stdio", "--weights", weights, "--ply", "0")
    for cube, answer in (("--cube", "double\n"), ("--no-cube", "roll\n")):
        assert run_blot(*options, cube, input=f"{LAST_ROLLS}\n").stdout == answer


def test_serve_reads_a_match_equity_table_or_says_what_is_wrong(weights, tmp_path):
    table = tmp_path / "half.xml"
    row = "<row><me>0.5</me></row>"
    kinds = ("pre-crawford-table", "post-crawford-table")
    tables = "".join(f'<{kind} type="explicit">{row}</{kind}>' for kind in kinds)
    table.write_text(f"<met><info><name>Half</name></info>{tables}</met>")
    with blot_serving(
        *("--port", "0", "--weights", weights, "--ply", "0", "--met", str(table))
    ) as (_, invitation):
        assert "cube on, match equities of Half (set gnubg alike)" in invitation
    table.write_text("<met></met>")
    done = run_blot("serve", "--port", "0", "--weights", weights, "--met", str(table))
    assert done.returncode == 1
    assert re.fullmatch(r"blot: .*half\.xml.*\n", done.stderr)


def test_serve_answers_on_standard_output_and_logs(weights, tmp_path):
    log = tmp_path / "log"
    done = run_blot(
        *("serve", "--stdio", "--weights", weights, "--ply", "0", "--log", str(log)),
        input=f"{TO_PLAY}\nhello\n",
    )
    play, error = done.stdout.splitlines()
    assert done.returncode == 0
    assert error == "Error: syntax error, unexpected E_CHARACTER"
    time = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}"
    expected = [f"0 > {TO_PLAY}", f"0 < {play}", "0 > hello", None, f"0 < {error}"]
    for line, text in zip(log.read_text().splitlines(), expected, strict=True):
        assert re.fullmatch(f"{time} {re.escape(text) if text else 'refused: .*'}", line)


def test_serve_evaluates_as_gnubgs_server_does_until_exit(weights):
    asked = f"{TO_EVALUATE}\n{TO_EVALUATE.removesuffix(' CUBEFUL')}\nexit\n{TO_PLAY}\n"
    done = run_blot("serve", "--stdio", "--weights", weights, "--ply", "0", input=asked)
    assert done.returncode == 0
    cubeful, cubeless = (line.split() for line in done.stdout.splitlines())
    assert cubeful[:5] == cubeless[:5]
    assert all(re.fullmatch(r"[01]\.\d{6}", number) for number in cubeful + cubeless)
    assert cubeful[5] != cubeless[5]


def test_busy_port_is_one_sentence_and_fails(weights):
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = str(other.getsockname()[1])
        done = run_blot("serve", "--port", port, "--weights", weights)
    assert done.returncode == 1
    assert done.stderr == (
        f"blot: cannot listen on 127.0.0.1:{port}: another program listens there\n"
    )


def test_missing_weights_are_one_sentence_and_free_the_socket(tmp_path):
    path = tmp_path / "socket"
    done = run_blot("serve", "--unix", str(path), "--weights", str(tmp_path / "none.npz"))
    assert done.returncode == 1
    assert re.fullmatch(r"blot: no weights file \S+none.npz\n", done.stderr)
    assert not path.exists()


def test_version_is_one_line(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr() == (f"blot {VERSION}\n", "")


def test_unwritable_log_is_one_sentence(tmp_path, weights):
    log = tmp_path / "none" / "log"
    done = run_blot("serve", "--port", "0", "--weights", weights, "--log", str(log))
    assert done.returncode == 1
    assert done.stderr == f"blot: cannot write log {log}: No such file or directory\n"


@pytest.mark.parametrize("name", ["bot.py", "bot/__init__.py"])
@pytest.mark.parametrize(
    ("command", "path"),
    [(["-m", "protocol.cli"], None), (["-m", "protocol"], None), (BLOT[1:], "own")],
    ids=["module", "package", "PYTHONPATH"],
)
def test_somebody_s_own_bot_in_the_way_is_named_in_a_sentence_and_not_run(
    tmp_path, name, command, path
):
    own = tmp_path / "own" / name
    own.parent.mkdir(parents=True)
    own.write_text("raise SystemExit('it was run')\n")
    folder = tmp_path / "own" if path is None else tmp_path
    root = str(Path(__file__).parents[2])
    paths = [root] if path is None else [path, root]
    ended = subprocess.run(
        [sys.executable, *command, "show", "4HPwATDgc/ABMA"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith(f"blot: {own.resolve()} stands where Blot's own package bot")


def test_package_protocol_is_the_command(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-m", "protocol", "show", "4HPwATDgc/ABMA"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Pip counts: O 167, X 167" in ended.stdout
