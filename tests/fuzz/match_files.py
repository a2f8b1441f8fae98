"""Damaged match files for each reader: python -m tests.fuzz.match_files --files 100000.

Each is a good file with bytes, lines, numbers or brackets changed by chance. A reader may refuse it
by a ValueError with one sentence, or keep what comes before the fault; nothing else, not for longer
than a few seconds, and not with more memory than a small file needs.
"""

import argparse
import random
import resource
import time
from collections import Counter

from bot.backgammon.rules.record import Rules, replay
from protocol.backgammon.formats.mat_writing import mat_text
from protocol.backgammon.formats.match_file import READERS
from protocol.backgammon.formats.sgf_writing import sgf_text
from tests.games import random_match

READ = {"mat": READERS[".mat"], "sgf": READERS[".sgf"]}
MAX_SECONDS = 5.0
MAX_SENTENCE = 400
PIECES = {
    "mat": (
        b"31: 8/5 6/5", b"66:", b" Doubles => 2", b" Takes", b" Drops", b"Wins 2 points",
        b"      Wins 99999999999999999999 points", b" Losses 1 point", b"\n Game 2\n", b"????",
        b" 5 point match", b" Beavers => 4", b"bar/22*(4)", b"; Set Pos=", b"\x00", b"(",
        b"24/1/2/3",
        b"9" * 5000, b"a : 0 b : 0\n", b"31: " + b"8/5 " * 300, b"\xef\xbb\xbf", b"\xff\xfe",
    ),
    "sgf": (
        b"(", b")", b";", b"[", b"]", b"\\", b"W[31hefe]", b"B[double]", b"W[take]", b"PL[W]DI[43]",
        b"AE[a:y]", b"AW[f][f]", b"CV[2]", b"CV[99999999999999999999]", b"CP[b]", b"RE[W+1R]",
        b"\x00",
        b"MI[length:7][game:0][ws:0][bs:0]", b"(" * 3000, b"[" * 3000, b"W[66zzzzzzzz]",
        b"A[" + b"x" * 9999,
        b"GM[6]", b"AW[a:z]" * 300, b"\xef\xbb\xbf", b"\xff\xfe", b"RU[Nackgammon]",
    ),
}  # fmt: skip


def good_files():
    """A few small matches in each format."""
    rules = (Rules(3), Rules(beavers=True), Rules(1), Rules(5, has_cube=False))
    matches = [
        random_match(each, seed, games=2, resigns=0.03, words=0.3)
        for seed, each in enumerate(rules * 3)
    ]
    return {
        "mat": [mat_text(match).encode() for match in matches],
        "sgf": [sgf_text(match).encode() for match in matches],
    }


def damaged(data, pieces, chance):
    """The data with one to eight places changed."""
    for _ in range(chance.randint(1, 8)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + int(chance.expovariate(0.1)))
        match chance.randrange(7):
            case 0:
                data = data[:start] + bytes([chance.randrange(256)]) + data[start + 1 :]
            case 1:
                data = data[:start] + data[end:]
            case 2:
                data = data[:start] + data[start:end] * chance.randint(2, 30) + data[end:]
            case 3:
                data = data[:start] + chance.choice(pieces) + data[end:]
            case 4:
                data = data[:start]
            case 5:
                lines = data.splitlines(keepends=True)
                chance.shuffle(lines) if chance.random() < 0.05 else lines.reverse()
                data = b"".join(lines) if chance.random() < 0.1 else data
            case _:
                digit = str(chance.randrange(10)).encode()
                data = data[:start] + digit + data[start + 1 :]
        data = data or b" "
    return data


def outcome(kind, data):
    """How the reader takes the file; anything but a ValueError in one sentence is raised."""
    try:
        read = READ[kind](data)
    except ValueError as error:
        if not 0 < len(str(error)) < MAX_SENTENCE or "\n" in str(error):
            raise AssertionError(f"no sentence: {error}") from error
        return "refused"
    list(replay(read.match))
    return "read to the fault" if read.fault else "read"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000, help="for each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reader", choices=sorted(READ), action="append")
    options = parser.parse_args()
    good = good_files()
    for kind in options.reader or sorted(READ):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        counts, longest = Counter(), 0.0
        for number in range(options.files):
            chance = random.Random(f"{options.seed} {kind} {number}")
            data = damaged(chance.choice(good[kind]), PIECES[kind], chance)
            started = time.process_time()
            try:
                counts[outcome(kind, data)] += 1
            except BaseException:
                print(f"{kind} {number}: {data!r:.2000}")
                raise
            longest = max(longest, time.process_time() - started)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"{kind}: {options.files} damaged files: {dict(counts)}", end=", ")
        print(f"the longest took {longest:.2f} s, memory grew by {(after - before) / 1024:.1f} MB")
        assert longest < MAX_SECONDS


if __name__ == "__main__":
    raise SystemExit(main())
