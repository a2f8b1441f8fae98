"""Settings: from names and values, presets and files."""

from dataclasses import asdict

import pytest

from bot.backgammon.training.settings import (
    PRESETS,
    Schedule,
    Settings,
    preset,
    settings_in_file,
    settings_of,
)


def test_linear_schedule_goes_straight_between_rates():
    settings = Settings(games=100, rates=(0.3, 0.1, 0.0001), schedule=Schedule.LINEAR)
    assert [settings.rate_at(games) for games in (0, 25, 50, 100, 500)] == pytest.approx(
        [0.3, 0.2, 0.1, 0.0001, 0.0001]
    )


def test_steps_have_equal_shares_of_the_games():
    settings = Settings(games=90, rates=(0.3, 0.2, 0.1), schedule=Schedule.STEPS)
    assert [settings.rate_at(games) for games in (0, 29, 30, 60, 90)] == [0.3, 0.3, 0.2, 0.1, 0.1]


def test_constant_schedule_has_one_rate():
    assert Settings(rates=(0.1,), schedule=Schedule.CONSTANT).rate_at(10**9) == 0.1
    with pytest.raises(ValueError, match="one rate"):
        Settings(rates=(0.1, 0.2), schedule=Schedule.CONSTANT)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"games": 0}, "games is 1 to 1,000,000,000,000, not 0"),
        ({"games": 1.5}, "games cannot be 1.5"),
        ({"games": True}, "games cannot be True"),
        ({"games": float("inf")}, "games cannot be inf"),
        ({"games": "100"}, "games cannot be '100'"),
        ({"hidden_units": 10**9}, "hidden_units is 1 to 4,096"),
        ({"seed": -1}, "seed is 0 to"),
        ({"workers": 0}, "workers is 1 to 256"),
        ({"test_games": 15}, "pairs"),
        ({"trace": 1.5}, "1.5"),
        ({"trace": float("nan")}, "nan"),
        ({"rates": [0.1, -0.1]}, "learning rates"),
        ({"rates": []}, "learning rates"),
        ({"rates": 0.1}, "rates cannot be 0.1"),
        ({"rates": "1"}, "rates cannot be '1'"),
        ({"schedule": "sudden"}, "sudden"),
        ({"schedule": 1}, "schedule cannot be 1"),
        ({"hiden_units": 3}, "no setting 'hiden_units'; known: learner, games, hidden_units"),
    ],
)
def test_impossible_settings_are_refused(table, words):
    with pytest.raises(ValueError, match=words):
        settings_of(table)


def test_settings_come_back_from_their_table():
    settings = PRESETS["quick"]
    assert settings_of(asdict(settings)) == settings


def test_file_changes_what_it_names(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text('games = 5_000\nrates = [0.1, 1e-3]\nschedule = "steps"\n')
    settings = settings_in_file(path, preset("quick"))
    assert (settings.games, settings.rates, settings.schedule) == (5000, (0.1, 0.001), "steps")
    assert settings.hidden_units == preset("quick").hidden_units


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"games = ", "run.toml: Invalid value"),
        (b"\xff\xfe", "run.toml: 'utf-8' codec"),
        (b"[more]\ngames = 3\n", "run.toml: no setting 'more'"),
        (b"games = -3\n", "run.toml: games is 1 to"),
    ],
)
def test_unreadable_file_is_named(tmp_path, content, words):
    path = tmp_path / "run.toml"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"cannot read settings from .*{words}"):
        settings_in_file(path, Settings())


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"none\.toml: No such file"):
        settings_in_file(tmp_path / "none.toml", Settings())


def test_unknown_preset_is_told_the_known_ones():
    with pytest.raises(ValueError, match="no preset 'slow'; there are quick, default"):
        preset("slow")
