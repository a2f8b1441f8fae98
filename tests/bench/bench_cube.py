"""Time of static cube decisions beside that of the evaluation they come after.

    python -m tests.bench.bench_cube [--weights NAME] [--decisions N]

A decision is all there is to do once the chances are known: the stakes of the score, values in
every cube state, the evaluation and both sides' actions. Also what values cost in a kernel's loop,
beside the network's there. Each is the best of several rounds in turn. What is timed is checked
first: the decision against the values of a batch, which the suite holds against a plain twin.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

from bot.backgammon.engine.level import Level
from bot.backgammon.evaluation.cube import (
    action,
    answer,
    cube_evaluation,
    cube_table,
    rolled_values,
    static_values,
)
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START
from bot.lab.command_line import told_in_a_sentence, whole_number
from bot.weights import DEFAULT

ROUNDS = 7
BATCH = 5000
STATES = {
    "money, centred": GameState(START, money=MoneyRules(jacoby=False)),
    "money, Jacoby": GameState(START),
    "7 points, 2-3": GameState(START, score=Score(7, 2, 3)),
    "64 points, 0-0": GameState(START, score=Score(64, 0, 0)),
    "7 points, owned at 2": GameState(START, Cube(2, CubeOwner.ON_ROLL), Score(7, 2, 3)),
}


def best_times(tasks: list[Callable[[], object]], repeats: int) -> list[float]:
    """Seconds of one call of each task, the least of the rounds."""
    best = [np.inf] * len(tasks)
    for _ in range(ROUNDS):
        for i, task in enumerate(tasks):
            start = time.perf_counter()
            for _ in range(repeats):
                task()
            best[i] = min(best[i], (time.perf_counter() - start) / repeats)
    return best


@told_in_a_sentence()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--weights", default=DEFAULT)
    parser.add_argument("--decisions", type=whole_number(1), default=300, help="in each round")
    args = parser.parse_args()
    evaluator = Level(args.weights).evaluator(print)
    met = blot_table()
    board = START.board[np.newaxis]
    boards = np.repeat(board, BATCH, axis=0)
    chances = evaluator.outcomes(board)
    many = np.repeat(chances, BATCH, axis=0)
    print(f"{'':22} evaluation  decision  ratio   in a loop: evaluation  values  ratio  (us)")
    for name, state in STATES.items():

        def decided(state: GameState = state) -> tuple[object, object, object]:
            table = cube_table(state, met, evaluator.databases)
            evaluation = cube_evaluation(rolled_values(board, chances, 0, table)[0], table)
            return evaluation, action(evaluation, table), answer(evaluation)

        table = cube_table(state, met, evaluator.databases)
        assert decided()[0] == cube_evaluation(rolled_values(boards, many, 0, table)[-1], table)

        def evaluate_all(table=table) -> object:
            return static_values(boards, many, 0, table)

        one, decision = best_times([lambda: evaluator.outcomes(board), decided], args.decisions)
        loop, values = best_times([lambda: evaluator.network.outcomes(boards), evaluate_all], 1)
        print(
            f"{name:22} {1e6 * one:10.1f} {1e6 * decision:9.1f} {decision / one:6.2f}"
            f" {1e6 * loop / BATCH:22.3f} {1e6 * values / BATCH:7.3f} {values / loop:6.2f}"
        )


if __name__ == "__main__":
    main()
