"""How live the cube is, from games at many scores."""

import pytest

from bot.backgammon.evaluation.met import blot_table, computed_table
from bot.backgammon.evaluation.met_recurrence import RATES
from bot.backgammon.lab import game_rates
from bot.backgammon.lab.cube import efficiency, life
from bot.backgammon.lab.cube.life import ScoreChance, ends_of, fit_line, fitted

SCORES = [(3, 2), (4, 2), (5, 3), (6, 2)]


def chance_at(away, other, efficiency):
    dead, live = ends_of(blot_table(), away, other, RATES)
    return ScoreChance(away, other, dead + efficiency * (live - dead), 0.01, dead, live)


def test_efficiency_that_the_games_were_made_by_is_found():
    fit = fitted([chance_at(*score, 0.6) for score in SCORES])
    assert fit.efficiency == pytest.approx(0.6)
    assert fit.misfit == pytest.approx(0, abs=1e-12)
    assert fit_line(fit).startswith("efficiency 0.600 ± ")


def test_games_that_came_out_alike_are_too_few():
    alike = chance_at(4, 2, 0.6)._replace(error=0.0)
    with pytest.raises(ValueError, match="at 4 away, 2 away came out alike: play more"):
        fitted([chance_at(3, 2, 0.6), alike])


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


@pytest.mark.parametrize("main", [life.main, game_rates.main])
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--games", "0"], "--games: an even number from 4 on is wanted, not '0'"),
        (["--games", "5"], "--games: an even number from 4 on is wanted, not '5'"),
        (["--most-away", "0"], "--most-away: a whole number from 4 to 25 is wanted, not '0'"),
        (["--seed", "-1"], "--seed: a whole number from 0 to 2,147,483,647 is wanted, not '-1'"),
    ],
)
def test_number_that_no_fit_can_be_made_of_is_refused(main, given, sentence, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["life", *given])
    with pytest.raises(SystemExit):
        main()
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("main", [efficiency.main, life.main, game_rates.main])
def test_weights_that_are_none_are_named(main, monkeypatch):
    monkeypatch.setattr("sys.argv", ["life", "--weights", "nosuch"])
    with pytest.raises(SystemExit, match="no weights 'nosuch'"):
        main()
