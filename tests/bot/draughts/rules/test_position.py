import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.draughts.rules.position import Position, set_of, squares_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, VARIANTS, Side


@given(st.sets(st.integers(1, 50)))
def test_set_of_squares_holds_those_squares(squares):
    assert list(squares_of(set_of(squares))) == sorted(squares)


@pytest.mark.parametrize(
    ("variant", "white", "black"),
    [(INTERNATIONAL, range(31, 51), range(1, 21)), (CZECH, range(21, 33), range(1, 13))],
)
def test_game_begins_with_the_men_of_the_rules(variant, white, black):
    start = Position.start(variant)
    assert start.turn is Side.WHITE
    assert list(squares_of(start.men(Side.WHITE))) == list(white)
    assert list(squares_of(start.men(Side.BLACK))) == list(black)
    assert not start.kings(Side.WHITE) | start.kings(Side.BLACK)


def test_men_become_kings_on_the_row_of_the_other_side():
    assert list(INTERNATIONAL.far_row(Side.WHITE)) == [1, 2, 3, 4, 5]
    assert list(INTERNATIONAL.far_row(Side.BLACK)) == [46, 47, 48, 49, 50]
    assert list(CZECH.far_row(Side.WHITE)) == [1, 2, 3, 4]
    assert list(CZECH.far_row(Side.BLACK)) == [29, 30, 31, 32]


def test_variants_are_compared_by_identity_in_other_processes_too():
    assert replace(CZECH) != CZECH
    assert pickle.loads(pickle.dumps(CZECH)) is CZECH


def test_variants_are_found_by_their_names():
    assert [VARIANTS[name].name for name in VARIANTS] == ["international", "czech"]


@pytest.mark.parametrize(
    ("sets", "sentence"),
    [
        ((set_of([33]), 0, 0, 0), "the squares are 1 to 32"),
        ((set_of([9]), 0, 0, set_of([9])), "two pieces stand on square 9"),
        ((set_of([3]), 0, 0, 0), "a white man on square 3 would be a king"),
        ((0, 0, set_of([30]), 0), "a black man on square 30 would be a king"),
    ],
)
def test_position_that_no_game_has_is_refused(sets, sentence):
    with pytest.raises(ValueError, match=sentence):
        Position(CZECH, Side.WHITE, *sets)
