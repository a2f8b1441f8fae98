import math

import numpy as np
import pytest
from hypothesis import given

from bot.backgammon.rules.position import (
    START,
    Position,
    checked_boards,
    pip_counts,
    turned,
    turned_boards,
)
from tests.plain.games import plain_turned
from tests.plain.positions import plain_is_race, plain_pip_count
from tests.strategies import batches, positions


def test_start_has_15_checkers_a_side_and_167_pips_and_looks_alike_to_both():
    assert (START.checkers, START.other_checkers, START.pip_count) == (15, 15, 167)
    assert turned(START) == START


@given(position=positions())
def test_turning_twice_gives_the_same_position(position):
    assert turned(turned(position)) == position


@given(position=positions())
def test_turned_agrees_with_plain_turn(position):
    assert turned(position).points == plain_turned(position.points)


@given(boards=batches())
def test_boards_are_turned_one_by_one_into_a_new_array(boards):
    before = boards.copy()
    rows = turned_boards(boards)
    assert np.array_equal(boards, before)
    assert [tuple(row) for row in rows.tolist()] == [plain_turned(row) for row in boards.tolist()]


@given(position=positions())
def test_turning_swaps_the_counts_of_the_sides(position):
    other = turned(position)
    assert (other.checkers, other.other_checkers) == (position.other_checkers, position.checkers)
    assert (other.off, other.other_off) == (position.other_off, position.off)
    assert position.checkers + position.off == 15


@given(boards=batches())
def test_pip_counts_agree_with_plain_count(boards):
    assert pip_counts(boards).tolist() == [plain_pip_count(board) for board in boards.tolist()]


@given(position=positions())
def test_race_agrees_with_plain_race_from_either_side(position):
    assert position.is_race == plain_is_race(position.points) == turned(position).is_race


@given(position=positions())
def test_board_gives_the_position_back(position):
    assert Position.of_board(position.board) == position


def test_position_of_checkers_by_point_counts_each_side_from_its_own():
    position = Position.of({25: 1, 6: 2}, {25: 3, 1: 4})
    assert position.points == (-3, 0, 0, 0, 0, 0, 2, *(0,) * 17, -4, 1)


@given(position=positions())
def test_checkers_by_point_give_the_position_back(position):
    own, other = (
        {point: max(side.points[point], 0) for point in range(1, 26)}
        for side in (position, turned(position))
    )
    assert Position.of(own, other) == position
    assert Position.of(other, own) == turned(position)


@pytest.mark.parametrize(
    ("own", "other", "complaint"),
    [
        ({0: 1}, {}, "1 to 24 and its bar 25, not 0"),
        ({}, {26: 1}, "1 to 24 and its bar 25, not 26"),
        ({6: -2}, {}, "point 6 has no -2 checkers"),
        ({6: 2}, {19: 1}, "both sides are on point 6, the other's 19"),
        ({6: 16}, {}, "player on roll has 16 checkers"),
        ({}, {25: 8, 1: 8}, "the other has 16 checkers"),
    ],
)
def test_impossible_checkers_by_point_are_refused_in_one_sentence(own, other, complaint):
    with pytest.raises(ValueError, match=complaint):
        Position.of(own, other)


def test_changing_the_board_leaves_the_position_alone():
    START.board[6] = 0
    assert START.points[6] == 5


@pytest.mark.parametrize(
    ("points", "complaint"),
    [
        ((0,) * 25, "26 points, not 25"),
        ((1, *(0,) * 25), "other side's bar"),
        ((*(0,) * 25, -1), "other side's bar"),
        ((0, 16, *(0,) * 24), "player on roll has 16 checkers"),
        ((0, -9, -7, *(0,) * 23), "the other has 16 checkers"),
    ],
)
def test_impossible_counts_are_refused_in_one_sentence(points, complaint):
    with pytest.raises(ValueError, match=complaint):
        Position(points)


@given(boards=batches())
def test_boards_of_positions_are_found_to_be_such_in_any_layout_and_width(boards):
    for given_ in (boards, np.asfortranarray(boards), boards.astype(np.int64), boards.tolist()):
        checked = checked_boards(given_)
        assert (checked.dtype, checked.tolist()) == (np.int8, boards.tolist())
        assert checked.flags.c_contiguous


@pytest.mark.parametrize(
    ("boards", "complaint"),
    [
        (START.board, r"shape \(n, 26\), not \(26,\)"),
        (np.zeros((2, 24), np.int8), r"shape \(n, 26\), not \(2, 24\)"),
        (None, r"shape \(n, 26\), not \(\)"),
        (np.full((2, 26), np.nan), "whole numbers, .* not float64"),
        (START.board[np.newaxis] + 0.5, "whole numbers, .* not float64"),
        (np.full((2, 26), 1, np.int8), "a checker on the other side's bar"),
        (np.stack([START.board, -START.board, 2 * START.board]), "has 30 checkers, more than 15"),
        (np.full((1, 26), 256), "a checker on the other side's bar"),
        ([[0, 256, *[0] * 24]], "has 256 checkers, more than 15"),
        (START.board[np.newaxis].astype(np.uint8), "checkers, more than 15"),
    ],
)
def test_what_are_no_boards_is_refused(boards, complaint):
    with pytest.raises(ValueError, match=complaint):
        checked_boards(boards)


@pytest.mark.parametrize("of_boards", [turned_boards, pip_counts])
@pytest.mark.parametrize("shape", [(26,), (3, 24), (3, 28)])
def test_boards_of_another_shape_are_neither_turned_nor_counted(of_boards, shape):
    with pytest.raises(ValueError, match="boards have shape"):
        of_boards(np.zeros(shape, np.int8))


@pytest.mark.parametrize(
    "points",
    [
        (math.nan,) * 26,
        tuple(map(float, START.points)),
        (*START.points[:6], 4.5, *START.points[7:]),
        list(START.points),
        START.board,
    ],
)
def test_points_are_a_tuple_of_whole_numbers(points):
    with pytest.raises(ValueError, match="points are a tuple of whole numbers, not "):
        Position(points)


def test_numbers_of_numpy_are_whole_numbers():
    assert Position(tuple(START.board)) == START
