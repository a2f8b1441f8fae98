"""What a second worker costs in learning: networks of as many games, one worker against more.

    python -m tests.bench.compare_workers --games 60000 --hidden 80 --seeds 1 2 3 4

Every seed trains a network with each number of workers; all are tested with the same dice.
Two seeds of one number differ by more than the standard error of a test, so it takes several.
"""

import argparse
import statistics
import sys
import time
from contextlib import closing
from pathlib import Path

from bot.backgammon.evaluation.network import Network
from bot.backgammon.training.measurement import Measurement, measured
from bot.backgammon.training.settings import Settings
from bot.backgammon.training.temporal_difference import TemporalDifference


def trained(settings: Settings) -> tuple[Network, float, float]:
    """The network, its plies per game, and the seconds it took."""
    with closing(TemporalDifference(settings)) as learner:
        learner.advance(0)
        started = time.perf_counter()
        while learner.tally.games < settings.games:
            learner.advance(min(learner.round_games, settings.games - learner.tally.games))
        seconds = time.perf_counter() - started
        return learner.network, learner.tally.plies / learner.tally.games, seconds


def main() -> None:
    """Train in turn and test with the same dice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--hidden", type=int, default=80)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--test-games", type=int, default=10_000)
    parser.add_argument("--out", type=Path, help="folder for the networks")
    options = parser.parse_args()
    tests: dict[int, list[Measurement]] = {workers: [] for workers in options.workers}
    for seed in options.seeds:
        for workers in options.workers:
            settings = Settings(
                games=options.games,
                hidden_units=options.hidden,
                trace=0.3,
                rates=(0.03, 0.01, 0.003, 0.001),
                seed=seed,
                workers=workers,
            )
            network, plies, seconds = trained(settings)
            if options.out is not None:
                options.out.mkdir(parents=True, exist_ok=True)
                network.save(options.out / f"seed{seed}-workers{workers}.npz")
            test = measured(
                network,
                games=options.games,
                seconds=seconds,
                plies_per_game=plies,
                test_games=options.test_games,
                seed=99,
                on_games=lambda tested: None,
            )
            tests[workers].append(test)
            print(
                f"seed {seed}, {workers} workers: {seconds:.0f} s, {test.pubeval_won:.1%} won,"
                f" {test.pubeval_points:+.3f} points per game against pubeval",
                flush=True,
            )
    for workers, all_tests in tests.items():
        points = [test.pubeval_points for test in all_tests]
        error = statistics.stdev(points) / len(points) ** 0.5 if len(points) > 1 else float("nan")
        won = statistics.mean(test.pubeval_won for test in all_tests)
        print(
            f"{workers} workers: {won:.1%} won, {statistics.mean(points):+.3f} ± {error:.3f}"
            f" points per game, mean of {len(points)} seeds"
        )
    sys.exit(0 if all(test.broken_off == 0 for row in tests.values() for test in row) else 1)


if __name__ == "__main__":
    main()
