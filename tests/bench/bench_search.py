"""Boards rated per second, and time and loss per decision at each depth, beside gnubg's own.

    python -m tests.bench.bench_search [--judged FILE] [--limit N] [--plies 0 1 2] [--filter F]

Without a file of judged decisions (one JSON object a line: board, dice, plays with after and
equity; the best first) the positions are pubeval's and there are no losses. gnubg is asked as an
external player with its settings for cubeless play, one thread; our times are those of the engine
in process, 0.1 ms less than a round trip. What the search's kernel rates is checked against the
evaluator before anything is timed.
"""

import argparse
import gzip
import json
import os
import re
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bot.backgammon.baselines import PubevalPlayer
from bot.backgammon.decision import ChooseCheckerPlay
from bot.backgammon.engine import Engine
from bot.backgammon.kernels.plays import MAX_PLAYS
from bot.backgammon.kernels.search import fill_ratings, fill_replies, search_room
from bot.backgammon.kernels.siblings import NO_LAYERS, Rater
from bot.backgammon.level import Level
from bot.backgammon.match import GameState, MoneyRules
from bot.backgammon.position import Position, turned_boards
from bot.backgammon.roll import ROLLS, Roll
from bot.backgammon.search import SearchSettings
from protocol.backgammon.fibs_board import BoardRequest, board_line
from protocol.backgammon.gnubg_program import find_gnubg
from protocol.backgammon.notation import parse_play
from protocol.backgammon.strength import parse_filters
from tests.plain.games import choice_of, turns_of_games

LIMIT = 120.0
Losses = dict[tuple[int, ...], float]
Decision = tuple[ChooseCheckerPlay, Losses]


