"""Cluster: the same answers as processes give, whatever is lost on the way; with Ray itself."""

import os
import subprocess
import threading
import time
from importlib.util import find_spec

import pytest

from bot.workers import (
    all_results,
    everywhere_first,
    on_cluster,
    results_as_done,
    results_by,
    shared_with_workers,
    worker_pool,
    works_alone,
)
from bot.workers.cluster import LOCAL, Cluster
from tests.bot.workers import work

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray has no wheel for this Python"),
    pytest.mark.timeout(180),
    pytest.mark.filterwarnings("ignore"),  # Ray's own
]


@pytest.fixture(scope="module")
def told():
    return []


@pytest.fixture(scope="module")
def cluster(told):
    it = Cluster(LOCAL, told.append, 2)
    yield it
    it.close()


@pytest.fixture
def at_it(cluster):
    with on_cluster(cluster):
        yield


@pytest.mark.usefixtures("at_it")
def test_results_come_in_the_order_of_the_pieces(cluster):
    assert not works_alone(1)
    with worker_pool(1, {"weights": 3}) as pool:
        assert pool.count == cluster.processors == 2
        assert all_results(pool, divmod, [(7, 2), (9, 5), (3, 3)]) == [(3, 1), (1, 4), (1, 0)]
        assert all_results(pool, shared_with_workers, [()]) == [{"weights": 3}]
    assert shared_with_workers() is None


@pytest.mark.usefixtures("at_it")
def test_error_in_the_work_is_passed_on():
    with worker_pool(1) as pool, pytest.raises(ZeroDivisionError):
        all_results(pool, divmod, [(1, 0)])


@pytest.mark.usefixtures("at_it")
def test_answer_that_cannot_be_sent_is_an_error():
    with worker_pool(1) as pool, pytest.raises(ChildProcessError, match="cannot be sent"):
        all_results(pool, threading.Lock, [()])


@pytest.mark.usefixtures("at_it")
def test_published_values_are_had_by_number_and_the_latest_ones_stay():
    with worker_pool(1) as pool:
        for start in range(3):
            numbers = pool.publish(list(range(start, 1000)))
            expected = sum(range(start, 1000))
            found = all_results(pool, work.total, [(numbers, more) for more in range(4)])
            assert found == [expected + more for more in range(4)]


@pytest.mark.usefixtures("at_it")
def test_nothing_is_begun_once_the_time_is_up():
    with worker_pool(1) as pool:
        pieces = [(number,) for number in range(50)]
        assert results_by(pool, work.digest, pieces, time.monotonic() + 60) is not None
        assert results_by(pool, work.digest, pieces, 0.0) is None


@pytest.mark.usefixtures("at_it")
def test_piece_of_a_worker_that_died_is_done_again(cluster, tmp_path):
    before = cluster.account.again["a worker died"]
    with worker_pool(1) as pool:
        pieces = [(tmp_path / f"{number}", number) for number in range(6)]
        found = all_results(pool, work.die_once, pieces)
    assert found == [work.digest(number) for number in range(6)]
    assert cluster.account.again["a worker died"] >= before + 6


@pytest.mark.usefixtures("at_it")
def test_piece_that_kills_every_worker_is_given_up():
    with worker_pool(1) as pool, pytest.raises(ChildProcessError, match="5 times"):
        all_results(pool, os._exit, [(1,)])


@pytest.mark.usefixtures("at_it")
def test_late_piece_is_done_a_second_time_and_counts_once(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr("bot.workers.cluster_pool._LATE", 1.0)
    with worker_pool(1) as pool:
        pieces = [(tmp_path / "slow", number) for number in range(6)]
        found = all_results(pool, work.be_slow_once, pieces)
    assert found == [work.digest(number) for number in range(6)]
    assert cluster.account.again["it was late"] == 1


@pytest.mark.usefixtures("at_it")
def test_what_is_first_is_done_by_each_worker_and_by_one_at_a_time(tmp_path):
    everywhere_first(work.note, tmp_path)
    with worker_pool(1) as pool:
        all_results(pool, work.digest, [(number, 0.2) for number in range(6)])
        all_results(pool, work.digest, [(number, 0.2) for number in range(6)])
    assert 1 <= len(list(tmp_path.iterdir())) <= 2


@pytest.mark.usefixtures("at_it")
def test_work_is_left_when_the_use_of_the_pool_ends():
    with worker_pool(1) as pool:
        results = results_as_done(pool, work.digest, [(1,), (2, 3600.0)], ahead=1)
        assert next(results) == work.digest(1)
    with worker_pool(1) as pool:  # the processors are free again
        assert all_results(pool, work.digest, [(3,)] * 4) == [work.digest(3)] * 4


@pytest.mark.usefixtures("cluster")
def test_nothing_listens_beyond_this_machine():
    listening = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, timeout=60).stdout
    own = [line.split() for line in listening.splitlines() if "raylet" in line or "gcs" in line]
    assert len(own) >= 3
    assert {line[3].rpartition(":")[0] for line in own} <= {"127.0.0.1", "[::ffff:127.0.0.1]"}
