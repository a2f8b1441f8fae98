"""Standard streams of the command: full, closed, or with nobody at the other end."""

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

BLOT = [sys.executable, "-c", "import sys; from protocol.cli import main; sys.exit(main())"]
LIMIT = 120.0
"""Seconds a command may take."""

WITH_A_FULL_DISK = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["weights"], ["--version"]], ids=" ".join)
@WITH_A_FULL_DISK
def test_standard_output_that_cannot_be_written_is_named(words, unbuffered):
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*BLOT, *words],
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT,
        )
    said = "blot: cannot write standard output: No space left on device\n"
    assert (ended.returncode, ended.stderr) == (1, said)


@WITH_A_FULL_DISK
def test_an_answer_of_an_engine_that_cannot_be_written_is_told():
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*BLOT, "ubgi", "--ply", "0"],
            input="position gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT,
        )
    assert ended.returncode == 1
    said = "blot: cannot write standard output: No space left on device"
    assert ended.stderr.splitlines()[-1] == said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["lab", "outputs", "--show", "--set", "games=x"], "games is a whole number, not 'x'"),
        (["hnt"], "no command 'hnt'; did you mean hint? See blot --help"),
    ],
)
@WITH_A_FULL_DISK
def test_failure_is_told_though_standard_output_cannot_be_written(words, sentence):
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*BLOT, *words],
            env=os.environ | {"PYTHONUNBUFFERED": ""},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT,
        )
    assert (ended.returncode, ended.stderr) == (2, f"blot: {sentence}\n")


def on_a_full_disk() -> IO[str]:
    """A stream."""
    return Path("/dev/full").open("w")


def that_nobody_reads() -> IO[str]:
    """A stream, as `head` leaves it once it has its lines."""
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("ValueError('half of it')", 1),
        ("WireError('half of it')", 1),
        ("UsageError('half of it')", 2),
        ("KeyboardInterrupt", 130),
    ],
)
@pytest.mark.parametrize(
    "output", [pytest.param(on_a_full_disk, marks=WITH_A_FULL_DISK), that_nobody_reads]
)
def test_failure_amid_results_that_cannot_be_written_is_told_alone(output, error, code):
    program = (
        "import sys; from protocol.backgammon.commands import show\n"
        "from protocol.cli import main; from protocol.errors import UsageError, WireError\n"
        f"def failing(options): print('half'); raise {error}\n"
        "show._show = failing; sys.exit(main(['show', '4HPwATDgc/ABMA']))"
    )
    with output() as stream:
        ended = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONUNBUFFERED": ""},
            stdout=stream,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT,
        )
    said = "" if error == "KeyboardInterrupt" else "blot: half of it\n"
    assert (ended.returncode, ended.stderr) == (code, said)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_nothing_is_said_to_who_reads_no_further(unbuffered):
    with that_nobody_reads() as stream:
        ended = subprocess.run(
            [*BLOT, "weights"],
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=stream,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT,
        )
    assert (ended.returncode, ended.stderr) == (1, "")


@pytest.mark.parametrize(
    ("closed", "code", "sentence"),
    [(">&-", 1, "blot: standard output is closed"), ("2>&-", 0, ""), ("<&-", 0, "")],
)
def test_closed_streams_lose_no_result(closed, code, sentence):
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *BLOT, "show", "4HPwATDgc/ABMA"]
    ended = subprocess.run(shell, capture_output=True, text=True, timeout=LIMIT)
    assert ended.returncode == code
    assert ended.stderr.startswith(sentence)
    assert ended.stderr.count("\n") == code
    assert ("Pip counts" in ended.stdout) == (code == 0)


@pytest.mark.parametrize(
    ("closed", "words", "code"),
    [("2>&-", ["hnt"], 2), ("2>&-", ["serve", "--threads", "0"], 2), ("<&-", ["ubgi"], 0)],
)
def test_closed_streams_are_as_if_nothing_were_there(closed, words, code):
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *BLOT, *words]
    ended = subprocess.run(shell, capture_output=True, text=True, timeout=LIMIT)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", "")
