"""How far Blot's match equity table is from another one, such as GNU Backgammon's Kazaross-XG2.

python -m tests.bench.compare_met /usr/share/gnubg/met/Kazaross-XG2.xml
"""

import argparse

import numpy as np

from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.rules.match import MAX_LENGTH
from bot.lab.command_line import existing_file, told_in_a_sentence, whole_number
from protocol.backgammon.formats.met_file import read_table


@told_in_a_sentence()
def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=existing_file)
    parser.add_argument("--most-away", type=whole_number(1, MAX_LENGTH), default=25)
    options = parser.parse_args()
    most = options.most_away
    ours, other = blot_table(), read_table(options.file)
    apart = 100 * (ours.pre - other.pre)[:most, :most]
    size = np.abs(apart)
    away, other_away = np.unravel_index(size.argmax(), size.shape)
    print(
        f"before the Crawford game ends, 1 to {most} away: {size.mean():.2f} % on average, at most "
        f"{size.max():.2f} % ({away + 1} away, {other_away + 1} away)"
    )
    after = np.abs(100 * (ours.post - other.post)[:most])
    print(
        f"after it: {after.mean():.2f} % on average, at most {after.max():.2f} % "
        f"({after.argmax() + 1} away)"
    )
    print(f"Blot's less {other.name}, in percent; rows and columns from 1 away:")
    for row in apart[:10, :10]:
        print(" ".join(f"{chance:6.2f}" for chance in row))


if __name__ == "__main__":
    main()
