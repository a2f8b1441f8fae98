"""The step that a student takes, and the network that it grows from."""

import numpy as np
import pytest

from bot.backgammon.evaluation.inputs import input_set, inputs_of
from bot.backgammon.evaluation.network import Network, random_network
from bot.backgammon.kernels.adam import step_by_adam
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.layouts import fill_layout
from bot.backgammon.kernels.network import Layers
from bot.backgammon.training.student import Student
from bot.generator import new_generator
from tests.plain.networks import ROUNDED, phase_layers, plain_chances
from tests.plain.phases import plain_phase


def test_steps_are_those_of_adam_written_out():
    numbers = np.random.default_rng(1)
    weights, means, squares, averages = (numbers.normal(0, 1, 50) for _ in range(4))
    squares = np.zeros(50)
    changed = [each.astype(np.float32) for each in (weights, means, squares, averages)]
    for step in range(1, 21):
        gradient = numbers.normal(0, 10.0 ** numbers.integers(-6, 2, 50))
        scale = 0.01 * (1 - 0.999**step) ** 0.5 / (1 - 0.9**step)
        means = 0.9 * means + 0.1 * gradient
        squares = 0.999 * squares + 0.001 * gradient**2
        weights = weights - scale * means / (np.sqrt(squares) + 1e-8)
        averages = 0.95 * averages + 0.05 * weights
        step_by_adam(gradient.astype(np.float32), scale, 0.95, *changed)
    for found, expected in zip(changed, (weights, means, squares, averages), strict=True):
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("units", [(5,), (40, 5), (40, 6)])
def test_first_weights_are_spread_by_the_place_of_their_layer(units: tuple[int, ...]):
    student = Student(input_set("players-1"), units, seed=1)
    *hidden, last = student.weights[::2]
    for weights in hidden:
        assert weights.std() == pytest.approx((2 / weights.shape[-2]) ** 0.5, rel=0.2)
    assert last.std() == pytest.approx(0.1 / units[-1] ** 0.5, rel=0.4)


@pytest.mark.parametrize(("before", "phases"), [((12,), 1), ((12, 8), 1), ((12, 8), 8)])
def test_a_layer_added_hands_on_what_it_gets(before: tuple[int, ...], phases: int):
    small = Student(input_set("players-1"), before, seed=1, phases=phases)
    network = Network(small.layers, small.inputs)
    grown = Student(input_set("players-1"), (*before, before[-1]), seed=2, phases=8)
    grown.start_from(network)
    generator = new_generator(1)
    boards = np.zeros((200, 26), np.int8)
    for board in boards:
        fill_layout(board, generator)
    deeper = Network(grown.layers, grown.inputs)
    assert deeper.shape.count("-") == network.shape.count("-") + 1
    assert deeper.outcomes(boards) == pytest.approx(network.outcomes(boards), abs=ROUNDED)
    for board, row in zip(boards, inputs_of(boards, small.inputs), strict=True):
        expected = plain_chances(own_layers(network, board), row)
        assert plain_chances(own_layers(deeper, board), row) == pytest.approx(expected, abs=1e-6)


def own_layers(network: Network, board: Boards) -> Layers:
    """The layers that a network has in the phase of a board."""
    return (
        phase_layers(network.layers, plain_phase(board)) if network.phases > 1 else network.layers
    )


def test_sizes_told_of_a_network_that_is_too_large_are_its_own():
    large = random_network(9, seed=1)
    with pytest.raises(ValueError, match=r"it has 9 hidden units, .* and not become 8 4"):
        Student(large.inputs, (8, 4), seed=1).start_from(large)


def test_network_by_phases_starts_no_run_without_them():
    apart = Student(input_set("players-1"), (12, 8), seed=1, phases=8)
    student = Student(apart.inputs, (12, 8), seed=2)
    with pytest.raises(ValueError, match="it tells 8 phases apart, and this run 1"):
        student.start_from(Network(apart.layers, apart.inputs))
