"""Results added up."""

import pytest

from bot.backgammon.arena.played_pair import GameResult
from bot.backgammon.arena.tally import Tally
from bot.estimate import Estimate


def games(*points):
    return [GameResult(each, 1) for each in points]


def test_pairs_count_as_one_sample_each():
    tally = Tally()
    for one, other in ((3, -1), (-1, -1), (2, -2)):
        tally.add(games(one), games(other))
    assert tally.samples == [1.0, -1.0, 0.0]
    assert tally.score == Estimate(0.0, pytest.approx((1 / 3) ** 0.5))


def test_both_sides_of_a_match_are_one_sample():
    tally = Tally(length=3)
    tally.add(games(1, 2), games(-4))
    tally.add(games(-2, 4), games(3))
    assert tally.samples == [0.5, 1.0]
    assert tally.points_per_game.mean == 4 / 6
    assert (tally.games, tally.contests) == (6, 4)


def test_matches_that_one_player_has_won_do_not_tell_how_far_off_their_share_is():
    tally = Tally(length=3)
    for won in (3, 3, -3):
        tally.add(games(won))
        known = tally.score.error is not None
        assert known is (won < 0)
    assert tally.score == Estimate(pytest.approx(2 / 3), pytest.approx(1 / 3))


@pytest.mark.parametrize(("points", "level"), [(0, 1), (1, 0), (1, 4)])
def test_a_result_without_winner_or_kind_is_refused(points, level):
    with pytest.raises(ValueError, match="no result of a game"):
        GameResult(points, level)
