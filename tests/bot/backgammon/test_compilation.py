"""Jobs of compilation: what is missing, done and marked."""

import pytest

from bot.backgammon import compilation
from bot.backgammon.compilation import (
    compile_jobs,
    missing_jobs,
    player_jobs,
    seconds_to_compile,
)
from bot.backgammon.jobs import JOBS


@pytest.fixture
def marked(monkeypatch, tmp_path):
    """Jobs that are marked as compiled: none at first."""
    names = []
    monkeypatch.setattr(compilation, "folder", lambda: tmp_path)
    monkeypatch.setattr(compilation, "is_compiled", names.__contains__)
    monkeypatch.setattr(compilation, "mark_compiled", names.append)
    return names


def test_only_what_is_not_marked_is_missing_the_longest_first(marked):
    marked.append("search")
    missing = missing_jobs(["boards", "candidates", "search", "evaluation", "boards"])
    assert missing == ["candidates", "evaluation", "boards"]


def test_nothing_is_missing_where_nothing_can_be_kept(marked, monkeypatch):
    monkeypatch.setattr(compilation, "folder", lambda: None)
    assert missing_jobs(JOBS) == []


def test_jobs_done_are_marked_and_all_work_reported(marked):
    reports = []
    compile_jobs(["plays", "boards"], lambda *report: reports.append(report))
    assert sorted(marked) == ["boards", "plays"]
    whole = JOBS["plays"].seconds + JOBS["boards"].seconds
    assert all(done + left == pytest.approx(whole) for done, left, _ in reports)
    assert reports[0][0] == 0
    assert [done for done, _, _ in reports] == sorted(done for done, _, _ in reports)
    assert reports[0][2][0] == "plays"


def test_processes_share_the_time(monkeypatch):
    assert seconds_to_compile([]) == 0
    monkeypatch.setattr(compilation.os, "cpu_count", lambda: 1)
    alone = seconds_to_compile(["search", "candidates"])
    monkeypatch.setattr(compilation.os, "cpu_count", lambda: 2)
    assert seconds_to_compile(["search", "candidates"]) < alone


def test_engine_that_does_not_look_ahead_needs_no_search():
    assert "search" not in player_jobs(searches=False)
    assert "search" in player_jobs(searches=True)
    assert {"search", "replies"} <= set(player_jobs(searches=True, shares=True))
