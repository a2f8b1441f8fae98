"""What is told of a training run."""

from dataclasses import replace

from bot.backgammon.training.measurement import Measurement
from protocol.backgammon.reports.training import measurement_text

AT_FIRST = Measurement(1000, 1.0, 60.0, 10_000, 0.2, 0.005, -0.9, 0.01, 0.9, 0.01, 1.9, 0.03, 0)


def test_a_test_is_told_with_its_errors():
    assert measurement_text(AT_FIRST) == (
        "after 1,000 games, 1.0 s of training: 20.0 ± 0.5 % won and -0.900 ± 0.010 points per game "
        "against pubeval, +1.90 against random"
    )


def test_an_unknown_error_is_called_so():
    text = measurement_text(replace(AT_FIRST, pubeval_won_error=None, pubeval_points_error=None))
    assert "20.0 ± unknown % won and -0.900 ± unknown points per game" in text


def test_what_plays_cost_by_the_teacher_is_told_where_there_is_one():
    text = measurement_text(replace(AT_FIRST, lost=0.00129, lost_error=4e-5, teacher_lost=0.00143))
    assert text.endswith(
        "; 1.29 ± 0.04 thousandths lost a play by its teacher's search, where the teacher loses "
        "1.43 without it"
    )
