"""Shared weights: whose turn it is, and what is left behind."""

import threading
from pathlib import Path

import numpy as np
import pytest

from bot.backgammon.evaluation.network import random_network
from bot.backgammon.training import shared_weights
from bot.backgammon.training.shared_weights import SharedWeights, copy_layers

LIMIT = 60.0
"""Seconds any wait here may take."""


def test_layers_are_those_it_was_made_with():
    layers = random_network(3, 1).layers
    shared = SharedWeights(layers).layers
    assert all(map(np.array_equal, shared, layers))
    assert [array.dtype for array in shared] == [array.dtype for array in layers]
    assert all(array.flags.c_contiguous and array.flags.aligned for array in shared)


def test_change_in_a_turn_is_seen_in_the_next():
    shared = SharedWeights(random_network(3, 1).layers)
    with shared.turn(0) as layers:
        layers.first[5, 2] = 7
        layers.last_biases[:] = 8
    with shared.turn(1) as layers:
        assert layers.first[5, 2] == 7
        assert list(layers.last_biases) == [8] * 5


def test_turns_come_in_their_order_whoever_is_first():
    shared = SharedWeights(random_network(1, 1).layers)
    came = []

    def take(numbers):
        for number in numbers:
            with shared.turn(number):
                came.append(number)

    others = [threading.Thread(target=take, args=(turns,)) for turns in ([2, 3, 7], [1, 4, 6])]
    for other in others:
        other.start()
    take([0, 5])
    for other in others:
        other.join(LIMIT)
        assert not other.is_alive()
    assert came == list(range(8))


def test_next_round_begins_with_turn_0_and_new_weights():
    shared = SharedWeights(random_network(3, 1).layers)
    with shared.turn(0) as layers:
        layers.first[:] = 7
    other = random_network(3, 2).layers
    shared.begin(other)
    with shared.turn(0) as layers:
        assert all(map(np.array_equal, layers, other))


def test_turn_that_does_not_come_is_told(monkeypatch):
    monkeypatch.setattr(shared_weights, "LIMIT", 0.05)
    shared = SharedWeights(random_network(1, 1).layers)
    with (
        pytest.raises(ChildProcessError, match=r"waited 0\.05 seconds for its turn"),
        shared.turn(1),
    ):
        pass


def test_turn_that_fails_is_not_passed_on(monkeypatch):
    monkeypatch.setattr(shared_weights, "LIMIT", 0.05)
    shared = SharedWeights(random_network(1, 1).layers)
    with pytest.raises(ZeroDivisionError), shared.turn(0):
        raise ZeroDivisionError
    with pytest.raises(ChildProcessError), shared.turn(1):
        pass


def test_copied_layers_are_equal_and_apart():
    one, other = (random_network(3, seed).layers for seed in (1, 2))
    copy_layers(one, other)
    assert all(map(np.array_equal, one, other))
    one.first[0, 0] += 1
    assert one.first[0, 0] != other.first[0, 0]


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the system shows no memory")
def test_shared_memory_has_no_name_that_could_be_left_behind():
    shared = SharedWeights(random_network(100, 1).layers)
    assert shared.layers.first.any()
    maps = Path("/proc/self/maps").read_text().splitlines()
    files = [line for line in maps if "/dev/shm/" in line]
    assert files
    assert [line for line in files if not line.endswith(" (deleted)")] == []
