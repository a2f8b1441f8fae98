import argparse
import errno
import os
from pathlib import Path

import pytest

from protocol.training import begun, resumable


def test_folder_of_a_run_that_cannot_begin_is_gone_and_one_with_files_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def fails(folder):
        assert folder.is_dir()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begun(argparse.Namespace(), "quick", 1000, fails)
    assert list(Path("runs").iterdir()) == []

    def fails_later(folder):
        (folder / "settings.toml").touch()
        raise ValueError("no such settings")

    with pytest.raises(ValueError, match="no such settings"):
        begun(argparse.Namespace(), "quick", 1000, fails_later)
    assert [path.name for path in Path("runs").iterdir()] == ["quick"]


def test_only_a_folder_that_nobody_named_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert begun(argparse.Namespace(out=Path("mine")), "quick", 1000, str) == "mine"
    assert capsys.readouterr().err == ""
    assert begun(argparse.Namespace(), "quick", 1000, str) == "runs/quick"
    assert capsys.readouterr().err == "a new run of 1,000 games in runs/quick\n"


def test_whatever_stops_a_run_it_is_said_how_it_goes_on(capsys):
    way = "blot draughts train --resume runs/one"
    told = pytest.raises(OSError, match=f"^No space left.*; .* its last checkpoint: {way}$")
    with told, resumable("draughts train", Path("runs/one")):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert capsys.readouterr().err == ""
    with pytest.raises(KeyboardInterrupt), resumable("draughts train", Path("runs/one")):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == f"stopped; go on with: {way}\n"


def test_the_name_of_a_folder_commands_no_terminal(capsys):
    with pytest.raises(KeyboardInterrupt), resumable("train", Path("runs/\x1b[2Jone")):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == "stopped; go on with: blot train --resume runs/?[2Jone\n"
