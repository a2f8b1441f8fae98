"""The slow obvious twin of a rollout's trial: one state after another, in plain Python.

What a position is worth with the cube comes from a new cube table for every state, in which the
player on roll is always the root's; rate gives the five chances of the player on roll at a board.
"""

from dataclasses import replace

import numpy as np

from bot.backgammon.evaluation.cube import (
    answer,
    cube_evaluation,
    cube_table,
    may_double,
    rolled_values,
    static_values,
)
from bot.backgammon.rules.decision import ChooseCheckerPlay, ChooseCubeAction, DoubleAnswer
from bot.backgammon.rules.match import Cube, CubeOwner
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import ROLLS
from tests.plain.plays import plain_boards_after
from tests.plain.search import plain_equity, plain_is_over, plain_turned_chances


class PlainTrial:
    """A game from a start, by players who rate positions so; counted for the start's player.

    engine: who plays, doubles and takes; without one it is done by what is seen at once.
    """

    def __init__(self, start, rate, met, engine=None):
        self.engine = engine
        self.start = start
        self.rate = rate
        self.met = met

    def scale(self, state):
        """What a point at the state's cube counts."""
        return 1 if state.score else state.cube.value / self.start.unit

    def values(self, state, function):
        """The state's table and what its player on roll has, in every state of the cube."""
        state = replace(state, money=replace(state.money, beavers=False))
        table = cube_table(state, self.met)
        chances = np.array([self.rate(state.position.points)], np.float32)
        return table, function(state.position.board[np.newaxis], chances, 0, table)[0]

    def static(self, state):
        """What the player on roll has before he doubles or rolls."""
        if not self.start.has_cube:
            return plain_equity(self.rate(state.position.points))
        table, values = self.values(state, static_values)
        return self.scale(state) * values[table.root]

    def reply(self, state, roll):
        """The other side's state after the best play."""
        points = state.position.points
        after = plain_boards_after(points, roll.high, roll.low) or {points}
        states = [replace(state, position=Position(each)).turned() for each in after]
        return min(
            states,
            key=lambda each: (self.static(each), plain_equity(self.rate(each.position.points))),
        )

    def played(self, state, roll):
        """The other side's state after the play that is made."""
        if not self.engine:
            return self.reply(state, roll)
        after = self.engine.decide(ChooseCheckerPlay(state, roll)).play.after
        return replace(state, position=after).turned()

    def doubled(self, state):
        """The state once its player has had his right to double, and whether it was dropped."""
        table, rolled = self.values(state, rolled_values)
        if not self.start.has_cube or not may_double(table):
            return state, False
        evaluation = cube_evaluation(rolled, table)
        if self.engine:
            evaluation = self.engine.decide(ChooseCubeAction(state)).evaluation
        if min(evaluation.double_take, evaluation.double_drop) < evaluation.no_double:
            return state, False
        taken = replace(state, cube=Cube(2 * state.cube.value, CubeOwner.OTHER))
        return taken, answer(evaluation) is DoubleAnswer.DROP

    def sample(self, rolls, *, is_reduced):
        """The five chances and the utility at the end, less their luck if that is asked for."""
        state = self.start.state
        luck = [0.0] * 6
        is_own = True
        for number, roll in enumerate(rolls):
            if number > 0 or self.start.may_double:
                before = state
                state, is_dropped = self.doubled(state)
                if is_dropped:
                    drops = cube_table(before, self.met).utilities[0, 0, 0]
                    chances = self.rate(before.position.points)
                    end = self.seen(chances, self.scale(before) * drops, is_own)
                    break
            if is_reduced:
                for i, part in enumerate(self.luck(state, roll, is_own)):
                    luck[i] += part
            state = self.played(state, roll)
            is_own = not is_own
            end = self.end(state, is_own)
            if plain_is_over(state.position.points):
                break
        return tuple(value - less for value, less in zip(end, luck, strict=True))

    def luck(self, state, roll, is_own):
        ends = {each: self.end(self.reply(state, each), not is_own) for each in ROLLS}
        means = [sum(each.chance * ends[each][i] for each in ROLLS) for i in range(6)]
        return [end - mean for end, mean in zip(ends[roll], means, strict=True)]

    def end(self, state, is_own):
        return self.seen(self.rate(state.position.points), self.static(state), is_own)

    def seen(self, chances, utility, is_own):
        """What the player on roll has, as the start's player has it."""
        if is_own:
            return (*chances, utility)
        return (*plain_turned_chances(chances), -utility)
