"""Runs: checkpoints, and going on from them."""

import numpy as np
import pytest

from bot.backgammon.network import Network
from bot.backgammon.training.run import ROUND, Run
from bot.backgammon.training.settings import Settings

SMALL = Settings(games=3 * ROUND, hidden_units=8, rates=(0.05, 0.01), seed=4)


class StoppedError(Exception):
    """What interrupts a run here."""


def stop_after(games):
    def report(progress):
        if progress.games >= games:
            raise StoppedError

    return report


def ignore(progress):
    assert progress.seconds > 0


def test_run_ends_with_a_weights_file_that_tells_its_history(tmp_path):
    network = Run.start(tmp_path / "run", SMALL).go_on(ignore)
    loaded = Network.load(tmp_path / "run" / "weights.npz")
    assert all(map(np.array_equal, network.layers, loaded.layers))
    assert loaded.history["games"] == SMALL.games
    assert loaded.history["settings"]["seed"] == 4


def test_resumed_run_ends_bit_equal_to_one_never_stopped(tmp_path):
    whole = Run.start(tmp_path / "whole", SMALL).go_on(ignore)
    with pytest.raises(StoppedError):
        Run.start(tmp_path / "halves", SMALL).go_on(stop_after(ROUND))
    run = Run.resume(tmp_path / "halves")
    assert run.progress.games == ROUND
    assert all(map(np.array_equal, run.go_on(ignore).layers, whole.layers))


def test_folder_of_another_run_is_not_overwritten(tmp_path):
    Run.start(tmp_path, SMALL)
    before = (tmp_path / "checkpoint.npz").read_bytes()
    with pytest.raises(ValueError, match="another run"):
        Run.start(tmp_path, SMALL)
    assert (tmp_path / "checkpoint.npz").read_bytes() == before


def test_folder_without_run_cannot_be_resumed(tmp_path):
    with pytest.raises(ValueError, match="holds no run"):
        Run.resume(tmp_path)


def test_damaged_checkpoint_is_named(tmp_path):
    Run.start(tmp_path, SMALL)
    path = tmp_path / "checkpoint.npz"
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ValueError, match=r"checkpoint\.npz is no checkpoint"):
        Run.resume(tmp_path)
