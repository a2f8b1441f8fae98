"""Efficiency of the cube: by pips and gammons, its owner's by his way to a double as well."""

import numpy as np
import pytest

from bot.backgammon.kernels.efficiency import (
    Efficiencies,
    known_at_score,
    known_efficiencies,
    owned_efficiency,
    pips_of,
    side_efficiencies,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.position import START, Position, turned
from tests.plain.bearoff import PlainBearoff, home_board
from tests.plain.cube import PlainCube

ENDINGS = PlainBearoff(3)
EQUITIES = ENDINGS.two_sided()

RATES = Efficiencies(
    0.3,
    0.8,
    4.0,
    0.4,
    0.7,
    owner=0.2,
    owner_pips=-0.1,
    owner_gammons=-0.3,
    race_owner=0.15,
    money=0.05,
)


@pytest.mark.parametrize(
    ("pips", "in_contact", "gammons", "centred", "owned"),
    [
        (180, False, 0.0, 0.8 - 4 / 180, 0.95 - 4 / 180),
        (10, False, 0.5, 0.4, 0.55),
        (2, False, 0.0, 0.0, 0.15),
        (100, True, 0.0, 0.3 + 0.4, 0.5 + 0.3),
        (50, True, 0.5, 0.3 + 0.2 - 0.35, 0.5 + 0.15 - 0.2),
        (0, True, 1.0, 0.0, 0.5 - 0.4 - 0.0),
        (250, True, 0.0, 1.0, 0.5 + 0.75),
    ],
)
def test_efficiency_goes_by_pips_and_with_contact_by_gammons(
    pips, in_contact, gammons, centred, owned
):
    found = side_efficiencies(pips, gammons, in_contact, False, RATES)
    assert found == pytest.approx((centred, owned))
    more = 0.05 if in_contact else 0
    found = side_efficiencies(pips, gammons, in_contact, True, RATES)
    assert found == pytest.approx((centred, owned + more))


def test_pips_of_both_sides_are_counted_on_the_bar_too():
    assert pips_of(START.board) == (167, 167)
    uneven = Position.of({25: 2, 6: 3}, {25: 1, 3: 2, 1: 1})
    assert pips_of(uneven.board) == (68, 32)
    assert pips_of(turned(uneven).board) == (32, 68)


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


def test_known_efficiencies_make_values_for_money_what_is_known():
    compared = 0
    for number, other in np.random.default_rng(1).integers(1, len(ENDINGS.homes), (80, 2)):
        cubeless, *equities = EQUITIES[number, other]
        win = (cubeless + 1) / 2
        owned, others = known_efficiencies(win, np.array(equities, np.float32))
        position = Position(home_board(ENDINGS.homes[number], ENDINGS.homes[other]))
        for owner, efficiency in ((CubeOwner.ON_ROLL, owned), (CubeOwner.OTHER, others)):
            if not 0 < efficiency < 1:
                continue  # a live cube, or a dead one, is as near as a value comes
            state = GameState(position, Cube(2, owner), None, MoneyRules(jacoby=False))
            rates = Efficiencies(efficiency, efficiency, 0.0)
            value = PlainCube(state, None, Chances(win, 0, 0, 0, 0), rates).rolled(owner, 2)
            assert value == pytest.approx(equities[list(CubeOwner).index(owner)], abs=1e-4)
            compared += 1
    assert compared > 80


@pytest.mark.parametrize(
    ("known", "gain", "risk", "cash", "wanted"),
    [
        (0.6, 1.0, 1.0, 0.8, 0.6),  # as for money
        (0.0, 1.0, 1.0, 0.7, 0.0),
        (-0.3, 1.0, 1.0, 0.8, 0.0),
        (1.4, 1.0, 1.0, 0.8, 1.0),
        (0.6, 1.0, 1.0, 0.7, 0.6 * 0.95),  # dropped sooner
        (0.6, 0.3, 0.7, 0.8, 0.6 * 0.9),  # turned later
        (0.6, 0.7, 0.3, 0.8, 0.6 + 0.7 * 0.2 * 0.4),  # turned earlier
        (0.0, 0.4, 0.0, 0.8, 0.7 * 0.5),
        (1.0, 0.7, 0.3, 0.9, 1.0),
    ],
)
def test_known_efficiency_at_a_score_goes_by_when_the_cube_is_turned_and_dropped(
    known, gain, risk, cash, wanted
):
    assert known_at_score(known, gain, risk, cash, 0.7) == pytest.approx(wanted)
