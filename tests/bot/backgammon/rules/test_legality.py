import pytest
from hypothesis import given, settings

from bot.backgammon.rules.legality import illegality, points_after
from bot.backgammon.rules.play import CheckerPlay, Leg, legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import ROLLS, Roll
from tests.strategies import positions, rolls

THREE_ONE = Roll(3, 1)


def made(points, *legs):
    """A play of legs from these points, whatever the rules say."""
    points = list(points)
    for source, target in legs:
        points[source] -= 1
        points[target] += 1 if target else 0
    return CheckerPlay(tuple(Leg(*leg) for leg in legs), Position(tuple(points)))


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (CheckerPlay((), START), "the roll can be played"),
        (CheckerPlay((Leg(8, 5),), START), "the legs lead to another position"),
        (CheckerPlay((Leg(7, 4),), START), "a leg begins where the player has no checker"),
        (made(START.points, (8, 4)), "the legs are not those of the dice"),
        (made(START.points, (8, 5), (6, 4)), "the legs are not those of the dice"),
        (made(START.points, (8, 5), (6, 3)), "the legs are not those of the dice"),
        (made(START.points, (8, 5)), "the roll does not allow the play"),
        (made(START.points, (8, 5), (6, 5)), None),
    ],
)
def test_play_is_legal_or_refused_with_the_reason(play, reason):
    assert illegality(play, START, THREE_ONE) == reason


def test_leg_shorter_than_its_die_is_refused_though_another_play_leads_there():
    position = Position.of({24: 1}, {6: 2, 12: 2})
    assert illegality(made(position.points, (24, 18)), position, Roll(6, 5)) is None
    short = made(position.points, (24, 21), (21, 18))
    assert illegality(short, position, Roll(6, 5)) == "the legs are not those of the dice"


def test_roll_without_a_legal_play_is_passed_and_only_that():
    shut_out = Position((0, 14, *(0,) * 17, *(-2,) * 6, 1))
    assert illegality(CheckerPlay((), shut_out), shut_out, Roll(6, 5)) is None
    for play in (made(shut_out.points, (25, 19)), CheckerPlay((), START)):
        assert illegality(play, shut_out, Roll(6, 5)) == "the roll allows no play"


def test_leg_moves_a_checker_hits_a_blot_or_bears_off():
    before = Position.of({6: 2}, {24: 1, 22: 2}).points
    assert before[3] == -2
    points = points_after(before, Leg(6, 1))
    assert {i: now for i, now in enumerate(points) if now != before[i]} == {0: -1, 1: 1, 6: 1}
    assert points_after(points, Leg(6, 0)) == (*points[:6], 0, *points[7:])


@settings(max_examples=200)
@given(position=positions(), roll=rolls())
def test_every_legal_play_is_legal_with_its_legs(position, roll):
    for play in legal_plays(position, roll):
        assert illegality(play, position, roll) is None


@settings(max_examples=100)
@given(position=positions(), roll=rolls())
def test_plays_of_other_rolls_are_legal_only_if_they_are_plays_of_this_one(position, roll):
    ends = {play.after for play in legal_plays(position, roll)}
    for other in ROLLS:
        for play in legal_plays(position, other)[:8]:
            if play.after not in ends:
                assert illegality(play, position, roll)
