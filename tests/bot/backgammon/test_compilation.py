"""Jobs of compilation: what is missing, done and marked."""

import signal
from concurrent.futures import wait

import pytest

from bot import compilation
from bot.backgammon.compilation import COMPILATION, jobs_of_level, player_jobs, rollout_jobs
from bot.backgammon.engine.level import level
from bot.backgammon.jobs import JOBS
from bot.backgammon.training.run import Run
from bot.backgammon.training.settings import LearnerName, Settings
from bot.draughts import jobs as draughts
from bot.kernels import user_cache
from bot.kernels.kernel import COMPILES, Kernel

BEFORE = "evaluation of plays"


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
    missing = COMPILATION.missing(["boards", "plays", "search", "evaluation", "boards"])
    assert missing == ["evaluation", "plays", "boards"]


def test_what_comes_before_a_missing_job_is_missing_too(marked):
    assert COMPILATION.missing(["candidates", "search"]) == [BEFORE, "search", "candidates"]
    marked.append(BEFORE)
    assert COMPILATION.missing(["candidates", "search"]) == ["search", "candidates"]


def test_a_job_waits_for_the_one_that_it_comes_after(marked):
    names = ["waiting", "slow", "quick"]
    compilation.Compilation("tests.jobs").compile(names, lambda *report: None)
    assert marked.index("slow") < marked.index("waiting")
    assert sorted(marked) == sorted(names)


def test_disk_without_space_is_told_with_the_cache_folder(marked):
    with pytest.raises(OSError, match="No space left on device") as raised:
        compilation.Compilation("tests.jobs").compile(["full"], lambda *report: None)
    assert raised.value.filename == str(user_cache())
    assert marked == []


def test_ctrl_c_comes_between_two_looks_at_the_jobs(marked, monkeypatch):
    looked = []

    def interrupted(*asked):
        signal.raise_signal(signal.SIGINT)
        looked.append(wait(*asked))
        return looked[-1]

    monkeypatch.setattr(compilation, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compilation.Compilation("tests.jobs").compile(["quick"], lambda *report: None)
    assert looked


def test_only_a_job_that_is_not_done_in_time_is_an_error(marked, monkeypatch):
    monkeypatch.setattr(compilation, "wait", lambda futures, *_: wait(futures, 60.0))
    monkeypatch.setattr(compilation, "LIMIT", 0.0)
    compilation.Compilation("tests.jobs").compile(["quick"], lambda *report: None)
    assert marked == ["quick"]
    monkeypatch.setattr(compilation, "wait", lambda futures, *_: wait(futures, 0.0))
    with pytest.raises(ChildProcessError, match=r"^slow not compiled in 0 seconds$"):
        compilation.Compilation("tests.jobs").compile(["slow"], lambda *report: None)


def test_nothing_is_missing_where_nothing_can_be_kept(marked, monkeypatch):
    monkeypatch.setattr(compilation, "folder", lambda: None)
    assert COMPILATION.missing(JOBS) == []


def test_jobs_done_are_marked_and_all_work_reported(marked):
    reports = []
    COMPILATION.compile(["plays", "boards"], lambda *report: reports.append(report))
    assert sorted(marked) == ["boards", "plays"]
    whole = JOBS["plays"].seconds + JOBS["boards"].seconds
    assert all(done + left == pytest.approx(whole) for done, left, _ in reports)
    assert reports[0][0] == 0
    assert [done for done, _, _ in reports] == sorted(done for done, _, _ in reports)
    assert reports[0][2][0] == "plays"


def test_processes_share_the_time(monkeypatch):
    assert COMPILATION.seconds([]) == 0
    monkeypatch.setattr(compilation, "processor_count", lambda: 1)
    alone = COMPILATION.seconds(["search", "candidates"])
    monkeypatch.setattr(compilation, "processor_count", lambda: 2)
    assert COMPILATION.seconds(["search", "candidates"]) < alone


def test_engine_that_does_not_look_ahead_needs_no_search():
    assert "search" not in player_jobs(searches=False)
    assert "search" in player_jobs(searches=True)
    assert {"search", "replies"} <= set(player_jobs(searches=True, shares=True))


def test_rollouts_that_look_ahead_need_the_replies_that_their_searches_keep():
    assert {"search", "replies", "luck"} <= set(rollout_jobs(1))
    assert {"search", "replies", "luck"} <= set(jobs_of_level(level("best")))
    assert rollout_jobs(0) == ["rollout"]


@pytest.mark.skipif(not COMPILES, reason="kernels are Python here")
@pytest.mark.parametrize("learner", [LearnerName.TEMPORAL_DIFFERENCE, LearnerName.MUTATION])
def test_run_calls_no_kernel_that_its_jobs_do_not_compile(learner, tmp_path, monkeypatch):
    called = set()
    call = Kernel.__call__

    def noted(kernel, *arguments):
        called.add(kernel)
        return call(kernel, *arguments)

    monkeypatch.setattr(Kernel, "__call__", noted)
    settings = Settings(learner, games=20, hidden_units=2, test_every=20, test_games=2)
    run = Run.start(tmp_path / "run", settings)
    called.clear()
    for name in run.jobs:
        JOBS[name].work()
    compiled = set(called)
    called.clear()
    run.go_on(lambda progress: None)
    assert not {kernel.__name__ for kernel in called - compiled}


def test_no_two_games_have_jobs_of_the_same_name():
    assert not JOBS.keys() & draughts.JOBS.keys()
