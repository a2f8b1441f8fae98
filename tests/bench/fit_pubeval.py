"""Recover pubeval's published weights from gnubg-nn's copy, and write weights/pubeval.txt.

pub_eval_score is linear in pubeval's 122 inputs, and the published weights have five decimals: a
least-squares fit to random boards, rounded, gives them back. The rounded weights have to repeat
every score to single precision, on boards they were not fitted to, before anything is written.

    python -m tests.bench.fit_pubeval
"""

import argparse
from pathlib import Path

import gnubg_nn
import numpy as np
from numpy.typing import NDArray

from bot.lab.command_line import told_in_a_sentence

INPUTS = 122
BOARDS = 20_000
TOLERANCE = 2e-5
"""Scores are sums of about thirty numbers below ten in single precision."""

HEADER = """\
# Pubeval, the public linear evaluator (G. Tesauro, posted to rec.games.backgammon, 1993).
# Recovered by tests/bench/fit_pubeval.py from pub_eval_score of gnubg-nn 1.1.0a11 and rounded to
# the five decimals published. The race weights 1-4, 115 and 120 act in no race and are set to 0.
# Columns: input, weight with contact, weight in a race. Input 5 * (24 - point) + k for each point:
# k = 0 a blot of the other side, 1 one own checker, 2 two or more, 3 exactly three,
# 4 (n - 3) / 2 above three; 120 the other side's bar / 2; 121 own checkers off / 15.
"""

Side = list[int]


def inputs_of(own: Side, other: Side) -> NDArray[np.float64]:
    """Pubeval's inputs; 25 counts a side, each from its own ace point to its bar."""
    inputs = np.zeros(INPUTS)
    for point in range(1, 25):
        first = 5 * (24 - point)
        count = own[point - 1]
        inputs[first] = count == 0 and other[24 - point] == 1
        inputs[first + 1] = count == 1
        inputs[first + 2] = count >= 2
        inputs[first + 3] = count == 3
        inputs[first + 4] = max(count - 3, 0) / 2
    inputs[120] = other[24] / 2
    inputs[121] = (15 - sum(own)) / 15
    return inputs


def scattered(points: list[int], rng: np.random.Generator) -> Side:
    """One to fifteen checkers on some of the points, often piled up."""
    chosen = rng.choice(points, int(rng.integers(1, len(points) + 1)), replace=False)
    side = [0] * 25
    for point in rng.choice(chosen, int(rng.integers(1, 16))):
        side[point - 1] += 1
    return side


def contact_board(rng: np.random.Generator) -> tuple[Side, Side]:
    """Both sides anywhere, also on the bar, with contact."""
    while True:
        points = [int(point) for point in rng.permutation(np.arange(1, 25))]
        split = int(rng.integers(1, 24))
        own_points = points[:split] + [25] * (rng.random() < 0.3)
        other_points = [25 - point for point in points[split:]] + [25] * (rng.random() < 0.3)
        own, other = scattered(own_points, rng), scattered(other_points, rng)
        rearmost = max(point for point in range(1, 26) if own[point - 1])
        other_rearmost = max(point for point in range(1, 26) if other[point - 1])
        if rearmost + other_rearmost > 25:
            return own, other


def race_board(rng: np.random.Generator) -> tuple[Side, Side]:
    """The sides past each other."""
    split = int(rng.integers(1, 24))
    own = scattered(list(range(1, split + 1)), rng)
    return own, scattered(list(range(1, 25 - split)), rng)


def fitted(boards: list[tuple[Side, Side]]) -> NDArray[np.float64]:
    """The weights to five decimals, float64[122]; raises SystemExit if they do not fit."""
    inputs = np.array([inputs_of(own, other) for own, other in boards])
    scores = np.array([gnubg_nn.pub_eval_score([own, other]) for own, other in boards])
    half = len(boards) // 2
    acting = inputs[:half].any(axis=0)
    weights = np.zeros(INPUTS)
    solution, _, rank, _ = np.linalg.lstsq(inputs[:half][:, acting], scores[:half], rcond=None)
    weights[acting] = np.round(solution, 5) + 0.0  # no -0
    rounded_by = np.abs(solution - weights[acting]).max()
    error = np.abs(inputs @ weights - scores).max()
    print(f"inputs that act: {acting.sum()} (never: {np.flatnonzero(~acting).tolist()}),")
    print(f"  rank {rank}, rounded by at most {rounded_by:.1e}, scores repeated within {error:.1e}")
    if rank != acting.sum() or rounded_by > 1e-6 or error > TOLERANCE:
        raise SystemExit("the rounded weights do not repeat the scores")
    return weights


@told_in_a_sentence()
def main() -> None:
    """Fit, verify and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(__file__).parents[2] / "weights" / "pubeval.txt"
    parser.add_argument("--output", type=Path, default=default)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    contact = fitted([contact_board(rng) for _ in range(BOARDS)])
    race = fitted([race_board(rng) for _ in range(BOARDS)])
    rows = [f"{i} {contact[i]:.5f} {race[i]:.5f}\n" for i in range(INPUTS)]
    arguments.output.write_text(HEADER + "".join(rows), encoding="ascii")
    print(f"wrote {arguments.output}")


if __name__ == "__main__":
    main()
