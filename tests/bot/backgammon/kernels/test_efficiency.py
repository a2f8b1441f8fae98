"""Efficiency of the cube: in races by pips, in matches by chances and gammons."""

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
    ("chance", "price", "wanted"),
    [
        (0.3, 0.5, 0.7),
        (0.9, 0.5, 0.7),
        (0.2, 0.5, 0.7 - 0.4 * 0.1),
        (0.3, 1.0, 0.7 - 0.2 * 0.5),
        (0.2, 1.0, 0.7 - 0.4 * 0.1 - 0.2 * 0.5),
        (0.8, 1.0, 0.7),
        (0.3, 9.0, 0.0),
    ],
)
def test_owner_behind_or_afraid_of_gammons_has_less_of_his_cube(chance, price, wanted):
    rates = Efficiencies(0.7, 0.8, 4.0, least_chance=0.3, per_chance=0.4, per_price=0.2)
    assert owned_efficiency(chance, price, rates) == pytest.approx(wanted)
