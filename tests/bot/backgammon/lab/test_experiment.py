"""Experiments: listed, read, gone on with, and written down."""

import csv

import pytest

from bot.backgammon.evaluation.network import random_network
from bot.backgammon.lab.knock_out import halved, knocked_out
from bot.backgammon.lab.laboratory import LABORATORY
from bot.backgammon.training.settings import Schedule, Settings
from bot.backgammon.training.temporal_difference import TemporalDifference
from bot.lab.attempt import Scale, opened_attempt
from bot.lab.page import page_text, write_page

TINY = {
    "nbg-curve": "runs=1 games=20 every=10 test-games=2 again-games=2 hidden=2 formula-games=20",
    "pulver-speed": "td-games=20 backpropagation-games=20 mutation-games=20 every=10 hidden=2 "
    "test-games=2 meant=2 rates=0.25,0.1",
    "pulver-table": "td-games=20 backpropagation-games=20 mutation-games=20 every=10 hidden=2 "
    "test-games=2 rates=0.25,0.1",
    "pulver-inputs": "td-games=20 every=10 hidden=2 test-games=2 seeds=2 first-games=20 "
    "first-every=10 first-test-games=2 rates=0.25,0.1",
    "knock-out": "td-games=40 every=10 hidden=2 rates=0.25,0.1 candidates=2 lead=3 most-games=10 "
    "choices=2 field-games=2",
    "outputs": "games=20 hidden=2 lambdas=0 rates=0.1 test-games=2",
    "lambda": "games=20 lambdas=0,1 seeds=2 rates=0.1 pilot-games=20 hidden=2 test-games=2",
}


def changes_of(name):
    return dict(text.split("=") for text in TINY[name].split())


def made(name, folder, notes=None, **changes):
    """What a tiny attempt at an experiment found, and its page."""
    wanted = LABORATORY.experiment(name)
    settings = wanted.settings_at(Scale.SMALL, {**changes_of(name), **changes})
    is_resumed = folder.exists()
    note = (lambda text: None) if notes is None else notes.append
    with opened_attempt(
        name, folder, Scale.SMALL, 3, settings, is_resumed=is_resumed, note=note
    ) as attempt:
        findings = wanted.run(attempt)
        write_page(LABORATORY.command, wanted, attempt, findings)
        return findings, page_text(LABORATORY.command, wanted, attempt, findings)


@pytest.mark.parametrize("name", ["pulver-inputs", "knock-out"])
@pytest.mark.parametrize("setting", ["mutation-games", "backpropagation-games", "noise"])
def test_experiments_with_one_learner_have_no_settings_of_the_others(name, setting):
    with pytest.raises(ValueError, match=f"has no setting '{setting}'"):
        LABORATORY.experiment(name).settings_at(Scale.SMALL, {setting: "20"})


@pytest.mark.slow
@pytest.mark.parametrize("name", TINY)
def test_experiment_is_made_again_byte_by_byte_without_playing(name, tmp_path):
    folder = tmp_path / "one"
    notes = []
    first, page = made(name, folder)
    table = (folder / f"{name}.csv").read_bytes()
    again, page_again = made(name, folder, notes)
    assert (again, page_again) == (first, page)
    assert (folder / f"{name}.csv").read_bytes() == table
    assert not [note for note in notes if "choice" not in note]
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    with (folder / f"{name}.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(first.rows) > 0
    assert first.difference in page
    assert "It cannot show this: " in page
    assert f"`blot lab {name} --scale small --seed 3 --set " in page


@pytest.mark.slow
def test_means_of_single_pairs_have_no_error(tmp_path):
    findings, _ = made("pulver-speed", tmp_path / "one")
    assert all(row["error"] is None for row in findings.rows)
    assert "± unknown after 20 games" in findings.comparisons[0].ours


@pytest.mark.slow
def test_same_seed_finds_the_same_in_another_folder(tmp_path):
    one, other = (made("outputs", tmp_path / place)[0] for place in ("a", "b"))
    assert one == other


def test_every_listed_experiment_says_what_it_is():
    for name in LABORATORY.modules:
        found = LABORATORY.experiment(name)
        assert all((found.title, found.question, found.source, found.theirs, found.not_shown))
        assert set(found.small) <= set(found.settings)
    assert set(TINY) <= set(LABORATORY.modules)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"lamda": "1"}, "outputs has no setting 'lamda'; it has games, hidden"),
        ({"games": "many"}, "games is a whole number, not 'many'"),
        ({"test-games": "0"}, "test-games is 1 to 10,000,000, not 0"),
        ({"games": "-2"}, "games is 1 to 100,000,000, not -2"),
        ({"games": "9999999999"}, "games is 1 to 100,000,000, not 9,999,999,999"),
        ({"rates": "0.1,x"}, "rates is a number each, with commas between them, not '0.1,x'"),
        ({"lambdas": "0,2"}, "^lambdas is 0 to 1, not 2"),
        ({"lambdas": "nan"}, "^lambdas is 0 to 1, not nan"),
        ({"inputs": "hyper-9"}, "no input set 'hyper-9'"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_a_sentence(changes, sentence, tmp_path):
    with pytest.raises(ValueError, match=sentence):
        made("outputs", tmp_path / "one", **changes)
    assert not list(tmp_path.iterdir())


def test_weights_that_are_not_there_are_told_before_anything_learns(tmp_path):
    with pytest.raises(ValueError, match="no weights 'nobody'"):
        made("pulver-table", tmp_path / "one", weights="td-128,nobody")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"candidates": "1"}, "a choice needs two candidates at the least, not 1"),
        ({"td-games": "20"}, "td-games and every leave fewer than two snapshots to choose from"),
    ],
)
def test_knock_out_needs_a_choice(changes, sentence, tmp_path):
    with pytest.raises(ValueError, match=sentence):
        made("knock-out", tmp_path / "one", **changes)


@pytest.mark.slow
def test_printed_formula_lowers_the_rate_round_by_round(tmp_path, monkeypatch):
    asked = []
    rate_at = Settings.rate_at

    def noted(settings, games):
        asked.append((settings.schedule, games))
        return rate_at(settings, games)

    monkeypatch.setattr(Settings, "rate_at", noted)
    monkeypatch.setattr(TemporalDifference, "round_games", 1)
    made("nbg-curve", tmp_path / "one")
    learnt = [games for schedule, games in asked if schedule is Schedule.RECURSIVE][:21]
    assert learnt == [0, *range(20)]


@pytest.mark.slow
def test_one_seed_tells_no_standard_error_of_the_first_games(tmp_path):
    findings, _ = made("pulver-inputs", tmp_path / "one", seeds="1")
    assert "the two sets are an unknown number of standard errors apart" in findings.difference


@pytest.mark.slow
def test_folder_of_another_attempt_is_not_written_over(tmp_path):
    made("outputs", tmp_path / "one")
    with pytest.raises(ValueError, match="was begun with experiment outputs"):
        made("outputs", tmp_path / "one", games="30")


@pytest.mark.slow
def test_knock_out_and_halving_find_the_better_of_two():
    strong, weak = random_network(4, 3), random_network(4, 2)
    networks = [weak, strong]
    first, games = knocked_out(networks, 10, 400, 1)
    assert games % 10 == 0
    second, played = halved(networks, games, 1)
    assert first == second
    assert played <= games
