import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.evaluation.met_recurrence import (
    RATES,
    Gammons,
    OneSided,
    before_crawford,
    crawford,
    post_crawford,
)
from bot.backgammon.lab.cube.fit import UNIFORM
from tests.plain.met import plain_before_crawford

NO_GAMMONS = Gammons()


def rates_with(**changed):
    """Blot's, but for what is named."""
    return RATES._replace(**changed)


@given(
    gammons=st.tuples(st.floats(0, 0.4), st.floats(0, 1)).map(lambda x: Gammons(x[0], x[0] * x[1])),
    efficiency=st.floats(0, 1),
)
@settings(max_examples=10)
def test_table_agrees_with_the_plain_recurrence_at_every_score(gammons, efficiency):
    post = post_crawford(12)
    first = crawford(post, rates_with(money=gammons))
    plain = plain_before_crawford(post, first, gammons, efficiency)
    expected = [[plain(own, other) for other in range(13)] for own in range(1, 13)]
    rates = rates_with(money=gammons, efficiency=efficiency)
    assert before_crawford(post, rates=rates)[1:] == pytest.approx(np.array(expected))


def test_blots_own_table_agrees_with_the_plain_recurrence_as_far_as_it_goes():
    post = post_crawford(64)
    plain = plain_before_crawford(post, crawford(post), RATES.money, RATES.efficiency)
    expected = [[plain(own, other) for other in range(1, 65)] for own in range(1, 65)]
    assert before_crawford(post)[1:, 1:] == pytest.approx(np.array(expected))


def test_with_a_dead_cube_and_no_gammons_points_are_tosses_of_a_coin():
    trailer = np.array([1.0, *(0.5**away for away in range(1, 11))])
    post = np.array([1.0, *(0.5 ** max(away - 1, 1) for away in range(1, 11))])
    assert crawford(trailer)[2] > trailer[2]  # gammons count in the Crawford game
    found = before_crawford(post, rates=rates_with(money=NO_GAMMONS, efficiency=0.0))
    for own in range(2, 11):
        for other in range(2, 11):
            expected = (found[own - 1, other] + found[own, other - 1]) / 2
            assert found[own, other] == pytest.approx(expected)


def test_a_live_cube_helps_the_one_behind():
    post = post_crawford(25)
    dead, live = (before_crawford(post, rates=rates_with(efficiency=x)) for x in (0.0, 1.0))
    for own in range(3, 26):
        assert (live[own, 2:own] > dead[own, 2:own]).all()


def test_after_the_crawford_game_an_even_score_is_worth_little_more_than_the_odd_one_above():
    post = post_crawford(64)
    assert (np.diff(post) < 0).all()
    for even in range(2, 63, 2):
        assert post[even - 1] - post[even] < post[even] - post[even + 1]


def test_two_away_after_the_crawford_game_loses_what_the_free_drop_is_worth():
    chances = np.array(RATES.first_chances)
    gained = np.mean(np.maximum(chances - 0.5, 0))
    assert post_crawford(2)[2] == pytest.approx(chances.mean() - gained)


def test_a_trailer_wins_and_gammons_as_often_as_his_gammons_are_worth_it():
    often = (OneSided(0.5, 0.49, 0.2), OneSided(1.0, 0.4, 0.3))
    post = post_crawford(7, rates=rates_with(trailer=often, money=NO_GAMMONS))
    # 3 away at a cube of 2: a win leaves a toss of a coin, a gammon is the match
    assert post[3] == pytest.approx(0.4 * (0.5 + 0.3 * 0.5))
    worth = (post[3] - post[5]) / post[5]  # 7 away, between those measured
    between = (worth - 0.5) / 0.5
    assert 0 < between < 1
    win, gammon = 0.49 - 0.09 * between, 0.2 + 0.1 * between
    assert post[7] == pytest.approx(win * (post[5] + gammon * (post[3] - post[5])))


def test_a_trailer_who_wants_no_gammons_wins_half_of_the_games():
    often = (OneSided(0.5, 0.4, 0.2), OneSided(1.0, 0.3, 0.3))
    post = np.array([1.0, 0.5, 0.5, 0.25])
    found = crawford(post, rates_with(trailer=often, money=NO_GAMMONS))
    assert found[3] == pytest.approx(0.5 * 0.5)  # a gammon wins no more than a win


def test_rates_are_such_as_games_can_have():
    wins = [0.5] + [one.win for one in RATES.trailer]
    assert wins == pytest.approx([0.5] * len(wins), abs=0.02)
    worths = [one.worth for one in RATES.trailer]
    assert worths == sorted(worths)
    gammons = [RATES.money.gammon] + [one.gammon for one in RATES.trailer]
    assert gammons == pytest.approx([0.27] * len(gammons), abs=0.03)
    assert RATES.money.backgammon < 0.1 * RATES.money.gammon
    assert np.mean(RATES.first_chances) == pytest.approx(0.5, abs=0.005)
    assert sorted(RATES.first_chances) == list(RATES.first_chances)


def test_the_cube_is_about_as_live_as_in_contact_positions():
    assert abs(RATES.efficiency - UNIFORM.contact) < 0.1
