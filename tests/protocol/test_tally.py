import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.tally import Estimate, GameResult, Tally, estimate, rate_estimate


def test_standard_error_agrees_with_the_count_by_hand():
    # Mean 0.25; squared distances 0.5625 + 0.0625 + 5.0625 + 3.0625 = 8.75; sqrt(8.75 / 3 / 4).
    found = estimate([1, 0, -2, 2])
    assert found == Estimate(0.25, pytest.approx(0.8539126))


def test_pairs_count_as_one_sample_each():
    tally = Tally()
    for one, other in ((3, -1), (-1, -1), (2, -2)):
        tally.add_sample(one, other)
    assert tally.samples == [1.0, -1.0, 0.0]
    assert tally.score == Estimate(0.0, pytest.approx((1 / 3) ** 0.5))


def test_a_single_sample_tells_nothing_of_its_error():
    assert estimate([2.0]) == Estimate(2.0, None)
    assert estimate([]) is None
    assert str(Estimate(2.0, None)) == "+2.000 ± unknown"


@given(values=st.lists(st.integers(-3, 3), min_size=2, max_size=50))
def test_a_player_seen_from_the_other_side_has_the_same_error_and_the_opposite_mean(values):
    ours, theirs = estimate(values), estimate([-value for value in values])
    assert ours is not None
    assert theirs is not None
    assert theirs.mean == pytest.approx(-ours.mean)
    assert theirs.error == pytest.approx(ours.error)


def test_games_are_counted_by_kind_on_both_sides():
    tally = Tally()
    for points, level in ((1, 1), (4, 2), (-1, 1), (-3, 3), (-2, 1), (2, 2)):
        tally.add_game(GameResult(points, level))
    table = tally.table()
    assert tally.games == 6
    assert table["won"] == {"single": 1, "gammon": 2, "backgammon": 0}
    assert table["lost"] == {"single": 2, "gammon": 0, "backgammon": 1}


def test_matches_are_reported_as_a_share():
    tally = Tally(length=7)
    for points in ([8], [-1, 4, 4], [-2, -6], [2, 5]):
        tally.add_matches(points)
    assert tally.table()["matches_won"] == {"mean": 0.75, "standard_error": 0.25}
    assert "7-point matches won: 0.750 ± 0.250 (standard error, 4 samples)" in tally.text()


def test_both_sides_of_a_match_are_one_sample():
    tally = Tally(length=3)
    tally.add_matches([1, 2], [-4])
    tally.add_matches([-2, 4], [3])
    assert tally.samples == [0.5, 1.0]
    assert tally.points_per_game.mean == 4 / 6


def test_points_per_game_of_matches_agree_with_the_count_by_hand():
    # 12 points in 6 games: 2 a game; distances 4 - 2 * 1 = 2, 6 - 2 * 2 = 2, 2 - 2 * 3 = -4;
    # squares 24, times 3 / 2 is 36; its root by 6 games.
    assert rate_estimate([(4, 1), (6, 2), (2, 3)]) == Estimate(2.0, pytest.approx(1.0))
    assert rate_estimate([(3, 2)]) == Estimate(1.5, None)
    assert rate_estimate([]) is None


@given(values=st.lists(st.integers(-3, 3), min_size=2, max_size=50))
def test_a_rate_of_single_games_is_their_mean(values):
    rate, mean = rate_estimate([(value, 1) for value in values]), estimate(values)
    assert rate is not None
    assert mean is not None
    assert rate.mean == pytest.approx(mean.mean)
    assert rate.error == pytest.approx(mean.error)


def test_time_is_the_median():
    tally = Tally()
    assert tally.seconds_per_decision is None
    tally.decision_seconds += [0.001, 0.002, 9.0]
    assert tally.seconds_per_decision == 0.002
    assert "2 ms (median)" in tally.text()


def test_the_text_holds_every_figure():
    tally = Tally()
    tally.add_game(GameResult(2, 2))
    tally.add_game(GameResult(-1, 1))
    tally.add_sample(2, -1)
    tally.unfinished = 3
    tally.rejected_plays.append("rejected play: 8/5 6/5 was answered")
    lines = tally.text().splitlines()
    assert lines[0].split() == ["single", "gammon", "backgammon", "games"]
    assert lines[1].split() == ["won", "0", "1", "0", "1"]
    assert lines[2].split() == ["lost", "1", "0", "0", "1"]
    assert lines[3] == "points per game: +0.500 ± unknown (standard error, 1 sample)"
    assert lines[4] == "unfinished: 3, not in these figures"
    assert lines[5] == "rejected play: 8/5 6/5 was answered"


def test_nothing_played_is_said():
    assert "points per game: none finished" in Tally().text()
    assert Tally().table()["points_per_game"] is None


@pytest.mark.parametrize(("points", "level"), [(0, 1), (1, 0), (1, 4)])
def test_a_result_without_winner_or_kind_is_refused(points, level):
    with pytest.raises(ValueError, match="no result of a game"):
        GameResult(points, level)