def judged_decisions(path: Path, limit: int) -> list[Decision]:
    """Decisions of a file, with what each play loses."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        rows = [json.loads(line) for line in lines][:limit]
    return [
        (
            question(tuple(row["board"]), Roll.of_dice(*row["dice"])),
            {
                tuple(play["after"]): row["plays"][0]["equity"] - play["equity"]
                for play in row["plays"]
            },
        )
        for row in rows
    ]


def question(points: tuple[int, ...], roll: Roll) -> ChooseCheckerPlay:
    """A play in a money game without the Jacoby rule."""
    return ChooseCheckerPlay(GameState(Position(points), money=MoneyRules(jacoby=False)), roll)


class Replies:
    """The search's work at one position after another: all rolls' plays made and rated."""

    def __init__(self, level: Level, boards: list[np.ndarray]) -> None:
        evaluator = level.evaluator(print)
        self._rater = Rater(evaluator.network.layers, NO_LAYERS, evaluator.tables)
        self._room = search_room(self._rater)
        self._boards = boards
        self.rated = 0
        outcomes = np.empty((MAX_PLAYS, 5), np.float32)
        for board in boards:
            for roll in ROLLS:
                count = fill_ratings(board, roll.high, roll.low, self._rater, self._room, outcomes)
                self.rated += max(count, 1)
                if count and roll.is_double:
                    expected = evaluator.outcomes(turned_boards(self._room.after[:count]))
                    assert np.abs(outcomes[:count] - expected).max() < 1e-5

    def per_second(self, seconds: float) -> float:
        """Boards rated a second of the clock."""
        replies = np.empty((len(ROLLS), 26), np.int8)
        outcomes = np.empty((len(ROLLS), 5), np.float32)
        is_exact = np.empty(len(ROLLS), np.bool_)
        rated = 0
        began = time.perf_counter()
        while time.perf_counter() - began < seconds:
            for board in self._boards:
                fill_replies(board, self._rater, self._room, replies, outcomes, is_exact)
            rated += self.rated
        return rated / (time.perf_counter() - began)


def gnubg_evaluations_per_second() -> float:
    """What gnubg's own `calibrate` finds on one thread."""
    done = subprocess.run(
        [find_gnubg(), "-t", "-q", "-r"],
        input="set threads 1\ncalibrate 5\n",
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    found = re.findall(r"Calibration result: (\d+) static", done.stdout)
    assert found, done.stdout[-500:]
    return float(found[-1])


@contextmanager
def gnubg_serving(ply: int) -> Iterator[socket.socket]:
    """A connection to gnubg as an external player of so many plies."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    commands = ["set threads 1", "set jacoby off", "set beavers 0"]
    for kind in ("chequerplay", "cubedecision"):
        commands.append(f"set evaluation {kind} evaluation plies {ply}")
    commands.append("set evaluation chequerplay evaluation cubeful off")
    commands.append(f"external localhost:{port}\n")
    with tempfile.TemporaryDirectory() as home:
        gnubg = subprocess.Popen(
            [find_gnubg(), "-t", "-q", "-r"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=home),
            text=True,
        )
        try:
            assert gnubg.stdin is not None
            gnubg.stdin.write("\n".join(commands))
            gnubg.stdin.flush()
            with connected(port) as peer:
                yield peer
        finally:
            gnubg.kill()
            gnubg.wait(LIMIT)


def connected(port: int) -> socket.socket:
    """A connection to a server that is still starting."""
    end = time.monotonic() + LIMIT
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), LIMIT)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def gnubg_decisions(decisions: list[Decision], ply: int) -> tuple[list[float], list[float]]:
    """Seconds and loss of each of gnubg's decisions."""
    seconds, losses = [], []
    with gnubg_serving(ply) as peer, peer.makefile("r") as lines:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for request, loss in decisions:
            line = board_line(BoardRequest(request, 1, 1)).encode() + b"\n\0"
            began = time.perf_counter()
            peer.sendall(line)
            answer = lines.readline()
            seconds.append(time.perf_counter() - began)
            text = answer.replace("\0", "").strip()
            play = parse_play(text, request.state.position, request.roll)
            losses.append(loss.get(play.after.points, 0.0))
    return seconds, losses


def our_decisions(decisions: list[Decision], engine: Engine) -> tuple[list[float], list[float]]:
    """Seconds and loss of each of our decisions."""
    seconds, losses = [], []
    for request, loss in decisions:
        began = time.perf_counter()
        decision = engine.decide(request)
        seconds.append(time.perf_counter() - began)
        losses.append(loss.get(decision.play.after.points, 0.0))
    return seconds, losses


def told(name: str, seconds: list[float], losses: list[float]) -> None:
    """Print one line."""
    error = statistics.stdev(losses) / len(losses) ** 0.5
    print(
        f"{name:<22} median {1000 * statistics.median(seconds):8.3f} ms, "
        f"mean {1000 * statistics.mean(seconds):8.3f} ms, "
        f"loss {1000 * statistics.mean(losses):6.2f} ± {1000 * error:.2f} mEq",
        flush=True,
    )


def main() -> None:
    """Check, time and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--judged", type=Path)
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--rounds", type=int, default=5, help="of boards rated a second")
    parser.add_argument("--weights", default="default")
    parser.add_argument("--filter", default="normal")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--no-gnubg", action="store_true")
    options = parser.parse_args()
    turns = turns_of_games(choice_of(PubevalPlayer()), 1000, 1)
    if options.judged:
        decisions = judged_decisions(options.judged, options.limit)
    else:
        decisions = [(question(board, roll), {}) for board, roll in turns][: options.limit]
    boards = [request.state.position.board for request, _ in decisions[:200]]
    replies = Replies(Level(options.weights), boards)
    for _ in range(options.rounds):
        ours = replies.per_second(2.0)
        line = f"{ours / 1e6:.2f} million boards made and rated a second"
        if not options.no_gnubg:
            theirs = gnubg_evaluations_per_second()
            line += f", {ours / theirs:.1f} times gnubg's calibrate, {theirs:,.0f}"
        print(line, flush=True)
    for ply in options.plies:
        settings = SearchSettings(ply, parse_filters(options.filter), options.threads)
        engine = Level(options.weights, settings).engine(print, candidates=1)
        our_decisions(decisions[:20], engine)
        told(f"blot {ply}-ply {options.filter}", *our_decisions(decisions, engine))
        if not options.no_gnubg:
            told(f"gnubg {ply}-ply", *gnubg_decisions(decisions, ply))


if __name__ == "__main__":
    main()
