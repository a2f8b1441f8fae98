import pytest
from hypothesis import given

from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import play_text
from protocol.backgammon.formats.refused_play import refusal
from tests.strategies import positions, rolls

ON_BAR = Position.of({25: 1, 6: 3}, {6: 5})
HOME = Position.of({6: 2, 3: 1}, {6: 5})
ALMOST_HOME = Position.of({8: 1, 3: 1}, {6: 5})


@pytest.mark.parametrize(
    ("text", "position", "roll", "reason"),
    [
        ("20/17 6/5", START, (3, 1), "there are not so many checkers on the 20 point"),
        ("24/23(3)", START, (1, 1), "there are not so many checkers on the 24 point"),
        ("24/18 13/12", START, (6, 1), "the other side holds the 12 point"),
        ("8/5", START, (3, 1), "more of the roll can be played"),
        ("6/5", START, (3, 1), "more of the roll can be played"),
        ("13/7(2)", START, (6, 6), "more of the roll can be played"),
        ("6/off", HOME, (6, 5), "more of the roll can be played"),
        ("3/off", Position.of({3: 2}, {6: 5}), (6, 5), "more of the roll can be played"),
        ("13/8 6/5", START, (3, 1), "the dice do not go so"),
        ("8/7 6/5", START, (3, 1), "the dice do not go so"),
        ("13/8", START, (6, 1), "the dice do not go so"),
        ("6/off 3/off", HOME, (6, 5), "the dice do not go so"),
        ("6/3 6/5", ON_BAR, (3, 1), "a checker on the bar comes in first"),
        ("3/off 8/7", ALMOST_HOME, (3, 1), "checkers go off only when all are in the home board"),
        ("6/3 3/off", HOME, (3, 1), "the dice do not go so"),
    ],
)
def test_reason_is_told(text, position, roll, reason):
    high, low = roll
    told = refusal(text, position, Roll(high, low))
    assert told == f"{text!r} is not a legal play of {high}-{low}: {reason}"


def test_text_that_says_no_play_is_told_as_it_is():
    assert refusal("8/5 x", START, Roll(3, 1)) == "cannot read 'x' in the play '8/5 x'"
    assert refusal("", START, Roll(3, 1)) == "a play is missing: 3-1 can be played"


@given(position=positions(), roll=rolls())
def test_legal_plays_are_not_refused(position, roll):
    for play in legal_plays(position, roll)[:20]:
        assert refusal(play_text(play, position), position, roll) is None
