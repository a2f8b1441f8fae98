"""Fuzz the UBGI engine: damaged lines, each of which must be answered in words of the protocol.

`python -m tests.fuzz.fuzz_ubgi --lines 1000000 --seed 1` ends with 1 at the first bad answer, and
tells how many answers of each kind there were, the longest wait and the memory at the end.
"""

import argparse
import logging
import random
import re
import resource
import sys
import time
from collections import Counter

from bot.backgammon.rules.decision import ChooseCheckerPlay, PlayDecision
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from protocol.backgammon.adapters.ubgi_engine import UbgiEngine
from protocol.wire import Goodbye, LineCutter
from tests.fakes.cube_player import CubePlayer

LINES = (
    "ubgi",
    "isready",
    "newgame",
    "keys",
    "stop",
    "quit",
    "position gnubgid 4HPwATDgc/ABMA",
    "position gnubgid 4HPkQSCwZ/ABMA:cAkTAAAAAAAA",
    "position gnubgid 4HPwATDgc/ABMA:cBkAAAAAAAAA",
    "position gnubgid Np7BQSCYZ/AAWA",
    "position gnubgid ugAAAAEAAAAAAA",
    "position gnubgid /38AAAD/fwAAAA",
    "position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10",
    "dice 6 1",
    "dice 2 2",
    "go",
    "go chequer",
    "go cube",
    "go turn",
    "go role chequer movetime 100 depth 2",
    "go role cube nodes 5",
    "set engine.ply 2",
    "set engine.threads 4",
    "set engine.seconds 0.5",
    "set engine.level hard",
    "get engine.level",
    "setoption name Ply value 3",
    "setoption name EvalMode value cubeful",
    "newsession type match length 7 jacoby on crawford off",
    "newsession type money",
    "setscore 6 2",
    "setcube value 4 owner p1",
    "setturn p1",
    "board:gnubg:root:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10",
)
SIGNS = "\0\t\r\x1b\x7f\x80é½²٣\u2028\ud7ff -0123456789/:=+AZaz%s{}"
ANSWER = re.compile(
    r"(id|proto|key|option|value|info|bestmove|bestcube|bestturn) [ -~é]*"
    r"|error [a-z_]+ [^\x00-\x1f]{1,200}|ubgiok|readyok|sorry|take|drop|double|roll|[\d/baroff ]*"
)
SLOWEST = 1.0
"""Seconds that any line may take."""


class AnyPlayer(CubePlayer):
    """Plays the first legal play, and answers about the cube like CubePlayer."""

    def decide(self, request):
        self.asked.clear()
        if isinstance(request, ChooseCheckerPlay):
            position = request.state.position
            plays = legal_plays(position, request.roll) or (CheckerPlay((), position),)
            return PlayDecision(plays[0], ())
        return super().decide(request)


def damaged(numbers, lines=LINES):
    """One of the lines with something wrong, or nothing."""
    line = numbers.choice(lines)
    for _ in range(numbers.choice((0, 0, 0, 1, 1, 2, 5))):
        at = numbers.randint(0, len(line))
        match numbers.randint(0, 6):
            case 0:
                line = line[:at] + numbers.choice(SIGNS) + line[at:]
            case 1:
                line = line[:at] + line[at + 1 :]
            case 2:
                line = line[:at] + numbers.choice(SIGNS) + line[at + 1 :]
            case 3:
                line = line[:at]
            case 4:
                words = line.split(" ")
                numbers.shuffle(words)
                line = " ".join(words)
            case 5:
                line = line[:at] + line[at:] * numbers.choice((2, 3, 50))
            case 6:
                line = line[:at] + numbers.choice(lines)[at:]
    return line


def fuzz(lines, seed):
    """Kinds of answers to so many lines; raises AssertionError with the line that was ill answered.

    Returns the counts and the longest wait.
    """
    numbers = random.Random(seed)
    kinds, slowest = Counter(), 0.0
    answers = []
    player = AnyPlayer()
    engine = new_engine(player, answers)
    cutter = LineCutter()
    for _ in range(lines):
        sent = damaged(numbers)
        for line in cutter.cut(sent.encode(errors="replace") + b"\n"):
            answers.clear()
            began = time.perf_counter()
            try:
                engine.receive(line)
            except Goodbye:
                kinds["goodbye"] += 1
                engine = new_engine(player, answers)
            slowest = max(slowest, time.perf_counter() - began)
            for answer in answers:
                assert ANSWER.fullmatch(answer), f"{line!r} was answered with {answer!r}"
                assert not answer.startswith("error internal"), f"{line!r} is an error of ours"
                kinds[answer.split(" ")[0] if answer[:1].isalpha() else "bare play"] += 1
            kinds["silence"] += not answers
    return kinds, slowest


def new_engine(player, answers):
    return UbgiEngine(lambda settings, *, cube, stop: player, answers.append)


def run(fuzz, description):
    """The command of a fuzzer: 1 if a line took too long."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable()
    began = time.perf_counter()
    fuzz(10_000, options.seed + 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kinds, slowest = fuzz(options.lines, options.seed)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{options.lines} lines in {time.perf_counter() - began:.0f} s: no crash")
    print(", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print(f"longest wait {1000 * slowest:.0f} ms; memory {before} to {after} KiB")
    return int(slowest > SLOWEST)


if __name__ == "__main__":
    sys.exit(run(fuzz, __doc__))
