import pytest

from bot.draughts.rules.move import Move


def test_captures_of_the_same_pieces_are_one_move_whatever_the_way():
    assert Move(28, 19, (23, 24), (20, 19)) == Move(28, 19, (23, 24), (18, 19))
    assert Move(28, 19, (23,)) != Move(28, 19, (22,))


def test_captured_squares_rise():
    with pytest.raises(ValueError, match="captured squares rise"):
        Move(28, 19, (24, 23))
