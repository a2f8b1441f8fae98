"""Check results less luck against raw ones on a recorded run: unbiased, and how much surer.

blot match phases-512-64 td-128 --games 40000 --seed 11 --luck --record luck.db
python -m tests.bench.check_luck luck.db
"""

import argparse

import numpy as np

from bot.backgammon.arena.run_file import RunFile
from bot.backgammon.arena.standing import Standing
from bot.estimate import estimate
from bot.lab.command_line import existing_file, told_in_a_sentence


@told_in_a_sentence()
def main() -> None:
    """Check and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=existing_file)
    run = parser.parse_args().run
    file = RunFile(run)
    standing = Standing(file.settings()["length"], has_luck=True)
    for piece in file.pieces():
        for pair in file.played(piece).pairs:
            standing.add(pair)
    raw = np.array(standing.tally.samples)
    adjusted = np.array(standing.adjusted_samples)
    luck = estimate((raw - adjusted).tolist())
    print(f"{len(raw)} pairs: raw {standing.tally.score}, less luck {standing.adjusted}")
    if luck is None or not luck.error:
        raise ValueError(f"{run} tells of no luck: record more pairs, with --luck")
    off = luck.mean / luck.error
    print(f"luck of a pair {luck.mean:+.4f} ± {luck.error:.4f}: {off:+.2f} of its errors")
    ratio = float(raw.std() / adjusted.std())
    print(f"standard error {ratio:.2f} times smaller, as {ratio**2:.1f} times as many pairs")
    tenth = max(1, len(raw) // 10)
    for first in range(0, len(raw), tenth):
        part = slice(first, first + tenth)
        told = estimate(raw[part].tolist()), estimate(adjusted[part].tolist())
        print(f"  from pair {first}: {told[0]}, {told[1]}")


if __name__ == "__main__":
    main()
