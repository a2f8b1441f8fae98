import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.cube import (
    cube_table,
    rolled_values,
    static_values,
)
from bot.backgammon.kernels.cube import Efficiencies
from bot.backgammon.match import CubeOwner, MoneyRules
from bot.backgammon.outcome import Chances
from bot.backgammon.position import START
from tests.plain.cube import EvenMet, PlainCube
from tests.strategies import chances, game_states

MET = EvenMet()
NO_JACOBY = MoneyRules(jacoby=False)
OWNERS = {0: CubeOwner.CENTRED, 1: CubeOwner.ON_ROLL, 2: CubeOwner.OTHER}


def row(each):
    return np.array(
        [
            [
                each.win,
                each.win_gammon,
                each.win_backgammon,
                each.lose_gammon,
                each.lose_backgammon,
            ]
        ],
        np.float32,
    )


def fixed(efficiency):
    return Efficiencies(efficiency, efficiency, 0.0, efficiency, efficiency, efficiency)


def values(state, each, efficiency=0.68, *, may=False, side=0):
    table = cube_table(state, MET, efficiencies=fixed(efficiency))
    function = static_values if may else rolled_values
    return function(START.board[np.newaxis], row(each), side, table)[0]


def exact(each):
    """The chances as float32 keeps them, within each other again."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = map(float, row(each)[0])
    win_gammon, lose_gammon = min(win_gammon, win), min(lose_gammon, 1 - win)
    return Chances(
        win,
        win_gammon,
        min(win_backgammon, win_gammon),
        lose_gammon,
        min(lose_backgammon, lose_gammon),
    )


@given(game_states(), chances(), st.floats(0, 1), st.booleans())
def test_values_agree_with_the_plain_ones(state, each, efficiency, may):
    found = values(state, each, efficiency, may=may)
    plain = PlainCube(state, MET, exact(each), efficiency)
    for index, value in enumerate(found):
        owner = OWNERS[0 if index == 0 else 2 - index % 2]
        level = 0 if index == 0 else (index - 1) // 2
        if state.score is None and index == 0 and state.cube.owner is not CubeOwner.CENTRED:
            continue
        cube = state.cube.value << level
        wanted = plain.static(owner, cube) if may else plain.rolled(owner, cube)
        assert value == pytest.approx(wanted, abs=2e-5)
