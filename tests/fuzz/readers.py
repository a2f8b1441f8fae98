"""Damage IDs and .xg files by the thousand: each is read, or refused with one sentence.

Whatever else is raised ends the run with the seed of the case. Reported are how many were read, the
slowest case in seconds of processor time, and the most memory that the process had.

    python -m tests.fuzz.readers ids --cases 1000000
    python -m tests.fuzz.readers xg --cases 100000
"""

import argparse
import json
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

from bot.backgammon.rules.record import MatchRecord, Rules, replay
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.formats.xg import parse_xg
from protocol.backgammon.formats.xg_records import SIZE
from tests.fuzz.damage import damaged_bytes, damaged_text
from tests.games import random_match
from tests.plain.xg_files import records_of, xg_file

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
MAX_SECONDS = 20
"""A case that takes longer hangs."""

MAX_REFUSAL = 400
"""Characters; a sentence is no longer."""

COMMENTS = rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\fs20 \'e0 \u1078?z\par}" + b"\r\nplain\r\n"
REPLAYED = 0.2
"""How many of the matches read are played again on the rules: they must be matches."""

Case = Callable[[random.Random], str]
"""Reads something damaged; what came of it."""


def texts() -> list[str]:
    """IDs in all the ways in which they are pasted."""
    lines = (TRANSCRIPTS / "xgids.tsv").read_text().splitlines()
    examples = [line.split("\t") for line in lines if not line.startswith("#")]
    table = json.loads((TRANSCRIPTS / "gnubg_ids.json").read_text())
    states = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    boards = (TRANSCRIPTS / "gnubg_diagrams.txt").read_text().strip("\n").split("\n\n")
    found = [f"XGID={xgid}" for xgid, _, _ in examples]
    found += [xgid for xgid, _, _ in examples]
    found += [f"what about XGID={xgid}, 31 to play?" for xgid, _, _ in examples]
    found += [f"GNUBG ID: {position}:{match} XGID={xgid}" for xgid, position, match in examples]
    found += [f"{state['position_id']}:{state['match_id']}" for state in states]
    found += [f"Position ID: {s['position_id']}\nMatch ID: {s['match_id']}" for s in states]
    return found + boards


def id_case() -> Case:
    """Reads a damaged text with IDs, and asks what they ask."""
    whole = texts()

    def case(chance: random.Random) -> str:
        pasted = pasted_id(damaged_text(chance, chance.choice(whole)))
        return "asks" if pasted.finished is None and pasted.request else "is over"

    return case


def xg_matches() -> list[bytes]:
    """The first records of a few small matches."""
    rules = (Rules(3), Rules(beavers=True), Rules(1), Rules(has_cube=False))
    told = [records_of(random_match(each, 7, games=2, resigns=0.1)) for each in rules]
    return [b"".join(parts[:40]) for parts in told]


def xg_case() -> Case:
    """Reads a damaged .xg file: damaged as it is, or its records before they are packed."""
    matches = xg_matches()
    files = [
        xg_file([match], packed=number % 2 == 0, comments=COMMENTS)
        for number, match in enumerate(matches)
    ]

    def case(chance: random.Random) -> str:
        if chance.random() < 0.3:
            read = parse_xg(damaged_bytes(chance, chance.choice(files)))
        else:
            records = damaged_bytes(chance, chance.choice(matches))
            if chance.random() < 0.9:  # else the last record is cut off
                records = records.ljust(-(-len(records) // SIZE) * SIZE, b"\0")
            comments = damaged_bytes(chance, COMMENTS)
            read = parse_xg(xg_file([records], packed=chance.random() < 0.5, comments=comments))
        if chance.random() < REPLAYED:
            _check(read.match)
        return "stops at a fault" if read.fault else "is read to the end"

    return case


def _check(match: MatchRecord) -> None:
    """Fail unless the match can be played again: what is read is a match by the rules."""
    try:
        list(replay(match))
    except ValueError as error:
        raise AssertionError(f"no match was read: {error}") from None


def run(case: Case, cases: int, seed: int, limit: int = 0) -> tuple[Counter[str], float]:
    """What came of so many cases, and how long the slowest took; limit: seconds for one, 0 none."""
    came: Counter[str] = Counter()
    slowest = 0.0
    for number in range(cases):
        chance = random.Random(f"{seed}:{number}")
        if limit:
            signal.alarm(limit)
        began = time.process_time()
        try:
            came[case(chance)] += 1
        except ValueError as error:
            if "\n" in str(error) or len(str(error)) > MAX_REFUSAL:
                raise SystemExit(f"case {number}: no sentence: {error}") from None
            came["is refused"] += 1
        except BaseException:
            print(f"case {number} of seed {seed} was neither read nor refused", file=sys.stderr)
            raise
        slowest = max(slowest, time.process_time() - began)
    if limit:
        signal.alarm(0)
    return came, slowest


def report(came: Counter[str], slowest: float) -> Iterator[str]:
    """What came of the run, line by line."""
    for word, count in came.most_common():
        yield f"{count:,} {word}"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield f"slowest {slowest:.3f} s, most memory {memory:.0f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("ids", "xg"))
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    case = id_case() if options.what == "ids" else xg_case()
    signal.signal(signal.SIGALRM, _hang)
    print("\n".join(report(*run(case, options.cases, options.seed, MAX_SECONDS))))


def _hang(number: int, frame: object) -> NoReturn:
    raise TimeoutError(f"a case takes longer than {MAX_SECONDS} seconds")


if __name__ == "__main__":
    main()
