"""Rolls that hit."""

from hypothesis import given

from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import ROLLS
from bot.backgammon.rules.shots import shots
from tests.strategies import positions


def blot_away(distance):
    """A checker of the mover on the 20 point, and a blot so many pips before it."""
    points = [0] * 26
    points[20], points[20 - distance] = 1, -1
    return Position(tuple(points))


def test_direct_and_indirect_shots_are_those_of_the_books():
    counts = [shots(blot_away(distance)) for distance in range(1, 13)]
    assert counts == [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]


def test_nobody_is_hit_at_the_start():
    assert shots(START) == 0


@given(position=positions())
def test_roll_hits_if_one_of_its_plays_does(position):
    bar = position.points[0]
    hitting = [
        roll
        for roll in ROLLS
        if any(play.after.points[0] < bar for play in legal_plays(position, roll))
    ]
    assert shots(position) == sum(36 * roll.chance for roll in hitting).__round__()
