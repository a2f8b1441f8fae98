"""Workers: results in order, and every kind of end."""

import contextlib
import gc
import math
import multiprocessing
import os
import select
import signal
import subprocess
import sys
import threading
from concurrent.futures import CancelledError, Future
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from bot.workers import (
    ProcessPool,
    all_results,
    joint_results,
    leave_with,
    processes,
    processor_count,
    result_of,
    results_as_done,
    results_by,
    shared_with_workers,
    submitted,
    worker_pool,
)
from tests.bot.workers.work import begin_an_answer, sit_down, stay, total
from tests.processes import child

LIMIT = 60.0
"""Seconds any wait here may take."""


def test_processors_are_those_that_this_process_may_run_on(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 3}, raising=False)
    assert processor_count() == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    assert processor_count() == 8
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert processor_count() == 1, "nobody knows"


def test_results_come_in_the_order_of_the_pieces():
    with worker_pool(2) as pool:
        assert all_results(pool, divmod, [(7, 2), (9, 5), (3, 3)]) == [(3, 1), (1, 4), (1, 0)]


def test_work_needs_a_worker():
    with pytest.raises(ValueError, match="not 0"):
        worker_pool(0)


def test_error_in_the_work_is_passed_on():
    with worker_pool(1) as pool, pytest.raises(ZeroDivisionError):
        all_results(pool, divmod, [(1, 0)])


def test_death_of_a_worker_is_an_error_and_no_hang():
    with worker_pool(2) as pool, pytest.raises(ChildProcessError, match="a worker process died"):
        all_results(pool, os._exit, [(1,), (1,)])


def test_worker_that_gives_no_answer_is_ended():
    with worker_pool(1) as pool, pytest.raises(ChildProcessError, match=r"no answer in 0\.1 s"):
        all_results(pool, signal.pause, [()], limit=0.1)


def test_work_that_nobody_wants_any_more_is_ended():
    with worker_pool(1) as pool:
        (work,) = submitted(pool, signal.pause, [()])
        with pytest.raises(CancelledError):
            result_of(pool, work, LIMIT, lambda: True)
        with pytest.raises(ChildProcessError, match="died"):
            pool.check()


def test_interrupt_while_work_is_handed_out_is_not_lost():
    def pieces():
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)  # no other thread hears it late
        yield (7, 2)

    with worker_pool(1) as pool, pytest.raises(KeyboardInterrupt):
        submitted(pool, divmod, pieces())


def test_work_is_left_when_an_error_ends_the_use_of_the_pool():
    with pytest.raises(TypeError), worker_pool(1) as pool:
        len(submitted(pool, signal.pause, [()])[0])


def test_worker_hears_of_no_interrupt_from_its_first_moment():
    with worker_pool(1) as pool:
        (work,) = submitted(pool, signal.getsignal, [(signal.SIGINT,)])
        (process,) = pool._processes.values()
        os.kill(process.pid, signal.SIGINT)
        os.kill(process.pid, signal.SIGHUP)
        assert result_of(pool, work, LIMIT) == signal.SIG_IGN


def test_worker_looks_seldom_for_garbage():
    with worker_pool(1) as pool:
        ((objects, *_),) = all_results(pool, gc.get_threshold, [()])
    assert objects == 200_000


def test_worker_finds_what_its_pool_was_made_with():
    with worker_pool(1, {"weights": 3}) as pool:
        assert all_results(pool, shared_with_workers, [()]) == [{"weights": 3}]
    assert shared_with_workers() is None


def test_the_two_values_published_last_can_be_had_and_nothing_is_left_of_them():
    with ProcessPool(1) as pool:
        published = [pool.publish([number]) for number in range(4)]
        assert all_results(pool, total, [(each, 5) for each in published[2:]]) == [7, 8]
        folder = Path(published[0].key).parent
        assert sorted(path.name for path in folder.iterdir()) == ["2", "3"]
    assert not folder.exists()


def meet(worker):
    """Wait at a barrier for the other worker."""
    barrier = shared_with_workers()
    assert isinstance(barrier, Barrier)
    barrier.wait(LIMIT)
    return worker


def test_workers_can_wait_for_one_another():
    with worker_pool(2, multiprocessing.get_context("spawn").Barrier(2)) as pool:
        for _ in range(3):
            assert joint_results(pool, meet, [(0,), (1,)]) == [0, 1]


