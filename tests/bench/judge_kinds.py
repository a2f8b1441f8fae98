"""How far others are from the benchmark's rolled-out equities, by kind of game.

    python -m tests.bench.judge_kinds --file weights/kinds.npz
    python -m tests.bench.judge_kinds --trials 36 --positions 40 --kind "back game"

gnubg_nn and bgsage rate every position rolled out, 2 plies deep as gnubg counts; neither has had
any part in making it. Each position handed over must come back from gnubg_nn as it was, and bgsage
must find the plays of a roll there that we find. A bias is theirs less the rollouts'; where both
have the same one, the rollouts are what is off. With --trials bgsage rolls positions of a kind out
itself, to the end, playing 1 ply deep as we count: what its rollouts say more than ours, and the
bias of the default network, 0 plies deep, by either. Nothing that they say is kept.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bgsage
import numpy as np
from rich.console import Console

from bot.backgammon.arena.benchmark import Benchmark, Values, errors_by_kind
from bot.backgammon.evaluation.evaluator import load_evaluator
from bot.backgammon.evaluation.kinds import KINDS, Kind, kinds_of
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import Position, turned_boards
from bot.backgammon.rules.roll import Roll
from bot.lab.command_line import existing_file, told_in_a_sentence, whole_number
from protocol.backgammon.arena.gnubg_nn import gnubg_nn_equities
from protocol.backgammon.reports.kinds import ErrorsByName, kinds_tables
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


@dataclass(frozen=True, slots=True)
class Published:
    """Rollouts that are not Blot's own, see RolledOut; an error that is not told is NaN."""

    boards: Boards
    equities: Values
    equity_errors: Values


def rollouts_of_bgsage(boards: Boards, trials: int) -> np.ndarray:
    """Cubeless equities of the players on roll by rollouts of bgsage, which is handed each position
    as the other side has left it.
    """
    analyzer = bgsage.create_analyzer(
        "rollout",
        cubeful=False,
        n_trials=trials,
        truncation_depth=0,
        decision_ply=2,
        parallel_threads=1,
        cubeful_trial_moves=False,
    )
    left = map(bgsage_board, map(tuple, turned_boards(boards).tolist()))
    found = [analyzer.post_move_analytics(board, jacoby=False) for board in left]
    return np.array([-each.cubeless_equity for each in found])


def first_of_each_row(boards: Boards, kinds: Sequence[Kind], count: int) -> np.ndarray:
    """Places of the first so many positions of either side of these kinds."""
    numbers, is_first = kinds_of(boards)
    wanted = [KINDS.index(kind) for kind in kinds]
    rows = [(numbers == number) & (is_first == side) for number in wanted for side in (True, False)]
    return np.concatenate([np.flatnonzero(row)[:count] for row in rows])


def errors_by_both(benchmark: Benchmark, places: np.ndarray, trials: int) -> ErrorsByName:
    """What bgsage's rollouts say more than ours, and the default 0-ply's errors by either."""
    boards = benchmark.boards[places]
    ours = Published(boards, benchmark.equities[places], benchmark.equity_errors[places])
    theirs = Published(boards, rollouts_of_bgsage(boards, trials), np.full(len(boards), np.nan))
    evaluated = cubeless_equities(load_evaluator().outcomes(boards))
    return {
        "bgsage's rollouts, by ours": errors_by_kind(ours, theirs.equities),
        "default 0-ply, by ours": errors_by_kind(ours, evaluated),
        "default 0-ply, by bgsage's rollouts": errors_by_kind(theirs, evaluated),
    }


@told_in_a_sentence()
def main() -> None:
    """Ask the judges, and print a table for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument(
        "--file", type=existing_file, help="if not given, the one that comes with Blot"
    )
    parser.add_argument("--ply", type=int, default=2, choices=(0, 1, 2))
    parser.add_argument("--judge", nargs="+", choices=JUDGES, default=[*JUDGES])
    parser.add_argument(
        "--trials", type=whole_number(1), help="of bgsage's rollouts, instead of evaluations"
    )
    parser.add_argument(
        "--positions", type=whole_number(1), default=40, help="rolled out of each side"
    )
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    for name in ("ply", "judge") if options.trials else ("positions", "kind"):
        if getattr(options, name) != parser.get_default(name):
            parser.error(
                f"--{name} does not count {'with' if options.trials else 'without'} --trials"
            )
    benchmark = Benchmark.load(options.file).rolled_out
    console = Console(highlight=False, width=110)
    if options.trials:
        places = first_of_each_row(benchmark.boards, options.kind, options.positions)
        for part in kinds_tables(errors_by_both(benchmark, places, options.trials)):
            console.print(part, crop=False)
        return
    for name in options.judge:
        equities = JUDGES[name](benchmark.boards, options.ply)
        evaluated = {f"{name} {options.ply}-ply": errors_by_kind(benchmark, equities)}
        for part in kinds_tables(evaluated):
            console.print(part, crop=False)


if __name__ == "__main__":
    main()
