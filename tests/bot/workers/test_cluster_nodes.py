"""Cluster: who belongs to it and what is told of that, with a Ray that does as the test says."""

import os
import pickle
import signal
import socket
import sys
import tempfile
import threading
from contextlib import closing, suppress
from types import SimpleNamespace

import pytest

from bot.workers import processor_count, works_alone
from bot.workers.cluster import LOCAL, Cluster, at_cluster
from bot.workers.node import Order, own_machine

NICENESS = "RAY_worker_niceness"


def node_at(number, place, processors, is_alive=True):
    """A node, as Ray tells of it."""
    host, _, port = place.rpartition(":")
    resources = {"CPU": float(processors)} if processors else {}
    return {
        "NodeID": number,
        "NodeManagerAddress": host,
        "NodeManagerPort": int(port),
        "Alive": is_alive,
        "Resources": resources,
    }


class Ray:
    """As much of Ray as a cluster asks."""

    def __init__(self, head, own_place):
        self.there = [node_at("0123456789", own_place, 2)]
        self.asked, self.cancelled, self.ended, self.is_left = {}, [], set(), 0
        self.context = SimpleNamespace(gcs_address=head, get_node_id=lambda: "0123456789")
        self.get_runtime_context = lambda: self.context
        self.nodes = lambda: self.there
        self.remote = lambda **_: lambda work: work
        self.put = lambda payload: SimpleNamespace(payload=payload, hex=lambda: "a key")
        self._private = SimpleNamespace(worker=SimpleNamespace(print_to_stdstream=print))

    def init(self, **how):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self.asked = how

    def shutdown(self):
        self.is_left += 1

    def cancel(self, reference, *, force):
        assert force
        self.cancelled.append(reference)
        if reference == "gone":
            raise RuntimeError("its node is gone")

    def wait(self, references, *, num_returns, timeout, fetch_local):
        assert (num_returns, timeout, fetch_local) == (len(references), 0, False)
        under_way = [each for each in references if each not in self.ended]
        return [each for each in references if each in self.ended], under_way


class Listener:
    """Somebody who listens on this machine until it is closed."""

    def __init__(self, port=0):
        self._server = socket.create_server(("127.0.0.1", port))
        self.port = self._server.getsockname()[1]
        self.place = f"127.0.0.1:{self.port}"
        self.close = self._server.close


@pytest.fixture
def head():
    with closing(Listener()) as it:
        yield it


@pytest.fixture
def own_node():
    with closing(Listener()) as it:
        yield it


@pytest.fixture
def ray(monkeypatch, tmp_path, head, own_node):
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "1")
    monkeypatch.setenv(NICENESS, "1")
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fake = Ray(head.place, own_node.place)
    monkeypatch.setitem(sys.modules, "ray", fake)
    before = signal.getsignal(signal.SIGTERM)
    yield fake
    assert signal.getsignal(signal.SIGTERM) == before
    assert list(tmp_path.iterdir()) == [], "nothing is left of a cluster"


@pytest.fixture
def told():
    return []


@pytest.fixture
def cluster(ray, told):
    with closing(Cluster(LOCAL, told.append, 2)) as it:
        yield it
    assert ray.is_left == 1


def test_nodes_that_come_and_go_are_told(cluster, ray, told):
    cluster.look()
    assert (cluster.nodes, cluster.processors, told) == (1, 2, [])
    ray.there += [
        node_at("abcdefghij", "192.0.2.2:1", 8),
        node_at("klmnopqrst", "192.0.2.3:1", 1, is_alive=False),
        node_at("uvwxyzabcd", "192.0.2.4:1", 0),
    ]
    cluster.look()
    assert told == [
        "node 192.0.2.2 abcdef has come, with 8 processors",
        "node 192.0.2.4 uvwxyz has come, with 0 processors",
    ]
    assert (cluster.nodes, cluster.processors, cluster.most_processors) == (3, 10, 8)
    ray.there[1]["Alive"] = False
    cluster.look()
    assert told[2:] == ["node 192.0.2.2 abcdef is gone: what it was doing is done again"]
    assert (cluster.nodes, cluster.processors, cluster.most_processors) == (2, 2, 2)
    cluster.check()


def test_head_is_lost_when_it_has_not_answered_three_times_in_a_row(cluster, head):
    head.close()
    for _ in range(2):
        cluster.look()
    with closing(Listener(head.port)):
        cluster.look()
    for _ in range(2):
        cluster.look()
        cluster.check()
    cluster.look()
    with pytest.raises(ChildProcessError, match=f"^the head of the cluster, {head.place}, does "):
        cluster.check()
    cluster.lose("another reason")
    with pytest.raises(ChildProcessError, match="the head of the cluster"):
        cluster.check()


def test_nobody_is_told_to_be_gone_while_the_head_does_not_answer(cluster, ray, told, head):
    head.close()
    ray.there = []
    cluster.look()
    assert told == []
    cluster.check()


def test_machine_that_is_no_node_any_more_has_lost_the_cluster(cluster, ray, told):
    ray.there = [node_at("abcdefghij", "192.0.2.2:1", 8)]
    cluster.look()
    with pytest.raises(ChildProcessError, match="this machine is no node of the cluster any more"):
        cluster.check()
    assert len(told) == 2
    ray.there = []
    cluster.look()
    assert len(told) == 2, "of a cluster that is lost nothing is told"
    assert cluster.most_processors == 8


def test_cluster_without_nodes_has_no_more_than_one_processor_for_a_piece(cluster, ray):
    ray.there = []
    cluster.look()
    assert (cluster.nodes, cluster.processors, cluster.most_processors) == (0, 0, 1)


