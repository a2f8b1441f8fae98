"""Owned cube: how live a cube is for the side that owns it, fitted to cubeful rollouts.

    python -m bot.backgammon.lab.owned_cube FILE...

The files are those of `bot.backgammon.lab.cube_rollouts`. What Blot says, by chances two plies
deep, of rolling with one's own cube and of a double that is taken changes in proportion to the
numbers of an owner (see `Efficiencies`), so those that agree best with the rollouts follow by least
squares. Told are these, with standard errors, and, for one efficiency a class of position, for what
Blot plays with and for what was fitted, what doubles and answers lose by the rollouts, the mean of
the differences from one efficiency with its standard error, and the bias and root mean square of
the errors: in thousandths of a point at the cube as gnubg counts them.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bot.backgammon.evaluation.bearoff import load_databases
from bot.backgammon.evaluation.cube import EFFICIENCIES, Values
from bot.backgammon.kernels.bearoff import BearoffDatabases
from bot.backgammon.lab.cube_rollouts import (
    HEAD,
    Answer,
    found_of,
    read_answers,
    values_with,
)
from bot.backgammon.rules.match import CubeOwner
from bot.estimate import estimate
from bot.lab.command_line import told_in_a_sentence

NUMBERS = ("owner", "contact_way", "race_way", "price")
"""The numbers of an owner, as `Efficiencies` names them."""

UNIFORM = EFFICIENCIES._replace(**dict.fromkeys(NUMBERS, 0.0))
"""One efficiency for each class of position, whoever owns the cube."""

STEP = 0.01
"""By how much a number is changed to see what changes with it."""


def answers_in(path: Path) -> list[Answer]:
    """All decisions of a file of cube rollouts; raises ValueError if it is none.

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


def owned_values(answers: list[Answer], equities: Values) -> Values:
    """Of equities of rolling and of a double that is taken, [n, 2], those with a cube owned; [m].

    A double that is taken is: by who takes it.
    """
    own = [answer["owner"] == CubeOwner.ON_ROLL.name for answer in answers]
    return np.concatenate([equities[own, 0], equities[:, 1]])


def fitted(answers: list[Answer], databases: BearoffDatabases) -> tuple[Values, Values]:
    """The numbers of an owner that agree best with the rollouts, and their standard errors; [4].

    Raises ValueError if the decisions do not tell them all.
    """
    now = owned_values(answers, values_with(answers, EFFICIENCIES, databases))
    lacks = owned_values(answers, found_of(answers).rolled_out) - now
    start = np.array([getattr(EFFICIENCIES, name) for name in NUMBERS])
    changes = []
    for name, number in zip(NUMBERS, start, strict=True):
        moved = EFFICIENCIES._replace(**{name: float(number) + STEP})
        changes.append(owned_values(answers, values_with(answers, moved, databases)) - now)
    slopes = np.stack(changes, axis=1) / STEP
    squares = slopes.T @ slopes
    if np.linalg.matrix_rank(squares) < len(NUMBERS):
        raise ValueError("the files have too few decisions to tell all numbers of an owner")
    steps = np.linalg.solve(squares, slopes.T @ lacks)
    left = lacks - slopes @ steps
    variance = left @ left / max(len(left) - len(NUMBERS), 1)
    return start + steps, np.sqrt(variance * np.diag(np.linalg.inv(squares)))


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


def table_lines(answers: list[Answer], databases: BearoffDatabases) -> Iterator[str]:
    """The numbers that were fitted, and what decisions lose with them and with others."""
    numbers, errors = fitted(answers, databases)
    yield f"{len(answers)} decisions"
    for name, number, error in zip(NUMBERS, numbers, errors, strict=True):
        yield f"{name:12} {number:6.3f} ± {error:.3f}, {getattr(EFFICIENCIES, name):.2f} in use"
    yield f"{'':20} {'doubling':>22} {'taking':>22} {'bias':>6} {'error':>6}"
    rolled_out = found_of(answers).rolled_out
    uniform = losses(values_with(answers, UNIFORM, databases), rolled_out)
    rows = {
        "one efficiency": UNIFORM,
        "in use": EFFICIENCIES,
        "fitted": UNIFORM._replace(**dict(zip(NUMBERS, map(float, numbers), strict=True))),
    }
    for name, efficiencies in rows.items():
        said = values_with(answers, efficiencies, databases)
        lost = losses(said, rolled_out)
        cells = [_cell(*columns) for columns in zip(lost.T, (lost - uniform).T, strict=True)]
        wrong = owned_values(answers, said - rolled_out)
        yield (
            f"{name:20} {cells[0]:>22} {cells[1]:>22} {1000 * wrong.mean():+6.1f} "
            f"{1000 * (wrong**2).mean() ** 0.5:6.1f}"
        )


def _cell(lost: Values, more: Values) -> str:
    """A mean loss, and by how much it is more than another."""
    told = estimate((1000 * more).tolist())
    assert told is not None
    return f"{1000 * lost.mean():.2f}, {told.mean:+.2f} ± {told.error or 0:.2f}"


@told_in_a_sentence()
def main() -> None:
    """Read the files, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    options = parser.parse_args()
    answers = [answer for path in options.files for answer in answers_in(path)]
    if not answers:
        raise ValueError("the files have no decision")
    print(*table_lines(answers, load_databases(print)), sep="\n")


if __name__ == "__main__":
    main()
