import pytest

from bot.draughts.rules.move import Move
from protocol.draughts.formats.hub_move import hub_move_text, parse_hub_move

MOVES = (Move(32, 28), Move(28, 19, (23,), (19,)), Move(37, 28, (18, 22, 31), (26, 17, 28)))


def test_a_capture_tells_what_it_takes():
    assert [hub_move_text(move) for move in MOVES] == ["32-28", "28x19x23", "37x28x18x22x31"]


def test_the_pieces_taken_are_read_in_any_order():
    assert parse_hub_move("37x28x31x18x22", MOVES).path == (26, 17, 28)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'' is no move: a step is 32-28"),
        ("32x28", "'32x28' is no move"),
        ("28x19", "'28x19' is no move"),
        ("32-28-23", "is no move"),
        ("28x19x23x23", "takes a piece twice"),
        ("28x19x22", "the move 28x19x22 is not legal"),
        ("32-27", "the move 32-27 is not legal"),
        ("32-28 ", "is no move"),
        ("28x19" + "x23" * 99, "is no move"),
    ],
)
def test_what_is_no_legal_move_is_one_sentence(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_hub_move(text, MOVES)