def test_machine_whose_own_node_answers_no_more_has_lost_the_cluster(cluster, own_node):
    cluster.check_own_node()
    cluster.check()
    own_node.close()
    cluster.check_own_node()
    with pytest.raises(ChildProcessError, match="this machine is no node of the cluster any more"):
        cluster.check()


def test_work_that_was_called_off_is_so_at_every_look_until_it_has_ended(cluster, ray):
    cluster.call_off(["one", "gone", "other"])
    assert ray.cancelled == ["one", "gone", "other"]
    ray.ended.add("one")
    cluster.look()
    assert ray.cancelled[3:] == ["gone", "other"]
    ray.ended |= {"gone", "other"}
    cluster.look()
    cluster.look()
    assert len(ray.cancelled) == 5


@pytest.mark.parametrize(("wanted", "processors"), [(7, 7), (None, processor_count())])
def test_a_local_cluster_is_quiet_and_of_this_machine_alone(
    ray, wanted, processors, tmp_path, monkeypatch
):
    if wanted is None:
        monkeypatch.delenv(NICENESS)
    with closing(Cluster(LOCAL, print, wanted)):
        (folder,) = tmp_path.iterdir()
        assert ray.asked["_temp_dir"] == str(folder)
        assert ray.asked["num_cpus"] == processors
        assert not ray.asked["include_dashboard"]
        assert not ray.asked["log_to_driver"]
        assert os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] == "0"
        assert os.environ[NICENESS] == ("0" if wanted is None else "1"), "what is set stays"
        assert ray._private.worker.print_to_stdstream("its last words", where=1) is None


@pytest.mark.parametrize("listens", ["127.0.0.1", "localhost", "[::1]", "192.0.2.1", "[::]"])
def test_local_cluster_that_others_could_reach_is_left_at_once(ray, listens):
    ray.context.gcs_address = f"{listens}:6379"
    if listens in ("192.0.2.1", "[::]"):
        with pytest.raises(OSError, match=r"^Ray listens on .*:6379, where others could reach it$"):
            Cluster(LOCAL, print)
        assert ray.is_left == 1
    else:
        Cluster(LOCAL, print).close()


@pytest.mark.parametrize("mode", [None, "token"])
def test_cluster_that_takes_nobody_in_is_told_with_the_first_line_of_ray(ray, monkeypatch, mode):
    def init(**how):
        raise RuntimeError("\nwrong version\nand a long story")

    monkeypatch.setattr(ray, "init", init)
    if mode:
        monkeypatch.setenv("RAY_AUTH_MODE", mode)
    hint = "" if mode else "; has it a token? RAY_AUTH_MODE=token"
    with pytest.raises(OSError, match="no cluster") as refused:
        Cluster(LOCAL, print)
    assert str(refused.value) == f"no cluster at local: wrong version{hint}"


def test_a_cluster_elsewhere_is_asked_by_the_address_that_it_sees_of_us(ray, head, monkeypatch):
    ray.there.insert(0, node_at("abcdefghij", "192.0.2.2:1", 8))
    with closing(Cluster(head.place, print)):
        assert ray.asked["address"] == head.place
        assert ray.asked["_node_ip_address"] is None, "every machine has this one"
        assert not ray.asked["log_to_driver"]
    monkeypatch.setattr("bot.workers.cluster._own_host", lambda _: "192.0.2.7")
    ray.context.gcs_address = "192.0.2.1:6379"
    with closing(Cluster("192.0.2.1:6379", print)):
        assert ray.asked["_node_ip_address"] == "192.0.2.7"


def test_a_cluster_of_which_a_thread_asks_leaves_signals_alone(ray):
    ray.init = lambda **_: None
    made = []
    thread = threading.Thread(target=lambda: made.append(Cluster(LOCAL, print, 1)))
    thread.start()
    thread.join()
    made[0].close()


@pytest.mark.usefixtures("ray")
def test_a_cluster_tells_at_the_end_who_did_what(told):
    with at_cluster(LOCAL, told.append, 2):
        assert not works_alone(1)
    assert told == ["a cluster of 1 node with 2 processors"]
    with suppress(ZeroDivisionError), at_cluster(LOCAL, told.append, 2):
        from bot.workers import _cluster

        _cluster.account.answers["a node"] += 1
        raise ZeroDivisionError
    assert told[2:] == ["cluster: 1 piece on 1 node (a node: 1); none done again"]
    assert works_alone(1)
    with at_cluster(None, told.append):
        assert works_alone(1)
    assert len(told) == 3


def test_the_first_reason_for_a_loss_is_told(cluster):
    cluster.lose("one reason")
    cluster.lose("another reason")
    with pytest.raises(ChildProcessError, match="one reason"):
        cluster.check()


def test_node_with_other_numbers_is_told(cluster, told):
    cluster.tell_difference("192.0.2.2 abcdef", "an abacus")
    (sentence,) = told
    assert sentence.startswith("node 192.0.2.2 abcdef has an abacus: the last bits of its numbers ")


def order_of(pool):
    return pickle.loads(pool._order._reference.payload)


def test_a_pool_is_told_what_is_first_until_it_is_left(cluster):
    ready, steady = (print, ("ready",)), (print, ("steady",))
    cluster.first(print, "ready")
    pools = [cluster.pool({"weights": number}) for number in range(2)]
    assert order_of(pools[1]) == Order(own_machine(), (ready,), {"weights": 1})
    pools[0].end()
    cluster.leave(pools[0])
    cluster.first(print, "steady")
    assert order_of(pools[0]).first == (ready,)
    assert order_of(pools[1]) == Order(own_machine(), (ready, steady), {"weights": 1})


def test_pools_end_with_their_cluster(ray):
    with closing(Cluster(LOCAL, print, 1)) as cluster:
        pool = cluster.pool()
    assert not pool._watch.is_alive()
    assert ray.is_left == 1
