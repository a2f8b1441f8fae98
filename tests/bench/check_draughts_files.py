"""Read every PDN file of a folder, play each game by the rules, write it and read it again.

    python -m tests.bench.check_draughts_files FOLDER

Ends with 1 if a game has a fault, is not legal, or reads back as another.
"""

import argparse
import time
from pathlib import Path

from bot.draughts.rules.record import replay
from bot.lab.command_line import told_in_a_sentence
from protocol.draughts.formats.pdn import parse_pdn, read_pdn
from protocol.draughts.formats.pdn_writing import pdn_text


def check(path):
    """Games and moves of a file, and sentences about what was lost."""
    read = read_pdn(path)
    lost = [f"{path.name}: {fault}" for fault in read.faults]
    moves = sum(len(list(replay(game))) for game in read.games)
    told = path.read_bytes().count(b"[Event ")
    if len(read.games) != told:
        lost.append(f"{path.name}: {len(read.games)} games read where {told} begin")
    again = parse_pdn(pdn_text(read.games))
    if again.faults or again.games != read.games:
        lost.append(f"{path.name}: its games are others when written and read again")
    return len(read.games), moves, lost


@told_in_a_sentence()
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdn")
    began = time.perf_counter()
    checked = [check(path) for path in paths]
    lost = [sentence for _, _, sentences in checked for sentence in sentences]
    games, moves = (sum(each[place] for each in checked) for place in (0, 1))
    seconds = time.perf_counter() - began
    print("\n".join(lost[:40]))
    print(f"{len(paths)} files, {games} games, {moves} moves in {seconds:.1f} s; lost: {len(lost)}")
    return int(bool(lost) or not paths)


if __name__ == "__main__":
    raise SystemExit(main())
