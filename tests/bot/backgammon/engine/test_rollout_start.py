import pytest

from bot.backgammon.engine.rollout_start import roll_start, take_start
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, Score
from bot.backgammon.rules.position import START


def test_double_of_the_other_sides_cube_is_refused():
    with pytest.raises(ValueError, match="nobody doubles here: the cube is the other side's"):
        take_start(GameState(START, Cube(2, CubeOwner.OTHER)))


def test_match_without_match_equities_is_refused():
    with pytest.raises(ValueError, match="a match needs match equities"):
        roll_start(GameState(START, score=Score(3, 0, 0)))
