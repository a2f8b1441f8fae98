"""Response times of `blot serve` among 100 connections: python -m tests.bench.check_crowd.

Beside the crowd of tests/fakes/crowd.py two peers ask for evaluations at 3-ply, and eight ask for
plays like gnubg, one after the other, which must be legal. Their times are told, alone and in the
crowd, and how much memory the server came to need. With --cold the kernels of the deep evaluations
are compiled in the meantime.
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from bot.lab.command_line import told_in_a_sentence
from protocol.backgammon.formats.notation import parse_play
from tests.bench.bench_serve import BLOT, LIMIT, peak_megabytes
from tests.fakes.crowd import GOOD

EVALUATION = b"evaluation fibsboard " + GOOD.strip(b"\n\0") + b" PLIES %d\n"
POLITE = 8


def asked(address: str, line: bytes, until: float, most: int = sys.maxsize) -> list[float]:
    """Seconds that each answer took to the line, asked again and again; the answer is checked."""
    seconds: list[float] = []
    with closing(socket.socket(socket.AF_UNIX)) as peer:
        peer.settimeout(LIMIT)
        peer.connect(address)
        with peer.makefile("r") as answers:
            while time.monotonic() < until and len(seconds) < most:
                began = time.perf_counter()
                peer.sendall(line)
                answer = answers.readline().strip()
                seconds.append(time.perf_counter() - began)
                if line is GOOD:
                    parse_play(answer, START, Roll(3, 1))
                else:
                    assert len(answer.split()) == 6, answer
                time.sleep(0.01)
    return seconds


def response_times(address: str, seconds: float, slow_ply: int | None) -> list[float]:
    """Seconds that polite peers wait for each answer; slow_ply: what two others ask meanwhile."""
    until = time.monotonic() + seconds
    times: list[list[float]] = []
    threads = [
        threading.Thread(target=lambda: times.append(asked(address, GOOD, until)))
        for _ in range(POLITE)
    ]
    if slow_ply is not None:
        line = EVALUATION % slow_ply
        threads += [threading.Thread(target=asked, args=(address, line, until)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert len(times) == POLITE, "a polite peer was not answered"
    return sorted(second for each in times for second in each)


def times_text(seconds: list[float]) -> str:
    tenths = statistics.quantiles(seconds, n=100)
    return (
        f"{len(seconds)} answers, median {1000 * statistics.median(seconds):.1f} ms, "
        f"99 of 100 under {1000 * tenths[98]:.0f} ms, longest {1000 * seconds[-1]:.0f} ms"
    )


def in_crowd(address: str, seconds: float, slow_ply: int | None) -> tuple[list[float], str]:
    """The polite peers' times in the crowd, and what the crowd did."""
    command = [sys.executable, "-m", "tests.fakes.crowd", address, str(seconds + 1)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as crowd:
        assert crowd.stdout is not None
        try:
            assert crowd.stdout.readline() == "here\n"
            times = response_times(address, seconds, slow_ply)
            return times, crowd.communicate(timeout=LIMIT)[0].strip()
        finally:
            crowd.kill()


@told_in_a_sentence()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", default="default")
    parser.add_argument("--ply", type=int, default=0)
    parser.add_argument("--slow-ply", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--cold", action="store_true", help="with nothing compiled beforehand")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "s")
        settings = ["--weights", options.weights, "--ply", str(options.ply)]
        command = [*BLOT, "serve", "--unix", address, *settings]
        env = dict(os.environ, BLOT_CACHE=folder) if options.cold else None
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env
        ) as blot:
            assert blot.stdout is not None
            try:
                blot.stdout.readline()
                asked(address, GOOD, time.monotonic() + LIMIT, 3)
                if not options.cold:
                    asked(address, EVALUATION % options.slow_ply, time.monotonic() + LIMIT, 1)
                alone = response_times(address, options.seconds / 2, None)
                before = peak_megabytes(blot.pid)
                times, did = in_crowd(address, options.seconds, options.slow_ply)
                print(f"alone: {times_text(alone)}")
                print(f"in the crowd: {times_text(times)}")
                print(f"the crowd: {did}")
                print(
                    f"most memory {before:.0f} MB before, {peak_megabytes(blot.pid):.0f} MB after"
                )
            finally:
                with suppress(OSError):
                    blot.terminate()


if __name__ == "__main__":
    main()
