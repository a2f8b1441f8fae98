"""Cubeful values beside gnubg's, which has the same formulas but for one, for its own chances."""

import random

import numpy as np
import pytest

from bot.backgammon.arena.baselines import PubevalPlayer
from bot.backgammon.evaluation.cube import (
    cube_evaluation,
    cube_table,
    equity_of,
    may_double,
    rolled_values,
)
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.lab.cube.efficiency import fixed
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import chances_of
from bot.backgammon.rules.position import Position
from tests.gnubg_script import run_in_gnubg
from tests.plain.cube import PlainCube
from tests.plain.games import choice_of, turns_of_games
from tests.plain.judges import gnubg_sides

SCRIPT = """
import gnubg, json
for line in ("set threads 1", "set jacoby off"):
    gnubg.command(line)
settings = gnubg.evalcontext(1, 0, 1, 0, 0.0)
turns = json.load(open("values.json"))
for turn in turns:
    board = tuple(map(tuple, turn["sides"]))
    value, owner, length, own, other, crawford, jacoby = turn["state"]
    cube = gnubg.cubeinfo(value, owner, 1, length, (other, own), crawford, 0)
    cube["jacoby"] = jacoby
    turn["chances"] = gnubg.evaluate(board, cube, settings)[:5]
    turn["evaluation"] = gnubg.cfevaluate(board, cube, settings)[1:4]
json.dump({"met": gnubg.met(), "turns": turns}, open("values.json", "w"))
"""


def asked_states(rng):
    """A state for gnubg: cube, owner (1 on roll, -1 nobody), length, score, Crawford, Jacoby."""
    owner = rng.choice([1, -1])
    length = rng.choice([0, 0, 2, 3, 5, 7, 11, 15])
    if length == 0:
        return [1 if owner < 0 else rng.choice([2, 4]), owner, 0, 0, 0, 0, rng.randrange(2)]
    own, other = rng.randrange(length), rng.randrange(length)
    is_crawford = (own == length - 1) != (other == length - 1) and rng.random() < 0.2
    if is_crawford:
        owner = -1
    value = 1 if owner < 0 else rng.choice([2, 4])
    return [value, owner, length, own, other, int(is_crawford), 0]


def ask_gnubg(turns):
    """The turns with gnubg's chances and equities, and its match equities."""
    answer = run_in_gnubg(SCRIPT, turns)
    pre, post = np.array(answer["met"][0]), np.array(answer["met"][1])
    return answer["turns"], MatchEquityTable("gnubg's", (pre + 1 - pre.T) / 2, post)


def gnubgs_efficiencies(board):
    """Source: GNU Backgammon, eval.c, EvalEfficiency."""
    own = [point for point in range(1, 26) if board[point] > 0]
    other = [point for point in range(25) if board[point] < 0]
    if own[-1] > other[0]:
        return fixed(0.68)
    if own[-1] <= 6 and other[0] >= 19:
        return fixed(0.6)
    pips = sum(point * board[point] for point in own)
    return fixed(min(max(0.55 + 0.00125 * pips, 0.6), 0.7))


def plain_equities(state, met, chances, table, *, keeps_rights):
    """Equities of rolling and of a double taken, found the slow way."""
    plain = PlainCube(state, met, chances, table.efficiencies, keeps_rights)
    rolls = plain.rolled(state.cube.owner, state.cube.value)
    taken = plain.rolled(CubeOwner.OTHER, 2 * state.cube.value)
    return np.array([equity_of(rolls, table), equity_of(taken, table)])


@pytest.mark.gnubg
def test_equities_are_gnubgs_but_where_a_double_is_free_or_would_cost_who_offers_it():
    rng = random.Random(1)
    games = turns_of_games(choice_of(PubevalPlayer()), 400, 2)
    # with up to six checkers a side gnubg looks money games up
    boards = [board for board, _ in games if sum(map(abs, board)) > 12][::5]
    turns = [
        {"board": board, "sides": gnubg_sides(board), "state": asked_states(rng)}
        for board in boards
        for _ in range(4)
    ]
    asked, met = ask_gnubg(turns)
    compared = too_good = 0
    for turn in asked:
        value, owner, length, own, other, is_crawford, jacoby = turn["state"]
        score = Score(length, own, other, bool(is_crawford)) if length else None
        holder = CubeOwner.ON_ROLL if owner > 0 else CubeOwner.CENTRED
        state = GameState(
            Position(tuple(turn["board"])), Cube(value, holder), score, MoneyRules(bool(jacoby))
        )
        table = cube_table(state, met, efficiencies=gnubgs_efficiencies(turn["board"]))
        chances = np.array([turn["chances"]], np.float32)
        found = cube_evaluation(
            rolled_values(state.position.board[np.newaxis], chances, 0, table)[0], table
        )
        no_double, double_take, double_drop = turn["evaluation"]
        if not may_double(table):
            continue  # gnubg reckons with a cube that it would not turn
        compared += 1
        assert found.double_drop == pytest.approx(double_drop, abs=1e-4)
        # where somebody is too good to double he loses by the right to, as gnubg reckons
        plain, gnubgs = (
            plain_equities(state, met, chances_of(chances[0]), table, keeps_rights=each)
            for each in (False, True)
        )
        too_good += not np.allclose(plain, gnubgs, atol=1e-5)
        no_double += plain[0] - gnubgs[0]
        double_take += plain[1] - gnubgs[1]
        if score is None or not (score.away == score.other_away == 2):
            assert found.no_double == pytest.approx(no_double, abs=1e-4)
        if score is None or not 2 * value >= score.away < score.other_away > 2 * value:
            assert found.double_take == pytest.approx(double_take, abs=1e-4)
    assert compared > 150
    assert 0 < too_good < 0.2 * compared
