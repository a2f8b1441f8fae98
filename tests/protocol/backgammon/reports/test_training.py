"""What is told of a training run."""

import sys
from dataclasses import replace

import pytest

from bot.backgammon.training.measurement import Measurement
from bot.backgammon.training.run import Progress
from bot.backgammon.training.settings import Settings
from protocol.backgammon.reports.training import measurement_text, training_progress

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


@pytest.fixture(params=["", "dumb"], ids=["no terminal", "one that draws nothing"])
def undrawn(request, monkeypatch, capsys):
    """What is told is seen where no bar can be drawn."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    if request.param:
        monkeypatch.setenv("TERM", request.param)
        monkeypatch.setattr(type(sys.stderr), "isatty", lambda _: True)


@pytest.mark.usefixtures("undrawn")
def test_where_no_bar_is_drawn_a_run_has_a_line_every_thirty_seconds_and_one_for_each_test(capsys):
    run = Progress(500, 30_000, 2, 10.0, Settings(games=4000, most_plies=900), None)
    later = replace(run, games=1000, seconds=39.9, measurement=AT_FIRST)
    with training_progress() as report:
        for progress in (run, later, replace(later, tested=7), replace(later, seconds=40.0)):
            report(progress)
    assert capsys.readouterr().err.splitlines() == [
        "500 of 4,000 games, 50 games/s, 60.0 plies per game, 2 broken off at 900 plies",
        measurement_text(AT_FIRST),
        "1,000 of 4,000 games, 25 games/s, 30.0 plies per game, 2 broken off at 900 plies",
    ]
