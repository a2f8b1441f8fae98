"""Round trip, warm start and memory of `blot serve`, asked as gnubg asks.

    python tests/bench/bench_serve.py [--weights NAME] [--ply N] [--decisions N]

Every answer is checked to be a legal play before the times are shown.
"""

import argparse
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, turned
from bot.backgammon.rules.roll import ROLLS
from bot.lab.command_line import told_in_a_sentence
from protocol.backgammon.formats.fibs_board import BoardRequest, board_line
from protocol.backgammon.formats.notation import parse_play

BLOT = [sys.executable, "-c", "import sys; from protocol.cli import main; sys.exit(main())"]
LIMIT = 120.0


def decisions(count: int, seed: int) -> list[ChooseCheckerPlay]:
    """Checker plays from games of random players, in any order."""
    chance = random.Random(seed)
    position, asked = START, []
    while len(asked) < count:
        roll = chance.choices(ROLLS, [roll.chance for roll in ROLLS])[0]
        plays = legal_plays(position, roll)
        asked.append(ChooseCheckerPlay(GameState(position), roll))
        after = turned(chance.choice(plays).after if plays else position)
        position = START if after.other_checkers == 0 else after
    chance.shuffle(asked)
    return asked


def started_server(weights: str, ply: int) -> tuple[subprocess.Popen[str], int]:
    """The server and its port; with the cube it would resign some games of random players."""
    blot = subprocess.Popen(
        [*BLOT, "serve", "--port", "0", "--weights", weights, "--ply", str(ply), "--no-cube"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert blot.stdout is not None
    typed = re.search(r"127\.0\.0\.1:(\d+)$", blot.stdout.readline().strip())
    if typed is None:
        sys.exit(f"blot serve does not start with weights {weights}")
    return blot, int(typed[1])


def end(blot: subprocess.Popen[str]) -> None:
    blot.send_signal(signal.SIGTERM)
    blot.communicate(timeout=LIMIT)


def answers_and_times(port: int, asked: list[ChooseCheckerPlay]) -> tuple[list[str], list[float]]:
    """The answers, and the seconds from the first byte sent to the last one read."""
    answers, seconds = [], []
    with socket.create_connection(("127.0.0.1", port), LIMIT) as peer, peer.makefile("r") as lines:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for request in asked:
            line = board_line(BoardRequest(request, 1, 1)).encode() + b"\n\0"
            start = time.perf_counter()
            peer.sendall(line)
            answer = lines.readline()
            seconds.append(time.perf_counter() - start)
            answers.append(answer.strip())
    return answers, seconds


def peak_megabytes(process: int) -> float:
    """The most memory the process has held (Linux)."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    peak = re.search(r"VmHWM:\s*(\d+) kB", status)
    assert peak is not None
    return int(peak[1]) / 1024


@told_in_a_sentence()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", default="default")
    parser.add_argument("--ply", type=int, default=0)
    parser.add_argument("--decisions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    asked = decisions(options.decisions, options.seed)
    end(started_server(options.weights, options.ply)[0])  # compiles, if that is still to be done
    start = time.perf_counter()
    blot, port = started_server(options.weights, options.ply)
    try:
        answers_and_times(port, asked[:1])
        first_answer = time.perf_counter() - start
        answers, seconds = answers_and_times(port, asked)
        peak = peak_megabytes(blot.pid)
    finally:
        end(blot)
    for answer, request in zip(answers, asked, strict=True):
        parse_play(answer, request.state.position, request.roll)
    tenths = statistics.quantiles(seconds, n=10)
    print(
        f"{len(answers)} legal plays; median {1000 * statistics.median(seconds):.3f} ms, "
        f"9 of 10 under {1000 * tenths[-1]:.3f} ms; "
        f"start to first answer {first_answer:.2f} s; peak memory {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
