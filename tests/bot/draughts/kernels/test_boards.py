import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.draughts.kernels.boards import (
    DIRECTIONS,
    FORWARD,
    Board,
    after,
    board_at,
    count,
    index,
    neighbours,
    put_board,
    reversed_bits,
    turned,
)
from bot.draughts.rules.board import boards_of, kernel_squares, own_squares, positions_of, rules_of
from bot.draughts.rules.position import set_of, squares_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side
from tests.draughts_positions import positions
from tests.plain.draughts import DOWN, UP, plain_after, plain_moves, ray
from tests.plain.perft_tables import plain_position

BOTH = pytest.mark.parametrize("variant", [INTERNATIONAL, CZECH])


@given(st.integers(32, 63), st.data())
def test_reversed_set_has_its_bits_in_the_other_order(bits, data):
    squares = data.draw(st.integers(0, (1 << bits) - 1))
    assert reversed_bits(squares, bits) == int(f"{squares:0{bits}b}"[::-1], 2)


@given(st.integers(0, (1 << 60) - 1))
def test_count_is_the_number_of_squares(squares):
    assert count(squares) == squares.bit_count()


@BOTH
def test_every_square_has_the_neighbours_that_the_board_shows(variant):
    rules = rules_of(variant)
    for square in range(1, variant.squares + 1):
        bit = kernel_squares(set_of([square]), variant, Side.WHITE)
        assert index(bit) == bit.bit_length() - 1
        for direction, way in zip(range(DIRECTIONS), UP + DOWN, strict=True):
            found = neighbours(bit, direction, rules) & rules.squares
            expected = set_of(ray(variant, square, way)[:1])
            assert own_squares(found, variant, Side.WHITE) == expected


@BOTH
def test_far_row_is_the_first_of_the_board_for_both_sides(variant):
    for side in Side:
        far = own_squares(rules_of(variant).far, variant, side)
        assert list(squares_of(far)) == list(variant.far_row(side))


@given(positions())
def test_position_survives_the_way_to_a_board_and_back(position):
    boards = boards_of([position])
    assert boards.shape == (1, 4)
    assert positions_of(boards, position.variant, position.turn) == [position]


@given(positions())
def test_turning_twice_changes_nothing_and_once_gives_the_move_to_the_other(position):
    rules = rules_of(position.variant)
    board = Board(*boards_of([position])[0].tolist())
    assert turned(turned(board, rules), rules) == board
    other = np.array([turned(board, rules)])
    (found,) = positions_of(other, position.variant, position.turn.other)
    assert all(found.men(side) == position.men(side) for side in Side)
    assert all(found.kings(side) == position.kings(side) for side in Side)


@given(positions(), st.data())
def test_board_after_a_move_is_the_plain_one(position, data):
    moves = sorted(plain_moves(position))
    if not moves:
        return
    start, end, taken = data.draw(st.sampled_from(moves))
    variant, turn = position.variant, position.turn
    sets = [kernel_squares(set_of(each), variant, turn) for each in ([start], [end], taken)]
    boards = boards_of([position])
    put_board(after(board_at(boards, 0), *sets, rules_of(variant)), boards, 0)
    expected = plain_after(position, start, end, taken)
    assert positions_of(boards, variant, turn.other) == [expected]


@pytest.mark.parametrize("fen", ["W:W38:B32,22,23,33", "W:WK38:B32,22,23,33"])
def test_piece_whose_capture_ends_where_it_began_stays_on_the_board(fen):
    position = plain_position(INTERNATIONAL, fen)
    (taken,) = [taken for start, end, taken in plain_moves(position) if start == end]
    square = kernel_squares(set_of([38]), INTERNATIONAL, Side.WHITE)
    captured = kernel_squares(set_of(taken), INTERNATIONAL, Side.WHITE)
    board = Board(*boards_of([position])[0].tolist())
    moved = after(board, square, square, captured, rules_of(INTERNATIONAL))
    (found,) = positions_of(np.array([moved]), INTERNATIONAL, Side.BLACK)
    assert found == plain_position(INTERNATIONAL, "B" + fen[1:].removesuffix("32,22,23,33"))


def test_directions_come_in_pairs_that_lead_back():
    rules = rules_of(INTERNATIONAL)
    middle = kernel_squares(set_of([28]), INTERNATIONAL, Side.WHITE)
    for direction in range(DIRECTIONS):
        there = neighbours(middle, direction, rules)
        assert neighbours(there, 3 - direction, rules) == middle
        assert (there < middle) == (direction < FORWARD)
