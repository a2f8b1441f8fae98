"""Networks as they play: in whole numbers that overflow on no board, and nearly as they learnt."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.arena.baselines import PubevalPlayer
from bot.backgammon.evaluation.inputs import BLOCKS, CLASSIC, NBG, PLAYERS, inputs_of
from bot.backgammon.evaluation.network import load_network, random_network
from bot.backgammon.evaluation.playing import playing_layers, units_of_sums
from bot.backgammon.kernels.inputs import CLASSIC_INPUTS
from bot.backgammon.kernels.playing import fill_root, fill_sums, first_workspace
from bot.kernels import kernel
from tests.plain.games import choice_of, scattered_turns, turns_of_games
from tests.plain.more_inputs import MORE
from tests.plain.networks import decided_network, phase_layers, plain_chances
from tests.plain.phases import plain_phase
from tests.plain.playing import plain_playing_outputs, plain_playing_sums
from tests.strategies import boards

SETS = [CLASSIC, PLAYERS, BLOCKS, NBG, MORE]
USUAL = np.array(
    [board for board, _ in turns_of_games(choice_of(PubevalPlayer()), 120, 4)], np.int8
)
BOARDS = np.array([board for board, _ in scattered_turns(60, 3)], np.int8)


@kernel
def filled(root, board, layers, workspace, sums):
    fill_root(root, layers, workspace)
    fill_sums(root, board, layers, workspace, sums)


def told(network, root, board):
    """A board's sums as told from a root."""
    workspace = first_workspace(network.playing, network.playing_features)
    sums = np.zeros(network.units[0], np.int16)
    filled(root, board, network.playing, workspace, sums)
    return sums


@pytest.mark.parametrize("inputs", SETS, ids=str)
@given(root=boards(), board=boards())
def test_sums_are_the_plain_ones_whatever_board_they_are_told_from(inputs, root, board):
    network = decided_network(9, inputs=inputs)
    assert told(network, root, board).tolist() == plain_playing_sums(network, board).tolist()


@given(board=boards())
def test_features_beyond_their_limits_count_as_these(board):
    narrow = replace(MORE, limits=lambda: MORE.limits() / 4)
    network = decided_network(9, inputs=narrow)
    assert told(network, BOARDS[0], board).tolist() == plain_playing_sums(network, board).tolist()


def is_as_learnt(network, board):
    """Whether a board's sums are those that were learnt but for what is rounded, of each unit.

    Features beyond their limits count as these.
    """
    inputs = inputs_of(board[np.newaxis], network.inputs)[0].astype(float)
    if network.inputs.limits is not None:
        inputs[CLASSIC_INPUTS:] = np.clip(inputs[CLASSIC_INPUTS:], *network.inputs.limits())
    learnt = inputs @ network.layers.first + network.layers.biases
    halves = 2 * 15 + network.inputs.feature_count + 1
    units, _ = units_of_sums(network.layers, network.inputs)
    off = plain_playing_sums(network, board) - learnt / units
    return np.abs(off) < 0.5 * halves


@pytest.mark.parametrize("inputs", SETS, ids=str)
@given(board=boards(), seed=st.integers(0, 20), unit=st.integers(0, 6))
def test_no_sum_overflows_even_of_the_board_that_a_unit_looks_for(inputs, board, seed, unit):
    network = decided_network(7, inputs=inputs, seed=seed)
    # each input of this board counts for the unit, others against it
    weights = network.layers.first[:, unit]
    is_there = inputs_of(board[np.newaxis], inputs)[0] > 0
    weights[:] = np.where(is_there, 1, -1) * np.abs(weights)
    assert is_as_learnt(network, board).all()
    _, highest = units_of_sums(network.layers, network.inputs)
    assert (plain_playing_sums(network, board) <= highest).all()


