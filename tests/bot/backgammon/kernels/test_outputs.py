"""Outputs of networks that have fewer than five, and the chances that are made of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.archive import write_archive
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.inputs import CLASSIC, NBG, inputs_of
from bot.backgammon.evaluation.network import Network, random_network
from bot.backgammon.kernels.outputs import (
    OUTPUT_COUNTS,
    fill_lost,
    spread_outputs,
    turn_outputs,
    turned_output,
)
from bot.backgammon.kernels.selfplay import equity_of
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.position import START, turned_boards
from bot.backgammon.rules.roll import Roll
from tests.plain.games import scattered_turns
from tests.plain.learning import OTHERS, plain_lost, plain_turned
from tests.plain.networks import decided_network, plain_chances

EQUITIES = {
    1: lambda win: 2 * win - 1,
    2: lambda win, lose: win - lose,
    4: lambda win, lose, gammon, lost_gammon: win - lose + gammon - lost_gammon,
    5: lambda win, gammon, more, lost_gammon, lost_more: (
        2 * win - 1 + gammon + more - lost_gammon - lost_more
    ),
}

some_outputs = st.sampled_from(OUTPUT_COUNTS).flatmap(
    lambda count: st.lists(st.floats(0, 1, width=32), min_size=count, max_size=count)
)


@given(values=some_outputs)
def test_turning_agrees_with_plain_turning(values):
    outputs = np.array(values, np.float32)
    expected = plain_turned(outputs)
    turn_outputs(outputs)
    assert outputs == pytest.approx(expected)
    others = [turned_output(len(values), output) for output in range(len(values))]
    assert others == OTHERS[len(values)]


@given(values=some_outputs)
def test_chances_made_of_outputs_have_their_equity(values):
    chances = np.full(5, 0.3, np.float32)
    chances[: len(values)] = values
    spread_outputs(len(values), chances)
    assert equity_of(chances) == pytest.approx(EQUITIES[len(values)](*values), abs=1e-6)
    assert 0 <= chances.min() <= chances.max() <= 1


@pytest.mark.parametrize("count", OUTPUT_COUNTS)
@pytest.mark.parametrize("points", [1, 2, 3])
def test_outputs_of_a_lost_game_say_how_much_was_lost_as_far_as_they_can(count, points):
    outputs = np.full(count, 0.5, np.float32)
    fill_lost(points, outputs)
    assert list(outputs) == list(plain_lost(points, count))


@pytest.mark.parametrize("count", OUTPUT_COUNTS)
def test_network_with_fewer_outputs_evaluates_by_them_and_is_kept_in_a_file(count, tmp_path):
    network = random_network(8, count, outputs=count)
    network.save(tmp_path / "few.npz")
    network = Network.load(tmp_path / "few.npz")
    assert network.shape == f"196-8-{count}"
    boards = np.array([board for board, _ in scattered_turns(40, 2)], np.int8)
    rows = inputs_of(boards, network.inputs)
    expected = [EQUITIES[count](*plain_chances(network.layers, row)) for row in rows]
    assert cubeless_equities(network.outcomes(boards)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_search_evaluates_plays_as_a_network_with_fewer_outputs_does(count):
    network = random_network(8, count, outputs=count)
    evaluator = CompositeEvaluator(network)
    found = Search(evaluator, SearchSettings()).candidates(START.board, Roll(3, 1))
    assert len(found.outcomes) == 16
    assert found.outcomes == pytest.approx(evaluator.outcomes(turned_boards(found.after)), abs=1e-5)


def test_network_of_three_outputs_is_refused():
    with pytest.raises(ValueError, match="no network of these layers has 3 outputs"):
        random_network(8, 1, outputs=3)


@pytest.mark.parametrize("inputs", [CLASSIC, NBG])
@pytest.mark.parametrize("count", [1, 5])
def test_network_of_logistic_units_evaluates_by_them_and_is_kept_in_a_file(inputs, count, tmp_path):
    network = random_network(8, count, inputs, count, is_logistic=True)
    network.save(tmp_path / "logistic.npz")
    network = Network.load(tmp_path / "logistic.npz")
    assert network.has_logistic_units
    turns = list(scattered_turns(40, 2))
    boards = np.array([board for board, _ in turns], np.int8)
    rows = inputs_of(boards, inputs)
    expected = [EQUITIES[count](*plain_chances(network.layers, row)) for row in rows]
    assert cubeless_equities(network.outcomes(boards)) == pytest.approx(expected, abs=1e-4)
    evaluator = CompositeEvaluator(network)
    for board, (_, roll) in zip(boards, turns, strict=True):
        found = Search(evaluator, SearchSettings()).candidates(board, roll)
        wanted = evaluator.outcomes(turned_boards(found.after))
        assert found.outcomes == pytest.approx(wanted, abs=1e-5)


def test_file_of_other_hidden_units_is_refused(tmp_path):
    layers = random_network(2, 1).layers
    header = {"version": 1, "inputs": "classic-1", "hidden": "cubic", "history": {}}
    arrays = {name: array for name, array in layers._asdict().items() if array.size}
    write_archive(tmp_path / "cubic.npz", header, arrays)
    with pytest.raises(ValueError, match="it has 'cubic' hidden units, which this Blot has not"):
        Network.load(tmp_path / "cubic.npz")


def test_network_of_two_layers_has_no_logistic_units():
    layers = decided_network(4, 4).layers._replace(logistic=np.zeros((0, 1), np.float32))
    with pytest.raises(ValueError, match="no network of these layers has logistic hidden units"):
        Network(layers)
