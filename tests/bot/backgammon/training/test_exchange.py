"""Exchanges: what each worker takes over, in whatever order they make them."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.network import random_network
from bot.backgammon.training import exchange
from bot.backgammon.training.exchange import LAG, Exchange, in_one_row

EXCHANGES = 3 * LAG + 2


class Learner:
    """A worker whose steps are whole numbers, and so are their means."""

    def __init__(self, exchange, worker):
        self.exchange, self.worker, self.number = exchange, worker, 0
        self.weights = np.array([1, 2, 3], np.float32)
        self.before = self.weights.copy()
        self.seen = []

    def step(self, number):
        """What it learns before its exchange of this number; nothing before the last LAG."""
        return 0 if number >= EXCHANGES - LAG else 12 * 10**self.worker * (number + 1)

    def go_on(self):
        self.weights += self.step(self.number)
        self.exchange.make(self.worker, self.number, self.weights, self.before)
        assert np.array_equal(self.weights, self.before)
        self.seen.append(self.weights[0] - 1)
        self.number += 1


def learners_of(workers):
    told = Exchange(workers, 3)
    return [Learner(told, worker) for worker in range(workers)]


@given(workers=st.integers(2, 4), seed=st.integers(0, 1000))
def test_who_is_faster_changes_nothing(workers, seed):
    learners = learners_of(workers)
    rng = random.Random(seed)
    while any(learner.number < EXCHANGES for learner in learners):
        slowest = min(learner.number for learner in learners)
        ready = [x for x in learners if x.number < min(slowest + LAG, EXCHANGES)]
        rng.choice(ready).go_on()
    for learner in learners:
        for number, seen in enumerate(learner.seen):
            known = range(number - LAG + 1)
            own = sum(map(learner.step, range(max(number - LAG + 1, 0), number + 1)))
            assert seen == own + sum(sum(map(other.step, known)) for other in learners) / workers


MEAN_OF_TWO = 12 * 11 / 2 * sum(range(1, EXCHANGES - LAG + 1))


def test_all_end_with_everything():
    learners = learners_of(2)
    for _ in range(EXCHANGES):
        for learner in learners:
            learner.go_on()
    for learner in learners:
        assert list(learner.weights - MEAN_OF_TWO) == [1, 2, 3]


def test_next_round_counts_from_nothing():
    learners = learners_of(2)
    for learner in learners * LAG:
        learner.go_on()
    learners[0].exchange.begin()
    fresh = [Learner(learners[0].exchange, worker) for worker in range(2)]
    for learner in fresh * EXCHANGES:
        learner.go_on()
    assert np.array_equal(fresh[0].weights, fresh[1].weights)
    assert fresh[0].weights[0] == 1 + MEAN_OF_TWO


def test_worker_that_is_not_heard_of_is_told(monkeypatch):
    monkeypatch.setattr(exchange, "LIMIT", 0.05)
    learner = learners_of(2)[0]
    for _ in range(LAG):
        learner.go_on()
    with pytest.raises(ChildProcessError, match=r"not heard of for 0\.05 seconds"):
        learner.go_on()


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="the system shows no shared memory")
def test_shared_memory_has_no_name_that_could_be_left_behind():
    before = set(Path("/dev/shm").glob("pym-*"))
    told = Exchange(2, 100_000)
    told.begin()
    assert set(Path("/dev/shm").glob("pym-*")) <= before


def test_layers_in_one_row_are_copies_that_share_its_memory():
    network = random_network(3, 1)
    row, layers = in_one_row(network.layers)
    assert all(map(np.array_equal, layers, network.layers))
    assert row.size == sum(array.size for array in layers)
    row += 1
    assert all(
        np.array_equal(array, old + 1) for array, old in zip(layers, network.layers, strict=True)
    )
    assert all(array.flags.c_contiguous for array in layers)
