"""The slow obvious twin of the cubeful search: one state of the cube at a time, by recursion.

Boards are tuples as in tests/plain/plays.py; rate gives the five chances of the player on roll.
States of the cube are those of bot/backgammon/kernels/cube.py.
"""

from functools import cache

import numpy as np

from bot.backgammon.evaluation.cube import static_values
from bot.backgammon.rules.roll import ROLLS
from tests.plain.games import plain_turned
from tests.plain.plays import plain_boards_after
from tests.plain.search import plain_is_over


def plain_worth(chances, ways):
    """What a game is worth that is never doubled: each way to end it, as often as it comes."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
    shares = (
        win - win_gammon,
        win_gammon - win_backgammon,
        win_backgammon,
        1 - win - lose_gammon,
        lose_gammon - lose_backgammon,
        lose_backgammon,
    )
    return sum(share * way for share, way in zip(shares, ways, strict=True))


class PlainCubefulSearch:
    """Values of positions with one cube; side 0 is the root's player on roll."""

    def __init__(self, cube, rate):
        self.cube = cube
        self.rate = rate
        self.value = cache(self.value)
        self.reply = cache(self.reply)

    def reply(self, board, roll, side):
        """The board after the side's best play of a roll, seen by the other.

        At a score equity for money counts a hundred-thousandth, as a gammon may be worth nothing.
        """
        after = plain_boards_after(board, roll.high, roll.low) or {board}
        ways = self.cube.utilities[1 - side, 0]
        if not self.cube.is_money:
            ways = ways + 1e-5 * np.array([1, 2, 3, -1, -2, -3])
        return min(
            (plain_turned(each) for each in after),
            key=lambda each: plain_worth(self.rate(each), ways),
        )

    def value(self, board, plies, side, state):
        """What a position is worth to the side on roll, who doubles if that is better."""
        if plies == 0 or plain_is_over(board):
            boards = np.array([board], np.int8)
            outcomes = np.array([self.rate(board)], np.float32)
            return static_values(boards, outcomes, side, self.cube)[0][state]
        value = self.rolled(board, plies, side, state)
        if self.cube.may_double[side, state]:
            taken = self.rolled(board, plies, side, self.doubled(state)) * self.cube.factor
            if taken < 0 and self.cube.has_beavers:
                taken = 2 * taken
            level = 0 if state == 0 else (state - 1) // 2
            value = max(value, min(taken, self.cube.utilities[side, level, 0]))
        return value

    def doubled(self, state):
        """The state after a double and a take: money has one level only, a match many."""
        if self.cube.is_money:
            return 2
        return state + 3 if state else 4

    def rolled(self, board, plies, side, state):
        """What a position is worth to the side on roll, who does not double now."""
        turned = {0: 0}.get(state, state + 1 if state % 2 else state - 1)
        return -sum(
            roll.chance * self.value(self.reply(board, roll, side), plies - 1, 1 - side, turned)
            for roll in ROLLS
        )
