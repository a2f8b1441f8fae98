import subprocess
import sys
import time

import pytest

from protocol.wire import Program
from tests.processes import heard

pytestmark = pytest.mark.slow

BLOT = [sys.executable, "-m", "protocol"]
LIMIT = 300.0
"""Seconds any wait in these tests may take; kernels may have to be compiled first."""

QUESTION = ["position gnubgid 4HPwATDgc/ABMA", "dice 6 1", "go chequer"]


def told(program, *lines):
    for line in lines:
        program.send(line)


@pytest.fixture
def engine(weights):
    """The command, greeted and ready; weights that know nothing search as long as any."""
    with Program([*BLOT, "ubgi", "--weights", weights]) as program:
        told(program, "ubgi", "isready")
        heard(program, "readyok")
        yield program


def test_lines_may_be_piped_in_and_nothing_but_the_protocol_comes_out(weights):
    said = subprocess.run(
        [*BLOT, "ubgi", "--ply", "1", "--weights", weights],
        input="\n".join(["ubgi", "isready", *QUESTION]),
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    words = [line.split()[0] for line in said.stdout.splitlines()]
    assert words[-5:] == ["option", "ubgiok", "readyok", "info", "bestmove"]
    assert set(words[:-5]) == {"id", "proto", "key", "option"}
    assert said.returncode == 0


def test_a_search_without_an_end_is_stopped_at_once(engine):
    told(engine, "set engine.filter huge", "set engine.seconds 1000", "isready")
    heard(engine, "readyok")

    def seconds_to_stop():
        told(engine, *QUESTION)
        time.sleep(0.3)
        began = time.perf_counter()
        told(engine, "stop")
        heard(engine, "bestmove ")
        return time.perf_counter() - began

    assert any(seconds_to_stop() < 0.5 for _ in range(5))


def test_quit_ends_a_search_and_the_engine(engine):
    told(engine, "set engine.seconds 1000", *QUESTION, "quit")
    assert engine.wait(LIMIT) == 0


def test_the_end_of_the_input_ends_the_engine(engine):
    engine.close_input()
    assert engine.wait(LIMIT) == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--weights", "none"], "no weights 'none'"),
        (["--weights", "pubeval"], "as a UBGI engine Blot plays as easy"),
        (["--level", "best"], "invalid choice: 'best'"),
        (["--workers", "2"], "unrecognized arguments: --workers"),
    ],
)
def test_what_it_cannot_play_with_is_told_at_once_and_no_log_begun(
    blot, tmp_path, arguments, sentence
):
    arguments = [*arguments, "--log", str(tmp_path / "log")]
    code, output, errors = blot("ubgi", *arguments)
    assert (code > 0, output) == (True, "")
    assert sentence in errors
    assert not list(tmp_path.iterdir())


def test_options_are_where_the_keys_begin(weights):
    with Program([*BLOT, "ubgi", "--ply", "2", "--threads", "2", "--weights", weights]) as program:
        told(program, "get engine.ply", "get engine.threads", "get engine.weights")
        assert heard(program, "value engine.ply") == "value engine.ply 3"
        assert heard(program, "value engine.threads") == "value engine.threads 2"
        assert heard(program, "value engine.weights") == f"value engine.weights {weights}"
