"""Cube at the score: what an owner behind lacks of his cube, fitted to cubeful rollouts.

    python -m bot.backgammon.lab.cube_at_score FILE...

The files are those of `bot.backgammon.lab.cube_rollouts`. Of their decisions in matches, with
contact, it tells what doubling and taking lose by the rollouts, by chances two plies deep, with one
efficiency for all, and how much less with numbers of a grid for what an owner lacks (see
`owned_efficiency`): the mean of the differences, with its standard error, in thousandths of a point
at the cube as gnubg counts them; and the bias of a double that is taken.
"""

import argparse
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bot.backgammon.engine.rollout_trials import RolloutPlayer, seat_of
from bot.backgammon.evaluation.cube import EFFICIENCIES, Values
from bot.backgammon.kernels.boards import has_contact
from bot.backgammon.kernels.efficiency import Efficiencies
from bot.backgammon.lab.cube_rollouts import Answer, found_of, score_of, values_with
from bot.estimate import estimate
from bot.weights import DEFAULT

AHEAD = (0.28, 0.32, 0.36, 0.40, 0.44)
BEHIND = (0.2, 0.4, 0.6)
GAMMONS = (0.0, 0.1, 0.2, 0.3)

UNIFORM = EFFICIENCIES._replace(ahead=0.0, behind=0.0, gammons=0.0)
"""One efficiency for all owners."""


def match_answers(paths: list[Path]) -> list[Answer]:
    """The decisions in matches, with contact, of files of cube rollouts.

    Raises ValueError if a file is none, or they have no such decision.
    """
    found = []
    for path in paths:
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
        first, *lines = path.read_text().splitlines() or [""]
        if not first.startswith('{"cube rollouts"'):
            raise ValueError(f"{path} is no file of cube rollouts")
        found += [json.loads(line) for line in lines]
    chosen = [each for each in found if score_of(each["number"]) is not None]
    chosen = [each for each in chosen if has_contact(np.array(each["board"], np.int8))]
    if not chosen:
        raise ValueError("the files have no decision in a match, with contact")
    return chosen


def losses(said: Values, found: Values) -> Values:
    """Equity lost by doubles and by answers that follow evaluations, by rollouts; float64[n, 2].

    said, found: equities of rolling and of a double that is taken, as evaluated and as rolled out,
    float64[n, 2], at the cube.
    """
    margins = np.minimum(found[:, 1], 1) - found[:, 0]
    doubles = np.minimum(said[:, 1], 1) >= said[:, 0]
    wrong_double = np.where(doubles, np.maximum(-margins, 0), np.maximum(margins, 0))
    wrong_answer = (said[:, 1] > 1) != (found[:, 1] > 1)
    return np.stack([wrong_double, wrong_answer * np.abs(found[:, 1] - 1)], axis=1)


def grid() -> Iterator[Efficiencies]:
    """The efficiencies that are tried."""
    for ahead, behind, gammons in product(AHEAD, BEHIND, GAMMONS):
        yield UNIFORM._replace(ahead=ahead, behind=behind, gammons=gammons)


def table_lines(answers: list[Answer], databases: Any) -> Iterator[str]:
    """Losses with one efficiency, and for each of the grid what it saves; the best come first."""
    found = found_of(answers).rolled_out
    uniform = losses(values_with(answers, UNIFORM, databases), found)
    double, take = 1000 * uniform.mean(axis=0)
    yield f"{len(answers)} decisions; one efficiency loses {double:.2f} doubling, {take:.2f} taking"
    yield f"{'ahead behind gammons':22} {'saved, doubling':>15} {'taking':>14}  bias, taken"
    rows = []
    for each in grid():
        said = values_with(answers, each, databases)
        saved = 1000 * (uniform - losses(said, found))
        bias = 1000 * float((said - found)[:, 1].mean())
        numbers = f"{each.ahead:5.2f} {each.behind:6.2f} {each.gammons:7.2f}"
        cells = " ".join(f"{_text(column):>14}" for column in saved.T)
        rows.append((float(saved.sum()), f"{numbers:22} {cells} {bias:+10.0f}"))
    yield from (line for _, line in sorted(rows, reverse=True))


def _text(values: Values) -> str:
    told = estimate(values.tolist())
    assert told is not None
    return f"{told.mean:+.2f} ± {told.error or 0:.2f}"


def main() -> None:
    """Read the files and print what the grid saves."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--weights", default=DEFAULT, help="whose databases are used")
    options = parser.parse_args()
    try:
        answers = match_answers(options.files)
        databases = seat_of(RolloutPlayer(options.weights)).evaluator.databases
    except (OSError, ValueError) as error:
        raise SystemExit(str(error)) from None
    print(*table_lines(answers, databases), sep="\n")


if __name__ == "__main__":
    main()
