import pytest

from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from protocol.draughts.formats.hub_position import hub_position_text, parse_hub_position

START = "W" + "b" * 20 + "e" * 10 + "w" * 20


def test_the_position_of_the_specification_is_the_start():
    assert parse_hub_position(START, INTERNATIONAL) == Position.start(INTERNATIONAL)
    assert hub_position_text(Position.start(INTERNATIONAL)) == START


def test_the_czech_board_has_33_signs():
    text = "W" + "b" * 12 + "e" * 8 + "w" * 12
    assert hub_position_text(Position.start(CZECH)) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the international position has 51 signs, not 0"),
        (START[:-1], "has 51 signs, not 50"),
        ("x" + START[1:], "begins with W or B, not 'x'"),
        (START[:-1] + "q", "a square is one of w, W, b, B and e, not 'q'"),
        ("Ww" + START[2:], "a white man on square 1 would be a king"),
    ],
)
def test_what_is_no_position_is_one_sentence(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_hub_position(text, INTERNATIONAL)
