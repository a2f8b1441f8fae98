"""Cluster pool: what becomes of each piece, on a cluster whose workers do as the test says."""

import itertools
import pickle
import queue
import sys
import threading
import weakref
from concurrent.futures import Future
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from bot.workers import cluster_pool
from bot.workers.account import Account
from bot.workers.cluster_pool import ClusterPool, PublishedObject
from bot.workers.node import Answer

LIMIT = 60.0
"""Seconds any wait here may take."""

ERRORS = (
    *("OutOfMemoryError", "NodeDiedError", "LocalRayletDiedError", "ObjectLostError"),
    *("WorkerCrashedError", "RaySystemError", "TaskCancelledError"),
)
RAY = SimpleNamespace(**{name: type(name, (Exception,), {}) for name in ERRORS})


@dataclass(eq=False)
class Sent:
    """A piece on its way to a worker, and Ray's reference to its answer."""

    processors: int
    published: list
    payload: bytes
    answer: Future = field(default_factory=Future)

    def future(self):
        """As Ray's own."""
        return self.answer

    def is_answered(self, value=None, seconds=0.0, **more):
        self.answer.set_result(pickle.dumps(Answer("a node", seconds, value, **more)))


class Nodes:
    """As much of a Cluster as a pool asks."""

    most_processors = 3

    def __init__(self, processors):
        self.processors = processors
        self.account = Account()
        self.looks = threading.Semaphore(0)
        self.told, self.called_off, self.left, self.checked = [], [], [], []
        self.lost = queue.SimpleQueue()
        self.lose = self.lost.put
        self.call_off = self.called_off.extend
        self.leave = self.left.append
        self.tell_difference = lambda *told: self.told.append(told)
        self.check_own_node = lambda: self.checked.append(True)
        self.look = self.looks.release
        self._orders = itertools.count(1)

    def order(self, shared):
        return f"order {next(self._orders)} with {shared}"

    def published(self, value):
        return PublishedObject(str(value), value)


@pytest.fixture
def sent(monkeypatch):
    """What was sent and not looked at yet."""
    under_way = queue.SimpleQueue()

    def options(*, num_cpus):
        def remote(published, payload):
            it = Sent(num_cpus, published, payload)
            under_way.put(it)
            return it

        return SimpleNamespace(remote=remote)

    def remote(**how):
        assert how == {"num_cpus": 1, "max_retries": 0}, "pieces are done again by the pool alone"
        return lambda work: SimpleNamespace(options=options)

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(remote=remote, exceptions=RAY))
    return under_way


@pytest.fixture
def nodes():
    return Nodes(2)


@pytest.fixture
def pool(nodes, sent):
    with ClusterPool(nodes, "weights") as it:
        yield it


def test_two_pieces_for_each_processor_are_under_way(pool, nodes, sent):
    futures = [pool.submit(int, f"{number}", base=8) for number in range(6)]
    first = [sent.get(timeout=LIMIT) for _ in range(4)]
    assert sent.empty()
    assert [pickle.loads(each.payload)[1:] for each in first] == [
        ((f"{number}",), {"base": 8}) for number in range(4)
    ]
    assert [each.published for each in first] == [["order 1 with weights"]] * 4
    assert futures[4].cancel()
    first[2].is_answered("two")
    assert futures[2].result(LIMIT) == "two"
    assert b"5" in sent.get(timeout=LIMIT).payload, "the fourth is wanted no more"
    assert nodes.account.answers == {"a node": 1}
    nodes.processors = 0
    assert pool.count == 1


def test_what_is_first_is_told_anew_to_pieces_that_come_later(pool, sent):
    pool.renew()
    pool.submit(abs, -1)
    assert sent.get(timeout=LIMIT).published == ["order 2 with weights"]


def test_error_of_a_piece_is_that_of_its_future(pool, sent):
    future = pool.submit(divmod, 1, 0)
    sent.get(timeout=LIMIT).is_answered(error=ZeroDivisionError("by nothing"))
    with pytest.raises(ZeroDivisionError, match="by nothing"):
        future.result(LIMIT)


