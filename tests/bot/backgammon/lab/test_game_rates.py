"""What is made of the rates measured."""

import numpy as np
import pytest

from bot.backgammon.evaluation.met import computed_table
from bot.backgammon.evaluation.met_recurrence import RATES, Gammons, OneSided, Rates
from bot.backgammon.lab.game_rates import (
    Measured,
    chances_in,
    percent,
    pooled,
    shifted,
    table_errors,
)

NOTHING = (0.0,) * 10
EXACT = Rates(Gammons(), (OneSided(0, 0, 0), OneSided(0, 0, 0)), NOTHING, 0.0)


def test_errors_of_places_measured_apart_are_added_in_squares():
    assert pooled([(0.2, 0.03), (0.4, 0.04)]) == (pytest.approx(0.3), pytest.approx(0.025))


def test_share_is_printed_in_percent():
    assert percent(0.26742, 0.0014) == "26.74 ± 0.14 %"


def test_one_rate_at_a_time_is_larger_by_its_error():
    errors = EXACT._replace(money=Gammons(0.01, 0.001), efficiency=0.1)
    changed = [rates for rates in shifted(Measured(RATES, errors)) if rates != RATES]
    assert changed == [
        RATES._replace(money=Gammons(RATES.money.gammon + 0.01, RATES.money.backgammon)),
        RATES._replace(money=Gammons(RATES.money.gammon, RATES.money.backgammon + 0.001)),
        RATES._replace(efficiency=RATES.efficiency + 0.1),
    ]


def test_rates_known_exactly_leave_no_error_in_the_table():
    assert not table_errors(Measured(RATES, EXACT)).any()


def test_error_of_one_rate_is_what_it_moves_the_table_by():
    errors = EXACT._replace(efficiency=0.02)
    moved = computed_table("", RATES._replace(efficiency=RATES.efficiency + 0.02))
    expected = np.abs(chances_in(moved) - chances_in(computed_table("", RATES)))
    assert table_errors(Measured(RATES, errors)) == pytest.approx(expected)
