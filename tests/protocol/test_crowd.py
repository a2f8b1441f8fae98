import subprocess
import time

import pytest

from bot.backgammon.evaluation.network import random_network
from tests.bench.bench_serve import BLOT, LIMIT, peak_megabytes
from tests.bench.check_crowd import GOOD, asked, in_crowd

SECONDS = 3.0
LONGEST = 5.0
"""Seconds that an answer may take on a machine with other work to do; half a second is usual."""

MORE_MEGABYTES = 150


@pytest.mark.slow
def test_peers_are_answered_among_a_hundred_that_are_silent_flood_and_vanish(tmp_path):
    random_network(8, seed=1).save(tmp_path / "small.npz")
    address = str(tmp_path / "s")
    settings = ["--weights", str(tmp_path / "small.npz"), "--ply", "0"]
    command = [*BLOT, "serve", "--unix", address, *settings]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as blot:
        try:
            assert blot.stdout is not None
            blot.stdout.readline()
            asked(address, GOOD, time.monotonic() + LIMIT, 3)
            before = peak_megabytes(blot.pid)
            times, _ = in_crowd(address, SECONDS, None)
            assert len(times) > 100
            assert times[-1] < LONGEST
            assert peak_megabytes(blot.pid) < before + MORE_MEGABYTES
        finally:
            blot.terminate()
