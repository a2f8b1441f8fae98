"""Progress of compiling: told where it takes long, and only there."""

import os
import signal
import subprocess
import sys

import pytest

from bot.backgammon.evaluation.network import random_network
from bot.kernels.kernel import COMPILES

LIMIT = 300.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("hint", "4HPwATDgc/ABMA", "--dice", "31", "--no-cube", "--ply", "0", "--weights"), 0),
        (("bearoff",), 1),
        (("warm",), 1),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_cache_folder_that_cannot_be_written_is_told_once(tmp_path, command, code):
    in_the_way, weights = tmp_path / "file", tmp_path / "net.npz"
    in_the_way.touch()
    random_network(8, seed=5).save(weights)
    words = (*command, str(weights)) if command[-1] == "--weights" else command
    ended = subprocess.run(
        [sys.executable, "-m", "protocol", *words],
        env={**os.environ, "BLOT_CACHE": str(in_the_way)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert ended.returncode == code
    assert ended.stderr.count("cannot write") + ended.stderr.count("cannot keep") == 1
    assert (
        f"cannot write in the cache folder {in_the_way / 'blot'}: Not a directory; every start "
        "takes longer, as it compiles, and builds the bear-off databases, again\n"
    ) in ended.stderr
    assert "Errno" not in ended.stderr


@pytest.mark.skipif(not COMPILES, reason="kernels are Python here")
def test_interrupted_compiling_ends_at_once_and_without_a_traceback(tmp_path):
    environment = {**os.environ, "BLOT_CACHE": str(tmp_path)}
    command = [sys.executable, "-m", "protocol.cli", "hint", "4HPwATDgc/ABMA", "--ply", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as blot:
        assert blot.stderr.readline().startswith("compiling ")
        blot.send_signal(signal.SIGINT)
        assert blot.communicate(timeout=LIMIT) == ("", "")
    assert blot.returncode == 130
