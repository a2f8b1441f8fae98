from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.backgammon.evaluation.met import (
    Gammons,
    MatchEquityTable,
    backgammon_value,
    blot_table,
    cash_point,
    gammon_value,
    take_point,
)
from bot.backgammon.rules.match import Score
from tests.strategies import scores

AWAYS = st.integers(1, 64)
VALUES = st.sampled_from([1, 2, 4, 8, 16, 32, 64])
FAR = Score(64, 0, 0)  # nearly money


def gammons():
    """Rates of gammons and backgammons."""
    return st.tuples(st.floats(0, 0.6), st.floats(0, 1)).map(lambda x: Gammons(x[0], x[0] * x[1]))


@given(own=AWAYS, other=AWAYS, is_post=st.booleans())
def test_both_sides_chances_sum_to_one(own, other, is_post):
    met = blot_table()
    both = met.mwc(own, other, is_post_crawford=is_post)
    both += met.mwc(other, own, is_post_crawford=is_post)
    assert both == pytest.approx(1)


@given(own=st.integers(2, 64), other=AWAYS, is_post=st.booleans())
def test_who_needs_a_point_less_has_the_better_chances(own, other, is_post):
    assume(not (is_post and other > 1))
    met = blot_table()
    nearer = met.mwc(own - 1, other, is_post_crawford=is_post)
    assert nearer > met.mwc(own, other, is_post_crawford=is_post)


@given(away=AWAYS)
def test_an_even_score_is_even(away):
    assert blot_table().mwc(away, away) == pytest.approx(0.5)


@given(away=st.integers(-3, 0), other=AWAYS)
def test_a_match_is_won_with_nothing_to_go(away, other):
    assert blot_table().mwc(away, other) == 1
    assert blot_table().mwc(other, away) == 0


@given(score=scores(), points=st.integers(-200, 200))
def test_what_one_side_wins_the_other_loses(score, points):
    met = blot_table()
    both = met.mwc_after(score, points) + met.mwc_after(score.turned(), -points)
    assert both == pytest.approx(1)


@given(score=scores(), points=st.integers(-70, 70))
def test_more_points_are_never_worth_less(score, points):
    assume(points not in (-1, 0))
    assert blot_table().mwc_after(score, points) <= blot_table().mwc_after(score, points + 1)


@pytest.mark.parametrize(
    ("score", "points", "row"),
    [
        (Score(5, 1, 2), 3, "pre[0, 2]"),  # 1 away, 3 away: the Crawford game comes
        (Score(5, 1, 2), -2, "pre[3, 0]"),
        (Score(5, 4, 2, is_crawford=True), -1, "1 - post[1]"),
        (Score(5, 2, 4, is_crawford=True), 1, "post[1]"),
        (Score(5, 2, 4), 1, "post[1]"),
        (Score(5, 2, 4), 0, "post[2]"),
        (Score(5, 2, 4, is_crawford=True), 0, "pre[2, 0]"),
        (Score(5, 4, 4), 0, "post[0]"),
        (Score(5, 3, 2), -3, "pre[0, 0] - pre[0, 0]"),
    ],
)
def test_the_crawford_game_comes_once_and_has_chances_of_its_own(score, points, row):
    met = blot_table()
    expected = eval(row, {"pre": met.pre, "post": met.post})
    assert met.mwc_after(score, points) == pytest.approx(expected)


def test_the_table_is_computed_once_and_nobody_changes_it():
    assert blot_table() is blot_table()
    with pytest.raises(ValueError, match="read-only"):
        blot_table().pre[3, 4] = 0.5


def test_nobody_is_further_away_than_the_longest_match():
    with pytest.raises(ValueError, match="a match has at most 64 points, not 65 to go"):
        blot_table().mwc(65, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pre": np.full((25, 25), 0.5)}, "64 x 64 and 64 chances"),
        ({"post": np.full(64, 1.5)}, "of Blot are not all from 0 to 1"),
        ({"pre": np.full((64, 64), 0.4)}, "in Blot do not sum to 1"),
        ({"post": np.full(64, np.nan)}, "not all from 0 to 1"),
    ],
)
def test_a_table_that_is_none_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(blot_table(), **change)


def proportional_table():
    """A made-up table in which every point is worth the same, as in a money game."""
    away = np.arange(1, 65)
    pre = 0.5 + (away[np.newaxis] - away[:, np.newaxis]) / 200
    return MatchEquityTable("points", pre, pre[:, 0].copy())


def test_where_all_points_are_worth_the_same_all_is_as_for_money():
    met = proportional_table()
    assert gammon_value(met, FAR) == pytest.approx(0.5)
    assert backgammon_value(met, FAR, 2) == pytest.approx(0.5)
    assert take_point(met, FAR) == pytest.approx(0.25)
    assert take_point(met, FAR, 2) == pytest.approx(0.25)
    live = take_point(met, Score(64, 0, 0), is_live=True)
    assert live == pytest.approx(0.2, abs=0.001)  # Janowski 1993: the ideal live cube
    often = Gammons(0.25)
    # Janowski: take point (L - 1/2) / (W + L), W and L the mean points of won and lost games
    assert take_point(met, FAR, 1, often, often) == pytest.approx(0.75 / 2.5)


@pytest.mark.parametrize("away", [2, 3, 10])
def test_double_match_point_comes_with_a_take_after_a_drop_would_lose_the_match(away):
    met = blot_table()
    assert take_point(met, Score(64, 64 - away, 63), 1) == 0


def test_at_two_away_each_the_cube_is_dead_once_it_is_turned():
    met, score = blot_table(), Score(7, 5, 5)
    assert take_point(met, score) == pytest.approx(met.mwc(2, 1))
    assert take_point(met, score, is_live=True) == pytest.approx(met.mwc(2, 1))


@given(score=scores(), value=VALUES, won=gammons(), lost=gammons())
def test_a_live_cube_is_taken_with_no_more_than_a_dead_one(score, value, won, lost):
    assume(not score.is_crawford and 2 * value < score.away)
    met = blot_table()
    live = take_point(met, score, value, won, lost, is_live=True)
    assert 0 <= live <= 1
    if won == Gammons():
        assert live <= take_point(met, score, value, won, lost) + 1e-12


@given(score=scores(), value=VALUES, won=gammons(), lost=gammons())
def test_at_the_take_point_taking_a_dead_cube_is_worth_what_dropping_is(score, value, won, lost):
    assume(not score.is_crawford)
    met = blot_table()
    point = take_point(met, score, value, won, lost)
    ends = met.ends(score, 2 * value, won, lost)
    taken = point * ends.won + (1 - point) * ends.lost
    dropped = met.mwc_after(score, -value)
    assert taken == pytest.approx(max(dropped, ends.lost))


@given(score=scores(), value=VALUES, is_live=st.booleans())
def test_a_double_is_cashed_where_the_other_side_stops_taking(score, value, is_live):
    assume(not score.is_crawford)
    met = blot_table()
    expected = 1 - take_point(met, score.turned(), value, is_live=is_live)
    assert cash_point(met, score, value, is_live=is_live) == pytest.approx(expected)


@given(score=scores(), value=VALUES)
def test_gammons_are_worth_something_only_until_the_match_is_won(score, value):
    worth = gammon_value(blot_table(), score, value)
    assert worth >= 0
    assert (worth == 0) == (value >= score.away)


def test_nobody_doubles_in_the_crawford_game():
    with pytest.raises(ValueError, match="nobody doubles in the Crawford game"):
        take_point(blot_table(), Score(5, 4, 2, is_crawford=True))
