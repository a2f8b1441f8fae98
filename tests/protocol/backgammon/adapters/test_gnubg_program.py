import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from ptyprocess import PtyProcess

from protocol.backgammon.adapters import gnubg_program
from protocol.backgammon.adapters.gnubg_program import (
    GnubgError,
    GnubgMissingError,
    GnubgProgram,
    find_gnubg,
)
from tests.processes import group_goes, group_is_gone

FAKE = Path(__file__).parents[3] / "fakes" / "gnubg.py"


def fake(way: str, **options: float) -> GnubgProgram:
    return GnubgProgram([sys.executable, str(FAKE), way], **options)


def test_a_program_is_ended_and_its_home_removed():
    with fake("plays") as gnubg:
        process, folder = gnubg.process, gnubg.folder
        assert folder.is_dir()
        assert not group_is_gone(process)
    assert not folder.exists()
    assert group_is_gone(process)


def test_an_interrupt_ends_the_program_too():
    def interrupted() -> None:
        with fake("plays") as gnubg:
            found.extend((gnubg.process, gnubg.folder))
            raise KeyboardInterrupt

    found: list[Any] = []
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    process, folder = found
    assert group_is_gone(process)
    assert not folder.exists()


def test_children_of_the_program_end_with_it():
    with fake("offspring") as gnubg:
        process = gnubg.process
    assert group_goes(process)


def test_a_program_that_never_prompts_is_reported_and_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with (
        pytest.raises(GnubgError, match=r"stalled at 'start' for 0\.2 s"),
        fake("silent", patience=0.2),
    ):
        pass  # never reached: the start fails
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_is_no_gnubg_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with (
        pytest.raises(GnubgError, match="died at 'start' with status 0"),
        GnubgProgram(["/bin/echo", "good day"]),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_refused_command_is_reported_with_the_last_lines():
    with fake("refuses") as gnubg, pytest.raises(GnubgError) as caught:
        gnubg.command("set seed 1")
    sentence, *lines = str(caught.value).splitlines()
    assert sentence.startswith("gnubg refused 'set seed 1' (Unknown keyword `set seed 1'.)")
    assert "  | Unknown keyword `set seed 1'." in lines
    assert "@blot" not in str(caught.value)


def test_a_command_that_ends_in_silence_is_a_stall(monkeypatch):
    with fake("plays") as gnubg:
        monkeypatch.setattr(gnubg, "_patience", 0.2)
        os.kill(gnubg.process, signal.SIGSTOP)
        with pytest.raises(GnubgError, match=r"stalled at 'set seed 2' for 0\.2 s"):
            gnubg.command("set seed 2")
        process = gnubg.process
    assert group_is_gone(process)


def test_requests_of_the_player_are_signs_of_life_but_not_for_ever(monkeypatch):
    requests = iter(range(1000))
    with fake("plays", activity=lambda: next(requests)) as gnubg:
        monkeypatch.setattr(gnubg, "_patience", 0.2)
        monkeypatch.setattr(gnubg_program, "COMMAND_SECONDS", 0.5)
        os.kill(gnubg.process, signal.SIGSTOP)
        with pytest.raises(GnubgError, match=r"took over 0\.5 s for 'set seed 1'"):
            gnubg.command("set seed 1")


def test_a_slow_death_is_waited_for(monkeypatch):
    is_alive = PtyProcess.isalive
    with fake("plays") as gnubg:
        process = gnubg.process
        death = time.monotonic() + 1.2

        def is_alive_longer(child):
            return time.monotonic() < death or is_alive(child)

        monkeypatch.setattr(PtyProcess, "isalive", is_alive_longer)
    assert group_is_gone(process)


def test_without_gnubg_it_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    with pytest.raises(GnubgMissingError, match="apt-get install gnubg"):
        find_gnubg()


def test_windows_is_told_what_gnubg_needs(monkeypatch):
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(GnubgMissingError, match="needs Linux or macOS"):
        find_gnubg()


def test_without_pexpect_it_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pexpect", None)
    with pytest.raises(GnubgMissingError, match="needs pexpect"):
        find_gnubg()


@pytest.mark.gnubg
def test_gnubg_starts_obeys_and_leaves_nothing():
    with GnubgProgram() as gnubg:
        process, folder = gnubg.process, gnubg.folder
        assert gnubg.command("set seed 5").strip() == "Seed set to 5."
        with pytest.raises(GnubgError, match="Unknown keyword"):
            gnubg.command("set nonsense")
        with pytest.raises(GnubgError, match=r"refused 'set player 1 external ./nobody'"):
            gnubg.command("set player 1 external ./nobody")
    assert group_is_gone(process)
    assert not folder.exists()


@pytest.mark.gnubg
def test_statistics_of_errors_are_no_refusal():
    with GnubgProgram() as gnubg:
        gnubg.command("new match 1")
        assert "Error total EMG" in gnubg.command("show statistics match")
