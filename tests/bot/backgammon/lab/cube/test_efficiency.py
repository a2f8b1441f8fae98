"""Fitting the efficiencies of the cube."""

import numpy as np
import pytest

from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.kernels.efficiency import Efficiencies
from bot.backgammon.lab.cube.efficiency import (
    Aim,
    best_efficiency,
    class_of,
    fixed,
    losses,
    margins,
    race_curve,
    table_at,
)
from bot.backgammon.rules.position import START, Position

NUMBERS = np.random.default_rng(1)
DEAD = NUMBERS.uniform(0.2, 0.5, (50, 3))
LIVE = DEAD + NUMBERS.uniform(0.1, 0.3, (50, 3))
PIPS = NUMBERS.integers(20, 100, 50).astype(np.int16)


def aim_at(efficiencies):
    return Aim(DEAD, LIVE, PIPS, DEAD + np.reshape(efficiencies, (-1, 1)) * (LIVE - DEAD))


@pytest.mark.parametrize(
    ("board", "name"),
    [
        (START.board, "contact"),
        (Position.of({8: 2}, {6: 3}).board, "race"),
        (Position.of({6: 2}, {7: 3}).board, "race"),
        (Position.of({6: 2}, {6: 3}).board, "at home"),
    ],
)
def test_boards_are_told_apart_by_contact_and_home(board, name):
    assert class_of(board, NO_DATABASES) == name


def test_margins_are_those_of_doubling_redoubling_and_taking():
    assert margins(np.array([0.5, 0.6, 0.2])) == pytest.approx(np.array([0.1, 0.2, -0.6]))
    assert margins(np.array([1.1, 0.9, 0.7])) == pytest.approx(np.array([0.1, -0.1, 0.4]))


def test_loss_is_the_margin_of_each_wrong_decision():
    wanted = np.array([[0.5, 0.6, 0.2], [1.1, 0.9, 0.7]])
    assert losses(wanted, wanted) == pytest.approx(np.zeros(3))
    found = np.array([[0.3, 0.6, 0.2], [1.1, 0.7, 0.4]])
    assert losses(found, wanted) == pytest.approx(np.array([50, 0, 200]))


def test_efficiency_that_the_values_were_made_by_is_found():
    assert best_efficiency(aim_at(0.66)) == pytest.approx(0.66)
    assert aim_at(0.66).error(0.66) == pytest.approx(0)


def test_efficiency_of_some_roots_is_found_among_others():
    efficiencies = np.where(PIPS < 50, 0.4, 0.8)
    assert best_efficiency(aim_at(efficiencies).of_some(PIPS < 50)) == pytest.approx(0.4)


def test_curve_over_the_pips_is_found():
    assert race_curve([aim_at(0.9 - 3.25 / PIPS)]) == (pytest.approx(0.9), 3.25)


def test_cube_has_the_efficiencies_asked_for():
    cube = table_at(fixed(0.5))
    assert cube.efficiencies == Efficiencies(0.5, 0.5, 0.0)
    assert not cube.has_jacoby
