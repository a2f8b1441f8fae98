"""Measure how often the sequential test errs, on bootstrapped pair sums of a recorded run.

The pair sums of the run are drawn with replacement, moved so that their mean is exactly the low
bound, then the high one, and 10,000 tests are played on each. Told are both rates of error, the
length of the tests, how far off the mean is at their end, and all that without a least number of
pairs. The median-unbiased mean is worked out for some of the tests.

    blot match td-256 td-128 --games 20000 --record run.db
    python -m tests.bench.check_sprt run.db --bounds 0 0.1
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.arena.run_file import RunFile
from bot.backgammon.arena.tally import Tally
from bot.estimate import LEAST_SAMPLES, LIMIT, Bounds, SequentialTest, estimate
from bot.estimate import _median_unbiased as median_unbiased
from bot.lab.command_line import existing_file, seed_number, told_in_a_sentence, whole_number

AT_ONCE = 250
STRETCH = 256


def pair_sums(path: Path) -> NDArray[np.float64]:
    """The samples of the first duel of a run, less what is even."""
    file = RunFile(path)
    length = file.settings()["length"]
    tally = Tally(length)
    for piece in file.pieces():
        for pair in file.played(piece).pairs if piece.duel == 0 else ():
            tally.add_pair(pair)
    return np.array(tally.samples) - (0.0 if length is None else 0.5)


def ends(
    sums: NDArray[np.float64], bounds: Bounds, tests: int, least: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Pairs, log likelihood ratio, and mean in deviations at the end of so many tests."""
    generator = np.random.default_rng(seed)
    found: list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]] = []
    for _ in range(tests // AT_ONCE):
        totals, squares = np.zeros(AT_ONCE), np.zeros(AT_ONCE)
        counts = np.zeros(AT_ONCE, np.int64)
        ratios, means = np.zeros(AT_ONCE), np.zeros(AT_ONCE)
        running, done = np.arange(AT_ONCE), 0
        while len(running):
            drawn = sums[generator.integers(0, len(sums), (len(running), STRETCH))]
            n = done + np.arange(1, STRETCH + 1)
            total = totals[running, np.newaxis] + np.cumsum(drawn, axis=1)
            square = squares[running, np.newaxis] + np.cumsum(drawn**2, axis=1)
            mean = total / n
            deviation = np.sqrt(np.maximum(square / n - mean**2, 0))
            t = np.divide(mean, deviation, out=np.zeros_like(mean), where=deviation > 0)
            ratio = n / 2 * np.log((1 + (t - bounds.low) ** 2) / (1 + (t - bounds.high) ** 2))
            ratio[deviation == 0] = 0
            is_end = (np.abs(ratio) >= LIMIT) & (n >= least)
            ended, at = is_end.any(axis=1), is_end.argmax(axis=1)
            rows = np.flatnonzero(ended)
            counts[running[rows]] = n[at[rows]]
            ratios[running[rows]] = ratio[rows, at[rows]]
            means[running[rows]] = t[rows, at[rows]]
            totals[running], squares[running] = total[:, -1], square[:, -1]
            running, done = running[~ended], done + STRETCH
        found.append((counts, ratios, means))
    counts, ratios, means = (np.concatenate(each) for each in zip(*found, strict=True))
    return counts, ratios, means


def report(sums: NDArray[np.float64], given: argparse.Namespace) -> dict[str, float]:
    """Print both rates of error, and give them by the bound and the least number of pairs."""
    bounds = Bounds(*given.bounds)
    deviation = float(sums.std())
    rates = {}
    for least in (LEAST_SAMPLES, 2):
        for name, true in (("low", bounds.low), ("high", bounds.high)):
            moved = sums - sums.mean() + true * deviation
            counts, ratios, means = ends(moved, bounds, given.tests, least, given.seed)
            wrong = ratios > 0 if name == "low" else ratios < 0
            rate = float(wrong.mean())
            error = float(np.sqrt(rate * (1 - rate) / len(wrong)))
            rates[f"{name} {least}"] = rate
            print(
                f"t = {true:g} ({name} bound), at least {least} pairs: {100 * rate:.2f} ± "
                f"{100 * error:.2f} % end wrong, {np.mean(counts):.0f} pairs in the mean, "
                f"{np.median(counts):.0f} in the median; mean at the end {means.mean():+.4f}, "
                f"median {np.median(means):+.4f}"
            )
            if least > 2:
                some = range(min(given.unbiased, len(counts)))
                better = [median_unbiased(bounds, int(counts[i]), float(means[i])) for i in some]
                print(
                    f"  median-unbiased of {len(better)}: median {np.median(better):+.4f}, above "
                    f"the truth {100 * np.mean(np.array(better) > true):.0f} %, mean "
                    f"{estimate(better)}"
                )
    return rates


def check_against_program(sums: NDArray[np.float64], bounds: Bounds) -> None:
    """The tests here end as the program's do; raises AssertionError."""
    one = SequentialTest(bounds)
    generator = np.random.default_rng(7)
    drawn = sums[generator.integers(0, len(sums), (AT_ONCE, STRETCH))]
    for sample in np.tile(drawn[0], 1000):
        if one.is_over:
            break
        one.add(float(sample))
    if one.count <= STRETCH:
        counts, ratios, _ = ends(sums, bounds, AT_ONCE, LEAST_SAMPLES, 7)
        assert counts[0] == one.count
        assert abs(ratios[0] - one.llr) < 1e-6


@told_in_a_sentence()
def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=existing_file)
    parser.add_argument("--bounds", type=float, nargs=2, default=(0.0, 0.1))
    parser.add_argument("--tests", type=whole_number(AT_ONCE), default=10_000)
    parser.add_argument("--unbiased", type=whole_number(1), default=400)
    parser.add_argument("--seed", type=seed_number, default=1)
    given = parser.parse_args()
    bounds = Bounds(*given.bounds)
    sums = pair_sums(given.run)
    if len(sums) < 2:
        raise ValueError(f"{given.run} has {len(sums)} pairs of games: some must be drawn from")
    if np.ptp(sums) == 0:
        raise ValueError(f"the pairs of {given.run} all came out alike: a test of them has no end")
    print(f"{len(sums)} pair sums, mean {sums.mean():+.4f}, deviation {sums.std():.4f}")
    check_against_program(sums, bounds)
    report(sums, given)


if __name__ == "__main__":
    main()