def test_failure_of_one_ends_those_who_wait_for_it():
    with worker_pool(2) as pool, pytest.raises(ZeroDivisionError):
        joint_results(pool, exec, [("import signal; signal.pause()",), ("1 / 0",)])


def test_death_of_one_is_told_while_another_waits():
    with worker_pool(2) as pool, pytest.raises(ChildProcessError, match="a worker process died"):
        joint_results(pool, exec, [("import signal; signal.pause()",), ("import os; os._exit(1)",)])


def test_workers_that_wait_for_ever_are_ended():
    with worker_pool(2) as pool, pytest.raises(ChildProcessError, match=r"no answer in 0\.1 s"):
        joint_results(pool, signal.pause, [(), ()], limit=0.1)


def test_interrupt_amid_the_pools_own_code_leaves_no_lock_locked():
    program = (
        "import _thread, threading\n"
        "from bot.workers import all_results, worker_pool\n"
        "enter = threading.Condition.__enter__\n"
        "def entering(condition):\n"
        "    locked = enter(condition)\n"
        "    if threading.current_thread() is threading.main_thread() and next(left, 1) == 0:\n"
        "        _thread.interrupt_main()  # as if another thread had taken the signal\n"
        "    return locked\n"
        "if __name__ == '__main__':\n"
        "    for number in range(6):\n"
        "        try:\n"
        "            with worker_pool(1) as pool:\n"
        "                all_results(pool, divmod, [(7, 2)])\n"
        "                left = iter(range(number, -1, -1))\n"
        "                threading.Condition.__enter__ = entering\n"
        "                all_results(pool, divmod, [(7, 2)])\n"
        "        except KeyboardInterrupt:\n"
        "            print('interrupted')\n"
        "        threading.Condition.__enter__ = enter\n"
    )
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    assert (ended.stdout, ended.stderr) == ("interrupted\n" * 6, "")


@pytest.mark.parametrize(
    ("asked", "results"),
    [
        ("done", lambda pool: list(results_as_done(pool, divmod, [(7, 2)], ahead=1))),
        ("cancel", lambda pool: results_by(pool, divmod, [(7, 2)], 0.0)),
    ],
)
def test_interrupt_comes_only_when_all_futures_were_asked(monkeypatch, asked, results):
    answers, ask = [], getattr(Future, asked)

    def interrupted(future):
        signal.raise_signal(signal.SIGINT)
        answers.append(ask(future))
        return answers[-1]

    monkeypatch.setattr(Future, asked, interrupted)
    with worker_pool(1) as pool, pytest.raises(KeyboardInterrupt):
        results(pool)
    assert len(answers) == 1


def test_work_nobody_asked_for_is_left_at_the_end():
    with worker_pool(1) as pool:
        submitted(pool, signal.pause, [()])


def test_work_that_was_called_off_is_no_error_at_the_end():
    with worker_pool(1) as pool:
        assert submitted(pool, signal.pause, [()] * 9)[-1].cancel()


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the system has no process descriptors")
def test_workers_say_goodbye_and_end_with_a_killed_parent(tmp_path):
    word = tmp_path / "word"
    assert_workers_end_with_a_killed_parent(sit_down, word)
    assert word.read_text() == "goodbye"


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the system has no process descriptors")
def test_workers_that_do_not_leave_end_with_a_killed_parent_too(tmp_path):
    assert_workers_end_with_a_killed_parent(stay, tmp_path)


def assert_workers_end_with_a_killed_parent(work, path):
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from bot.workers import all_results, worker_pool\n"
        f"from {work.__module__} import {work.__name__}\n"
        "if __name__ == '__main__':\n"
        "    pool = worker_pool(2)\n"
        f"    all_results(pool, {work.__name__}, [(Path(sys.argv[1]),)] * 2)\n"
        "    print(*pool._processes, flush=True)\n"
        "    time.sleep(60)\n"
    )
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with child([sys.executable, "-c", program, str(path)], LIMIT, **streams) as it:
        workers = [os.pidfd_open(int(word)) for word in it.stdout.readline().split()]
    assert workers
    for worker in workers:
        ended, _, _ = select.select([worker], [], [], LIMIT)
        os.close(worker)
        assert ended == [worker]


