"""What it saves that kernels are called with tools that are held: a decision 0 plies deep.

    python -m tests.bench.bench_held [--weights NAME] [--rounds N]

The same plays are evaluated by the same code, called with its arrays and with what holds them, in
turn. Both must find the same.
"""

import argparse
import time
from statistics import median

import numpy as np

from bot.backgammon.engine.nets import nets_of, pruner_of
from bot.backgammon.evaluation.evaluator import load_evaluator
from bot.backgammon.kernels.plays import MAX_PLAYS
from bot.backgammon.kernels.search import (
    evaluate_plays,
    fill_evaluations,
    search_workspace,
)
from bot.backgammon.rules.outcome import OUTPUTS
from bot.backgammon.rules.position import START
from bot.kernels.held import held
from bot.lab.command_line import told_in_a_sentence
from bot.weights import DEFAULT

CALLS = 200


@told_in_a_sentence()
def main() -> None:
    """Check, time in turn and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", default=DEFAULT)
    parser.add_argument("--rounds", type=int, default=50)
    options = parser.parse_args()
    evaluator = load_evaluator(options.weights)
    nets = nets_of(evaluator, pruner_of(evaluator.network))
    workspace = search_workspace(nets)
    tools, board = held((nets, workspace)), START.board
    plain, quick = (np.zeros((MAX_PLAYS, OUTPUTS), np.float32) for _ in range(2))
    ways = {
        "with its arrays": lambda: evaluate_plays(board, 6, 1, nets, workspace, plain),
        "with what holds them": lambda: fill_evaluations(board, 6, 1, tools, quick),
    }
    count = {way() for way in ways.values()}
    assert len(count) == 1, "both ways find the same plays"
    assert np.array_equal(plain, quick), "both ways find the same chances"
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            for _ in range(CALLS):
                way()
            seconds[name].append((time.perf_counter() - start) / CALLS)
    for name, found in seconds.items():
        print(f"called {name}: {1e6 * median(found):.1f} us")
    first, second = (median(found) for found in seconds.values())
    print(f"held takes {second / first:.2f} of the time, {count.pop()} plays of 61")


if __name__ == "__main__":
    main()
