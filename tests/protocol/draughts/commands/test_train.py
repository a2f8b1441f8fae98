"""`blot draughts train` and `blot draughts endings`."""

import argparse

import pytest

from bot.draughts.evaluation.patterns import PatternEvaluation
from protocol.draughts.commands.draughts import add_draughts
from protocol.errors import UsageError

QUICK = "--depth 1 --opening 60 --endings 0 --seed 5"


def run(line):
    parser = argparse.ArgumentParser(prog="blot")
    add_draughts(parser.add_subparsers())
    options = parser.parse_args(["draughts", *line.split()])
    return options.run(options)


def test_a_run_ends_with_weights(tmp_path, capsys):
    assert run(f"train --variant czech --out {tmp_path} --games 3 {QUICK}") == 0
    assert "czech, 3 games, " in capsys.readouterr().out
    assert PatternEvaluation.load(tmp_path / "weights.npz").history["games"] == 3


def test_a_run_without_a_folder_gets_a_new_one(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(f"train --variant czech --games 1 {QUICK}") == 0
    assert (tmp_path / "runs/draughts-czech/weights.npz").exists()


def test_a_new_run_needs_the_game():
    with pytest.raises(UsageError, match="a new run needs --variant"):
        run("train --games 3")


def test_run_of_the_other_command_is_named_with_the_command_that_goes_on_with_it(tmp_path):
    states, plays = tmp_path / "states", tmp_path / "plays"
    run(f"learn --out {states} --games 1 --depth 1")
    run(f"train --variant czech --out {plays} --games 1 {QUICK}")
    with pytest.raises(
        ValueError, match=f"another command.*: blot draughts learn --resume {states}"
    ):
        run(f"train --resume {states}")
    with pytest.raises(
        ValueError, match=f"another command.*: blot draughts train --resume {plays}"
    ):
        run(f"learn --resume {plays}")


def test_settings_that_cannot_be_are_wrong_usage():
    with pytest.raises(UsageError, match="--random-every is 1 to 1,000,000,000, not 0"):
        run("train --variant czech --random-every 0")


def test_what_a_new_run_needs_is_told_by_help(capsys):
    with pytest.raises(SystemExit):
        run("train --help")
    assert "the game to learn; needed for a new run" in " ".join(capsys.readouterr().out.split())


def test_a_run_goes_on_with_its_own_settings(tmp_path):
    run(f"train --variant czech --out {tmp_path} --games 1 {QUICK}")
    with pytest.raises(UsageError, match="--games has no use beside it"):
        run(f"train --resume {tmp_path} --games 3")
    assert run(f"train --resume {tmp_path}") == 0


def test_endings_are_solved_and_kept(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path))
    assert run("endings --variant czech --pieces 2") == 0
    assert str(tmp_path) in capsys.readouterr().out
    assert len(list(tmp_path.glob("blot/draughts-czech-2-*.bin"))) == 1
