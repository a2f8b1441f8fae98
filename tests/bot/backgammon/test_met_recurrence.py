import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.cube import EFFICIENCIES
from bot.backgammon.met_recurrence import (
    EFFICIENCY,
    FIRST_CHANCES,
    MONEY,
    Gammons,
    before_crawford,
    crawford,
    post_crawford,
)
from tests.plain.met import plain_before_crawford

NO_GAMMONS = Gammons()


@given(
    gammons=st.tuples(st.floats(0, 0.4), st.floats(0, 1)).map(lambda x: Gammons(x[0], x[0] * x[1])),
    efficiency=st.floats(0, 1),
)
@settings(max_examples=10)
def test_table_agrees_with_the_plain_recurrence_at_every_score(gammons, efficiency):
    post = post_crawford(12)
    plain = plain_before_crawford(post, crawford(post), gammons, efficiency)
    expected = [[plain(own, other) for other in range(13)] for own in range(1, 13)]
    assert before_crawford(post, gammons, efficiency)[1:] == pytest.approx(np.array(expected))


def test_blots_own_table_agrees_with_the_plain_recurrence_as_far_as_it_goes():
    post = post_crawford(64)
    plain = plain_before_crawford(post, crawford(post), MONEY, EFFICIENCY)
    expected = [[plain(own, other) for other in range(1, 65)] for own in range(1, 65)]
    assert before_crawford(post)[1:, 1:] == pytest.approx(np.array(expected))


def test_with_a_dead_cube_and_no_gammons_points_are_tosses_of_a_coin():
    trailer = np.array([1.0, *(0.5**away for away in range(1, 11))])
    post = np.array([1.0, *(0.5 ** max(away - 1, 1) for away in range(1, 11))])
    assert crawford(trailer)[2] > trailer[2]  # gammons count in the Crawford game
    found = before_crawford(post, NO_GAMMONS, 0.0)
    for own in range(2, 11):
        for other in range(2, 11):
            expected = (found[own - 1, other] + found[own, other - 1]) / 2
            assert found[own, other] == pytest.approx(expected)


def test_a_live_cube_helps_the_one_behind():
    post = post_crawford(25)
    dead, live = (before_crawford(post, efficiency=efficiency) for efficiency in (0.0, 1.0))
    for own in range(3, 26):
        assert (live[own, 2:own] > dead[own, 2:own]).all()


def test_after_the_crawford_game_an_even_score_is_worth_little_more_than_the_odd_one_above():
    post = post_crawford(64)
    assert (np.diff(post) < 0).all()
    for even in range(2, 63, 2):
        assert post[even - 1] - post[even] < post[even] - post[even + 1]


def test_two_away_after_the_crawford_game_loses_what_the_free_drop_is_worth():
    gained = np.mean(np.maximum(np.array(FIRST_CHANCES) - 0.5, 0))
    assert post_crawford(2)[2] == pytest.approx(np.mean(FIRST_CHANCES) - gained)
    assert sum(FIRST_CHANCES) == pytest.approx(5, abs=0.01)


def test_the_cube_is_about_as_live_at_the_start_as_in_contact_positions():
    assert abs(EFFICIENCY - EFFICIENCIES.contact) < 0.1
