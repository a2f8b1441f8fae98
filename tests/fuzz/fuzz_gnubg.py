"""Fuzz the lines of GNU Backgammon: boards and its server's lines to us, and answers to ours.

`python -m tests.fuzz.fuzz_gnubg --lines 1000000 --seed 1` ends with an error at the first line that
is answered in no words of GNU Backgammon, or read as a play that is none. It tells what
`fuzz_ubgi` tells.
"""

import random
import re
import sys
import time
from collections import Counter
from pathlib import Path

from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, ChooseCubeAction
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters.external_client import parse_answer
from protocol.backgammon.adapters.gnubg_external import MAX_ANSWER, GnubgAdapter
from protocol.backgammon.adapters.gnubg_server import GnubgServer
from protocol.wire import Goodbye, LineCutter
from tests.fakes.cube_player import CHANCES
from tests.fuzz.fuzz_ubgi import AnyPlayer, damaged, run

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
LINES = [
    row[2:]
    for name in ("gnubg_server.txt", "gnubg_money_seat_0.txt", "gnubg_match_to_3_seat_1.txt")
    for row in (TRANSCRIPTS / name).read_text().splitlines()
    if row.startswith("> ")
]
ANSWERS = ["8/5 6/5", "bar/22 24/off*", "8/5(2)", "roll", "double", "take", "resign 2", "Error (x)"]
REQUESTS = (
    ChooseCheckerPlay(GameState(START), Roll(3, 1)),
    ChooseCubeAction(GameState(START)),
    AnswerDouble(GameState(START)),
)
ANSWER = re.compile(
    r"Error( \([ -~]+\)|: [ -~]+)|([0-9]|bar|off|[/* ])*|roll|double|take|drop|beaver|accept|reject"
    r"|(-?[0-9]\.[0-9]{6} ?){6}|\tNo help information available|resign [123]"
    r"|(Interface|RFBF|Engine|Software): [0-9.]+|Debug output OFF|New interface (ON|OFF)"
)


def fuzz(lines, seed):
    """Kinds of answers to so many lines, and the longest wait; see fuzz_ubgi."""
    numbers = random.Random(seed)
    kinds, slowest = Counter(), 0.0
    answers = []
    adapter, cutter = new_adapter(answers), LineCutter()
    for _ in range(lines):
        sent = damaged(numbers, LINES)
        read_answer(damaged(numbers, ANSWERS), kinds)
        for line in cutter.cut(sent.encode(errors="replace") + b"\n"):
            answers.clear()
            began = time.perf_counter()
            try:
                adapter.receive(line)
                assert answers, f"{line!r} was not answered"
            except Goodbye:
                kinds["goodbye"] += 1
                adapter = new_adapter(answers)
            slowest = max(slowest, time.perf_counter() - began)
            for answer in answers:
                is_right = ANSWER.fullmatch(answer) and len(answer) < MAX_ANSWER
                assert is_right, f"{line!r} was answered with {answer!r}"
                kinds[answer.split(" ")[0] if answer[:1].isalpha() else "play or figures"] += 1
    return kinds, slowest


def read_answer(text, kinds):
    """Read a program's answer to each kind of question; what is read is a legal answer."""
    for request in REQUESTS:
        try:
            answer = parse_answer(text[:1000], request)
        except ValueError:
            kinds["answers refused"] += 1
        else:
            game = Game.asking(request, 0)
            is_raise = getattr(answer, "value", "") == "beaver"  # an answer of money with beavers
            assert is_raise or game.refusal(answer) is None, f"{text!r} was read as {answer}"
            kinds["answers read"] += 1


def new_adapter(answers):
    server = GnubgServer(lambda state, ply, cubeful: (CHANCES, CHANCES.equity))
    return GnubgAdapter(AnyPlayer(), answers.append, server=server)


if __name__ == "__main__":
    sys.exit(run(fuzz, __doc__))
