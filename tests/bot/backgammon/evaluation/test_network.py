"""Networks and their files."""

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.evaluation.inputs import PLAYERS, inputs_of
from bot.backgammon.evaluation.network import Network, layers_of, random_network
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.position import START, Position
from tests.plain.games import scattered_turns
from tests.plain.networks import (
    ROUNDED,
    decided_network,
    phase_layers,
    plain_chances,
    plain_classic_inputs,
)
from tests.plain.phases import plain_phase
from tests.strategies import batches


@given(some=batches(), seed=st.integers(0, 100))
def test_outcomes_agree_with_plain_network(some, seed):
    network = random_network(20, seed)
    expected = [plain_chances(network.layers, plain_classic_inputs(board)) for board in some]
    assert network.outcomes(some) == pytest.approx(np.array(expected), abs=ROUNDED / 10)


@pytest.mark.parametrize("units", [(9,), (9, 6), (8, 5, 3)])
def test_many_boards_have_the_outcomes_of_a_plain_network(units):
    network = decided_network(*units, inputs=PLAYERS)
    boards = np.array([board for board, _ in scattered_turns(50, 1)], np.int8)
    expected = [plain_chances(network.layers, row) for row in inputs_of(boards, PLAYERS)]
    assert network.outcomes(boards) == pytest.approx(np.array(expected), abs=ROUNDED)


@pytest.mark.parametrize("units", [(9, 6), (8, 5, 3)])
def test_phase_of_a_board_says_which_layers_rate_it(units):
    network = decided_network(*units, inputs=PLAYERS, phases=8)
    assert network.units[: len(units)] == units
    boards = np.array([board for board, _ in scattered_turns(300, 1)], np.int8)
    expected = [
        plain_chances(phase_layers(network.layers, plain_phase(board)), row)
        for board, row in zip(boards, inputs_of(boards, PLAYERS), strict=True)
    ]
    assert network.outcomes(boards) == pytest.approx(np.array(expected), abs=ROUNDED)


@pytest.mark.parametrize("units", [(20,), (20, 6)])
@given(some=batches())
def test_outcomes_hardly_depend_on_the_other_boards_of_the_batch(units, some):
    network = decided_network(*units)
    alone = np.concatenate([network.outcomes(some[i : i + 1]) for i in range(len(some))])
    assert network.outcomes(some) == pytest.approx(alone, abs=1e-5)


def test_no_boards_have_no_outcomes():
    assert random_network(4, 1).outcomes(np.empty((0, 26), np.int8)).shape == (0, 5)


def test_file_gives_the_network_back(tmp_path):
    network = Network(random_network(12, 5).layers, history={"games": 7})
    network.save(tmp_path / "net.npz")
    loaded = Network.load(tmp_path / "net.npz")
    assert all(map(np.array_equal, loaded.layers, network.layers))
    assert loaded.history == {"games": 7}
    assert loaded.shape == "196-12-5"
    assert [path.name for path in tmp_path.iterdir()] == ["net.npz"]


def test_file_gives_logistic_units_back(tmp_path):
    network = random_network(12, 5, outputs=4, is_logistic=True)
    network.save(tmp_path / "net.npz")
    loaded = Network.load(tmp_path / "net.npz")
    assert (loaded.has_logistic_units, loaded.shape) == (True, "196-12-4")


def test_file_gives_a_network_by_phases_back(tmp_path):
    network = decided_network(12, 6, phases=8)
    network.save(tmp_path / "net.npz")
    loaded = Network.load(tmp_path / "net.npz")
    assert all(map(np.array_equal, loaded.layers, network.layers))
    assert (loaded.phases, loaded.shape) == (8, "196-12-8x6-5")


def test_arrays_of_a_file_are_taken_in_single_precision(tmp_path):
    layers = random_network(2, 1).layers
    arrays = {name: array.astype(float) for name, array in layers._asdict().items() if array.size}
    header = {"version": 1, "inputs": "classic-1", "history": {}}
    np.savez(tmp_path / "net.npz", header=np.array(json.dumps(header)), **arrays)
    loaded = Network.load(tmp_path / "net.npz").layers
    assert {array.dtype for array in loaded} == {np.dtype(np.float32)}
    assert all(map(np.array_equal, loaded, layers))


