import numpy as np
import pytest

from bot.backgammon.kernels.dice import CHANCES, DICE, ROLL_COUNT, roll_number
from bot.backgammon.rules.roll import ROLLS, Roll


def test_there_are_21_rolls_and_their_chances_add_up_to_one():
    assert len(set(ROLLS)) == 21
    assert sum(roll.chance for roll in ROLLS) == pytest.approx(1)


def test_kernels_have_the_same_rolls_in_the_same_order():
    assert len(ROLLS) == ROLL_COUNT
    assert DICE.tolist() == [[roll.high, roll.low] for roll in ROLLS]
    assert CHANCES.tolist() == [roll.chance for roll in ROLLS]
    assert [roll_number(roll.high, roll.low) for roll in ROLLS] == list(range(ROLL_COUNT))


def test_dice_are_ordered_the_higher_first():
    assert Roll.of_dice(2, 5) == Roll.of_dice(5, 2) == Roll(5, 2)


def test_only_equal_dice_are_a_double():
    assert [roll for roll in ROLLS if roll.is_double] == [Roll(die, die) for die in range(1, 7)]


@pytest.mark.parametrize(("high", "low"), [(7, 1), (1, 0), (3, 5), (0, 0)])
def test_numbers_that_are_no_roll_are_refused_by_name(high, low):
    with pytest.raises(ValueError, match=f"no roll of two dice: {high}-{low}"):
        Roll(high, low)


@pytest.mark.parametrize(("high", "low"), [(5.5, 4), (6.0, 4.0), (6, None)])
def test_dice_are_whole_numbers(high, low):
    with pytest.raises(ValueError, match=f"no roll of two dice: {high}-{low}"):
        Roll(high, low)


def test_dice_of_numpy_are_dice():
    assert Roll.of_dice(*np.array([3, 5])) == Roll(5, 3)
