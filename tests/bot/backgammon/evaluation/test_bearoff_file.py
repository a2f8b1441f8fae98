"""Bear-off databases in their file: kept, found, damaged, written by several at once."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bot.backgammon.evaluation.bearoff import bearoff_path, build_databases, load_databases
from bot.backgammon.evaluation.bearoff_file import read_databases, write_databases
from bot.kernels import writing_problem
from tests.processes import child

CHECKERS, TWO_SIDED_CHECKERS = 4, 3


def ignored(_: str) -> None:
    """Nobody is told."""


@pytest.fixture(scope="module")
def small():
    """Tables for a few checkers, which even uncompiled kernels build in seconds."""
    return build_databases(ignored, CHECKERS, TWO_SIDED_CHECKERS)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache folder of one's own."""
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path))
    return tmp_path


def load(told):
    return load_databases(told.append, CHECKERS, TWO_SIDED_CHECKERS)


def assert_same(databases, expected):
    for ours, theirs in zip(flat(databases), flat(expected), strict=True):
        assert ours.dtype == theirs.dtype
        assert ours.flags.aligned
        assert ours.flags.writeable == theirs.flags.writeable
        assert np.array_equal(ours, theirs)


def flat(databases):
    return [*databases.all_off, *databases.first_off, databases.wins, databases.equities]


def test_first_need_builds_and_says_so_and_the_second_finds_the_file(cache, small):
    told = []
    assert_same(load(told), small)
    assert any("positions of one side" in text for text in told)
    told.clear()
    assert_same(load(told), small)
    assert told == []
    assert [path.name for path in cache.rglob("*bearoff*")] == ["bearoff-1-4-3.tables"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-1],
        lambda content: content[:5000],
        lambda content: b"",
        lambda content: content[:6000] + bytes([content[6000] ^ 1]) + content[6001:],
        lambda content: content.replace(b"all_off.starts", b"all_off.start_", 1),
        lambda content: content.replace(b'"version": 1', b'"version": 2', 1),
        lambda content: b"not a header" + content,
        lambda content: content + b"\0",
    ],
)
def test_damaged_file_is_built_again_and_told(cache, small, damage):
    path = bearoff_path(CHECKERS, TWO_SIDED_CHECKERS)
    write_databases(small, path)
    sound = path.read_bytes()
    path.write_bytes(damage(sound))
    told = []
    assert_same(load(told), small)
    assert told[0] == f"the bear-off databases {path} are damaged; building them again"
    assert path.read_bytes() == sound


def test_tables_of_another_size_are_built_again_and_told(cache, small):
    path = bearoff_path(CHECKERS, TWO_SIDED_CHECKERS)
    write_databases(build_databases(ignored, 3, 2), path)
    told = []
    assert_same(load(told), small)
    assert told[0] == f"the bear-off databases {path} have the wrong size; building them again"


def test_folder_that_cannot_be_written_is_told_and_the_tables_used(tmp_path, monkeypatch, small):
    assert writing_problem() is None  # which is looked at once, before the folder goes wrong
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path / "file"))
    told = []
    assert_same(load(told), small)
    assert told[-1].startswith(f"cannot keep the bear-off databases {tmp_path / 'file'}")


def test_many_writers_at_once_leave_a_sound_file_and_nothing_else(tmp_path, small):
    path = tmp_path / "some.tables"
    write_databases(small, path)

    def write_and_read(_):
        write_databases(small, path)
        assert_same(read_databases(path), small)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write_and_read, range(40)))
    assert list(tmp_path.iterdir()) == [path]


def test_two_processes_at_once_build_the_same_file(tmp_path):
    """Uncompiled, so that neither process waits for the other's kernels."""
    program = (
        "import json; from bot.backgammon.evaluation.bearoff import load_databases; told = []; "
        "databases = load_databases(told.append, 2, 1); "
        "print(json.dumps([len(told), databases.wins.sum().item()]))"
    )
    environment = os.environ | {"BLOT_CACHE": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", program]
    with (
        child(command, 120, stdout=subprocess.PIPE, env=environment) as one,
        child(command, 120, stdout=subprocess.PIPE, env=environment) as other,
    ):
        answers = [json.loads(each.communicate(timeout=120)[0]) for each in (one, other)]
    assert (
        answers[0][1] == answers[1][1] == pytest.approx(build_databases(ignored, 2, 1).wins.sum())
    )
    assert [path.name for path in tmp_path.rglob("*bearoff*")] == ["bearoff-1-2-1.tables"]
