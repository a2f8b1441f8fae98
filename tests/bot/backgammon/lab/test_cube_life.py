"""How live the cube is, from games at many scores."""

import pytest

from bot.backgammon.evaluation.met import blot_table, computed_table
from bot.backgammon.evaluation.met_recurrence import RATES
from bot.backgammon.lab.cube_life import ScoreChance, ends_of, fit_line, fitted

SCORES = [(3, 2), (4, 2), (5, 3), (6, 2)]


def chance_at(away, other, efficiency):
    dead, live = ends_of(blot_table(), away, other, RATES)
    return ScoreChance(away, other, dead + efficiency * (live - dead), 0.01, dead, live)


def test_efficiency_that_the_games_were_made_by_is_found():
    fit = fitted([chance_at(*score, 0.6) for score in SCORES])
    assert fit.efficiency == pytest.approx(0.6)
    assert fit.misfit == pytest.approx(0, abs=1e-12)
    assert fit_line(fit).startswith("efficiency 0.600 ± ")


def test_games_of_several_efficiencies_do_not_fit_one():
    fit = fitted([chance_at(6, 2, x) for x in (-9.0, 9.0)])
    assert fit.efficiency == pytest.approx(0)
    assert fit.misfit > 1


@pytest.mark.parametrize("score", SCORES)
def test_chance_in_the_table_is_that_of_its_own_efficiency(score):
    met = computed_table("", RATES)
    dead, live = ends_of(met, *score, RATES)
    expected = dead + RATES.efficiency * (live - dead)
    assert met.mwc(*score) == pytest.approx(expected, abs=1e-9)
