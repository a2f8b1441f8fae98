import pytest

from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from protocol.draughts.formats.fen import parse_fen
from protocol.draughts.formats.notation import example_moves, move_text, parse_move
from protocol.draughts.formats.square import square_name
from tests.draughts_strategies import plain_legal

TWO_WAYS = "W:WK25:B8,23,30,31"
"""A king that gets from 25 to 3 by two ways, and takes other pieces on each."""


def legal(fen, variant):
    return plain_legal(parse_fen(fen, variant))


def test_international_moves_are_written_by_numbers():
    moves = legal("W:W32,37:B1", INTERNATIONAL)
    assert {move_text(move, moves, INTERNATIONAL) for move in moves} == {
        "32-27", "32-28", "37-31"
    }  # fmt: skip


def test_czech_moves_are_written_by_letters():
    moves = legal("W:Wa3:Bh8", CZECH)
    assert [move_text(move, moves, CZECH) for move in moves] == ["a3-b4"]
    moves = legal("W:Wc3:Bd4,h8", CZECH)
    assert [move_text(move, moves, CZECH) for move in moves] == ["c3:e5"]


@pytest.mark.parametrize("text", ["c3:e5", "c3xe5", "22:15", "22x15", " c3Xe5 ", "c3e5"])
def test_either_notation_is_read(text):
    moves = legal("W:Wc3:Bd4,h8", CZECH)
    assert parse_move(text, moves, CZECH) == moves[0]


@pytest.mark.parametrize("text", ["a3-b4", "a3b4", "21-17"])
def test_a_step_is_read_without_its_sign_where_squares_have_letters(text):
    (move,) = legal("W:Wa3:Bh8", CZECH)
    assert parse_move(text, [move], CZECH) == move


def test_landing_squares_are_told_where_the_ends_do_not_decide():
    moves = legal(TWO_WAYS, INTERNATIONAL)
    texts = [move_text(move, moves, INTERNATIONAL) for move in moves]
    assert texts == ["25x36", "25x34x12x3", "25x48x26x3"]
    assert [parse_move(text, moves, INTERNATIONAL) for text in texts] == list(moves)
    moves = legal("W:WK14:B7,15,18,19,24", CZECH)
    texts = [move_text(move, moves, CZECH) for move in moves]
    assert texts == ["c5:f8", "c5:e3:g5:d8", "c5:f2:h4:d8"]


def test_some_of_the_landing_squares_are_enough_if_they_decide():
    moves = legal(TWO_WAYS, INTERNATIONAL)
    assert parse_move("25x34x3", moves, INTERNATIONAL) == moves[1]
    assert parse_move("25x26x3", moves, INTERNATIONAL) == moves[2]


def test_any_way_that_takes_the_pieces_is_read():
    round_trip = legal("W:WK13:B7,8,9,17,27", CZECH)[1]
    assert (round_trip.start, round_trip.end) == (13, 13)
    back = ":".join(square_name(CZECH, square) for square in (13, *round_trip.path[-2::-1], 13))
    assert parse_move(back, [round_trip], CZECH) == round_trip


def test_ends_that_do_not_decide_are_ambiguous():
    moves = legal(TWO_WAYS, INTERNATIONAL)
    with pytest.raises(ValueError, match="25x3 is ambiguous: 25x34x12x3, 25x48x26x3"):
        parse_move("25x3", moves, INTERNATIONAL)
    with pytest.raises(ValueError, match="25x35x3 is not legal here"):
        parse_move("25x35x3", moves, INTERNATIONAL)


def test_one_jump_beside_a_longer_capture_with_its_ends_is_read_as_it_is_written():
    moves = legal("B:W9,15,K17,25,26,32:BK14,K29", CZECH)
    for move in moves:
        assert parse_move(move_text(move, moves, CZECH), moves, CZECH) == move
    assert {"c5:a7", "c5:a3:c1:e3:a7"} <= {move_text(move, moves, CZECH) for move in moves}


@pytest.mark.parametrize(
    ("fen", "text", "sentence"),
    [
        ("W:W32:B1", "", "'' is no move: write 32-28 or 28x19"),
        ("W:W32:B1", "32", "is no move"),
        ("W:W32:B1", "32-28-23", "is no move"),
        ("W:W32:B1", "32-2\u0668", "is no move"),
        ("W:W32:B1", "x" * 999, "is no move"),
        ("W:W32:B1", "32-51", "the squares are 1 to 50, not 51"),
        ("W:W32:B1", "a1-a2", "a2 is a light square"),
        ("W:W32:B1", "32-23", "32-23 is not legal here; 32-2[78] would be"),
        ("W:W32:B1", "32x23", "32x23 is not legal: no piece can capture"),
        ("W:W32:B28", "32-27", "32-27 is not legal: a capture must be made, as 32x23"),
        ("W:W32:B28", "32x21", "32x21 is not legal here; 32x23 would be"),
        ("W:W:B28", "32-27", "32-27 is not legal: the game is over"),
    ],
)
def test_what_is_no_legal_move_is_one_sentence(fen, text, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_move(text, legal(fen, INTERNATIONAL), INTERNATIONAL)


def test_examples_are_in_the_notation_of_the_board():
    examples = {variant.name: example_moves(variant) for variant in (CZECH, INTERNATIONAL)}
    assert examples == {
        CZECH.name: "a3-b4 or c3:e5",
        INTERNATIONAL.name: "32-28 or 28x19",
    }
