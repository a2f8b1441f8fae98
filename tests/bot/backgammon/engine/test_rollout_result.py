import numpy as np
import pytest

from bot.backgammon.engine.rollout_result import LEAST_TRIALS, RolledOutCube, Rollout, p_of
from bot.backgammon.kernels.rollout import UTILITY
from bot.backgammon.rules.outcome import chances_of


def cubeless(samples, lucks=None):
    """A rollout without the cube that found such chances, float64[n, 5]."""
    lucks = 0 * samples if lucks is None else lucks
    equities = [chances_of(row).equity for row in samples]
    lucky = lucks @ np.array([2.0, 1.0, 1.0, -1.0, -1.0])
    return Rollout(np.column_stack([samples, equities]), np.column_stack([lucks, lucky]))


def test_errors_are_those_of_the_mean_of_samples():
    samples = np.random.default_rng(1).random((50, 5))
    rollout = cubeless(samples)
    for i in range(5):
        assert rollout.chance_errors[i] == pytest.approx(samples[:, i].std(ddof=1) / 50**0.5)
    equities = [chances_of(row).equity for row in samples]
    assert rollout.equity == pytest.approx(np.mean(equities))
    assert rollout.equity_error == pytest.approx(np.std(equities, ddof=1) / 50**0.5)
    assert rollout.turned().equity == pytest.approx(-rollout.equity)
    assert rollout.turned().equity_error == pytest.approx(rollout.equity_error)
    assert rollout.turned().turned().chance_samples == pytest.approx(samples)


def test_luck_is_subtracted_for_what_it_is_worth():
    rng = np.random.default_rng(1)
    lucks = rng.normal(0, 0.1, (200, 5))
    results = 0.4 + 0.5 * lucks + rng.normal(0, 0.001, (200, 5))
    few, many = cubeless(results[:100], lucks[:100]), cubeless(results, lucks)
    assert few.luck_worth == 1
    assert many.luck_worth == pytest.approx(0.5, abs=0.02)
    assert many.equity_error < few.equity_error / 10
    assert many.turned().luck_worth == pytest.approx(many.luck_worth)
    assert many.turned().equity == pytest.approx(-many.equity)
    assert many.turned().chances.win == pytest.approx(1 - many.chances.win)
    assert many.turned().chances.win_gammon == pytest.approx(many.chances.lose_gammon)


def test_a_loss_has_a_smaller_error_where_the_dice_are_the_same():
    samples = np.random.default_rng(1).random((50, 5))
    rollout = cubeless(samples)
    assert rollout.loss_error(cubeless(samples + 0.1)) == pytest.approx(0, abs=1e-12)
    assert rollout.loss_error(cubeless(samples[::-1])) > rollout.equity_error


def test_a_double_has_a_smaller_error_where_the_dice_are_the_same():
    samples = np.random.default_rng(1).random((50, 5)) / 10
    no_double, double_take = cubeless(samples), cubeless(samples + 0.01)
    margin, error = RolledOutCube(no_double, double_take).margin
    assert margin == pytest.approx(double_take.equity - no_double.equity)
    assert error == pytest.approx(0, abs=1e-12)
    assert RolledOutCube(no_double, double_take).take_margin == pytest.approx(
        (1 - double_take.equity, double_take.equity_error)
    )


def test_a_double_that_is_dropped_is_worth_a_point_as_surely_as_can_be():
    rolling = spread()
    taken = Rollout(1 + rolling.results[::-1], rolling.lucks)
    assert taken.equity > 1
    margin = RolledOutCube(rolling, taken).margin
    assert margin == pytest.approx((1 - rolling.equity, rolling.equity_error))


def test_a_double_that_is_beavered_counts_twice():
    samples = np.random.default_rng(1).random((50, 5)) / 100
    no_double, double_take = cubeless(samples - 0.02), cubeless(samples - 0.015)
    assert no_double.equity < double_take.equity < 0
    gain = 2 * double_take.equities - no_double.equities
    for may_beaver, expected in (
        (False, double_take.equity - no_double.equity),
        (True, gain.mean()),
    ):
        margin, _ = RolledOutCube(no_double, double_take, may_beaver=may_beaver).margin
        assert margin == pytest.approx(expected)
    beavered = RolledOutCube(no_double, double_take, may_beaver=True)
    assert beavered.margin[1] == pytest.approx(gain.std(ddof=1) / 50**0.5)