@pytest.mark.parametrize("inputs", SETS, ids=str)
def test_sums_are_those_that_were_learnt_but_for_what_is_rounded(inputs):
    network = decided_network(9, inputs=inputs)
    assert all(is_as_learnt(network, board).all() for board in BOARDS)
    sums = [plain_playing_sums(network, board) for board in BOARDS]
    assert np.abs(sums).max() > 2**12


@pytest.mark.parametrize("inputs", SETS, ids=str)
@pytest.mark.parametrize("units", [(9,), (9, 6), (8, 5, 3), (40, 70)])
def test_chances_are_the_plain_ones_of_those_sums(inputs, units):
    network = decided_network(*units, inputs=inputs)
    expected = [plain_playing_outputs(network, board) for board in BOARDS]
    assert network.outcomes(BOARDS) == pytest.approx(np.array(expected), abs=1e-5)


def test_chances_of_a_phase_are_the_plain_ones_of_those_sums():
    network = decided_network(9, 6, inputs=PLAYERS, phases=8)
    expected = [plain_playing_outputs(network, board, plain_phase(board)) for board in BOARDS]
    assert network.outcomes(BOARDS) == pytest.approx(np.array(expected), abs=1e-5)


@pytest.mark.parametrize("inputs", [CLASSIC, NBG], ids=str)
def test_chances_of_logistic_units_are_the_plain_ones_of_those_sums(inputs):
    network = random_network(8, 1, inputs, is_logistic=True)
    expected = [plain_playing_outputs(network, board) for board in BOARDS]
    assert network.outcomes(BOARDS) == pytest.approx(np.array(expected), abs=1e-5)


def test_a_unit_without_weights_and_one_that_a_single_checker_turns_can_play():
    network = decided_network(3, 2)
    first = network.layers.first
    first[:, 0], network.layers.biases[0] = 0, 0
    first[:, 1] = 0
    first[0, 1], network.layers.biases[1] = 2, -1
    playing = playing_layers(network.layers, network.inputs)
    assert not playing.first[:, 0].any()
    board = np.zeros(26, np.int8)
    board[1], board[24] = 1, -1
    # a half of what is left out of a unit is added
    for number, largest in ((1, 32669), (0, -32665)):
        board[1], board[2] = number, 1 - number
        assert plain_playing_sums(network, board)[1] == pytest.approx(largest, abs=1)
        assert network.outcomes(board[np.newaxis])[0] == pytest.approx(
            plain_chances(network.layers, inputs_of(board[np.newaxis], CLASSIC)[0]), abs=1e-4
        )


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("phases", [1, 8])
def test_sums_of_the_second_layer_fit_in_32_bits_with_units_as_large_as_can_be(sign, phases):
    network = decided_network(200, 70, phases=phases)
    # one unit that all below count for, or against
    second = network.layers.second
    second[:, 3] = sign * np.abs(second[:, 3])
    second[0, 5] *= 1000
    whole = network.playing.upper.second.reshape(phases, 200, -1).astype(np.int64)
    highest = units_of_sums(network.layers, network.inputs)[1] // 4
    sums = (np.where(sign * whole > 0, whole, 0) * highest[:, np.newaxis]).sum(axis=1)
    assert 2**30 < np.abs(sums[:, 3]).max() <= 2**31 - 1
    assert np.abs(sums).max() <= 2**31 - 1
    assert np.abs(whole).max() == 2**15 - 1


@pytest.mark.parametrize("name", ["wide-2048-64", "siblings-1024-64", "pruner-256"])
def test_equities_are_about_half_a_thousandth_off(name):
    network = load_network(name)
    rows = inputs_of(USUAL, network.inputs)
    phases = [plain_phase(board) for board in USUAL]
    of_phase = dict.fromkeys(phases, network.layers)
    if network.phases > 1:
        of_phase = {phase: phase_layers(network.layers, phase) for phase in phases}
    learnt = [plain_chances(of_phase[each], row) for each, row in zip(phases, rows, strict=True)]
    errors = (network.outcomes(USUAL) - learnt) @ [2, 1, 1, -1, -1]
    assert 0 < np.sqrt((errors**2).mean()) < 0.001
