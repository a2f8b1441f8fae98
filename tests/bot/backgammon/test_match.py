import pytest
from hypothesis import given

from bot.backgammon.match import MAX_LENGTH, Cube, CubeOwner, GameState, Score
from bot.backgammon.position import START
from tests.strategies import scores


def test_a_new_game_has_a_centred_cube_at_one_and_is_for_money_under_jacoby():
    state = GameState(START)
    assert (state.cube, state.score) == (Cube(1, CubeOwner.CENTRED), None)
    assert state.money.jacoby
    assert not state.money.beavers


def test_cube_may_be_centred_above_one_after_automatic_doubles():
    assert Cube(4).owner is CubeOwner.CENTRED


@pytest.mark.parametrize("value", [0, 3, -2, 6, 8192])
def test_cube_shows_powers_of_two_only(value):
    with pytest.raises(ValueError, match=f"power of two up to 4096, not {value}"):
        Cube(value)


@pytest.mark.parametrize("owner", [CubeOwner.ON_ROLL, CubeOwner.OTHER])
def test_cube_at_one_is_owned_by_nobody(owner):
    with pytest.raises(ValueError, match="a cube at 1 is owned by nobody"):
        Cube(1, owner)


@given(score=scores())
def test_away_scores_are_what_is_missing_from_the_length(score):
    assert score.away + score.own == score.other_away + score.other == score.length
    assert score.away >= 1
    assert score.other_away >= 1


@pytest.mark.parametrize(("own", "other"), [(7, 0), (0, 7), (-1, 3), (9, 9)])
def test_score_beyond_the_match_is_refused(own, other):
    with pytest.raises(ValueError, match=f"no score of a match to 7: {own}-{other}"):
        Score(7, own, other)


@pytest.mark.parametrize("length", [0, -3, MAX_LENGTH + 1])
def test_match_length_is_refused_beyond_gnubgs(length):
    with pytest.raises(ValueError, match=f"a match has 1 to {MAX_LENGTH} points, not {length}"):
        Score(length, 0, 0)


@pytest.mark.parametrize(("own", "other"), [(2, 2), (4, 4)])
def test_crawford_game_needs_exactly_one_side_a_point_away(own, other):
    with pytest.raises(ValueError, match=f"no Crawford game at {own}-{other} to 5"):
        Score(5, own, other, is_crawford=True)


def test_crawford_game_is_the_same_whoever_is_a_point_away():
    assert Score(5, 4, 2, is_crawford=True).away == 1
    assert Score(5, 2, 4, is_crawford=True).other_away == 1
