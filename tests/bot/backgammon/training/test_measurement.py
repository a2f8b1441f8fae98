"""Measurements, and the table of them."""

import csv
from dataclasses import replace
from statistics import fmean

import pytest

from bot.backgammon.arena.network_duel import network_duel
from bot.backgammon.evaluation.kinds import SIDES, Kind
from bot.backgammon.evaluation.network import load_network, random_network
from bot.backgammon.training.measurement import (
    kind_errors,
    measured,
    read_measurements,
    write_measurements,
)


@pytest.fixture(scope="module")
def measurement():
    return measured(
        random_network(8, 1),
        games=300,
        seconds=1.25,
        plies_per_game=60.5,
        test_games=40,
        seed=3,
        on_games=lambda tested: None,
    )


def test_measurement_is_what_duels_find(measurement):
    pubeval = network_duel(random_network(8, 1), "pubeval", pairs=20, seed=3)
    random = network_duel(random_network(8, 1), "random", pairs=2, seed=3)
    assert measurement.games == 300
    assert measurement.pubeval_won == pubeval.won
    assert measurement.pubeval_won_error == pubeval.won_error
    assert measurement.pubeval_points == pubeval.points_per_game < 0
    assert measurement.pubeval_points_error == pubeval.points_error > 0
    assert measurement.random_points == random.points_per_game
    assert measurement.broken_off == pubeval.broken_off + random.broken_off


def test_errors_by_kind_are_those_of_the_network_on_the_benchmark():
    one, other = (kind_errors(load_network(name)) for name in ("default", "easy"))
    places = {(row.kind, row.side) for row in one}
    assert places == {(kind, side) for kind in Kind for side in SIDES.get(kind, ("",))}
    assert {(row.kind, row.side) for row in other} == places
    assert fmean(row.error.mean for row in one) < fmean(row.error.mean for row in other)


@pytest.mark.slow
def test_games_tested_are_told_and_an_end_is_possible(monkeypatch):
    monkeypatch.setattr("bot.backgammon.arena.network_duel.PAIRS_AT_ONCE", 2)
    told = []

    def stop(tested):
        told.append(tested)
        if tested > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measured(
            random_network(8, 1),
            games=1,
            seconds=1.0,
            plies_per_game=1.0,
            test_games=80,
            seed=3,
            on_games=stop,
        )
    assert told == [4, 8]


def test_table_gives_measurements_back_to_six_digits(measurement, tmp_path):
    path = tmp_path / "tests.csv"
    write_measurements(path, [measurement, measurement])
    first, second = read_measurements(path)
    assert first == second
    assert first.pubeval_points == pytest.approx(measurement.pubeval_points, rel=1e-5)
    assert (first.games, first.seconds, first.test_games) == (300, 1.25, 40)
    assert path.read_text().startswith("games,seconds,plies_per_game,test_games,pubeval_won,")


def test_unknown_error_is_empty_in_the_table(measurement, tmp_path):
    path = tmp_path / "tests.csv"
    unknown = replace(measurement, random_won_error=None, random_points_error=None)
    write_measurements(path, [unknown])
    (found,) = read_measurements(path)
    assert found.random_won_error is found.random_points_error is None
    assert found.pubeval_points_error == pytest.approx(measurement.pubeval_points_error, rel=1e-5)
    (row,) = csv.DictReader(path.read_text().splitlines())
    assert row["random_points_error"] == ""


@pytest.mark.parametrize(
    "content", ["x", "games\n3\n", "games,seconds\n3,4\n", "\0\n", "games\nä\n"]
)
def test_other_file_is_named(tmp_path, content):
    path = tmp_path / "tests.csv"
    path.write_text(content + "\n1\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"tests\.csv is no table of measurements of Blot"):
        read_measurements(path)


def test_table_that_cannot_be_read_is_not_said_to_be_damaged(tmp_path):
    (tmp_path / "tests.csv").mkdir()
    with pytest.raises(ValueError, match=r"cannot read .*tests\.csv: Is a directory"):
        read_measurements(tmp_path / "tests.csv")


def test_folder_without_table_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"holds no run: there is no tests\.csv in it"):
        read_measurements(tmp_path / "tests.csv")
