import pytest

from bot.backgammon.arena.played_pair import Fault, GameResult, PlayedGame, PlayedPair
from bot.backgammon.arena.standing import Standing
from bot.estimate import Bounds, Estimate


def pair(number, *points, luck=None, **more):
    contests = tuple((PlayedGame(GameResult(won, abs(won)), (), luck),) for won in points)
    return PlayedPair(number, contests, **more)


def standing_of(*pairs, length=None, **more):
    standing = Standing(length, **more)
    for each in pairs:
        standing.add(each)
    return standing


def test_luck_is_counted_off_each_game_of_a_pair():
    pairs = pair(0, 3, -1, luck=0.5), pair(1, 1, 1, luck=-0.5)
    standing = standing_of(*pairs, has_luck=True)
    assert standing.tally.samples == [1.0, 1.0]
    assert standing.adjusted_samples == [0.5, 1.5]
    assert standing.adjusted == Estimate(1.0, pytest.approx(0.5))
    matches = standing_of(pair(0, 3, -1, luck=0.25), length=1, has_luck=True)
    assert matches.tally.samples == [0.5]
    assert matches.adjusted_samples == [0.25]
    assert standing_of(*pairs).adjusted is None, "nobody has looked at the dice"


def test_nothing_is_decided_without_a_test():
    standing = standing_of(*[pair(number, 1, 1) for number in range(100)])
    assert not standing.is_decided
    assert standing.unbiased is None
    assert standing_of(bounds=Bounds(0, 1)).unbiased is None, "there are no samples either"


def test_a_pair_that_was_not_finished_tells_of_its_faults_alone():
    faults = (Fault(1, "gone"),)
    standing = standing_of(PlayedPair(0, ((), ()), 1, faults), bounds=Bounds(0, 1), has_luck=True)
    assert (standing.pairs, standing.faults) == (1, list(faults))
    assert (standing.tally.samples, standing.adjusted_samples) == ([], [])
    assert standing.test.count == 0


@pytest.mark.parametrize(("length", "even"), [(None, 0.0), (5, 0.5)])
def test_the_test_looks_at_how_far_a_pair_lies_above_even(length, even):
    standing = standing_of(pair(0, 1, 1), pair(1, 1, -1), length=length, bounds=Bounds(0, 0.1))
    assert standing.test.mean == pytest.approx(
        (1.0 if length is None else 0.75) / (1 + (length is None)) - even
    )
    assert standing.unbiased.mean == pytest.approx(standing.tally.score.mean)
    assert not standing.is_decided


def test_the_rating_difference_is_that_of_fibs():
    # FIBS: who wins 3 of 4 matches to 4 is 2000 / sqrt(4) * log10(3) = 477.1 points better.
    pairs = [pair(0, 1, 1), pair(1, 1, -1), pair(2, 1, 1), pair(3, 1, -1)]
    assert standing_of(*pairs, length=4).rating_difference == Estimate(
        pytest.approx(477.121, abs=1e-3), pytest.approx(334.32, abs=0.01)
    )
    assert standing_of(*pairs).rating_difference.mean == pytest.approx(954.243, abs=1e-3)
    for points in (1, -1):
        assert standing_of(pair(0, points, points), length=4).rating_difference is None
    assert standing_of().rating_difference is None
