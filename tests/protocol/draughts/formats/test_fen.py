import pytest

from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side
from protocol.draughts.formats.fen import fen_text, parse_fen

ENDING = Position(INTERNATIONAL, Side.BLACK, set_of([31, 27]), set_of([3]), 0, set_of([45, 9]))


@pytest.mark.parametrize(
    "text",
    [
        "B:WK3,27,31:BK9,K45",
        "B:BK45,K9:W31,27,K3",
        "B:WK3,27,31:BK9,K45.",
        "  B : W K3, 27 , 31 : B K45,K9 \n",
        "B:Wb4,c5,Kf10:BKj2,Kg9",
        "B:WK3,27,31:BK9,K45:H0:F1",
        "B:WK3,27,31:BK9,K45:F12",
    ],
)
def test_the_ways_to_write_a_position_are_read(text):
    assert parse_fen(text, INTERNATIONAL) == ENDING


def test_a_position_is_written_sorted_with_white_first():
    assert fen_text(ENDING) == "B:WK3,27,31:BK9,K45"


def test_ranges_are_read_and_not_written():
    start = Position.start(INTERNATIONAL)
    assert parse_fen("W:B1-20:W31-50", INTERNATIONAL) == start
    assert "-" not in fen_text(start)
    assert parse_fen("W:WK31-33:B", INTERNATIONAL).white_kings == set_of([31, 32, 33])


def test_an_empty_list_is_a_side_without_pieces():
    assert parse_fen("W:W:B1", CZECH).pieces(Side.WHITE) == 0
    assert fen_text(parse_fen("W:W:B1", CZECH)) == "W:W:B1"


def test_letters_are_the_squares_of_the_czech_board():
    assert fen_text(parse_fen("W:Wa1,c1,Ka3:Bb8", CZECH)) == "W:WK21,29,30:B1"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "must begin with W or B"),
        ("white to move", "must begin with W or B"),
        ("w:W1:B2", "must begin with W or B"),
        ("W", "two lists of squares are wanted behind the side, not 0"),
        ("W:W31:B1:B2", "not 3"),
        ("W:W31:W30", "two lists of white pieces"),
        ("W:31:B1", "the list '31' does not begin with W or B"),
        ("W:W31,:B1", "'' is no square"),
        ("W:W31,x:B1", "'x' is no square"),
        ("W:W31,QK4:B1", "'QK4' is no square"),
        ("W:W0:B1", "'0' is no square"),
        ("W:W51:B1", "the squares are 1 to 50, not 51"),
        ("W:Wa2:B1", "a2 is a light square"),
        ("W:W31,31:B1", "square 31 stands there twice"),
        ("W:W31,K31:B1", "square 31 stands there twice"),
        ("W:W31:B31", "two pieces stand on square 31"),
        ("W:W35-31:B1", "the range 35-31 falls"),
        ("W:W3:B1", "a white man on square 3 would be a king"),
        ("W:W31:B50", "a black man on square 50 would be a king"),
        ("W:W" + "31," * 999, "more than 1000 characters"),
    ],
)
def test_what_is_no_position_is_one_sentence(text, sentence):
    with pytest.raises(ValueError, match=f"^cannot read the FEN .*{sentence}"):
        parse_fen(text, INTERNATIONAL)
