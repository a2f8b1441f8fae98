"""Count the published perft tables of draughts and time the move generator.

Each table is counted as deep as its numbers and --leaves go; a wrong number ends the program. Moves
of the last ply are counted without being made.

    python -m tests.bench.draughts_perft --leaves 2000000000
"""

import argparse
import os
import sys
import time

from bot.draughts.rules.perft import perft
from bot.lab.command_line import told_in_a_sentence
from tests.plain.perft_tables import TABLES, PerftTable, plain_position


def counted(table: PerftTable, most: int) -> tuple[int, int, float]:
    """Leaves and positions looked at in the deepest count, and its seconds on the processor."""
    position = plain_position(table.variant, table.fen)
    reachable = [leaves for leaves in table.leaves if leaves <= most]
    for depth, expected in enumerate(reachable, 1):
        began = time.process_time()
        leaves, looked = perft(position, depth, table.distinct)
        seconds = time.process_time() - began
        if leaves != expected:
            sys.exit(f"{table.name}: {leaves} at depth {depth}, not {expected}")
    print(f"{table.name}: right to depth {len(reachable)}, {leaves:,} leaves", end="")
    print(f", {leaves / seconds / 1e6:.1f} million a second, {looked / seconds / 1e6:.1f} inside")
    return leaves, looked, seconds


@told_in_a_sentence()
def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--leaves", type=int, default=400_000_000, help="most in one count")
    arguments = parser.parse_args()
    if arguments.leaves < max(table.leaves[0] for table in TABLES):
        parser.error("--leaves is too small for the first ply")
    perft(plain_position(TABLES[0].variant, ""), 2)
    sums = [sum(each) for each in zip(*(counted(t, arguments.leaves) for t in TABLES), strict=True)]
    print(f"all: {sums[0]:,} leaves, {sums[0] / sums[2] / 1e6:.1f} million a second", end="")
    print(f", {sums[1]:,} positions inside, {sums[2]:.1f} s; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