def test_nothing_is_begun_once_the_time_is_up():
    with worker_pool(1) as pool:
        pieces = [(7, 2)] * 3
        assert results_by(pool, divmod, pieces, math.inf) == [(3, 1)] * 3
        assert results_by(pool, divmod, [(7, 2)] * 50, 0.0) is None
        assert results_by(pool, divmod, pieces, math.inf) == [(3, 1)] * 3


def test_results_come_as_they_are_done_and_few_pieces_are_handed_out_ahead():
    asked = []

    def pieces():
        for number in range(6):
            asked.append(number)
            yield number, 2

    with worker_pool(2) as pool:
        results = results_as_done(pool, divmod, pieces(), ahead=1)
        found = [next(results)]
        assert len(asked) == 2
        found += results
    assert sorted(found) == [divmod(number, 2) for number in range(6)]


def test_death_of_a_worker_is_heard_while_any_result_is_waited_for():
    with worker_pool(1) as pool, pytest.raises(ChildProcessError, match="a worker process died"):
        list(results_as_done(pool, os._exit, [(1,)], ahead=2))


def test_a_worker_says_goodbye_when_it_is_told_to_end(tmp_path):
    with worker_pool(1) as pool:
        assert list(results_as_done(pool, sit_down, [(tmp_path / "word",)], ahead=1)) == [None]
        (process,) = pool._processes.values()
    assert (tmp_path / "word").read_text() == "goodbye"
    assert process.exitcode == 0


def test_who_is_no_worker_ends_in_its_own_way():
    before = signal.getsignal(signal.SIGTERM)
    leave_with(lambda: None)
    assert signal.getsignal(signal.SIGTERM) == before


def test_worker_that_does_not_leave_is_killed(monkeypatch):
    monkeypatch.setattr(processes, "_LEAVING", 0.0)
    with worker_pool(1) as pool:
        ignored = (signal.SIGTERM, signal.SIG_IGN)
        assert all_results(pool, signal.signal, [ignored]) == [signal.SIG_DFL]
        submitted(pool, signal.pause, [()])
        (process,) = pool._processes.values()
    assert process.exitcode == -signal.SIGKILL


def test_pool_ends_though_a_worker_was_amid_an_answer():
    begun = multiprocessing.get_context("spawn").Event()
    pool = worker_pool(1, begun)
    writer = pool._result_queue._writer
    submitted(pool, begin_an_answer, [()])
    assert begun.wait(LIMIT)
    ending = threading.Thread(target=pool.shutdown)
    ending.start()
    ending.join(LIMIT)
    try:
        assert not ending.is_alive()
    finally:
        writer.close()


def test_pool_takes_no_work_while_it_ends(monkeypatch):
    pool = ProcessPool(1)
    end = pool.end

    def end_late():
        with pytest.raises(RuntimeError, match="after shutdown"):
            pool.submit(abs, -1)
        end()

    monkeypatch.setattr(pool, "end", end_late)
    pool.shutdown()


def test_interrupt_amid_the_end_of_a_pool_comes_when_nothing_is_left_of_it(monkeypatch):
    pool = ProcessPool(1)
    folder = Path(pool.publish(1).key).parent
    monkeypatch.setattr(pool, "end", lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        pool.shutdown()
    assert not folder.exists()


def test_pool_ends_at_once_whoever_hands_work_out_meanwhile():
    for _ in range(6):
        pool = ProcessPool(1)
        hands_out = threading.Thread(target=_hand_out, args=(pool,))
        hands_out.start()
        pool.shutdown()
        hands_out.join(LIMIT)
        assert not hands_out.is_alive()


def _hand_out(pool):
    with contextlib.suppress(RuntimeError):  # it has ended
        pool.submit(signal.pause)


def test_a_pool_that_is_ended_while_it_is_ended_is_closed_once(monkeypatch):
    pool = ProcessPool(1)
    closed = []
    writer = pool._result_queue._writer
    close = writer._close

    def end_too():  # as another thread, which has come as far
        if len(closed) < 3:
            closed.append(writer)
            pool.end()
        close()

    monkeypatch.setattr(writer, "_close", end_too)
    pool.shutdown()
    assert len(closed) == 1


def test_a_pool_that_was_shut_down_says_so_and_can_be_ended_again():
    pool = ProcessPool(1)
    assert all_results(pool, abs, [(-1,)]) == [1]
    pool.shutdown()
    pool.end()
    with pytest.raises(ChildProcessError, match="died"):
        pool.check()
    with pytest.raises(ChildProcessError, match="died"):
        submitted(pool, abs, [(-1,)])
