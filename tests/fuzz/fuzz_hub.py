"""Fuzz the Hub engine: damaged lines answered in words of the protocol, each `go` by a `done`.

`python -m tests.fuzz.fuzz_hub --lines 1000000 --seed 1` ends with 1 at the first bad answer, and
tells how many answers of each kind there were, the longest wait and the memory at the end.
"""

import random
import re
import sys
import time
from collections import Counter

from protocol.draughts.adapters.hub_engine import MAX_HUB_LINE, HubEngine
from protocol.draughts.adapters.hub_parameter import HubParameter
from protocol.wire import Goodbye, LineCutter
from tests.fakes.draughts_player import FirstMove
from tests.fuzz.fuzz_ubgi import damaged, run

START = "W" + "b" * 20 + "e" * 10 + "w" * 20
CZECH = "W" + "b" * 12 + "e" * 8 + "w" * 12
LINES = (
    "hub",
    "init",
    "new-game",
    "ping",
    "stop",
    "ponder-hit",
    "quit",
    "set-param name=variant value=czech",
    "set-param name=variant value=normal",
    "set-param name=threads value=4",
    f"pos pos={START}",
    f'pos pos={START} moves="32-28 19-23 28x19x23 14x23x19"',
    f"pos pos={CZECH} moves=22-18",
    "pos pos=BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee moves=38-15",
    "pos pos=W" + "e" * 49 + "b",
    "level depth=3",
    "level nodes=500",
    "level move-time=0.5",
    "level moves=9 time=291.587 inc=2",
    "level infinite",
    "go think",
    "go ponder",
    "go analyze",
    "unheard-of a=b",
)
ANSWER = re.compile(
    r'(id|param|info|done|error)( [a-z-]+=([^\s"=]+|"[^"\x00-\x1f]*"))*|wait|ready|pong'
)


def fuzz(lines, seed):
    """Kinds of answers to so many lines, and the longest wait.

    Raises AssertionError with the line that was ill answered.
    """
    numbers = random.Random(seed)
    kinds, slowest = Counter(), 0.0
    answers, searches = [], []
    engine = new_engine(answers, searches)
    cutter = LineCutter(MAX_HUB_LINE)
    for _ in range(lines):
        sent = damaged(numbers, LINES)
        for line in cutter.cut(sent.encode(errors="replace") + b"\n"):
            answers.clear()
            began = time.perf_counter()
            try:
                engine.receive(line)
                if searches and numbers.random() < 0.7:
                    finished(searches, answers)
            except Goodbye:
                kinds["goodbye"] += 1
                while searches:
                    finished(searches, answers)
                engine = new_engine(answers, searches)
            slowest = max(slowest, time.perf_counter() - began)
            assert len(searches) <= 1, f"{line!r} began a second search"
            for answer in answers:
                assert ANSWER.fullmatch(answer), f"{line!r} was answered with {answer!r}"
                assert "an error of ours" not in answer, f"{line!r} is an error of ours"
                kinds[answer.split(" ")[0]] += 1
            kinds["silence"] += not answers
    return kinds, slowest


def finished(searches, answers):
    """Run the search under way; exactly one `done` must come of it."""
    before = len(answers)
    searches.pop()()
    told = answers[before:]
    assert [line.split(" ")[0] for line in told].count("done") == 1, f"a go brought {told!r}"
    assert told[-1].startswith("done")


def new_engine(answers, searches):
    return HubEngine(
        lambda values: FirstMove(),
        answers.append,
        parameters=[HubParameter("threads", "1", "int", least=1, most=16)],
        begin=searches.append,
        later=lambda seconds, act: None,
    )


if __name__ == "__main__":
    sys.exit(run(fuzz, __doc__))
