import pytest

from bot.backgammon.engine.rollout_start import cubeless_start, roll_start, take_start
from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START


def test_double_of_the_other_sides_cube_is_refused():
    with pytest.raises(ValueError, match="nobody doubles here: the cube is the other side's"):
        take_start(GameState(START, Cube(2, CubeOwner.OTHER)))


def test_match_without_match_equities_is_refused():
    with pytest.raises(ValueError, match="a match needs match equities"):
        roll_start(GameState(START, score=Score(3, 0, 0)))


def test_cube_is_turned_as_often_as_its_limit_allows_and_never_without_it():
    assert roll_start(GameState(START)).doubles_left == 12
    half = GameState(START, Cube(MAX_CUBE // 2, CubeOwner.ON_ROLL))
    assert [each(half).doubles_left for each in (roll_start, take_start)] == [1, 0]
    assert cubeless_start(START).doubles_left == 0


def test_nobody_beavers_in_the_games_of_a_start():
    state = GameState(START, money=MoneyRules(beavers=True))
    table = roll_start(state).cube_table(state, NO_DATABASES)
    assert not table.has_beavers
    assert table.has_jacoby
