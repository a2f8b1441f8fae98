"""How far others are from the benchmark's rolled-out equities, by kind of game.

    python -m tests.bench.judge_kinds --file weights/kinds.npz

gnubg_nn and bgsage rate every position rolled out, 2 plies deep as gnubg counts; neither has had
any part in making it. Each position handed over must come back from gnubg_nn as it was, and bgsage
must find the plays of a roll there that we find. A bias is theirs less the rollouts'; where both
have the same one, the rollouts are what is off. Nothing that they say is kept.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import bgsage
import numpy as np
from rich.console import Console

from bot.backgammon.arena.benchmark import Benchmark, errors_by_kind
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.arena.gnubg_nn import gnubg_nn_equities
from protocol.backgammon.reports.kinds import kinds_tables
from tests.plain.judges import bgsage_board, bgsage_boards_after

CHECKED_ROLL = Roll(4, 1)
BGSAGE_LEVELS = ("1ply", "2ply", "3ply")
"""Its names of our 0, 1 and 2 plies."""


def bgsage_equities(boards: Boards, plies: int) -> np.ndarray:
    """Its cubeless equities of the players on roll; raises ValueError if it reads a board wrong."""
    positions = []
    for points in map(tuple, boards.tolist()):
        found = {play.after.points for play in legal_plays(Position(points), CHECKED_ROLL)}
        if found != bgsage_boards_after(points, CHECKED_ROLL.high, CHECKED_ROLL.low):
            raise ValueError(f"bgsage finds other plays of {CHECKED_ROLL} on {points}")
        board = bgsage_board(points)
        positions.append({"board": board, "cube_value": 1, "cube_owner": "centered"})
    evaluated = bgsage.batch_evaluate(positions, BGSAGE_LEVELS[plies], n_threads=1)
    return np.array([each.cubeless_equity for each in evaluated])


JUDGES: dict[str, Callable[[Boards, int], np.ndarray]] = {
    "gnubg_nn": gnubg_nn_equities,
    "bgsage": bgsage_equities,
}


def main() -> None:
    """Ask the judges, and print a table for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--file", type=Path, help="if not given, the one that comes with Blot")
    parser.add_argument("--ply", type=int, default=2, choices=(0, 1, 2))
    parser.add_argument("--judge", nargs="+", choices=JUDGES, default=[*JUDGES])
    options = parser.parse_args()
    benchmark = Benchmark.load(options.file).rolled_out
    console = Console(highlight=False, width=110)
    for name in options.judge:
        equities = JUDGES[name](benchmark.boards, options.ply)
        evaluated = {f"{name} {options.ply}-ply": errors_by_kind(benchmark, equities)}
        for part in kinds_tables(evaluated):
            console.print(part, crop=False)


if __name__ == "__main__":
    main()
