import pytest

from bot.backgammon.rules.record import Rules
from protocol.backgammon.formats.match_reading import Games


def test_first_game_a_point_short_is_crawfords_unless_it_was_played():
    assert Games(Rules(5)).begin((4, 1)).record.is_crawford
    assert not Games(Rules(5), has_had_crawford=True).begin((4, 1)).record.is_crawford
    assert not Games(Rules(5)).begin((4, 4)).record.is_crawford
    assert not Games(Rules(5, crawford=False)).begin((4, 1)).record.is_crawford


def test_crawfords_game_cannot_have_been_before_a_side_is_a_point_short():
    with pytest.raises(ValueError, match="Crawford's game comes later"):
        Games(Rules(5), has_had_crawford=True).begin((3, 1))
