"""Round trip, warm start and memory of `blot serve`, asked as gnubg asks.

    python tests/bench/bench_serve.py [--weights NAME] [--ply N] [--decisions N]

Each decision is sent to a peer as well, a server that reads a line and answers at once, in turn:
its time is what this machine takes for the way there and back. Every answer is checked to be a
legal play before the times are shown.
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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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

PEER = """
import socket

with socket.create_server(("127.0.0.1", 0)) as listener:
    print(listener.getsockname()[1], flush=True)
    connection, _ = listener.accept()
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
while connection.recv(65536):
    connection.sendall(b"24/23 24/22\\n")
"""
"""A program that thinks about nothing."""


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


def answers_and_times(
    ports: list[int], asked: list[ChooseCheckerPlay]
) -> tuple[list[list[str]], list[list[float]]]:
    """Of the server at each port the answers, and the seconds from sending to reading each.

    Every server is asked a decision before the next one comes.
    """
    answers: list[list[str]] = [[] for _ in ports]
    seconds: list[list[float]] = [[] for _ in ports]
    with ExitStack() as stack:
        peers = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), LIMIT))
            for port in ports
        ]
        lines = [stack.enter_context(peer.makefile("r")) for peer in peers]
        for peer in peers:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for request in asked:
            line = board_line(BoardRequest(request, 1, 1)).encode() + b"\n\0"
            for place, peer in enumerate(peers):
                start = time.perf_counter()
                peer.sendall(line)
                answer = lines[place].readline()
                seconds[place].append(time.perf_counter() - start)
                answers[place].append(answer.strip())
    return answers, seconds


@contextmanager
def started_peer() -> Iterator[int]:
    """The port of a server that answers at once."""
    with subprocess.Popen(
        [sys.executable, "-c", PEER], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


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
        answers_and_times([port], asked[:1])
        first_answer = time.perf_counter() - start
        with started_peer() as peer:
            (answers, _), (seconds, ways) = answers_and_times([port, peer], asked)
        peak = peak_megabytes(blot.pid)
    finally:
        end(blot)
    for answer, request in zip(answers, asked, strict=True):
        parse_play(answer, request.state.position, request.roll)
    tenths = statistics.quantiles(seconds, n=10)
    print(
        f"{len(answers)} legal plays; median {1000 * statistics.median(seconds):.3f} ms, "
        f"9 of 10 under {1000 * tenths[-1]:.3f} ms; "
        f"{1000 * statistics.median(ways):.3f} ms by a peer that answers at once; "
        f"start to first answer {first_answer:.2f} s; peak memory {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
