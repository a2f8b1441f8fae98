from dataclasses import replace

import pytest
from hypothesis import example, given

from bot.draughts.kernels.boards import Board, count
from bot.draughts.kernels.moves import (
    MAX_MOVES,
    fill_captures,
    fill_moves,
    kings_that_capture,
    men_that_capture,
    move_count,
    new_jumps,
    new_moves,
    step_count,
)
from bot.draughts.rules.board import boards_of, own_squares, rules_of
from bot.draughts.rules.position import set_of, squares_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from tests.draughts_positions import positions
from tests.plain.draughts import PlainBoard, plain_moves, plain_orders
from tests.plain.perft_tables import ALL_KINGS, plain_position

RUSSIAN = replace(CZECH, name="russian", men_capture_backward=True, kings_capture_first=False)
"""Russian rules but for men that become kings while they capture."""

LONG_CAPTURES = plain_position(
    INTERNATIONAL, "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46"
)
"""Two kings that capture fourteen pieces in 178 orders, 14 of them distinct moves."""


SHORT_CAPTURE_FIRST = plain_position(INTERNATIONAL, "W:WK43,K44:B7,8,18,39,40")
"""One king's captures are found before the other's, which take more and in several orders."""


def board_of(position):
    """The kernels' board of a position."""
    return Board(*boards_of([position])[0].tolist())


def filled_moves(position, distinct=True, capacity=MAX_MOVES):
    """Moves by the kernel: start, end and captured squares, in a list."""
    moves = new_moves(capacity)
    rules = rules_of(position.variant)._replace(distinct=distinct)
    number = fill_moves(board_of(position), rules, moves, new_jumps())
    found = []
    for row in moves[:number].tolist():
        start, end, taken = (
            tuple(squares_of(own_squares(squares, position.variant, position.turn)))
            for squares in row
        )
        found.append((*start, *end, taken))
    return found


@given(positions())
@example(LONG_CAPTURES)
@example(SHORT_CAPTURE_FIRST)
@example(plain_position(INTERNATIONAL, ALL_KINGS))
def test_moves_are_those_of_the_plain_twin_each_once(position):
    found = filled_moves(position)
    assert len(set(found)) == len(found)
    assert set(found) == plain_moves(position)


@given(positions())
@example(LONG_CAPTURES)
def test_orders_of_capture_are_those_of_the_plain_twin(position):
    found = filled_moves(position, distinct=False)
    assert len(found) == len(plain_orders(position))
    assert set(found) == plain_moves(position)


@given(positions())
def test_moves_are_counted_as_many_as_they_are(position):
    rules, board = rules_of(position.variant), board_of(position)
    assert move_count(board, rules, new_moves(), new_jumps()) == len(filled_moves(position))
    assert step_count(board, rules) == len(PlainBoard(position).steps())


@given(positions())
@example(plain_position(CZECH, "W:W18:B22"))
def test_pieces_that_can_jump_are_known_before_their_captures(position):
    rules, board, plain = rules_of(position.variant), board_of(position), PlainBoard(position)
    kings = set(squares_of(own_squares(kings_that_capture(board, rules), *_view(position))))
    men = set(squares_of(own_squares(men_that_capture(board, rules), *_view(position))))
    assert kings == {way[0] for way in plain.captures_by(plain.kings, is_king=True)}
    assert men == {way[0] for way in plain.captures_by(plain.men, is_king=False)}


def _view(position):
    return position.variant, position.turn


@pytest.mark.parametrize("capacity", [1, 5])
def test_moves_that_find_no_room_are_left_out(capacity):
    moves = new_moves(capacity)
    board, rules = board_of(LONG_CAPTURES), rules_of(INTERNATIONAL)
    assert fill_captures(board, rules, moves, new_jumps()) == capacity
    whole = new_moves()
    assert fill_captures(board, rules, whole, new_jumps()) == 14
    assert moves.tolist() == whole[:capacity].tolist()
    assert all(count(taken) == 14 for _, _, taken in moves.tolist())


def test_jumps_that_wait_find_room_where_a_king_meets_most_pieces():
    around = [square for square in range(1, 51) if 1 < square % 10 < 10 and 5 < square < 46]
    for square in range(1, 51):
        men = set_of([each for each in around[::2] if each != square])
        position = plain_position(
            INTERNATIONAL, f"W:WK{square}:B{','.join(map(str, squares_of(men)))}"
        )
        assert set(filled_moves(position)) == plain_moves(position)


@pytest.mark.parametrize(("variant", "starts"), [(CZECH, {29}), (RUSSIAN, {29, 23})])
def test_king_captures_before_men_where_the_variant_says_so(variant, starts):
    found = filled_moves(plain_position(variant, "W:WK29,23:B18,19"))
    assert {start for start, _, _ in found} == starts
