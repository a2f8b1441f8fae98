"""Cube at the score: how much less a cube is worth to an owner behind, fitted to rollouts.

    python -m bot.backgammon.lab.cube_at_score FILE...

The files are those of `bot.backgammon.lab.cube_rollouts`. Of their decisions in matches, with
contact, it tells what doubling and taking lose by the rollouts, by chances two plies deep, with one
efficiency for all, and how much less with what Blot plays with and with numbers of a grid for what
an owner lacks (see `Efficiencies`): the mean of the differences, with its standard error, in
thousandths of a point at the cube as gnubg counts them; and the bias of a double that is taken.
"""

import argparse
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.evaluation.cube import EFFICIENCIES, Values
from bot.backgammon.kernels.boards import has_contact
from bot.backgammon.kernels.efficiency import Efficiencies
from bot.backgammon.lab.cube_rollouts import (
    HEAD,
    Answer,
    found_of,
    read_answers,
    score_of,
    values_with,
)
from bot.estimate import estimate
from bot.lab.command_line import told_in_a_sentence

LEAST_CHANCES = (0.28, 0.32, 0.36, 0.40, 0.44)
PER_CHANCE = (0.2, 0.4, 0.6)
PER_PRICE = (0.0, 0.1, 0.2, 0.3)

UNIFORM = EFFICIENCIES._replace(least_chance=0.0, per_chance=0.0, per_price=0.0)
"""One efficiency for all owners."""


def match_answers(paths: list[Path]) -> list[Answer]:
    """The decisions in matches, with contact, of files of cube rollouts.

    Raises ValueError if there is no such file, if one is no file of cube rollouts or damaged, and
    if they have no such decision.
    """
    found = [answer for path in paths for answer in answers_in(path)]
    chosen = [each for each in found if score_of(each["number"]) is not None]
    chosen = [each for each in chosen if has_contact(np.array(each["board"], np.int8))]
    if not chosen:
        raise ValueError("the files have no decision in a match, with contact")
    return chosen


def answers_in(path: Path) -> list[Answer]:
    """All decisions of a file of cube rollouts; raises ValueError.

    A last line that was cut short, as in a file that is still written, is left out.
    """
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name files of cube rollouts")
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    first, *lines = path.read_text(errors="replace").split("\n")[:-1] or [""]
    if not first.startswith(HEAD):
        raise ValueError(f"{path} is no file of cube rollouts")
    return read_answers(path, lines)


def losses(said: Values, rolled_out: Values) -> Values:
    """Equity lost by doubles and by answers that follow evaluations, by rollouts; float64[n, 2].

    said, rolled_out: equities of rolling and of a double that is taken, float64[n, 2], at the cube.
    """
    chosen, right = margins(said), margins(rolled_out)
    lost: Values = ((chosen >= 0) != (right >= 0)) * np.abs(right)
    return lost


def margins(equities: Values) -> Values:
    """By how much doubling is better than rolling, and taking than dropping; float64[n, 2].

    equities: of rolling and of a double that is taken, float64[n, 2], at the cube.
    """
    rolling, taken = equities.T
    return np.stack([np.minimum(taken, 1) - rolling, 1 - taken], axis=1)


def grid() -> Iterator[Efficiencies]:
    """The efficiencies that are tried."""
    for least_chance, per_chance, per_price in product(LEAST_CHANCES, PER_CHANCE, PER_PRICE):
        yield UNIFORM._replace(
            least_chance=least_chance, per_chance=per_chance, per_price=per_price
        )


def table_lines(answers: list[Answer]) -> Iterator[str]:
    """Losses with one efficiency, and what is saved: as Blot plays, then the grid, the best first.

    The bear-off databases are not asked: they know nothing of matches.
    """
    rolled_out = found_of(answers).rolled_out
    uniform = losses(values_with(answers, UNIFORM, NO_DATABASES), rolled_out)
    double, take = 1000 * uniform.mean(axis=0)
    yield f"{len(answers)} decisions; one efficiency loses {double:.2f} doubling, {take:.2f} taking"
    title = "least chance, per chance, per price"
    yield f"{title} {'saved, doubling':>16} {'taking':>14}  bias, taken"
    rows = []
    for each in (EFFICIENCIES, *grid()):
        said = values_with(answers, each, NO_DATABASES)
        saved = 1000 * (uniform - losses(said, rolled_out))
        bias = 1000 * float((said - rolled_out)[:, 1].mean())
        numbers = f"{each.least_chance:12.2f} {each.per_chance:11.2f} {each.per_price:10.2f}"
        cells = " ".join(f"{_text(column):>14}" for column in saved.T)
        rows.append((float(saved.sum()), f"{numbers}   {cells} {bias:+12.0f}"))
    now, *others = (line for _, line in (rows[0], *sorted(rows[1:], reverse=True)))
    yield f"{now}  as Blot plays"
    yield from others


def _text(values: Values) -> str:
    told = estimate(values.tolist())
    assert told is not None
    return f"{told.mean:+.2f} ± {told.error or 0:.2f}"


@told_in_a_sentence()
def main() -> None:
    """Read the files and print what the grid saves."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    options = parser.parse_args()
    print(*table_lines(match_answers(options.files)), sep="\n")


if __name__ == "__main__":
    main()
