import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.rules.outcome import Chances, chances_of, cubeless_equities, points_won
from bot.backgammon.rules.position import Position, turned
from tests.plain.positions import plain_points_lost
from tests.strategies import positions


@st.composite
def outcome_rows(draw):
    """Five chances that can be: each contains the worse ones."""
    part = st.floats(0, 1, width=32)
    win = draw(part)
    win_gammon = win * draw(part)
    lose_gammon = (1 - win) * draw(part)
    win_backgammon, lose_backgammon = win_gammon * draw(part), lose_gammon * draw(part)
    return np.array(
        [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon], dtype=np.float32
    )


@pytest.mark.parametrize(
    ("outcome", "equity"),
    [
        ([1, 0, 0, 0, 0], 1),
        ([1, 1, 0, 0, 0], 2),
        ([1, 1, 1, 0, 0], 3),
        ([0, 0, 0, 0, 0], -1),
        ([0, 0, 0, 1, 0], -2),
        ([0, 0, 0, 1, 1], -3),
        ([0.5, 0, 0, 0, 0], 0),
        ([0.5, 0.25, 0, 0, 0], 0.25),
    ],
)
def test_equity_counts_gammons_twice_and_backgammons_three_times(outcome, equity):
    assert cubeless_equities(np.array([outcome], np.float32))[0] == equity


@given(row=outcome_rows())
def test_equity_of_a_batch_is_that_of_the_chances(row):
    equity = cubeless_equities(row[np.newaxis])[0]
    assert equity == pytest.approx(chances_of(row).equity, abs=1e-5)
    assert -3 <= equity <= 3


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_equities_have_the_precision_of_the_chances(precision):
    assert cubeless_equities(np.zeros((2, 5), precision)).dtype == precision


@given(row=outcome_rows())
def test_the_other_players_equity_is_the_opposite(row):
    chances = chances_of(row)
    assert chances.turned().equity == pytest.approx(-chances.equity, abs=1e-12)


@pytest.mark.parametrize("shape", [(5,), (2, 4), (1, 2, 5)])
def test_outcomes_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match="outcomes have shape"):
        cubeless_equities(np.zeros(shape, np.float32))


@given(position=positions())
def test_unfinished_game_is_worth_nothing(position):
    assert points_won(position) == 0


@pytest.mark.parametrize(
    ("left", "points"),
    [
        ({6: 1}, 1),
        ({25: 14}, 1),
        ({6: 10, 18: 5}, 2),
        ({6: 14, 19: 1}, 3),
        ({6: 14, 24: 1}, 3),
        ({6: 14, 25: 1}, 3),
    ],
)
def test_losing_a_game_costs_more_with_all_checkers_and_most_with_one_in_the_winners_home(
    left, points
):
    lost = Position.of(left, {})
    assert points_won(lost) == -points
    assert points_won(turned(lost)) == points


@given(position=positions())
def test_points_of_a_finished_game_agree_with_plain_count(position):
    finished = Position(tuple(max(count, 0) for count in position.points))
    assert points_won(finished) == -plain_points_lost(finished.points)


def test_chances_turned_twice_are_the_same():
    chances = Chances(0.75, 0.25, 0.125, 0.0625, 0.03125)
    assert chances.turned().turned() == chances
