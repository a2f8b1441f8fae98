"""Cluster: the same answers as processes give, whatever is lost on the way; with Ray itself."""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot.backgammon.engine.rollout_start import cubeless_start
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings, piece_of_rollout
from bot.backgammon.engine.rollout_workers import RolloutWorkers
from bot.backgammon.rules.position import START
from bot.weights import bring_weights, digest_of, weights_file
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
        slow = Path("/proc") / (tmp_path / "slow").read_text()
        assert ended(slow)


def ended(process: Path) -> bool:
    """Whether a process, told by its folder in /proc, ends within half a minute."""
    until = time.monotonic() + 30
    while process.exists() and time.monotonic() < until:
        time.sleep(0.1)
    return not process.exists()


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


@pytest.mark.usefixtures("at_it")
def test_work_is_called_off_until_it_has_ended(monkeypatch):
    import ray

    cancel, lost = ray.cancel, []

    def lose_the_first(reference, **how):
        if len(lost) < 2:
            lost.append(reference)
        else:
            cancel(reference, **how)

    monkeypatch.setattr(ray, "cancel", lose_the_first)
    with worker_pool(1) as pool:
        results = results_as_done(pool, work.digest, [(1,), (2, 3600.0), (4, 3600.0)], ahead=2)
        assert next(results) == work.digest(1)
    with worker_pool(1) as pool:
        assert all_results(pool, work.digest, [(3,)] * 4, 60.0) == [work.digest(3)] * 4
    assert len(lost) == 2


@pytest.mark.usefixtures("at_it")
def test_cluster_that_cannot_be_looked_at_keeps_nobody_waiting(cluster, monkeypatch):
    def look():
        raise RuntimeError("no answer\nand more of it")

    monkeypatch.setattr(cluster, "_lost", None)
    monkeypatch.setattr(cluster, "look", look)
    with worker_pool(1) as pool, pytest.raises(ChildProcessError, match=r"any more: no answer$"):
        all_results(pool, work.digest, [(1, 3600.0)], 60.0)


@pytest.mark.usefixtures("cluster")
@pytest.mark.skipif(
    shutil.which("ss") is None, reason="needs ss (Debian: apt-get install iproute2)"
)
def test_nothing_listens_beyond_this_machine():
    listening = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, timeout=60).stdout
    own = [line.split() for line in listening.splitlines() if "raylet" in line or "gcs" in line]
    assert len(own) >= 3
    assert {line[3].rpartition(":")[0] for line in own} <= {"127.0.0.1", "[::ffff:127.0.0.1]"}


@pytest.mark.usefixtures("at_it")
def test_rollout_is_that_of_one_process_to_the_last_bit():
    player, settings = RolloutPlayer(), RolloutSettings(trials=72, truncate=4)
    starts = [cubeless_start(START)]
    with RolloutWorkers(1) as workers:
        found = workers.trials(player, settings, starts, 0, 72, at_once=18)
    expected = piece_of_rollout(player, settings, starts[0], 0, 72)
    assert found is not None
    assert found[0].tobytes() == expected.tobytes()


@pytest.mark.usefixtures("at_it")
def test_weights_in_a_file_are_brought_to_the_nodes(tmp_path):
    file = tmp_path / "mine.npz"
    shutil.copy(weights_file("td-128"), file)
    bring_weights([str(file)])
    file.unlink()
    with worker_pool(1) as pool:
        (brought,) = all_results(pool, weights_file, [(str(file),)])
    assert digest_of(brought) == digest_of(weights_file("td-128"))


def test_head_that_is_lost_ends_the_work_with_a_sentence():
    program = (
        "import os, signal, subprocess\n"
        "from bot.workers import all_results, on_cluster, worker_pool\n"
        "from bot.workers.cluster import LOCAL, at_cluster\n"
        "from tests.bot.workers import work\n"
        "if __name__ == '__main__':\n"
        "    with at_cluster(LOCAL, print, 1), worker_pool(1) as pool:\n"
        "        all_results(pool, work.digest, [(1,)])\n"
        "        told = subprocess.run(\n"
        "            ['pgrep', '-P', str(os.getpid()), 'gcs_server'], capture_output=True\n"
        "        ).stdout\n"
        "        os.kill(int(told), signal.SIGKILL)\n"
        "        all_results(pool, work.digest, [(2, 3600.0)])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 1
    assert "ChildProcessError: the head of the cluster" in ended.stderr
    assert ended.stdout.startswith("a cluster of 1 node with 1 processor\n")


def test_ray_that_is_missing_is_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"pip install 'blot-gammon\[cluster\]'"):
        Cluster(LOCAL, print)


@pytest.mark.parametrize("address", ["nonsense", "here:there", ":6379", "127.0.0.1"])
def test_address_that_is_none_is_refused(address):
    with pytest.raises(ValueError, match=f"HOST:PORT of a cluster's head, not {address!r}"):
        Cluster(address, print)


def test_address_where_nobody_answers_is_told():
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    with pytest.raises(OSError, match=f"no cluster answers at 127.0.0.1:{port}"):
        Cluster(f"127.0.0.1:{port}", print)
