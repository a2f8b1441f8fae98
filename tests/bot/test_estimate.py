"""A mean and its error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.estimate import (
    LEAST_SAMPLES,
    LIMIT,
    Bounds,
    Estimate,
    SequentialTest,
    estimate,
    ratio_estimate,
    share_estimate,
    standard_error,
    two_sided_p,
)


def test_standard_error_agrees_with_the_count_by_hand():
    # Mean 0.25; squared distances 0.5625 + 0.0625 + 5.0625 + 3.0625 = 8.75; sqrt(8.75 / 3 / 4).
    found = estimate([1, 0, -2, 2])
    assert found == Estimate(0.25, pytest.approx(0.8539126))


def test_p_value_is_that_of_the_normal_tables():
    for z, p in ((0.0, 1.0), (1.959964, 0.05), (-2.575829, 0.01), (3.290527, 0.001)):
        assert two_sided_p(2 * z, 2.0) == pytest.approx(p, rel=1e-5)
    assert (two_sided_p(0.0, 0.0), two_sided_p(0.1, 0.0)) == (1.0, 0.0)


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
    assert ratio_estimate([(0.0, 0)]) is None


@given(values=st.lists(st.integers(-3, 3), min_size=2, max_size=50))
def test_a_rate_of_single_games_is_their_mean(values):
    rate, mean = ratio_estimate([(value, 1) for value in values]), estimate(values)
    assert rate is not None
    assert mean is not None
    assert rate.mean == pytest.approx(mean.mean)
    assert rate.error == pytest.approx(mean.error)


def test_the_likelihood_ratio_agrees_with_the_formula_by_hand():
    # t = 0.5: 100 / 2 * log((1 + 0.25) / (1 + 0.16)) = 50 * log(1.25 / 1.16).
    assert Bounds(0, 0.1).llr(100, 1.0, 2.0) == pytest.approx(3.7362, abs=1e-4)
    assert Bounds(0, 0.1).llr(100, 0.1, 2.0) == pytest.approx(0.0, abs=1e-12)
    assert Bounds(0, 0.1).llr(100, 0.0, 0.0) == 0.0
    for deviation in (2.0, 0.5):  # 50 * log(1 / 1.01)
        assert Bounds(0, 0.1).llr(100, 0.0, deviation) == pytest.approx(-0.4975, abs=1e-4)


def test_the_likelihood_ratio_stays_as_great_as_it_ever_is_for_means_far_beyond_both_bounds():
    means = np.linspace(-3, 3, 600_001)
    ratios = 100 / 2 * np.log((1 + (means - 0.2) ** 2) / (1 + (means - 0.6) ** 2))
    bounds = Bounds(0.2, 0.6)
    for deviation in (1.0, 0.0):
        assert bounds.llr(100, 50.0, deviation) == pytest.approx(ratios.max())
        assert bounds.llr(100, -50.0, deviation) == pytest.approx(ratios.min())


def test_a_test_ends_on_the_wrong_side_in_one_of_twenty_cases():
    assert pytest.approx(np.log(0.95 / 0.05)) == LIMIT


def test_bounds_must_rise():
    assert Bounds(-100.0, 100.0).high == 100.0
    for low, high in ((0.0, 1e200), (-101.0, 0.0), (-np.inf, 0.0), (0.0, np.inf)):
        with pytest.raises(ValueError, match=r"are -100 to 100 standard deviations, not [-\d]"):
            Bounds(low, high)
    for low, high in ((0.1, 0.0), (0.1, 0.1), (np.nan, 0.1), (0.1, np.nan)):
        with pytest.raises(ValueError, match=rf"the bounds of a test rise, not {low} and {high:g}"):
            Bounds(low, high)


def test_a_test_knows_mean_and_deviation_of_its_samples():
    test = SequentialTest(Bounds(0, 0.3))
    assert (test.mean, test.deviation, test.llr, test.unbiased_mean) == (0.0, 0.0, 0.0, 0.0)
    samples = [1.0, 0.0, -2.0, 2.5]
    for sample in samples:
        test.add(sample)
    assert test.mean == test.unbiased_mean == pytest.approx(np.mean(samples))
    assert test.deviation == pytest.approx(np.std(samples))
    assert test.llr == test.bounds.llr(4, test.mean, test.deviation)


def test_samples_that_are_all_alike_have_no_deviation_however_they_are_rounded():
    test = SequentialTest(Bounds(0, 0.3))
    for _ in range(9):
        test.add(0.7)  # the mean of their squares is rounded below the square of their mean
        assert test.deviation == pytest.approx(0.0, abs=1e-7)


def run_to_end(mean, seed, bounds):
    """A test of normal samples about a mean, at its end."""
    steps = np.random.default_rng(seed)
    test = SequentialTest(bounds)
    while not test.is_over:
        test.add(steps.normal(mean, 1))
    return test


def test_a_test_ends_on_the_right_side_and_not_too_soon():
    above = [run_to_end(0.6, seed, Bounds(0, 0.3)) for seed in range(20)]
    assert all(test.llr >= LIMIT and test.count >= LEAST_SAMPLES for test in above)
    below = [run_to_end(-0.3, seed, Bounds(0, 0.3)) for seed in range(20)]
    assert all(test.llr <= -LIMIT for test in below)
    with pytest.raises(ValueError, match="the test is over"):
        above[0].add(1.0)


def test_no_test_ends_before_64_samples():
    test = SequentialTest(Bounds(0, 1))
    for number in range(1, 65):
        test.add(1.0 + number % 2)
        assert test.is_over == (number >= 64)


def test_samples_that_are_all_alike_decide_nothing():
    test = SequentialTest(Bounds(0, 0.3))
    for _ in range(200):
        test.add(0.0)
    assert (test.llr, test.is_over, test.unbiased_mean) == (0.0, False, 0.0)
    assert test.likelier_text == "neither bound is the likelier"


@pytest.mark.parametrize(("sample", "likelier"), [(0.5, 0.3), (-0.5, 0.0)])
def test_a_test_of_samples_that_are_all_won_or_all_lost_ends(sample, likelier):
    test = SequentialTest(Bounds(0, 0.3))
    while not test.is_over:
        test.add(sample)
        assert test.likelier == likelier
    assert test.count == LEAST_SAMPLES
    assert test.likelier_text == f"{likelier:g} standard deviations of a pair is the likelier"


@given(mean=st.floats(-20, 20), more=st.floats(0, 20))
def test_a_higher_mean_never_speaks_for_the_lower_bound(mean, more):
    bounds = Bounds(0, 0.3)
    assert bounds.llr(100, mean + more, 1.0) >= bounds.llr(100, mean, 1.0) - 1e-9


@pytest.mark.parametrize("mean", [0.0, 0.2])
def test_the_unbiased_mean_is_above_the_truth_as_often_as_below(mean):
    ends = [run_to_end(mean, seed, Bounds(0, 0.2)) for seed in range(30)]
    unbiased = np.array([test.unbiased_mean for test in ends])
    assert 0.2 < np.mean(unbiased > mean) < 0.8
    assert np.abs(unbiased - mean).mean() < np.mean([abs(test.mean - mean) for test in ends])


def test_the_text_for_people_has_95_of_100():
    assert Estimate(0.1, 0.05).text_95 == "+0.100 ± 0.098"
    assert Estimate(0.1, None).text_95 == "+0.100 ± unknown"
    assert Estimate(0.5123, 0.05).percent_95 == "51.2 ± 9.8 %"
    assert Estimate(0.5123, None).percent_95 == "51.2 ± unknown %"


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_nobody_knows_how_far_off_a_share_of_none_or_of_all_is(share):
    assert share_estimate([share] * 3) == Estimate(share, None)
    assert share_estimate([share, 0.5]) == estimate([share, 0.5])
    assert share_estimate([]) is None


def test_a_text_has_the_digits_that_are_wanted():
    assert Estimate(0.1236, 0.0456).text(2) == "+0.12 ± 0.05"
    assert str(Estimate(-0.1236, 0.0)) == "-0.124 ± 0.000"