@pytest.mark.parametrize("named", [{"phases": "phases-9"}, {}])
def test_file_of_other_phases_is_refused(tmp_path, named):
    layers = decided_network(12, 6, phases=8).layers
    header = {"version": 1, "inputs": "classic-1", "history": {}} | named
    arrays = {name: array for name, array in layers._asdict().items() if array.size}
    np.savez(tmp_path / "net.npz", header=np.array(json.dumps(header)), **arrays)
    with pytest.raises(ValueError, match=r"net\.npz cannot be used: it is made for phases '"):
        Network.load(tmp_path / "net.npz")


@pytest.mark.parametrize(
    "wrong",
    [
        {"first": None, "biases": None},
        {"biases": np.float32(1)},
        {"last_biases": np.float32(1)},
        {"header": {"inputs": ["classic-1"]}},
    ],
    ids=lambda wrong: "-".join(wrong),
)
def test_file_of_arrays_that_make_no_network_is_told_in_a_sentence(tmp_path, wrong):
    arrays = random_network(12, 5).layers._asdict() | wrong
    changed = arrays.pop("header", {})
    header = {"version": 1, "inputs": "classic-1", "history": {}} | changed
    kept = {name: each for name, each in arrays.items() if each is not None and np.size(each)}
    np.savez(tmp_path / "net.npz", header=np.array(json.dumps(header)), **kept)
    with pytest.raises(ValueError, match=r"net\.npz cannot be used: "):
        Network.load(tmp_path / "net.npz")


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"no weights file .*nowhere\.npz"):
        Network.load(tmp_path / "nowhere.npz")


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 broken"])
def test_other_file_is_named(tmp_path, content):
    (tmp_path / "net.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"net\.npz is no weights file"):
        Network.load(tmp_path / "net.npz")


def test_half_a_file_is_refused(tmp_path):
    path = tmp_path / "net.npz"
    random_network(12, 5).save(path)
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(ValueError, match="no weights file"):
        Network.load(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 99}, "version 99"),
        ({"inputs": "classic-9"}, "classic-9"),
        ({"hidden": "tanh"}, "it has 'tanh' hidden units, which this Blot has not"),
    ],
)
def test_file_of_another_version_is_refused(tmp_path, change, words):
    network = random_network(12, 5)
    header = {"version": 1, "inputs": "classic-1", "history": {}} | change
    arrays = network.layers._asdict()
    np.savez(tmp_path / "net.npz", header=np.array(json.dumps(header)), **arrays)
    with pytest.raises(ValueError, match=words):
        Network.load(tmp_path / "net.npz")


def test_layers_that_do_not_fit_are_refused():
    layers = random_network(12, 5).layers
    with pytest.raises(ValueError, match="do not fit"):
        Network(layers._replace(biases=layers.biases[:-1]))
    no_units = np.zeros((196, 0)), np.zeros(0)
    with pytest.raises(ValueError, match="do not fit"):
        Network(layers_of(*no_units, last=np.zeros((5, 0)), last_biases=np.zeros(5)))


def test_phases_that_blot_has_not_are_refused():
    for units, phases in (((4, 3), 3), ((4,), 8)):
        with pytest.raises(ValueError, match=f"{phases} phases has no layers for them"):
            decided_network(*units, phases=phases)


def test_weights_that_are_no_numbers_are_refused():
    layers = random_network(12, 5).layers
    layers.first[3, 3] = np.nan
    with pytest.raises(ValueError, match="finite"):
        Network(layers)


def test_network_that_knows_nothing_is_nearly_indifferent():
    network = random_network(40, 1)
    board = Position.of({1: 2}, {1: 2}).board
    assert abs(cubeless_equities(network.outcomes(board[np.newaxis]))[0]) < 0.5


def test_network_without_units_is_refused():
    with pytest.raises(ValueError, match="hidden unit"):
        random_network(0, 1)


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda network: pickle.loads(pickle.dumps(network))]
)
def test_network_that_has_played_can_be_copied_and_sent(copied):
    network = random_network(4, 1, PLAYERS)
    boards = START.board[np.newaxis]
    outcomes = network.outcomes(boards)
    other = copied(network)
    assert np.array_equal(other.outcomes(boards), outcomes)
    assert (other.inputs, other.history) == (network.inputs, network.history)


def test_networks_are_compared_by_identity():
    network = random_network(4, 1)
    assert {network: 1}[network]
    assert network != random_network(4, 1)


def test_network_is_told_in_a_line():
    assert repr(random_network(12, 5, PLAYERS)) == "<Network 244-12-5 on players-1>"