def test_node_with_other_numbers_is_told_once(pool, nodes, sent):
    for differs in ("an abacus", "an abacus", None):
        future = pool.submit(abs, -1)
        sent.get(timeout=LIMIT).is_answered(1, differs=differs)
        assert future.result(LIMIT) == 1
    assert nodes.told == [("a node", "an abacus")]


def test_piece_whose_memory_was_short_is_given_more_processors_as_long_as_a_node_has_them(
    pool, nodes, sent
):
    future = pool.submit(abs, -1)
    for processors in (1, 2, 3, 3):
        copy = sent.get(timeout=LIMIT)
        assert copy.processors == processors
        copy.answer.set_exception(RAY.OutOfMemoryError())
    sent.get(timeout=LIMIT).is_answered(1)
    assert future.result(LIMIT) == 1
    assert nodes.account.again == {"memory was short": 4}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("OutOfMemoryError", "memory was short"),
        ("ObjectLostError", "a node had not got all of it"),
        ("WorkerCrashedError", "a worker died"),
        ("RaySystemError", "a worker died"),
        ("TaskCancelledError", "a worker died"),
    ],
)
def test_piece_that_is_lost_five_times_is_given_up(pool, nodes, sent, error, reason):
    future = pool.submit(abs, -1)
    for _ in range(5):
        sent.get(timeout=LIMIT).answer.set_exception(getattr(RAY, error)())
    with pytest.raises(ChildProcessError, match=f"^{reason}, 5 times with the same piece of work$"):
        future.result(LIMIT)
    assert nodes.account.again == {reason: 5}
    assert sent.empty()


@pytest.mark.parametrize("error", ["NodeDiedError", "LocalRayletDiedError"])
def test_nodes_that_are_lost_are_not_held_against_a_piece(pool, nodes, sent, error):
    future = pool.submit(abs, -1)
    for _ in range(6):
        sent.get(timeout=LIMIT).answer.set_exception(getattr(RAY, error)())
    sent.get(timeout=LIMIT).is_answered(1)
    assert future.result(LIMIT) == 1
    assert nodes.account.again == {"a node was lost": 6}
    assert len(nodes.checked) == 6, "it may have been our own"


def test_error_of_ray_that_nobody_knows_is_told_by_its_last_line(pool, sent):
    futures = [pool.submit(abs, number) for number in range(5)]
    sent.get(timeout=LIMIT).answer.set_exception(RuntimeError("Traceback\nno more room\n"))
    with pytest.raises(ChildProcessError, match=r"^the cluster gives up: no more room$"):
        futures[0].result(LIMIT)
    assert b"\x04" in [sent.get(timeout=LIMIT) for _ in range(4)][-1].payload, "others go on"


@pytest.fixture
def impatient(monkeypatch):
    """A pool looks often, and everything that took longer than most is late."""
    monkeypatch.setattr(cluster_pool, "_LOOK", 0.01)
    monkeypatch.setattr(cluster_pool, "_LATE", 0.0)


def wait_for_a_look(nodes):
    """Wait until the pool has looked at all pieces once more."""
    while nodes.looks.acquire(blocking=False):
        pass
    for _ in range(2):
        assert nodes.looks.acquire(timeout=LIMIT)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("winner", [0, 1])
def test_late_piece_is_begun_once_more_and_the_first_answer_counts(nodes, sent, winner):
    with ClusterPool(nodes, None) as pool:
        pool.submit(abs, -1)
        sent.get(timeout=LIMIT).is_answered(1)
        future = pool.submit(abs, -2)
        copies = [sent.get(timeout=LIMIT) for _ in range(2)]
        wait_for_a_look(nodes)
        assert sent.empty(), "two at most are at it"
        copies[winner].is_answered("first")
        copies[1 - winner].is_answered("later")
        assert future.result(LIMIT) == "first"
        wait_for_a_look(nodes)
    assert nodes.called_off == [copies[1 - winner]]
    assert nodes.account.again == {"it was late": 1}
    assert nodes.account.answers == {"a node": 2}


