"""Cube fit: efficiencies of the cube, fitted to cubeful rollouts.

    python -m bot.backgammon.lab.cube.fit FILE...

The files are those of `bot.backgammon.lab.cube.rollouts`. What Blot says, by chances two plies
deep, of rolling and of a double that is taken follows from the numbers of `Efficiencies`: told are
those that agree best with the rollouts, by least squares, with their standard errors. Beside them,
for one efficiency a class of position, for what Blot plays with and for what was fitted, what
doubles and answers lose by the rollouts, the mean of the differences from one efficiency with its
standard error, and the bias and root mean square of the errors: in thousandths of a point at the
cube as gnubg counts them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.bearoff import load_databases
from bot.backgammon.evaluation.cube import EFFICIENCIES, Values
from bot.backgammon.kernels.bearoff import BearoffDatabases
from bot.backgammon.kernels.boards import has_contact
from bot.backgammon.kernels.efficiency import Efficiencies
from bot.backgammon.lab.cube.answers import (
    HEAD,
    Answer,
    found_of,
    read_answers,
    score_name,
    values_with,
)
from bot.backgammon.rules.match import CubeOwner
from bot.estimate import ratio_estimate
from bot.lab.command_line import lab_parser, told_in_a_sentence

Cell = TypeVar("Cell", np.float64, np.int64)

NUMBERS = (
    "contact",
    "pips",
    "gammons",
    "owner",
    "owner_pips",
    "owner_gammons",
    "contact_way",
    "price",
    "money",
    "race_owner",
    "race_way",
    "playing_on",
)
"""The numbers that are fitted, as `Efficiencies` names them.

Those of a centred cube in a race come from `bot.backgammon.lab.cube.efficiency`.
"""

UNIFORM = Efficiencies(0.71, EFFICIENCIES.race, EFFICIENCIES.race_jump)
"""One efficiency for each class of position, whoever owns the cube: see `efficiency`."""

STEP = 0.01
"""By how much a number is changed to see what changes with it."""

ENOUGH = 0.001
"""The fit is made again, as values bend a little with the numbers, until none changes by more."""

MAX_ROUNDS = 20


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


def values_told(answers: list[Answer], equities: NDArray[Cell]) -> NDArray[Cell]:
    """Of equities of rolling and of a double that is taken, [n, 2], those that tell numbers; [m].

    Rolling in a race with a centred cube tells none that is fitted.
    """
    tells = [
        answer["owner"] != CubeOwner.CENTRED.name or has_contact(np.array(answer["board"], np.int8))
        for answer in answers
    ]
    return np.concatenate([equities[tells, 0], equities[:, 1]])


def questions_of(answers: list[Answer]) -> NDArray[np.int64]:
    """The number of each decision's question, the same where it is asked again; int64[n]."""
    asked = [
        f"{score_name(each)} {each['board']} {each['cube']} {each['owner']}" for each in answers
    ]
    return np.unique(asked, return_inverse=True)[1]


def fitted(answers: list[Answer], databases: BearoffDatabases) -> tuple[Efficiencies, Values]:
    """The numbers that agree best with the rollouts, and their standard errors, [len(NUMBERS)].

    A question is one sample, however often it was asked: what is said of rolling and of a double
    that is taken is off together, and of some questions by more than of others. The errors are
    those of the jackknife, which leaves out one question after the other. Source: Efron, The
    jackknife, the bootstrap and other resampling plans (1982).
    Raises ValueError if the decisions do not tell all numbers without any one of the questions, or
    the fit does not come to rest.
    """
    rolled_out = values_told(answers, found_of(answers).rolled_out)
    best = EFFICIENCIES
    for _ in range(MAX_ROUNDS):
        now = values_told(answers, values_with(answers, best, databases))
        lacks = rolled_out - now
        slopes = np.empty((len(now), len(NUMBERS)))
        for column, name in enumerate(NUMBERS):
            moved = best._replace(**{name: getattr(best, name) + STEP})
            slopes[:, column] = values_told(answers, values_with(answers, moved, databases)) - now
        slopes /= STEP
        squares = slopes.T @ slopes
        _check_told(squares)
        steps = np.linalg.solve(squares, slopes.T @ lacks)
        best = best._replace(
            **{name: getattr(best, name) + step for name, step in zip(NUMBERS, steps, strict=True)}
        )
        if np.abs(steps).max() < ENOUGH:
            break
    else:
        raise ValueError(f"the numbers of the cube still change after {MAX_ROUNDS} rounds")
    left = lacks - slopes @ steps
    questions = questions_of(answers)
    told = values_told(answers, np.stack([questions, questions], axis=1))
    moves = np.empty((questions.max() + 1, len(NUMBERS)))
    for question in range(len(moves)):
        own = slopes[told == question]
        rest = squares - own.T @ own
        _check_told(rest)
        moves[question] = np.linalg.solve(rest, own.T @ left[told == question])
    return best, np.sqrt((moves**2).sum(axis=0) * (len(moves) - 1) / len(moves))


def _check_told(squares: Values) -> None:
    """Raise ValueError unless the sums of the slopes' products tell all numbers."""
    if np.linalg.matrix_rank(squares) < len(NUMBERS):
        raise ValueError("the files have too few decisions to tell all numbers of the cube")


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
    best, errors = fitted(answers, databases)
    yield f"{len(answers)} decisions"
    for name, error in zip(NUMBERS, errors, strict=True):
        in_use = getattr(EFFICIENCIES, name)
        yield f"{name:14} {getattr(best, name):6.3f} ± {error:.3f}, {in_use:.2f} in use"
    yield f"{'':20} {'doubling':>22} {'taking':>22} {'bias':>6} {'error':>6}"
    rolled_out, questions = found_of(answers).rolled_out, questions_of(answers)
    uniform = losses(values_with(answers, UNIFORM, databases), rolled_out)
    rows = {"one efficiency": UNIFORM, "in use": EFFICIENCIES, "fitted": best}
    for name, efficiencies in rows.items():
        said = values_with(answers, efficiencies, databases)
        lost = losses(said, rolled_out)
        columns = zip(lost.T, (lost - uniform).T, strict=True)
        cells = [_cell(*column, questions) for column in columns]
        wrong = values_told(answers, said - rolled_out)
        yield (
            f"{name:20} {cells[0]:>22} {cells[1]:>22} {1000 * wrong.mean():+6.1f} "
            f"{1000 * (wrong**2).mean() ** 0.5:6.1f}"
        )


def _cell(lost: Values, more: Values, questions: NDArray[np.int64]) -> str:
    """A mean loss, and by how much it is more than another; questions: see `questions_of`."""
    sums, counts = np.bincount(questions, 1000 * more), np.bincount(questions)
    told = ratio_estimate(list(zip(sums.tolist(), counts.tolist(), strict=True)))
    assert told is not None
    assert told.error is not None, "one question alone is not fitted"
    return f"{1000 * lost.mean():.2f}, {told.mean:+.2f} ± {told.error:.2f}"


@told_in_a_sentence()
def main() -> None:
    """Read the files, fit and print."""
    parser = lab_parser(__doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="of lab.cube.rollouts")
    options = parser.parse_args()
    answers = [answer for path in options.files for answer in answers_in(path)]
    if not answers:
        raise ValueError("the files have no decision")
    print(*table_lines(answers, load_databases(print)), sep="\n")


if __name__ == "__main__":
    main()
