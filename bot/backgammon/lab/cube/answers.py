"""Cube answers: cube decisions that were rolled out, as files keep them, and what they show.

`bot.backgammon.lab.cube.rollouts` makes them.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.evaluation.cube import (
    EFFICIENCIES,
    Values,
    cube_evaluation,
    cube_table,
    rolled_values,
)
from bot.backgammon.evaluation.kinds import KINDS, kinds_of
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.kernels.bearoff import BearoffDatabases
from bot.backgammon.kernels.efficiency import Efficiencies
from bot.backgammon.lab.cube.efficiency import GRID, fixed
from bot.backgammon.lab.cube.games import state_at
from bot.backgammon.rules.decision import CubeEvaluation
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules
from bot.backgammon.rules.outcome import chances_of
from bot.backgammon.rules.position import START, Position
from bot.estimate import estimate

AWAYS = range(2, 6)
Score = tuple[int, int] | None
"""Points away of the side on roll and of the other; None for money."""

SCORES: tuple[Score, ...] = (None, *product(AWAYS, AWAYS))

PLY = 2
"""Plies of the deeper evaluation."""

FEWEST = 20
"""Positions from which an efficiency is fitted."""

HEAD = '{"cube rollouts"'
"""Start of a file."""

Answer = dict[str, Any]
"""A decision: its number, board, cube and owner, what is said of it and what rollouts found."""


class Found(NamedTuple):
    """Equities of rolling and of a double that is taken, float64[n, 2], at the cube."""

    rolled_out: Values
    static: Values
    deeper: Values


def state_for(score: Score, board: Iterable[int], cube: Cube, *, jacoby: bool) -> GameState:
    """The state of a decision, seen by the player on roll; jacoby: for money, by this rule."""
    position = Position.of_board(np.array(board, np.int8))
    before = (
        GameState(START, money=MoneyRules(jacoby=jacoby)) if score is None else state_at(*score)
    )
    return GameState(position, cube, before.score, before.money)


def equities_of(evaluation: CubeEvaluation) -> list[float]:
    """Equities of rolling and of a double that is taken."""
    return [evaluation.no_double, evaluation.double_take]


def found_of(answers: list[Answer]) -> Found:
    """The equities of these answers."""
    return Found(*(np.array([each[name] for each in answers]) for name in Found._fields))


def table_lines(
    answers: list[Answer], name_of: Callable[[Answer], str], title: str
) -> Iterator[str]:
    """Biases of rolling and of a double that is taken, by name: at 0-ply, then deeper."""
    yield f"{title:26} {'':4} {'rolling, 0-ply':>16} {f'{PLY}-ply':>12} {'taken, 0-ply':>16} " + (
        f"{f'{PLY}-ply':>12}"
    )
    for name in dict.fromkeys(map(name_of, answers)):
        some = found_of([each for each in answers if name_of(each) == name])
        cells = []
        for column in (0, 1):
            for said in (some.static, some.deeper):
                bias = estimate((said - some.rolled_out)[:, column].tolist())
                assert bias is not None
                error = "unknown" if bias.error is None else f"{1000 * bias.error:3.0f}"
                cells.append(f"{1000 * bias.mean:+5.0f} ± {error}")
        yield f"{name:26} {len(some.static):4} " + " ".join(f"{each:>14}" for each in cells)


def score_name(answer: Answer) -> str:
    """The score of a decision, in words."""
    score = score_of(answer["number"])
    if score is None:
        return "money, Jacoby" if is_by_jacoby(answer) else "money"
    return f"{score[0]} away {score[1]} away"


def is_by_jacoby(answer: Answer) -> bool:
    """Whether a decision is taken under Jacoby's rule."""
    return bool(answer.get("jacoby", False))


def score_of(number: int) -> Score:
    """The score that this decision is taken at."""
    return SCORES[number % len(SCORES)]


def kind_name(answer: Answer) -> str:
    """The kind of position of a decision."""
    return str(KINDS[kinds_of(np.array([answer["board"]], np.int8))[0][0]])


def values_with(
    answers: list[Answer], efficiencies: Efficiencies, databases: BearoffDatabases
) -> Values:
    """Equities of rolling and of a double taken, by each answer's chances; float64[n, 2]."""
    met = blot_table()
    values = np.empty((len(answers), 2))
    for i, answer in enumerate(answers):
        state = state_for(
            score_of(answer["number"]),
            answer["board"],
            Cube(answer["cube"], CubeOwner[answer["owner"]]),
            jacoby=is_by_jacoby(answer),
        )
        cube = cube_table(state, met, databases, efficiencies)
        chances = np.array([answer["chances"]], np.float32)
        rolled = rolled_values(state.position.board[np.newaxis], chances, 0, cube)[0]
        values[i] = equities_of(cube_evaluation(rolled, cube, chances_of(chances[0])))
    return values


def efficiency_lines(answers: list[Answer], databases: BearoffDatabases) -> Iterator[str]:
    """For each kind and owner of the cube the efficiency that agrees best, and what it leaves."""
    grid = np.stack([values_with(answers, fixed(float(x)), databases) for x in GRID[::5]])
    now = values_with(answers, EFFICIENCIES, databases)
    aim = found_of(answers).rolled_out
    kinds = np.array([kind_name(each) for each in answers])
    held = np.array([each["owner"] != CubeOwner.CENTRED.name for each in answers])
    owners = {"centred": (0, ~held), "his own": (0, held), "the other's": (1, held | ~held)}
    yield f"{'kind':26} {'cube':12} {'':4} efficiency  bias with it and now  error with it and now"
    for kind, (owner, (column, part)) in product(("", *map(str, KINDS)), owners.items()):
        chosen = part & ((kinds == kind) | (kind == ""))
        if chosen.sum() < FEWEST:
            continue
        errors = ((grid[:, chosen, column] - aim[chosen, column]) ** 2).mean(axis=1)
        best = int(errors.argmin())
        with_it = grid[best, chosen, column] - aim[chosen, column]
        as_now = now[chosen, column] - aim[chosen, column]
        yield (
            f"{kind or 'all':26} {owner:12} {chosen.sum():4} {GRID[::5][best]:10.2f}  "
            f"{1000 * with_it.mean():+8.0f} {1000 * as_now.mean():+8.0f}     "
            f"{1000 * (with_it**2).mean() ** 0.5:8.0f} {1000 * (as_now**2).mean() ** 0.5:8.0f}"
        )


def read_answers(path: Path | None, lines: Sequence[str | bytes]) -> list[Answer]:
    """The answers that lines of a file tell; raises ValueError if one does not."""
    try:
        answers = [json.loads(line) for line in lines]
        found_of(answers)
        values_with(answers, EFFICIENCIES, NO_DATABASES)
    except (ValueError, LookupError, TypeError):
        raise ValueError(f"{path} is damaged: not every line is a decision") from None
    return answers
