"""The subcommand `blot bearoff`."""

import json

import pytest

from protocol.cli import main

pytestmark = pytest.mark.slow


def test_first_use_builds_and_the_second_checks(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path))
    assert main(["bearoff"]) == 0
    said = capsys.readouterr()
    assert "54,264 positions of one side, 924 x 924 of both" in said.out
    assert " built in " in said.out
    assert "building bear-off databases" in said.err
    assert main(["bearoff", "--json"]) == 0
    said = capsys.readouterr()
    report = json.loads(said.out)
    assert said.err == ""
    assert not report["built"]
    assert (report["one_sided"], report["two_sided"]) == (54_264, 924)
    with open(report["file"], "r+b") as file:
        file.seek(report["bytes"] // 2)
        file.write(b"damage")
    assert main(["bearoff"]) == 0
    assert f"the bear-off databases {report['file']} are damaged" in capsys.readouterr().err


def test_tables_that_cannot_be_kept_are_a_failure_in_one_sentence(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path / "file"))
    assert main(["bearoff", "--rebuild"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "cannot keep the bear-off databases" in said.err
