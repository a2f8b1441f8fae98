"""Trained runs: gone on with wherever they were left."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from bot.backgammon.lab.trained_run import SHARED, shared_run, trained_run
from bot.backgammon.training.run import Run
from bot.backgammon.training.settings import LearnerName, Settings
from bot.backgammon.training.temporal_difference import TemporalDifference

SMALL = Settings(games=20, hidden_units=4, rates=(0.05,), test_every=10, test_games=4)


class KilledError(Exception):
    """Stands for a death that nobody saw coming."""


def test_a_run_killed_in_its_last_test_is_tested_and_ends_with_its_last_network(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(TemporalDifference, "round_games", 10)

    def report(progress):
        if progress.tested is not None and progress.games == 20:
            raise KilledError

    with pytest.raises(KilledError):
        Run.start(tmp_path / "run", SMALL).go_on(report, seconds_between_checkpoints=0.0)
    killed = Run.resume(tmp_path / "run")
    assert (killed.progress.games, killed.measurements[-1].games) == (20, 10)
    trained = trained_run(attempt_in(tmp_path), "run", SMALL)
    assert [snapshot.games for snapshot in trained.snapshots] == [10, 20]


def attempt_in(folder):
    """An attempt that says nothing."""
    return SimpleNamespace(
        folder=folder,
        note=lambda text: None,
        prepare=lambda: None,
        count_broken_off=lambda place, games: None,
    )


def test_runs_that_differ_in_nothing_that_counts_are_one(tmp_path):
    settings = replace(SMALL, learner=LearnerName.BACKPROPAGATION)
    first = shared_run(attempt_in(tmp_path / "one"), "run", replace(settings, trace=0.5))
    other = shared_run(attempt_in(tmp_path / "two"), "run", replace(settings, trace=0.7))
    assert first.snapshots == other.snapshots
    assert [each.name[:4] for each in (tmp_path / SHARED).iterdir()] == ["run-"]
