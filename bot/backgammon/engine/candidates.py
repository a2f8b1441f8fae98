"""Candidates: the legal plays of a roll, and what each is worth."""

import math
from copy import copy

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.engine.move_filter import MoveFilter
from bot.backgammon.evaluation.cube import NO_CUBE_TABLE, Values, equity_of, states_of
from bot.backgammon.evaluation.evaluator import Evaluator
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.cube import CubeTable, fill_utility_weights, turned_state
from bot.backgammon.kernels.plays import Steps
from bot.backgammon.kernels.search import fill_leaves
from bot.backgammon.rules.decision import Dice
from bot.backgammon.rules.outcome import OUTPUTS, Equities, Outcomes, cubeless_equities
from bot.backgammon.rules.play import RollWorkspace, boards_after
from bot.backgammon.rules.position import turned_boards
from bot.backgammon.rules.roll import Roll

Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]

CUBELESS = NO_CUBE_TABLE._replace(may_double=np.zeros((2, 0), np.bool_))
"""No cube at all, nothing but chances."""


class Candidates:
    """The legal plays of a roll and what a search has found out about each.

    after: int8[m, 26] seen by the mover; steps: int8[m, 8], as fill_plays leaves them; outcomes:
    float32[m, 5], the other player's chances after each play; cube: which the plays are evaluated
    with; values: float64[m, K], the other player's utility in each state of that cube; plies:
    int64[m], how deep it was evaluated; is_exact: bool[m], nothing can be better known whatever the
    depth; is_wanted: bool[m], every filter lets it through.
    """

    def __init__(
        self,
        after: Boards,
        steps: Steps,
        outcomes: Outcomes,
        is_exact: Flags | None = None,
        cube: CubeTable = CUBELESS,
    ) -> None:
        self.after = after
        self.steps = steps
        self.outcomes = outcomes
        self.is_exact = np.zeros(len(after), np.bool_) if is_exact is None else is_exact
        self.cube = cube
        self.is_wanted = np.zeros(len(after), np.bool_)
        self.values: Values = np.empty((len(after), states_of(cube)))
        self.plies: Indices = np.zeros(len(after), np.int64)
        if self.values.size:
            fill_leaves(turned_boards(after), outcomes, 1, cube, self.is_exact, self.values)

    @property
    def utilities(self) -> Values | Equities:
        """Utility of each play to the mover: cubeful utility, or cubeless equity."""
        if states_of(self.cube) == 0:
            return -cubeless_equities(self.outcomes)
        utilities: Values = -self.values[:, turned_state(self.cube.root)]
        return utilities

    def ranked(self) -> tuple[Indices, Values | Equities]:
        """Plays from the best on, those evaluated deeper before all others; and the utilities.

        Of plays worth the same with the cube, as all that leave the other a cash, the best without
        it comes first, as GNU Backgammon does (eval.c, CompareMoves). int64[m], the plays' numbers,
        and [m], by these numbers.
        """
        utilities = self.utilities
        keys = [-utilities, -self.plies]
        if states_of(self.cube) > 0:
            weights = np.empty(1 + OUTPUTS, np.float32)
            fill_utility_weights(1, self.cube, weights)
            # not `@`: for five columns OpenBLAS 0.3.31 reads a stack that it has not written on
            # processors with AVX-512, and numpy may then warn of an invalid value in a right result
            keys.insert(0, (self.outcomes * weights[1:]).sum(axis=1))
        order: Indices = np.lexsort(keys)
        return order, utilities

    def margin(self, order: list[int], utilities: list[float]) -> float:
        """By how much equity the best play is better than the next one evaluated as deep.

        order, utilities: as in `ranked`. Infinite if there is no such play.
        """
        if len(order) < 2 or self.plies[order[0]] != self.plies[order[1]]:
            return math.inf
        best, following = (equity_of(utilities[i], self.cube) for i in order[:2])
        return best - following

    def passing(self, move_filter: MoveFilter) -> Indices:
        """The plays that a filter lets through, of those evaluated deepest."""
        order, utilities = self.ranked()
        order = order[self.plies[order] == self.plies[order[0]]]
        utilities = utilities[order]
        behind = utilities[0] - utilities
        point = (self.cube.utilities[0, 0, 0] - self.cube.utilities[0, 0, 3]) / 2
        within = int(np.count_nonzero(behind <= move_filter.margin * float(point)))
        passed = min(within, move_filter.most)
        passing: Indices = order[(np.arange(len(order)) < passed) | self.is_wanted[order]]
        return passing

    def copy(self) -> "Candidates":
        """A copy of the candidates, to be evaluated deeper."""
        copied = copy(self)
        copied.outcomes = self.outcomes.copy()
        copied.values = self.values.copy()
        copied.plies = self.plies.copy()
        return copied


def best_boards(
    boards: Boards, dice: Dice, evaluator: Evaluator, workspace: RollWorkspace
) -> Boards:
    """The board after the play of most cubeless equity on each board; see BatchDecider.

    The plays on all boards are evaluated at once.
    """
    chosen = boards.copy()
    asked: list[int] = []
    candidates: list[Boards] = []
    for i, (high, low) in enumerate(dice.tolist()):
        after, _ = boards_after(boards[i], Roll(high, low), workspace)
        if len(after) == 1:
            chosen[i] = after[0]
        elif len(after) > 1:
            asked.append(i)
            candidates.append(after.copy())
    if not asked:
        return chosen
    losses = cubeless_equities(evaluator.outcomes(turned_boards(np.concatenate(candidates))))
    first = 0
    for i, after in zip(asked, candidates, strict=True):
        chosen[i] = after[np.argmin(losses[first : first + len(after)])]
        first += len(after)
    return chosen
