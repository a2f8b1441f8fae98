"""Errors: each a sentence."""

import socket
from argparse import ArgumentTypeError

import pytest

from protocol.cli import main
from protocol.errors import (
    MalformedLineError,
    UsageError,
    as_argument,
    as_usage,
    sentence,
    sentence_of,
    typed_path,
)


def test_error_of_the_system_names_the_file_and_has_no_number(tmp_path):
    with pytest.raises(OSError, match="Errno") as raised:
        (tmp_path / "none.mat").stat()
    assert (
        sentence_of(raised.value) == f"cannot use {tmp_path / 'none.mat'}: {raised.value.strerror}"
    )
    with socket.socket() as lonely, pytest.raises(OSError, match="Errno") as raised:
        lonely.getpeername()
    assert sentence_of(raised.value) == raised.value.strerror
    assert sentence_of(OSError("the disk is full")) == "the disk is full"


def test_errors_become_sentences():
    assert sentence(ValueError("the roll is played")) == "The roll is played."
    assert sentence(ValueError("save: no file")) == "Save: no file."
    assert sentence(ValueError("why?")) == "Why?"
    assert sentence(ValueError("game.json is longer than 16 MB")).startswith("game.json is")


def test_what_is_wrong_with_options_is_told_as_such_and_other_faults_are_left():
    @as_argument()
    def points(text):
        return int(text)

    assert points("8") == 8
    with pytest.raises(ArgumentTypeError, match=r"^invalid literal .*'8/5'$"):
        points("8/5")
    with pytest.raises(UsageError, match=r"^either --ply or --level$"), as_usage():
        raise ValueError("either --ply or --level")
    with pytest.raises(OSError, match=r"^full$"), as_usage():
        raise OSError("full")


def test_a_line_that_cannot_be_read_is_told_by_its_beginning():
    assert str(MalformedLineError("the roll", "9" * 90)) == f"cannot read the roll in '{'9' * 80}'"


def test_a_path_is_read_as_it_is_typed(monkeypatch):
    monkeypatch.setenv("HOME", "/somewhere")
    assert str(typed_path("~/a b.pdn")) == "/somewhere/a b.pdn"
    for text, reason in (("a\0b", "a NUL"), ("~nobody-here/x", "~nobody-here/x: there is no such")):
        with pytest.raises(ValueError, match=reason):
            typed_path(text)


def test_folder_that_is_gone_is_told(tmp_path, monkeypatch, capsys):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["match", "--opponent", "random", "--games", "2", "--mat", "x.mat"]) == 1
    assert capsys.readouterr().err == "blot: the current folder is gone; go to another one\n"
