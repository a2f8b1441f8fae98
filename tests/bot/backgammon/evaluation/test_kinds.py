"""Kinds of positions."""

import numpy as np
import pytest
from hypothesis import given, settings

from bot.backgammon.evaluation.kinds import KINDS, SIDES, Kind, kinds_of
from bot.backgammon.kernels.lookahead import fill_layout
from bot.backgammon.lab.kind_layouts import LAYOUTS, laid_out
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.generator import new_generator
from tests.plain.kinds import plain_kind
from tests.strategies import batches

CLOSED = {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 3, 8: 2}
BLOCK = {4: 2, 5: 2, 6: 3, 7: 2, 8: 2}

NAMED = {
    Kind.CLOSED_OUT: (CLOSED, {25: 1, 3: 4}),
    Kind.LATE_HIT: ({24: 1, 13: 1, 8: 3, 7: 2, 6: 4, 5: 2, 4: 2}, {25: 1, 3: 4, 2: 2}),
    Kind.ON_THE_BAR: ({25: 2, 13: 5, 8: 3, 6: 5}, {13: 5, 8: 3, 6: 5, 4: 2}),
    Kind.BACK_GAME: ({24: 2, 22: 2, 13: 3, 8: 3, 6: 5}, {13: 3, 8: 2, 7: 3, 6: 4, 5: 3}),
    Kind.PRIMES: ({**BLOCK, 24: 2, 13: 2}, {**BLOCK, 23: 2, 13: 2}),
    Kind.ACE_POINT: ({24: 2, 6: 4, 5: 4, 4: 3, 3: 2}, {7: 2, 6: 4, 5: 4, 4: 3, 3: 2}),
    Kind.BEAR_IN: ({8: 2, 7: 2, 6: 4, 4: 4, 3: 3}, {20: 2, 6: 5, 5: 4, 4: 4}),
    Kind.GAMMON: ({13: 3, 8: 4, 6: 5, 5: 3}, {3: 4, 2: 4, 1: 4}),
    Kind.RACE: ({8: 4, 6: 5, 5: 3, 4: 3}, {7: 3, 6: 5, 5: 4, 3: 3}),
}


def plain_kinds(boards):
    return [plain_kind(tuple(map(int, board))) for board in boards]


def found_kinds(boards):
    numbers, is_first = kinds_of(boards)
    return [
        (KINDS[number].value, bool(first)) for number, first in zip(numbers, is_first, strict=True)
    ]


@pytest.mark.parametrize("kind", NAMED)
def test_kind_is_known_from_either_side(kind):
    board = Position.of(*NAMED[kind]).board[np.newaxis]
    assert found_kinds(board) == [(kind, True)]
    assert found_kinds(turned_boards(board)) == [(kind, kind not in SIDES)]


def test_the_start_is_usual():
    assert found_kinds(START.board[np.newaxis]) == [(Kind.USUAL, True)]


def test_a_back_game_ends_when_it_is_ahead_in_the_race():
    board = Position.of({24: 2, 22: 2, 3: 6, 2: 5}, {13: 5, 8: 4, 7: 2, 6: 4}).board
    assert found_kinds(board[np.newaxis]) == [(Kind.USUAL, True)]


def test_kinds_are_those_of_the_plain_definitions():
    boards = np.zeros((2000, 26), np.int8)
    dice, generator = np.random.default_rng(5), new_generator(5)
    for i, board in enumerate(boards):
        if i % 3 == 0:
            fill_layout(board, generator)
        else:
            board[:] = laid_out([*LAYOUTS][i % len(LAYOUTS)], dice)
    for seen in (boards, turned_boards(boards)):
        found = found_kinds(seen)
        assert found == plain_kinds(seen)
        assert {kind for kind, _ in found} == {*KINDS}


@settings(deadline=None)
@given(boards=batches())
def test_any_boards_kind_is_that_of_the_plain_definitions(boards):
    assert found_kinds(boards) == plain_kinds(boards)
