"""Bear-offs at the score, without looking ahead: against what is best, turn by turn, to the end."""

from itertools import product

import numpy as np
import pytest

from bot.backgammon.evaluation.bearoff import build_databases
from bot.backgammon.evaluation.cube import cube_table, rolled_values
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.kernels.bearoff import OTHERS
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, Score
from bot.backgammon.rules.position import START
from tests.plain.bearoff import PlainBearoff, home_board

CHECKERS = 4
MET = blot_table()


@pytest.fixture(scope="module")
def databases():
    return build_databases(lambda _: None, CHECKERS, CHECKERS)


def errors_at(score, cube, databases):
    """Errors of equity where doubling is close, float64[n, 2]: of rolling, of a double taken."""
    twin = PlainBearoff(CHECKERS)
    table = cube_table(GameState(START, cube, score), MET, databases)
    exact = twin.at_score(table.utilities[:, :, 0], table.may_double)[1:, 1:, 0]
    won, lost = table.utilities[0, 0, 0], table.utilities[0, 0, 3]
    exact = (2 * exact.reshape(-1, exact.shape[-1]) - won - lost) / (won - lost)
    boards = np.array([home_board(own, other) for own, other in product(twin.homes[1:], repeat=2)])
    outcomes = np.zeros((len(boards), 5), np.float32)
    outcomes[:, 0] = databases.wins[1:, 1:].ravel()
    found = rolled_values(boards.astype(np.int8), outcomes, 0, table)
    found = (2 * found - won - lost) / (won - lost)
    states = [table.root, OTHERS + 2]
    rolling, taken = exact[:, states].T
    is_close = (abs(taken - 1) < 0.4) & (abs(np.minimum(taken, 1) - rolling) < 0.2)
    assert is_close.sum() > 100
    return (found - exact)[is_close][:, states]


def rms(errors):
    return float(np.sqrt(np.mean(errors**2)))


@pytest.mark.parametrize(
    ("score", "cube"),
    [
        (Score(3, 0, 0), Cube()),
        (Score(4, 0, 0), Cube()),
        (Score(5, 0, 2), Cube()),
        (Score(5, 2, 0), Cube()),
        (Score(9, 3, 2), Cube(2, CubeOwner.ON_ROLL)),
    ],
)
def test_match_bearoffs_are_worth_what_best_play_makes_of_them(score, cube, databases):
    errors = errors_at(score, cube, databases)
    unknown = errors_at(score, cube, databases._replace(equities=databases.equities[:0, :0]))
    assert rms(errors) < 0.05
    assert rms(errors) < 0.85 * rms(unknown)
