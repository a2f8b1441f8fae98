"""Efficiency of the cube: in races by pips, its owner's by his way to a double and by gammons."""

import pytest

from bot.backgammon.kernels.efficiency import Efficiencies, owned_efficiency, race_efficiency
from bot.backgammon.rules.position import Position


@pytest.mark.parametrize(
    ("own", "others", "wanted"),
    [
        ({12: 15}, {6: 15}, 0.8 - 4 / 180),
        ({6: 15}, {7: 1, 1: 14}, 0.8 - 4 / 90),
        ({2: 5}, {6: 15}, 0.4),
        ({1: 2}, {6: 15}, 0),
    ],
)
def test_efficiency_in_races_goes_by_pips(own, others, wanted):
    board = Position.of(own, others).board
    assert race_efficiency(board, Efficiencies(0.9, 0.8, 4.0)) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("chance", "turn", "price", "wanted"),
    [
        (0.8, 0.8, 0.5, 0.7),
        (0.9, 0.8, 0.5, 0.7),
        (0.4, 0.8, 0.5, 0.7 - 0.3 * 0.5),
        (0.0, 0.8, 0.5, 0.7 - 0.3),
        (0.8, 0.8, 1.0, 0.7 - 0.2 * 0.5),
        (0.8, 0.8, 0.0, 0.7 + 0.2 * 0.5),
        (0.2, 0.8, 1.0, 0.7 - 0.3 * 0.75 - 0.2 * 0.5),
        (0.0, 0.0, 0.5, 0.7 - 0.3),
        (0.8, 0.8, 9.0, 0.0),
        (0.8, 0.8, -9.0, 1.0),
    ],
)
def test_owner_far_from_his_double_or_afraid_of_gammons_has_less_of_his_cube(
    chance, turn, price, wanted
):
    found = owned_efficiency(0.7, chance, turn, 0.3, price, 0.2)
    assert found == pytest.approx(wanted)
