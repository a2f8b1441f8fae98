"""Results added up."""

import pytest

from bot.backgammon.arena.played_pair import Fault, GameResult, PlayedGame, PlayedPair
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
    assert (tally.won, tally.lost) == ({1: 4}, {1: 2})
    tally.add(games(2, 1))
    assert tally.samples == [0.5, 1.0, 1.0]


def pair(one, other, **more):
    """A pair of games with these points."""
    contests = tuple((PlayedGame(GameResult(points, 1)),) for points in (one, other))
    return PlayedPair(0, contests, **more)


def test_games_of_a_pair_that_came_to_no_end_do_not_count_but_its_faults_do():
    tally = Tally()
    tally.add_pair(pair(2, -1, faults=(Fault(0, "it hung up"),)))
    tally.add_pair(pair(2, 1, unfinished=1, faults=(Fault(1, "too late"),)))
    tally.add_pair(pair(2, 1, unfinished=2))
    assert (tally.samples, tally.contests, tally.games) == ([0.5], 2, 2)
    assert (tally.won, tally.lost) == ({1: 1}, {1: 1})
    assert (tally.unfinished, tally.forfeits) == (3, ["it hung up", "too late"])
    assert tally.points_per_game == Estimate(0.5, None)


def test_nothing_is_known_before_the_first_sample():
    for tally in (Tally(), Tally(length=3)):
        assert (tally.score, tally.points_per_game, tally.seconds_per_decision) == (None,) * 3


def test_time_of_a_decision_is_the_median():
    tally = Tally()
    tally.decision_seconds += [0.1, 9.0, 0.2]
    assert tally.seconds_per_decision == 0.2


def test_lost_matches_alone_do_not_tell_how_far_off_their_share_is():
    tally = Tally(length=3)
    for _ in range(2):
        tally.add(games(-3))
    assert tally.score == Estimate(0.0, None)


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
