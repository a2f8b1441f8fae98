"""Settings as tables: from JSON, from TOML and back."""

import tomllib
from dataclasses import asdict, replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.backgammon.training.settings import LearnerName, Schedule, Settings
from bot.backgammon.training.settings_table import (
    settings_of,
    settings_text,
    values_in_file,
    values_of,
)

AHEAD = Settings(learner=LearnerName.LOOKAHEAD, rates=(3e-5,), units=(8, 4), start="Zoë's \\ net")


def test_keys_are_the_names_of_options():
    values = values_of({"lambda": 0.6, "max-plies": 300, "test_every": 5, "hidden": 8})
    assert values == {"trace": 0.6, "most_plies": 300, "test_every": 5, "hidden_units": 8}


def test_settings_come_back_from_the_table_of_their_fields_as_older_runs_have_it():
    table = asdict(replace(AHEAD, hidden_units=80, most_plies=77, trace=0.25))
    assert {"hidden_units", "most_plies", "trace"} <= set(table)
    assert settings_of(table) == replace(AHEAD, hidden_units=80, most_plies=77, trace=0.25)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"games": 1.5}, "setting games cannot be 1.5"),
        ({"games": True}, "games cannot be true"),
        ({"games": float("inf")}, "games cannot be Infinity"),
        ({"games": "100"}, 'games cannot be "100"'),
        ({"trace": "much"}, 'setting lambda cannot be "much"'),
        ({"rates": 0.1}, "rates cannot be 0.1"),
        ({"rates": "1"}, 'rates cannot be "1"'),
        ({"rates": ["1"]}, r'rates cannot be \["1"\]'),
        ({"units": [2.5, 4]}, r"units cannot be \[2.5, 4\]"),
        ({"units": [True, 4]}, r"units cannot be \[true, 4\]"),
        ({"schedule": "sudden"}, "sudden"),
        ({"schedule": 1}, "schedule cannot be 1"),
        ({"hidden": 0}, "--hidden is 1 to"),
        ({"hiden_units": 3}, r"no setting 'hiden_units'; did you mean hidden\?"),
        ({"Lamda": 0.5}, r"no setting 'Lamda'; did you mean lambda\?"),
        ({"max_ply": 5}, r"no setting 'max_ply'; did you mean max-plies\?"),
        ({"zzz": 3}, "no setting 'zzz'; known: learner, games, hidden, lambda, rates"),
        ({"lambda": 0.1, "trace": 0.2}, "setting lambda is given twice"),
    ],
)
def test_impossible_tables_are_refused(table, words):
    with pytest.raises(ValueError, match=words):
        settings_of(table)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_file_changes_what_it_names(tmp_path, encoding):
    path = tmp_path / "run.toml"
    path.write_text('games = 5_000\nrates = [0.1, 1e-3]\nschedule = "steps"\n', encoding)
    assert values_in_file(path) == {
        "games": 5000,
        "rates": (0.1, 0.001),
        "schedule": Schedule.STEPS,
    }


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"games = ", "run.toml: Invalid value"),
        (b"\xff\xfe", "run.toml: it is no text in UTF-8"),
        (b"[more]\ngames = 3\n", "run.toml: no setting 'more'"),
        (b"games = -3\n", "run.toml: --games is 1 to"),
        (b"games = " + b"[" * 100_000, "run.toml: its brackets are nested too deeply"),
    ],
)
def test_unreadable_file_is_named(tmp_path, content, words):
    path = tmp_path / "run.toml"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"cannot read settings from .*{words}"):
        values_in_file(path)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"none\.toml: No such file"):
        values_in_file(tmp_path / "none.toml")


@pytest.mark.parametrize("settings", [Settings(trace=1e-5), AHEAD, replace(AHEAD, pruner="")])
def test_text_is_a_file_of_the_same_settings(settings, tmp_path):
    path = tmp_path / "run.toml"
    path.write_text(settings_text(settings, ["a remark"]), encoding="utf-8")
    assert path.read_text(encoding="utf-8").startswith("# a remark\nlearner = ")
    assert replace(Settings(), **values_in_file(path)) == settings


def test_text_has_only_what_counts(tmp_path):
    assert "hidden" in settings_text(Settings())
    assert not {"units", "start", "pruner"} & set(settings_text(Settings()).split())
    assert not {"hidden", "max-plies", "teacher"} & set(settings_text(AHEAD).split())


@given(name=st.text())
@example(name="\x7f\x1f\n'\"\\")
def test_any_name_that_settings_take_is_written_as_toml_reads_it(name):
    assert tomllib.loads(settings_text(Settings(start=name))).get("start", "") == name
