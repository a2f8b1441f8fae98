import pytest

from bot.draughts.rules.variant import CZECH, INTERNATIONAL, VARIANTS
from protocol.draughts.formats.square import parse_square, square_name


def test_squares_of_the_small_board_have_the_names_of_chess():
    names = {1: "b8", 4: "h8", 5: "a7", 29: "a1", 32: "g1"}
    assert {square: square_name(CZECH, square) for square in names} == names


def test_the_corner_at_the_left_hand_of_white_is_a1_on_both_boards():
    assert (square_name(INTERNATIONAL, 46), square_name(CZECH, 29)) == ("a1", "a1")
    assert square_name(INTERNATIONAL, 5) == "j10"


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_square_is_read_by_its_name(variant):
    squares = list(range(1, variant.squares + 1))
    assert [parse_square(variant, square_name(variant, square)) for square in squares] == squares


def test_a_number_may_begin_with_a_zero():
    assert (parse_square(CZECH, "05"), parse_square(CZECH, "5")) == (5, 5)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'' is no square"),
        ("0", "'0' is no square"),
        ("00", "'00' is no square"),
        ("051", "'051' is no square"),
        ("33", "the squares are 1 to 32, not 33"),
        ("a9", "a9 stands beside a board of 8 rows"),
        ("j2", "j2 stands beside a board of 8 rows"),
        ("a2", "a2 is a light square"),
        ("\u0661", "is no square"),
    ],
)
def test_what_is_no_square_is_one_sentence(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_square(CZECH, text)
