"""A set of more inputs than any that Blot has: nothing has to know of it but its own kernel."""

import numpy as np
import pytest

from bot.backgammon.engine.nets import nets_of
from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.inputs import INPUT_SETS, PLAYERS, inputs_of
from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.lookahead import Mix, example_tools, fill_examples
from bot.backgammon.kernels.search import search_workspace
from bot.backgammon.training.student import Student
from bot.generator import new_generator
from tests.plain.games import scattered_turns
from tests.plain.more_inputs import MORE, plain_more_inputs
from tests.plain.networks import ROUNDED, decided_network, phase_layers, plain_chances
from tests.plain.phases import plain_phase

BOARDS = np.array([board for board, _ in scattered_turns(100, 1)], np.int8)


def examples_of(network, count):
    """Positions of games by lookahead, and their targets."""
    nets = nets_of(CompositeEvaluator(network, NO_DATABASES), None)
    boards = np.empty((count, 26), np.int8)
    targets = np.empty((count, 5), np.float32)
    counts = np.zeros(3, np.int64)
    places = np.empty(count, np.int8)
    tools, mix = example_tools(nets), Mix(0.25, 4, 0.0, 0.0)
    generator = new_generator(1)
    filled = fill_examples(count, mix, tools, generator, boards, targets, places, counts)
    return boards[:filled], targets[:filled]


def test_it_has_twenty_more_than_the_largest():
    assert max(INPUT_SETS.values(), key=lambda inputs: inputs.size) is PLAYERS
    assert MORE.size == PLAYERS.size + 20 == 264


def test_its_inputs_are_the_plain_ones():
    expected = np.array([plain_more_inputs(board) for board in BOARDS])
    assert inputs_of(BOARDS, MORE) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("units", [(9,), (9, 6), (8, 5, 3)])
def test_network_on_it_has_the_outcomes_of_a_plain_one(units):
    network = decided_network(*units, inputs=MORE)
    expected = [plain_chances(network.layers, plain_more_inputs(board)) for board in BOARDS]
    assert network.outcomes(BOARDS) == pytest.approx(np.array(expected), abs=ROUNDED)


def test_network_by_phases_on_it_has_the_outcomes_of_a_plain_one():
    network = decided_network(9, 6, inputs=MORE, phases=8)
    expected = [
        plain_chances(phase_layers(network.layers, plain_phase(board)), plain_more_inputs(board))
        for board in BOARDS
    ]
    assert network.outcomes(BOARDS) == pytest.approx(np.array(expected), abs=ROUNDED)


def test_network_on_it_teaches_and_learns():
    boards, targets = examples_of(decided_network(9, 6, inputs=MORE), 200)
    student = Student(MORE, (12, 6), 1)
    losses = [student.learn(boards, targets, 1e-3, 0.0) for _ in range(200)]
    assert losses[-1] < losses[0] - 0.3
    taught = Network(student.layers, MORE)
    expected = [plain_chances(taught.layers, plain_more_inputs(board)) for board in boards]
    assert taught.outcomes(boards) == pytest.approx(np.array(expected), abs=ROUNDED)


def test_file_names_it(tmp_path, monkeypatch):
    network = decided_network(9, inputs=MORE)
    network.save(tmp_path / "net.npz")
    with pytest.raises(ValueError, match="no input set 'more-1'"):
        Network.load(tmp_path / "net.npz")
    monkeypatch.setitem(INPUT_SETS, "more-1", MORE)
    loaded = Network.load(tmp_path / "net.npz")
    assert np.array_equal(loaded.outcomes(BOARDS), network.outcomes(BOARDS))


def test_layers_for_other_features_get_no_workspace():
    nets = nets_of(CompositeEvaluator(decided_network(9, inputs=MORE), NO_DATABASES), None)
    with pytest.raises(ValueError, match="264 rows is not for 244 inputs"):
        search_workspace(nets._replace(features=PLAYERS.features))