@pytest.mark.usefixtures("impatient")
def test_late_piece_of_which_one_copy_is_lost_is_left_to_the_other(nodes, sent):
    with ClusterPool(nodes, None) as pool:
        pool.submit(abs, -1)
        sent.get(timeout=LIMIT).is_answered(1, seconds=0.0)
        future = pool.submit(abs, -2)
        one, other = (sent.get(timeout=LIMIT) for _ in range(2))
        nodes.processors = 1  # none idles, so none is begun for being late
        one.answer.set_exception(RAY.WorkerCrashedError())
        other.is_answered(2)
        assert future.result(LIMIT) == 2
    assert sent.empty()


@pytest.mark.usefixtures("impatient")
def test_piece_is_not_late_while_others_took_as_long_or_wait_or_none_is_done(nodes, sent):
    with ClusterPool(nodes, None) as pool:
        pool.submit(abs, -1)
        wait_for_a_look(nodes)
        assert sent.get(timeout=LIMIT).processors == 1
        assert sent.empty(), "nobody knows how long a piece takes"
    with ClusterPool(nodes, None) as pool:
        done = pool.submit(abs, -1)
        sent.get(timeout=LIMIT).is_answered(1, seconds=1000.0)
        assert done.result(LIMIT) == 1
        pool.submit(abs, -2)
        sent.get(timeout=LIMIT)
        wait_for_a_look(nodes)
        assert sent.empty(), "it is as quick as the other so far"
    nodes.processors = 1
    with ClusterPool(nodes, None) as pool:
        done = pool.submit(abs, -1)
        sent.get(timeout=LIMIT).is_answered(1)
        assert done.result(LIMIT) == 1
        pool.submit(abs, -2)
        sent.get(timeout=LIMIT)
        wait_for_a_look(nodes)
        assert sent.empty(), "no processor idles"


@pytest.mark.usefixtures("impatient")
def test_pieces_are_begun_when_a_node_has_come(nodes, sent):
    with ClusterPool(nodes, None) as pool:
        for number in range(6):
            pool.submit(abs, number)
        for _ in range(4):
            sent.get(timeout=LIMIT)
        wait_for_a_look(nodes)
        assert sent.empty()
        nodes.processors = 3
        for _ in range(2):
            sent.get(timeout=LIMIT)


def test_a_pool_that_ends_leaves_its_work_and_its_cluster(nodes, sent):
    with ClusterPool(nodes, None) as pool:
        futures = [pool.submit(abs, number) for number in range(5)]
        copies = [sent.get(timeout=LIMIT) for _ in range(4)]
    assert futures[4].cancelled()
    assert nodes.called_off == copies
    assert nodes.left == [pool]
    assert not pool._watch.is_alive()
    copies[0].is_answered(0)
    assert not futures[0].done()


def test_the_two_values_published_last_can_be_had(pool):
    published = [weakref.ref(pool.publish(number)) for number in range(3)]
    assert published[0]() is None
    assert [each().key for each in published[1:]] == ["1", "2"]


def test_what_was_published_goes_beside_the_piece_that_needs_it_where_ray_sees_it(pool, sent):
    one, other = (PublishedObject(key, "the reference") for key in ("one", "other"))
    pool.submit(divmod, one, (other, one))
    it = sent.get(timeout=LIMIT)
    assert it.published == ["order 1 with weights", one, other, one]
    assert b"reference" not in it.payload


@pytest.mark.usefixtures("impatient", "sent")
def test_cluster_that_cannot_be_looked_at_is_lost(nodes):
    def look():
        raise RuntimeError("no answer\nand more of it")

    nodes.look = look
    with ClusterPool(nodes, None):
        assert nodes.lost.get(timeout=LIMIT) == ("the cluster cannot be asked any more: no answer")
