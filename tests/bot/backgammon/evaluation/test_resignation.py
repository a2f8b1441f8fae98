"""What is lost for sure, held against the bear-off databases and against every roll there is."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.evaluation import resignation
from bot.backgammon.evaluation.bearoff import NO_DATABASES, build_databases, known_outcomes
from bot.backgammon.evaluation.cube import cube_table
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.evaluation.resignation import points_to_offer, sure_loss
from bot.backgammon.kernels.boards import points_lost
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import ROLLS

TABLES = build_databases(lambda text: None, 5, 1)


homes = st.lists(st.integers(1, 6), min_size=1, max_size=5)


@given(own=homes, other=homes)
def test_bearoff_is_lost_for_sure_only_if_the_tables_say_so(own, other):
    board = Position.of(Counter(own), Counter(other)).board
    outcomes, is_known = known_outcomes(board[np.newaxis], TABLES)
    assert is_known.all()
    loss = sure_loss(board, TABLES)
    assert loss in (None, (1, 1))
    if loss:
        assert outcomes[0, 0] < 2e-6


@pytest.mark.slow
def test_gammon_of_a_bearoff_is_sure_only_if_the_tables_say_so():
    databases = build_databases(lambda text: None, 15, 1)
    numbers = random.Random(3)
    seen = set()
    for _ in range(2000):
        own = [numbers.randint(1, 6) for _ in range(15)]
        other = [numbers.randint(1, 6) for _ in range(numbers.randint(1, 15))]
        board = Position.of(Counter(own), Counter(other)).board
        loss = sure_loss(board, databases)
        seen.add(loss)
        win, *_, lose_gammon, _ = known_outcomes(board[np.newaxis], databases)[0][0]
        if loss:
            assert win < 2e-6
            assert loss[1] > 1 or lose_gammon < 2e-6
            assert loss[0] == 1 or lose_gammon > 1 - 2e-6
    assert {None, (1, 1), (1, 2)} <= seen


@given(own=st.lists(st.integers(1, 23), min_size=1, max_size=15))
def test_against_a_last_roll_no_roll_of_one_s_own_makes_a_difference(own):
    board = Position.of(Counter(own), {1: 2}).board
    loss = sure_loss(board, TABLES)
    found = set()
    for roll in ROLLS:
        plays = legal_plays(Position.of_board(board), roll)
        afters = [play.after.board for play in plays] or [board]
        for after in afters:
            found.add(int(points_lost(np.maximum(after, 0))) if after.max() > 0 else 0)
    if loss is not None:
        assert found <= set(range(loss[0], loss[1] + 1))
    elif min(found) > 0:
        assert len(own) <= 4  # one roll bears off no more


@pytest.mark.parametrize(
    ("own", "other", "loss"),
    [
        ([1] * 5, [1], (1, 1)),
        ([1] * 4, [1], None),
        ([6] * 10, [1, 1], (1, 1)),
        ([6] * 15, [1, 1], (1, 2)),
        ([7] * 3 + [6] * 12, [1, 1], (1, 2)),
        ([7] * 4 + [6] * 11, [1, 1], (2, 2)),
        ([18] + [6] * 14, [1, 1], (1, 2)),
        ([18] * 2 + [5] * 13, [1, 1], (2, 2)),
        ([19] + [6] * 14, [1, 1], (1, 3)),
        ([19] * 5 + [6] * 10, [1, 1], (3, 3)),
        ([23] * 4 + [20] + [6] * 10, [1, 1, 1, 1, 1], (2, 3)),
        ([25, 6], [1, 1], None),
        ([6] * 15, [7] + [1] * 3, None),
        ([6] * 15, [1] * 6, None),
    ],
)
def test_what_is_lost_for_sure_is_known_in_points(own, other, loss):
    assert sure_loss(Position.of(Counter(own), Counter(other)).board, TABLES) == loss


@pytest.mark.parametrize(
    ("lose_gammon", "is_known", "loss"),
    [(0.0, True, (1, 1)), (0.1, True, (1, 2)), (0.0, False, (1, 2))],
)
def test_no_gammon_is_lost_where_a_larger_table_says_so(lose_gammon, is_known, loss, monkeypatch):
    outcomes = np.array([[0, 0, 0, lose_gammon, 0]], np.float32)
    known = outcomes, np.array([is_known])
    monkeypatch.setattr(resignation, "known_outcomes", lambda *_: known)
    assert sure_loss(Position.of({1: 15}, {1: 2}).board, TABLES) == loss


def test_nothing_is_sure_without_tables_or_while_there_is_contact():
    assert sure_loss(Position.of({6: 10}, {1: 2}).board, NO_DATABASES) is None
    assert sure_loss(START.board, TABLES) is None


NO_JACOBY = {"money": MoneyRules(jacoby=False)}
SINGLE, GAMMON, BACKGAMMON = [6] * 10, [7] * 4 + [6] * 11, [19] * 5 + [6] * 10
PERHAPS_GAMMON = [6] * 15


@pytest.mark.parametrize(
    ("own", "rules", "points"),
    [
        (SINGLE, NO_JACOBY, 1),
        (GAMMON, NO_JACOBY, 2),
        (BACKGAMMON, NO_JACOBY, 3),
        (PERHAPS_GAMMON, NO_JACOBY, 0),
        (PERHAPS_GAMMON, {}, 1),
        (BACKGAMMON, {}, 1),
        (BACKGAMMON, {"cube": Cube(2, CubeOwner.ON_ROLL)}, 3),
        (BACKGAMMON, {"score": Score(5, 0, 3)}, 2),
        (PERHAPS_GAMMON, {"score": Score(5, 0, 4, is_crawford=True)}, 1),
        ([25, 6], NO_JACOBY, 0),
    ],
)
def test_offered_are_the_fewest_points_that_cost_what_is_lost_for_sure(own, rules, points):
    state = GameState(Position.of(Counter(own), {1: 2}), **rules)
    assert points_to_offer(state.position.board, cube_table(state, blot_table()), TABLES) == points
