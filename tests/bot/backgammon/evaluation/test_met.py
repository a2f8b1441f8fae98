from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.archive import read_archive
from bot.backgammon.evaluation.met import (
    ROLLED_OUT,
    MatchEquityTable,
    blot_table,
    completed_table,
    computed_table,
    gammon_value,
)
from bot.backgammon.evaluation.met_recurrence import RATES
from bot.backgammon.rules.match import Score
from bot.backgammon.rules.outcome import Chances
from bot.weights import match_equities_file
from tests.strategies import scores

AWAYS = st.integers(1, 64)
VALUES = st.sampled_from([1, 2, 4, 8, 16, 32, 64])
FAR = Score(64, 0, 0)  # nearly money


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


def test_chances_that_are_known_stand_in_the_table_and_the_others_follow():
    pre, post = np.full((5, 5), np.nan), np.full(4, np.nan)
    pre[3, 4], post[3] = 0.7, 0.2
    met, computed = completed_table(pre, post), computed_table("computed", RATES)
    assert (met.mwc(3, 4), met.mwc(4, 3)) == pytest.approx((0.7, 0.3))
    assert met.mwc(3, 1, is_post_crawford=True) == 0.2
    assert met.mwc(2, 1, is_post_crawford=True) == computed.mwc(2, 1, is_post_crawford=True)
    assert met.mwc(3, 3) == 0.5
    for away, other, is_post in ((4, 5, False), (4, 1, False), (5, 1, True)):
        found = met.mwc(away, other, is_post_crawford=is_post)
        assert abs(found - computed.mwc(away, other, is_post_crawford=is_post)) > 1e-3


def test_blots_table_has_the_chances_that_were_rolled_out():
    _, rolled_out = read_archive(match_equities_file(), *ROLLED_OUT)
    for name in ("pre", "post"):
        known = np.argwhere(~np.isnan(rolled_out[name]))
        assert len(known) > 4
        for place in known[(known > 0).all(axis=1)]:
            found = getattr(blot_table(), name)[tuple(place - 1)]
            assert found == rolled_out[name][tuple(place)]


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


def test_where_all_points_are_worth_the_same_a_gammon_is_as_for_money():
    assert gammon_value(proportional_table(), FAR) == pytest.approx(0.5)


def test_chances_are_worth_the_points_that_they_bring():
    each = Chances(0.6, 0.2, 0.1, 0.15, 0.05)
    found = proportional_table().mwc_of_chances(Score(64, 32, 32), 2, each)
    assert found == pytest.approx(0.5 + 2 * each.equity / 200)


@given(score=scores(), value=VALUES)
def test_gammons_are_worth_something_only_until_the_match_is_won(score, value):
    worth = gammon_value(blot_table(), score, value)
    assert worth >= 0
    assert (worth == 0) == (value >= score.away)
