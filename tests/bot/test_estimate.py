"""A mean and its error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.estimate import Estimate, estimate, ratio_estimate, standard_error


def test_standard_error_agrees_with_the_count_by_hand():
    # Mean 0.25; squared distances 0.5625 + 0.0625 + 5.0625 + 3.0625 = 8.75; sqrt(8.75 / 3 / 4).
    found = estimate([1, 0, -2, 2])
    assert found == Estimate(0.25, pytest.approx(0.8539126))


def test_a_single_sample_tells_nothing_of_its_error():
    assert estimate([2.0]) == Estimate(2.0, None)
    assert estimate([]) is None
    assert standard_error(np.array([2.0])) is None
    assert str(Estimate(2.0, None)) == "+2.000 ± unknown"


@given(values=st.lists(st.integers(-3, 3), min_size=2, max_size=50))
def test_a_player_seen_from_the_other_side_has_the_same_error_and_the_opposite_mean(values):
    ours, theirs = estimate(values), estimate([-value for value in values])
    assert ours is not None
    assert theirs is not None
    assert theirs.mean == pytest.approx(-ours.mean)
    assert theirs.error == pytest.approx(ours.error)


def test_points_per_game_of_matches_agree_with_the_count_by_hand():
    # 12 points in 6 games: 2 a game; distances 4 - 2 * 1 = 2, 6 - 2 * 2 = 2, 2 - 2 * 3 = -4;
    # squares 24, times 3 / 2 is 36; its root by 6 games.
    assert ratio_estimate([(4, 1), (6, 2), (2, 3)]) == Estimate(2.0, pytest.approx(1.0))
    assert ratio_estimate([(3, 2)]) == Estimate(1.5, None)
    assert ratio_estimate([]) is None


@given(values=st.lists(st.integers(-3, 3), min_size=2, max_size=50))
def test_a_rate_of_single_games_is_their_mean(values):
    rate, mean = ratio_estimate([(value, 1) for value in values]), estimate(values)
    assert rate is not None
    assert mean is not None
    assert rate.mean == pytest.approx(mean.mean)
    assert rate.error == pytest.approx(mean.error)
