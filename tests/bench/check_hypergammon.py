"""Prove the solved hypergammon against gnubg's makehyper, and against the plain plays.

Every open position's equity must be gnubg's, which its file rounds to 4e-7; and positions drawn by
chance must be worth what their best plays leave, by the plain twin of the play generator. Two
checkers take makehyper minutes, three many hours; the plain plays do for them.

    python -m tests.bench.check_hypergammon [--checkers 2] [--positions 1000] [--gnubg]
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bot.backgammon.evaluation.hypergammon import Hypergammon, load_hypergammon
from bot.backgammon.lab.hypergammon import opening_plays
from bot.lab.command_line import told_in_a_sentence
from tests.plain.hypergammon import (
    Board,
    makehyper_equities,
    makehyper_number,
    plain_equity,
    some_positions,
)


class Solved(dict[Board, float]):
    """Equities of the solved game by board."""

    def __init__(self, game: Hypergammon) -> None:
        super().__init__()
        self.game = game

    def __missing__(self, board: Board) -> float:
        return float(self.game.equities_of(np.array([board], np.int8))[0])


def worst_by_plain_plays(game: Hypergammon, positions: int) -> float:
    """Largest difference between an equity and what the best plain plays leave."""
    solved = Solved(game)
    boards = some_positions(game.checkers, positions, 7)
    return max(abs(plain_equity(board, solved) - solved[board]) for board in boards)


def worst_against_gnubg(game: Hypergammon) -> tuple[float, int]:
    """Largest difference from gnubg's equities, and of how many positions."""
    numbers = [makehyper_number(row, game.checkers) for row in game.sides.places.tolist()]
    with tempfile.TemporaryDirectory() as folder:
        theirs = makehyper_equities(game.checkers, Path(folder))
    ours = game.equities
    is_open = ~np.isnan(ours)
    is_open[0, :] = is_open[:, 0] = False
    differences = np.abs(theirs[np.ix_(numbers, numbers)] - ours)[is_open]
    return float(differences.max()), int(is_open.sum())


@told_in_a_sentence()
def main() -> int:
    """Print the differences; 1 if one is too large."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkers", type=int, default=2)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--gnubg", action="store_true", help="run makehyper as well")
    options = parser.parse_args()
    began = time.monotonic()
    game = load_hypergammon(print, options.checkers)
    print(f"{game.positions:,} positions, last change {game.change:.1e}", end=", ")
    print(f"{time.monotonic() - began:.1f} s")
    first = np.mean([equity for _, _, equity, _ in opening_plays(game)])
    print(f"equity of who wins the opening roll {first:+.13f}")
    plain = worst_by_plain_plays(game, options.positions)
    print(f"{options.positions:,} positions by plain plays: off by {plain:.1e} at most")
    is_good = plain < 1e-8
    if options.gnubg:
        worst, count = worst_against_gnubg(game)
        print(f"{count:,} positions of makehyper: off by {worst:.1e} at most")
        is_good = is_good and worst < 2e-6
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