def spread(count=50, **settings):
    samples = np.random.default_rng(1).random((count, 7))
    lucks = np.zeros((count, 6))
    lucks[:, UTILITY] = 0.1 * samples[:, 6]
    return Rollout(samples[:, :6], lucks, **settings)


def test_equity_in_a_match_is_what_lies_between_losing_and_winning_the_cube():
    found = spread(won=0.6, lost=-0.2, is_match=True)
    utility, error = found.utilities.mean(), found.utilities.std(ddof=1) / 50**0.5
    assert found.equity == pytest.approx((utility - 0.2) / 0.4)
    assert found.equity_error == pytest.approx(error / 0.4)
    assert found.mwc == pytest.approx(0.5 + utility / 2)
    assert found.mwc_error == pytest.approx(error / 2)
    assert found.turned().equity == pytest.approx(-found.equity)
    assert found.turned().equity_error == pytest.approx(found.equity_error)
    assert found.turned().mwc == pytest.approx(1 - found.mwc)
    assert found.turned().chances.win == pytest.approx(1 - found.chances.win)


def test_points_of_a_money_game_are_no_match_winning_chances():
    found = spread()
    assert found.equity == pytest.approx(found.utilities.mean())
    assert found.mwc is found.mwc_error is None


def test_double_in_a_match_is_told_in_match_winning_chances_too():
    no_double, double_take = (spread(n, won=0.6, lost=-0.2, is_match=True) for n in (50, 40))
    evaluation = RolledOutCube(no_double, double_take).evaluation
    assert evaluation.mwc == pytest.approx((no_double.mwc, double_take.mwc, 0.8))
    assert no_double.mwc != double_take.mwc
    assert RolledOutCube(spread(), spread()).evaluation.mwc is None


def test_luck_of_nothing_but_rounding_changes_nothing():
    trials = np.zeros((2, 216, 6))
    trials[0, :, UTILITY] = 0.35607427 + 1e-16 * (np.arange(216) % 2)
    trials[1, :, UTILITY] = 1.7e-17 + 3e-33 * (np.arange(216) % 2)
    found = Rollout(*trials)
    assert found.luck_worth == 1
    assert found.equity == pytest.approx(0.35607427)


def test_luck_is_subtracted_for_what_it_is_worth_with_the_cube():
    rng = np.random.default_rng(1)
    results, lucks = np.zeros((2, 200, 6))
    lucks[:, UTILITY] = rng.normal(0, 0.1, 200)
    results[:, UTILITY] = 0.4 + 0.5 * lucks[:, UTILITY] + rng.normal(0, 0.001, 200)
    found = Rollout(results, lucks)
    assert found.luck_worth == pytest.approx(0.5, abs=0.02)
    assert Rollout(lucks / 2, lucks).luck_worth == pytest.approx(0.5)
    few = Rollout(results[:100], lucks[:100])
    assert few.luck_worth == 1
    assert found.equity_error < few.equity_error / 10


def test_luck_alone_makes_two_errors_of_a_difference_once_in_twenty_times():
    assert p_of((1.96, 1.0), LEAST_TRIALS) == pytest.approx(0.05, abs=1e-4)
    assert p_of((1.96, 1.0), LEAST_TRIALS - 1) is None
    play = spread(LEAST_TRIALS)
    best = Rollout(0.1 + play.results[::-1], play.lucks)
    margin = best.equity - play.equity, play.loss_error(best)
    assert play.p_value(best) == p_of(margin, LEAST_TRIALS)


def test_rollouts_are_compared_by_identity():
    rollout = Rollout(np.zeros((2, 6)), np.zeros((2, 6)))
    assert {rollout: 1}[rollout]
    assert rollout != Rollout(np.zeros((2, 6)), np.zeros((2, 6)))
