import numpy as np
import pytest

from bot.draughts.evaluation.state_table import StateTable
from bot.draughts.training.state_learning import LearningSettings
from bot.draughts.training.state_run import StateRun

SETTINGS = LearningSettings(games=8, depth=1)


class KilledError(Exception):
    pass


def kill_after(games):
    def report(done):
        if done >= games:
            raise KilledError

    return report


def finished(folder, settings=SETTINGS):
    run = StateRun.start(folder, settings)
    run.go_on(lambda done: None)
    return run


def test_a_run_that_was_killed_ends_as_one_that_was_not(tmp_path):
    whole = finished(tmp_path / "whole")
    run = StateRun.start(tmp_path / "killed", SETTINGS)
    with pytest.raises(KilledError):
        run.go_on(kill_after(3), seconds_between_checkpoints=0.0)
    again = StateRun.resume(tmp_path / "killed")
    assert 0 < again.learning.results.games < 8
    again.go_on(lambda done: None)
    assert again.learning.results == whole.learning.results
    one, other = (StateTable.load(run.table_files[0]).arrays() for run in (whole, again))
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


def test_a_run_between_checkpoints_goes_back_to_the_last_one(tmp_path):
    run = StateRun.start(tmp_path, SETTINGS)
    with pytest.raises(KilledError):
        run.go_on(kill_after(2), seconds_between_checkpoints=3600.0)
    assert StateRun.resume(tmp_path).learning.results.games == 0


def test_a_run_that_is_stopped_at_any_moment_is_saved(tmp_path):
    run = StateRun.start(tmp_path, SETTINGS)
    asked = iter([False, True])
    with pytest.raises(KeyboardInterrupt):
        run.go_on(lambda done: None, is_stopped=lambda: next(asked, True))
    assert run.learning.results.games > 1
    assert StateRun.resume(tmp_path).learning.results == run.learning.results


def test_a_run_is_prolonged(tmp_path):
    finished(tmp_path / "run")
    longer = StateRun.resume(tmp_path / "run", games=11)
    longer.go_on(lambda done: None)
    whole = finished(tmp_path / "whole", LearningSettings(games=11, depth=1))
    assert longer.learning.results == whole.learning.results
    with pytest.raises(ValueError, match="has played 11 games already"):
        StateRun.resume(tmp_path / "run", games=10)


def test_two_tables_stand_in_two_files(tmp_path):
    run = finished(tmp_path, LearningSettings(games=2, depth=1, is_shared=False))
    loaded = [StateTable.load(path) for path in run.table_files]
    assert [path.name for path in run.table_files] == ["states-white.npz", "states-black.npz"]
    assert [len(table) for table in loaded] == [len(table) for table in run.learning.tables]


def test_a_folder_with_a_run_is_not_written_over(tmp_path):
    StateRun.start(tmp_path, SETTINGS)
    with pytest.raises(ValueError, match=r"checkpoint.npz would be written over"):
        StateRun.start(tmp_path, SETTINGS)


def test_a_folder_without_a_run_cannot_be_gone_on_with(tmp_path):
    with pytest.raises(ValueError, match="holds no run"):
        StateRun.resume(tmp_path)


def test_a_damaged_checkpoint_is_refused_in_a_sentence(tmp_path):
    StateRun.start(tmp_path, SETTINGS)
    (tmp_path / "checkpoint.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"checkpoint.npz is no checkpoint of draughts of Blot"):
        StateRun.resume(tmp_path)


def test_no_two_processes_learn_in_one_folder(tmp_path):
    run = StateRun.start(tmp_path, SETTINGS)
    other = StateRun.resume(tmp_path)

    def report(done):
        with pytest.raises(ValueError, match="another process"):
            other.go_on(lambda done: None)
        raise KilledError

    with pytest.raises(KilledError):
        run.go_on(report)
