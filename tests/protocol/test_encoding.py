import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.backgammon.evaluation.network import random_network
from protocol.encoding import decoded, lose_nothing

BLOT = [sys.executable, "-m", "protocol"]
LIMIT = 240.0
"""Seconds a command may take; kernels may have to be compiled first."""

START_ID = "4HPwATDgc/ABMA"


def written(text, encoding):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    lose_nothing(stream)
    stream.write(text)
    stream.flush()
    return raw.getvalue().decode(encoding)


def test_stream_with_all_letters_is_written_as_ever():
    assert written("0.1 ± 0.2 é", "utf-8") == "0.1 ± 0.2 é"


@pytest.mark.parametrize("text", ["0.1 ± 0.2", "±±"])
def test_stream_without_the_sign_gets_it_in_ascii(text):
    assert written(text, "ascii") == text.replace("±", "+-")
    assert written(text, "latin-1") == text


def test_name_of_a_file_comes_out_with_backslashes():
    assert written("pok\u00e9 \U0001f3b2", "ascii") == r"pok\xe9 \U0001f3b2"
    assert written("\udce9", "utf-8") == r"\udce9"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_file_is_read_in_whatever_letters_it_was_written(encoding):
    assert decoded("Élodie : 0".encode(encoding)) == "Élodie : 0"


def test_stream_that_encodes_nothing_is_left_alone():
    stream = io.StringIO()
    lose_nothing(stream)
    stream.write("±")
    assert stream.getvalue() == "±"


def test_what_is_wrong_is_told_in_ascii_where_there_are_no_other_letters():
    ended = subprocess.run(
        [*BLOT, "±"],
        env=os.environ | {"PYTHONIOENCODING": "ascii:strict"},
        capture_output=True,
        timeout=LIMIT,
    )
    assert (ended.returncode, ended.stderr) == (2, b"blot: no command '+-'; see blot --help\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "figure"),
    [
        (("match", "--opponent", "random", "--games", "4"), r"points per game: [-+\d.]+ \+- [\d.]"),
        (("weights",), r"\+-"),
        (("hint", START_ID, "--dice", "31"), r"(?m)^ 1 "),
        (("rollout", START_ID, "--trials", "2", "--truncate", "1"), r"\+- "),
        (("bench", "--ply", "0", "--level", "--limit", "3", "--seconds", "0.03"), "per second"),
        (
            ("train", "--hidden", "4", "--games", "40", "--test-every", "20", "--test-games", "20"),
            r"4-5",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_command_prints_every_figure_in_ascii(command, figure, tmp_path):
    weights = str(tmp_path / "net.npz")
    random_network(8, seed=5).save(Path(weights))
    more = {"train": ("--out", str(tmp_path / "run")), "weights": ()}
    usual = ("--weights", weights, *(() if command[0] == "bench" else ("--ply", "0")))
    ended = subprocess.run(
        [*BLOT, *command, *more.get(command[0], usual)],
        env=os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=LIMIT,
    )
    out, err = ended.stdout.decode("ascii"), ended.stderr.decode("ascii")
    assert "Error" not in err
    assert ended.returncode == 0
    assert re.search(figure, out)
