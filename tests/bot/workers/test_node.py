"""Node: what a worker answers, without a cluster around it."""

import pickle
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from bot.workers import node
from bot.workers.cluster_pool import packed
from bot.workers.node import Answer, Order, answer_bytes, own_machine
from bot.workers.pool import Published
from tests.bot.workers import work


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


@pytest.fixture
def ray(monkeypatch):
    """As much of Ray as a worker asks."""
    context = SimpleNamespace(get_node_id=lambda: "0123456789")
    fake = SimpleNamespace(
        util=SimpleNamespace(get_node_ip_address=lambda: "192.0.2.10"),
        get_runtime_context=lambda: context,
        exceptions=SimpleNamespace(RayError=type("RayError", (Exception,), {})),
    )
    monkeypatch.setitem(sys.modules, "ray", fake)


@pytest.mark.usefixtures("ray")
def test_an_answer_tells_the_node_and_how_long_the_work_took():
    order = _Given("an order", Order(own_machine(), (), None))
    payload, _ = packed((work.digest, (1, 0.05), {}))
    answer = pickle.loads(answer_bytes([order], payload))
    assert isinstance(answer, Answer)
    assert answer.node == "192.0.2.10 012345"
    assert answer.value == work.digest(1)
    assert answer.seconds >= 0.05


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
    assert len(found) == 4
