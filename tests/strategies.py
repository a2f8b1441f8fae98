"""Hypothesis strategies: positions and what stands around them, all of games not over."""

from collections import Counter

import numpy as np
from hypothesis import strategies as st

from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import ROLLS

CHECKERS = 15
BAR = 25
OTHER_BAR = 0


@st.composite
def positions(draw):
    """Any position with 1 to 15 checkers a side and no point shared; both may be on the bar."""
    own = Counter(draw(st.lists(st.integers(1, BAR), min_size=1, max_size=CHECKERS)))
    free = [point for point in range(OTHER_BAR, BAR) if point not in own]
    other = Counter(draw(st.lists(st.sampled_from(free), min_size=1, max_size=CHECKERS)))
    return Position(tuple(own[point] - other[point] for point in range(26)))


def boards():
    """The same positions as int8[26], seen by the player on roll."""
    return positions().map(lambda position: position.board)


def batches(max_size=20):
    """Some boards at once, int8[n, 26]."""
    return st.lists(boards(), min_size=1, max_size=max_size).map(np.stack)


def rolls():
    """Any of the 21 rolls."""
    return st.sampled_from(ROLLS)


@st.composite
def cubes(draw):
    """A cube at any value with any owner it can have; above 1 it may be centred."""
    value = 2 ** draw(st.integers(0, MAX_CUBE.bit_length() - 1))
    return Cube(value, CubeOwner.CENTRED if value == 1 else draw(st.sampled_from(CubeOwner)))


@st.composite
def scores(draw):
    """Any score of a match to 1 to 64 points, the Crawford game where there can be one."""
    length = draw(st.integers(1, 64))
    own, other = draw(st.integers(0, length - 1)), draw(st.integers(0, length - 1))
    can_be_crawford = (own == length - 1) != (other == length - 1)
    return Score(length, own, other, can_be_crawford and draw(st.booleans()))


@st.composite
def game_states(draw):
    """A position with a cube, in a match or in a money session under any rules."""
    score = draw(st.none() | scores())
    money = MoneyRules(draw(st.booleans()), draw(st.booleans())) if score is None else MoneyRules()
    return GameState(draw(positions()), draw(cubes()), score, money)


@st.composite
def chances(draw):
    """Five chances, each within those that contain it."""
    win = draw(st.floats(0, 1))
    win_gammon, lose_gammon = win * draw(st.floats(0, 1)), (1 - win) * draw(st.floats(0, 1))
    win_backgammon = win_gammon * draw(st.floats(0, 1))
    return Chances(
        win, win_gammon, win_backgammon, lose_gammon, lose_gammon * draw(st.floats(0, 1))
    )
