"""Reads every match file below a folder: python -m tests.bench.check_match_files FOLDER.

Every play is checked on the rules while it is read, and each score and result against what the file
says. The match is then written in each format, read back, and must be the same; a match that stands
there under one name in several formats must be the same in all. Files that are wrong themselves
are named, with line, column and reason.
"""

import argparse
import time
from collections import Counter, defaultdict

from bot.backgammon.rules.record import replay
from bot.lab.command_line import existing_folder, told_in_a_sentence, whole_number
from protocol.backgammon.formats.filed_match import as_filed
from protocol.backgammon.formats.match_file import READERS, WRITERS, read_match
from tests.gnubg_files import told

_ENDINGS = ", ".join(READERS)


@told_in_a_sentence()
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=existing_folder)
    parser.add_argument("--show", type=whole_number(0), default=1000, help="files that are named")
    options = parser.parse_args()
    paths = [path for path in sorted(options.folder.rglob("*")) if path.suffix.lower() in READERS]
    if not paths:
        raise ValueError(f"{options.folder} holds no match file: none ends with {_ENDINGS}")
    counts, wrong, named = Counter(), [], defaultdict(list)
    started = time.process_time()
    for path in paths:
        try:
            read = read_match(path)
        except ValueError as error:
            wrong.append(str(error))
            continue
        match = read.match
        counts["whole"] += read.fault is None
        counts["games"] += len(match.games)
        counts["events"] += sum(1 for _ in replay(match))
        if read.fault:
            wrong.append(f"{path.name}, {read.fault}")
        elif match.rules.is_over(match.games[-1].points_after):
            counts["to their end"] += 1
        named[path.with_suffix("")].append(as_filed(match))
        counts["not written as they were"] += _differs(match)
    twins = [matches for matches in named.values() if len(matches) > 1]
    equal = sum(all(told(match) == told(twin[0]) for match in twin) for twin in twins)
    print(f"{len(paths)} files, {counts['whole']} of them right to the end, in", end=" ")
    print(f"{time.process_time() - started:.1f} s of processor time:")
    for name in ("games", "events", "to their end", "not written as they were"):
        print(f"  {name}: {counts[name]}")
    print(f"  there in several formats: {len(twins)}, equal: {equal}")
    print(f"{len(wrong)} files are wrong:")
    for sentence in wrong[: options.show]:
        print(f"  {sentence}")
    return int(not named or counts["not written as they were"] > 0 or equal < len(twins))


def _differs(match):
    """How many formats do not give the match back; of .mat only the games are asked for."""
    filed = as_filed(match)
    differing = 0
    for ending, write in WRITERS.items():
        again = READERS[ending](write(match).encode())
        is_same = told(again.match) == told(filed)
        is_same &= ending == ".mat" or again.match.games == filed.games
        differing += again.fault is not None or not is_same
    return differing


if __name__ == "__main__":
    raise SystemExit(main())
