from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given

from bot.backgammon.rules.match import (
    MAX_LENGTH,
    Cube,
    CubeOwner,
    DoublingRefusal,
    GameState,
    Score,
)
from bot.backgammon.rules.position import START
from tests.strategies import game_states, scores


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


@pytest.mark.parametrize(
    ("score", "points", "following"),
    [
        (Score(5, 1, 2), 1, Score(5, 2, 2)),
        (Score(5, 1, 2), -2, Score(5, 1, 4, is_crawford=True)),
        (Score(5, 0, 4, is_crawford=True), 2, Score(5, 2, 4)),
        (Score(5, 2, 4), 2, Score(5, 4, 4)),
        (Score(5, 3, 3), 1, Score(5, 4, 3, is_crawford=True)),
        (Score(1, 0, 0), 1, None),
        (Score(5, 2, 4), -1, None),
        (Score(5, 2, 1), 6, None),
    ],
)
def test_next_game_is_crawfords_once_when_a_side_has_come_within_a_point(score, points, following):
    assert score.after(points) == following


@given(state=game_states())
def test_state_seen_twice_from_the_other_side_is_the_same(state):
    turned = state.turned()
    assert turned.turned() == state
    assert turned.cube.value == state.cube.value
    assert (turned.cube.owner is CubeOwner.OTHER) == (state.cube.owner is CubeOwner.ON_ROLL)


@given(score=scores())
def test_next_score_is_the_same_match_from_either_side(score):
    seen = Score(score.length, score.other, score.own, score.is_crawford)
    for points in (1, 2, 4, 6):
        own, other = score.after(points), seen.after(-points)
        assert (own is None) == (other is None) == (points >= score.away)
        if own and other:
            assert (own.own, own.other, own.is_crawford) == (
                other.other,
                other.own,
                other.is_crawford,
            )


@pytest.mark.parametrize(
    ("cube", "score", "bar"),
    [
        (Cube(), None, None),
        (Cube(2, CubeOwner.ON_ROLL), None, None),
        (Cube(2, CubeOwner.OTHER), None, DoublingRefusal.OTHERS_CUBE),
        (Cube(4096, CubeOwner.ON_ROLL), None, DoublingRefusal.LIMIT),
        (Cube(), Score(5, 4, 1, is_crawford=True), DoublingRefusal.CRAWFORD),
        (Cube(), Score(5, 1, 4, is_crawford=True), DoublingRefusal.CRAWFORD),
        (Cube(), Score(5, 4, 1), DoublingRefusal.DEAD),
        (Cube(), Score(5, 1, 4), None),
        (Cube(), Score(1, 0, 0), DoublingRefusal.DEAD),
        (Cube(2, CubeOwner.ON_ROLL), Score(5, 3, 0), DoublingRefusal.DEAD),
        (Cube(2, CubeOwner.ON_ROLL), Score(5, 2, 4), None),
        (Cube(4096, CubeOwner.ON_ROLL), Score(5, 2, 4), DoublingRefusal.LIMIT),
    ],
)
def test_doubling_is_barred_by_owner_crawford_a_dead_cube_and_the_limit(cube, score, bar):
    state = GameState(START, cube, score)
    assert state.doubling_refusal is bar
    assert state.doubling_illegality is (None if bar is DoublingRefusal.DEAD else bar)


def reached(score):
    """The cubes that doubles and takes bring about at a score, seen by the player on roll."""
    found, waiting = set(), [GameState(START, score=score)]
    for state in waiting:
        found.add(state.cube)
        for seen in (state, state.turned()):
            if seen.doubling_refusal is None and seen.cube.value < 128:
                taken = replace(seen, cube=Cube(2 * seen.cube.value, CubeOwner.OTHER))
                waiting.append(taken if seen is state else taken.turned())
    return found


def test_cubes_that_are_possible_in_a_match_are_those_that_doubles_bring_about():
    cubes = [Cube(2**power, owner) for power in range(1, 8) for owner in CubeOwner]
    for own, other, is_crawford in product(range(7), range(7), (False, True)):
        if is_crawford and (own == 6) == (other == 6):
            continue
        score = Score(7, own, other, is_crawford)
        found = {
            cube for cube in (Cube(), *cubes) if GameState(START, cube, score).has_possible_cube
        }
        assert found == reached(score)
    assert all(GameState(START, cube).has_possible_cube for cube in cubes)
