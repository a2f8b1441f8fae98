import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.draughts.rules.legality import illegality, legal_moves, position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from tests.draughts_positions import positions
from tests.plain.draughts import plain_after, plain_moves, plain_ways
from tests.plain.perft_tables import plain_position


def captures(variant, fen):
    """Legal moves as start, end and captured squares."""
    return [(m.start, m.end, m.captured) for m in legal_moves(plain_position(variant, fen))]


@given(positions())
def test_legal_moves_are_the_plain_ones_in_order(position):
    found = [(move.start, move.end, move.captured) for move in legal_moves(position)]
    assert found == sorted(plain_moves(position))


@given(positions())
def test_path_is_a_way_to_take_these_pieces(position):
    ways = {(start, path, tuple(sorted(taken))) for start, path, taken in plain_ways(position)}
    for move in legal_moves(position):
        if not move.captured:
            assert move.path == ()
            continue
        assert (move.start, move.path, move.captured) in ways


@given(positions(), st.data())
def test_position_after_a_move_is_the_plain_one(position, data):
    if moves := legal_moves(position):
        move = data.draw(st.sampled_from(moves))
        plain = plain_after(position, move.start, move.end, move.captured)
        assert position_after(position, move) == plain


def test_men_capture_backward_in_one_variant_only():
    assert captures(INTERNATIONAL, "W:W28:B33") == [(28, 39, (33,))]
    assert captures(CZECH, "W:W18:B22") == [(18, 14, ()), (18, 15, ())]


def test_most_pieces_must_be_taken_in_one_variant_only():
    assert captures(INTERNATIONAL, "W:W28:B22,12,23") == [(28, 8, (12, 22))]
    assert captures(CZECH, "W:W23:B18,19,11") == [(23, 7, (11, 19)), (23, 14, (18,))]


def test_man_that_passes_the_far_row_stays_a_man():
    position = plain_position(INTERNATIONAL, "W:W12:B8,9")
    (move,) = legal_moves(position)
    assert move == Move(12, 14, (8, 9))
    assert move.path == (3, 14)
    assert position_after(position, move) == plain_position(INTERNATIONAL, "B:W14:B")


def test_man_that_ends_on_the_far_row_is_a_king():
    position = plain_position(CZECH, "W:W9:B6")
    (move,) = legal_moves(position)
    assert position_after(position, move) == plain_position(CZECH, "B:WK2:B")


def test_king_lands_where_it_can_capture_on():
    # Behind 18 it may stop on 15, 11, 8 and 4; only from 11 it can go on, over 7.
    assert captures(CZECH, "W:WK25:B18,7") == [(25, 2, (7, 18))]


def test_capture_may_end_where_it_began():
    found = captures(INTERNATIONAL, "W:W38:B32,22,23,33")
    assert found == [(38, 38, (22, 23, 32, 33))]


@pytest.mark.parametrize(
    ("variant", "fen", "move", "clause"),
    [
        (CZECH, "W:W22:B", Move(23, 18), "there is no white piece on 23"),
        (CZECH, "B:W22:B9", Move(22, 18), "there is no black piece on 22"),
        (CZECH, "W:W22:B", Move(22, 14), "no step leads from 22 to 14"),
        (CZECH, "W:W22:B9", Move(22, 15, (18,)), "there is nothing to capture"),
        (CZECH, "W:W22,32:B18", Move(32, 28), "a capture is compulsory"),
        (CZECH, "W:W23:B19,11", Move(23, 16, (19,)), "the capture goes on"),
        (CZECH, "W:W22:B18", Move(22, 13, (17,)), "no capture from 22 to 13 takes 17"),
        (CZECH, "W:WK29,23:B18,19", Move(23, 16, (19,)), "a king can capture, so a king must"),
        (CZECH, "W:WK29,23:B18,19", Move(29, 25), "a capture is compulsory"),
        (INTERNATIONAL, "W:W28:B22,12,23", Move(28, 19, (23,)), "2 pieces must be taken, not 1"),
        (INTERNATIONAL, "W:W28:B23", Move(28, 19, (22,)), "no capture from 28 to 19 takes 22"),
        (INTERNATIONAL, "W:W28:B22,12,23", Move(28, 17, (22,)), "the capture goes on"),
        (INTERNATIONAL, "B:W28:B", Move(28, 22), "no move is left"),
    ],
)
def test_move_that_is_refused_gets_the_reason(variant, fen, move, clause):
    assert illegality(move, plain_position(variant, fen)) == clause


@pytest.mark.parametrize("variant", [CZECH, INTERNATIONAL])
def test_legal_move_has_no_reason_against_it(variant):
    start = Position.start(variant)
    assert all(illegality(move, start) is None for move in legal_moves(start))
