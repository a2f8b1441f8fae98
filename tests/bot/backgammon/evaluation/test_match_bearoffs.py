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
OWN_2 = Cube(2, CubeOwner.ON_ROLL)


@pytest.fixture(scope="module")
def databases():
    return build_databases(lambda _: None, CHECKERS, CHECKERS)


@pytest.fixture(scope="module")
def twin():
    return PlainBearoff(CHECKERS)


def boards_and_chances(twin, databases):
    """All bear-offs of both sides, int8[n, 26], and the chances of who is on roll, float64[n]."""
    pairs = product(twin.homes[1:], repeat=2)
    boards = np.array([home_board(own, other) for own, other in pairs], np.int8)
    return boards, databases.wins[1:, 1:].ravel().astype(float)


def rms(errors):
    return float(np.sqrt(np.mean(errors**2)))


@pytest.mark.parametrize(
    ("score", "cube"),
    [
        (Score(3, 0, 0), Cube()),
        (Score(4, 0, 0), Cube()),
        (Score(5, 0, 2), Cube()),
        (Score(5, 2, 0), Cube()),
        (Score(5, 2, 1), Cube()),
        (Score(9, 3, 2), OWN_2),
        (Score(9, 5, 5), OWN_2),
    ],
)
def test_match_bearoffs_are_worth_what_best_play_makes_of_them(score, cube, twin, databases):
    table = cube_table(GameState(START, cube, score), MET, databases)
    unknown = table._replace(bearoffs=table.bearoffs[:0, :0])
    won, lost = table.utilities[0, 0, 0], table.utilities[0, 0, 3]
    states = [table.root, OTHERS + 2]  # of rolling, and of a double that is taken

    def equities(utilities):
        return (2 * utilities[:, states] - won - lost) / (won - lost)

    exact = twin.at_score(table.utilities[:, :, 0], table.may_double)[1:, 1:, 0]
    exact = equities(exact.reshape(-1, exact.shape[-1]))
    rolling, taken = exact.T
    is_close = (abs(taken - 1) < 0.4) & (abs(np.minimum(taken, 1) - rolling) < 0.2)
    assert is_close.sum() > 100

    boards, win = boards_and_chances(twin, databases)
    outcomes = np.zeros((len(boards), 5), np.float32)
    outcomes[:, 0] = win
    errors, errors_unknown = (
        (equities(rolled_values(boards, outcomes, 0, each)) - exact)[is_close]
        for each in (table, unknown)
    )
    assert rms(errors) < 0.8 * rms(errors_unknown)


@pytest.mark.parametrize("score", [Score(6, 4, 0), Score(4, 2, 0), Score(6, 5, 4)])
def test_no_cube_matters_where_the_next_turn_is_the_last_and_nowhere_else(score, twin, databases):
    table = cube_table(GameState(START, Cube(), score), MET, databases)
    boards, win = boards_and_chances(twin, databases)
    is_last = np.broadcast_to(databases.wins[1:, 1] == 1, databases.wins[1:, 1:].shape).ravel()
    is_open = (win > 0.001) & (win < 0.999)
    outcomes = np.zeros((len(boards), 5), np.float32)
    outcomes[:, 0] = win
    values = rolled_values(boards, outcomes, 0, table)
    for level, state in ((0, table.root), (1, OTHERS + 2)):
        won, lost = table.utilities[0, level, 0], table.utilities[0, level, 3]
        is_dead = abs(values[:, state] - win * won - (1 - win) * lost) < 1e-6
        assert is_dead[is_last & is_open].all()
        assert is_dead[~is_last & is_open].mean() < 0.001 or not table.may_double[:, state].any()
