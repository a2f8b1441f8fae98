"""Trained runs: gone on with wherever they were left."""

from types import SimpleNamespace

import pytest

from bot.backgammon.lab.trained_run import trained_run
from bot.backgammon.training.run import Run
from bot.backgammon.training.settings import Settings
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
    attempt = SimpleNamespace(
        folder=tmp_path,
        note=lambda text: None,
        prepare=lambda: None,
        count_broken_off=lambda place, games: None,
    )
    trained = trained_run(attempt, "run", SMALL)
    assert [snapshot.games for snapshot in trained.snapshots] == [10, 20]
