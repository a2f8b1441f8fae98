import pytest
from hypothesis import given

from bot.draughts.evaluation.simulated_value import (
    edge_of,
    men_of,
    simulated_value,
    simulated_values,
)
from bot.draughts.rules.board import boards_of
from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, VARIANTS, Side
from tests.draughts_strategies import positions
from tests.plain.draughts_search import plain_simulated_value


def mirrored(position):
    """The position with the colours swapped and the board turned."""
    variant = position.variant

    def turned(squares):
        return int(f"{squares:0{variant.squares}b}"[::-1], 2)

    sets = (position.black_men, position.black_kings, position.white_men, position.white_kings)
    return Position(variant, position.turn.other, *map(turned, sets))


def other_to_move(position):
    return Position(
        position.variant,
        position.turn.other,
        position.white_men,
        position.white_kings,
        position.black_men,
        position.black_kings,
    )


@given(position=positions())
def test_value_agrees_with_plain_value(position):
    assert simulated_value(position) == pytest.approx(plain_simulated_value(position), abs=1e-12)


@given(position=positions())
def test_value_is_the_same_for_both_colours(position):
    assert simulated_value(mirrored(position)) == simulated_value(position)


@given(position=positions())
def test_value_is_the_opposite_for_the_other_player(position):
    assert simulated_value(other_to_move(position)) == -simulated_value(position)


@given(position=positions())
def test_value_is_far_from_a_game_won(position):
    assert abs(simulated_value(position)) <= 0.022


@pytest.mark.parametrize("variant", VARIANTS.values())
def test_the_beginning_is_worth_nothing(variant):
    assert simulated_value(Position.start(variant)) == 0


def test_a_king_is_worth_two_men_and_a_man_more_the_nearer_to_the_far_row():
    def alone(square, is_king=False):
        men, kings = (0, set_of([square])) if is_king else (set_of([square]), 0)
        return 100 * simulated_value(Position(CZECH, Side.WHITE, men, kings, 0, 0))

    assert alone(22) == pytest.approx(1.2)
    assert alone(7) == pytest.approx(1.6)
    assert alone(32) == pytest.approx(1.1)
    assert alone(7, is_king=True) == pytest.approx(2)
    assert alone(32, is_king=True) == pytest.approx(2.2)


def test_no_man_is_worth_a_king():
    men = [
        Position(INTERNATIONAL, Side.WHITE, set_of([square]), 0, 0, 0) for square in range(6, 51)
    ]
    assert max(simulated_values(boards_of(men), INTERNATIONAL)) < 0.02


def test_the_edge_is_the_border_of_the_board():
    assert sorted(edge_of(CZECH)) == [1, 2, 3, 4, 5, 12, 13, 20, 21, 28, 29, 30, 31, 32]


def test_a_value_can_be_told_in_men():
    position = Position(CZECH, Side.WHITE, set_of([22, 23]), 0, set_of([7]), 0)
    assert men_of(simulated_value(position), position) == pytest.approx(1.2 + 1.2 - 1.1)
