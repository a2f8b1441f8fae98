"""Games with the cube, and the figures made of them."""

import numpy as np
import pytest

from bot.backgammon.engine.rollout_trials import RolloutPlayer, seat_of
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.lab.cube.games import (
    MONEY,
    cube_games,
    mean_and_error,
    share_and_error,
    state_at,
)


def test_state_before_a_game_has_the_away_scores_asked_for():
    score = state_at(5, 1, is_crawford=True).score
    assert (score.away, score.other_away, score.is_crawford) == (5, 1, True)


def test_error_of_a_mean_comes_from_the_pairs():
    assert mean_and_error(np.array([1.0, 0.0, 0.0, 1.0])) == (0.5, 0.0)
    assert mean_and_error(np.array([1.0, 1.0, 0.0, 0.0])) == (0.5, pytest.approx(0.5))


def test_share_counts_the_games_of_the_whole_alone():
    part = np.array([True, True, False, True])
    whole = np.array([True, True, True, False])
    share, error = share_and_error(part, whole)
    assert share == pytest.approx(2 / 3)
    assert error == pytest.approx((2 / 9 / 3) ** 0.5)


def test_share_of_no_game_is_not_known():
    with pytest.raises(ValueError, match=r"none of 2 games came out so .*: play more"):
        share_and_error(np.array([True, True]), np.array([False, False]))


@pytest.mark.slow
def test_money_games_end_by_a_drop_or_at_the_board_and_repeat_with_their_seed():
    seat = seat_of(RolloutPlayer("easy", has_databases=False))
    games = cube_games(MONEY, None, 200, 1, seat)
    again = cube_games(MONEY, None, 200, 1, seat)
    assert all((one == other).all() for one, other in zip(games, again, strict=True))
    assert set(np.abs(games.points)) <= {1, 2, 3}
    assert 0 < games.is_dropped.sum() < 200
    stakes = games.utilities / np.where(games.is_dropped, np.sign(games.utilities), games.points)
    assert set(np.log2(stakes) % 1) == {0.0}


@pytest.mark.slow
def test_games_with_the_same_dice_at_an_even_score_cancel_out():
    seat = seat_of(RolloutPlayer("easy", has_databases=False))
    games = cube_games(state_at(3, 3), blot_table(), 100, 1, seat)
    assert (games.points[::2] == -games.points[1::2]).all()
    assert mean_and_error(games.utilities) == (pytest.approx(0), pytest.approx(0))
