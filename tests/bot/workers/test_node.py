"""Node: what a worker answers, without a cluster around it."""

import fcntl
import pickle
import sys
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from bot.kernels import user_cache
from bot.workers import node, shared_with_workers
from bot.workers.cluster_pool import PublishedObject, packed
from bot.workers.node import Answer, Order, answer_bytes, own_machine
from bot.workers.pool import Published
from bot.workers.processes import share


class _Given(Published):
    """A value that is there."""

    def __init__(self, key, value):
        super().__init__(key)
        self._value = value

    def read(self):
        return pickle.dumps(self._value)


@pytest.mark.parametrize("value", [0, [], np.arange(3)])
def test_a_published_value_is_read_once_whatever_it_is(value):
    published = _Given(f"the value {value}", value)
    first = published.get()
    published._value = "another"
    assert published.get() is first


def test_values_that_were_asked_for_of_late_are_kept_and_others_read_again():
    published = [_Given(f"of late {number}", [number]) for number in range(5)]
    first = [each.get() for each in published[:4]]
    assert published[0].get() is first[0]
    published[4].get()
    assert published[0].get() is first[0]
    assert published[1].get() == [1]
    assert published[1].get() is not first[1]


class _RayError(Exception):
    """As Ray's own."""


@pytest.fixture
def ray(monkeypatch):
    """As much of Ray as a worker asks."""
    context = SimpleNamespace(get_node_id=lambda: "0123456789")
    fake = SimpleNamespace(
        util=SimpleNamespace(get_node_ip_address=lambda: "192.0.2.10"),
        get_runtime_context=lambda: context,
        exceptions=SimpleNamespace(RayError=_RayError),
        get=pickle.dumps,
    )
    monkeypatch.setitem(sys.modules, "ray", fake)
    monkeypatch.setattr(node, "_done_first", {})
    yield
    share(None)


@pytest.fixture
def clock(monkeypatch):
    """Half a minute before the work, and then two seconds of it."""
    monkeypatch.setattr(node, "time", SimpleNamespace(monotonic=iter([1.0, 30.0, 32.0]).__next__))


def answer_to(piece, order=None):
    """The answer of a node to a piece of work, (work, arguments, keywords)."""
    payload, published = packed(piece)
    order = order or _Given("an order", Order(own_machine(), (), None))
    answer = pickle.loads(answer_bytes([order, *published], payload))
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.usefixtures("ray", "clock")
def test_an_answer_tells_the_node_and_how_long_the_work_took():
    expected = Answer("192.0.2.10 012345", 2.0, 5)
    assert answer_to((int, ("101",), {"base": 2})) == expected


def joined(one, other):
    """Both published values."""
    return one.get() + other.get()


@pytest.mark.usefixtures("ray")
def test_what_was_published_comes_to_its_places_in_the_work():
    one, other = PublishedObject("one place", [1]), PublishedObject("the other place", [2])
    assert answer_to((joined, (one, other), {})).value == [1, 2]
    assert answer_to((joined, (other, one), {})).value == [2, 1]


@pytest.mark.usefixtures("ray", "clock")
def test_an_error_of_the_work_is_an_answer():
    failed = answer_to((divmod, (1, 0), {}))
    assert isinstance(failed.error, ZeroDivisionError)
    assert (failed.node, failed.seconds, failed.value) == ("192.0.2.10 012345", 2.0, None)


@pytest.mark.usefixtures("ray")
def test_an_error_of_the_cluster_is_no_answer(monkeypatch):
    lost = PublishedObject("lost on the way", None)
    monkeypatch.setattr(sys.modules["ray"], "get", lose)
    with pytest.raises(_RayError):
        answer_to((joined, (lost, lost), {}))


def lose(reference):
    raise _RayError


@pytest.mark.usefixtures("ray", "clock")
def test_an_answer_that_cannot_be_sent_is_told_instead():
    told = answer_to((threading.Lock, (), {}))
    assert isinstance(told.error, ChildProcessError)
    assert str(told.error).startswith("an answer that cannot be sent: cannot pickle")
    assert (told.seconds, told.value) == (2.0, None)


@pytest.mark.usefixtures("ray")
def test_a_node_with_another_blot_does_no_work_and_one_with_other_numbers_tells_so():
    own = own_machine()
    same, other_numbers, other_blot = (
        answer_to((abs, (-3,), {}), _Given(f"an order {number}", Order(machine, (), None)))
        for number, machine in enumerate(
            (own, replace(own, number_makers="an abacus"), replace(own, blot="another"))
        )
    )
    assert (same.value, same.differs) == (3, None)
    assert (other_numbers.value, other_numbers.differs) == (3, own.number_makers)
    assert str(other_blot.error).startswith("node 192.0.2.10 012345 has another Blot than this")
    assert other_blot.value is None


notes = []


def note(word):
    """Keep the word, and whether another worker of the node could be at it as well."""
    with (user_cache() / "node.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            notes.append(word)


@pytest.mark.usefixtures("ray")
def test_a_worker_does_what_is_first_once_and_alone_on_its_node(tmp_path, monkeypatch):
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path / "not" / "there yet"))
    notes.clear()
    first = ((note, ("ready",)), (note, ("steady",)))
    order = _Given("an order with much", Order(own_machine(), first, {"weights": 3}))
    for _ in range(2):
        assert answer_to((shared_with_workers, (), {}), order).value == {"weights": 3}
    assert notes == ["ready", "steady"]
    answer_to((abs, (1,), {}), _Given("another order", Order(own_machine(), first, None)))
    assert notes == ["ready", "steady"] * 2
    assert shared_with_workers() is None


@pytest.mark.parametrize("changed", ["bot/rules/cube.py", "protocol/arena/players.py"])
def test_a_blot_with_another_source_is_another_one(tmp_path, monkeypatch, changed):
    monkeypatch.setattr(node, "_PACKAGES", tmp_path)
    (tmp_path / changed).parent.mkdir(parents=True)
    found = {own_machine.__wrapped__().blot}
    for text in ("one = 1", "one = 2"):
        (tmp_path / changed).write_text(text)
        found.add(own_machine.__wrapped__().blot)
    (tmp_path / changed).rename((tmp_path / changed).parents[1] / Path(changed).name)  # moved
    found.add(own_machine.__wrapped__().blot)
    (tmp_path / "manifest.toml").write_text("[networks]")
    monkeypatch.setattr(node, "weights_folder", lambda: tmp_path)
    found.add(own_machine.__wrapped__().blot)
    assert len(found) == 5
