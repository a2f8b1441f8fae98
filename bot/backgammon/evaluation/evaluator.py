"""Evaluator: the chances of the player on roll, whatever the phase of the game."""

from typing import Protocol

import numpy as np

from bot.backgammon.evaluation.bearoff import NO_DATABASES, known_outcomes
from bot.backgammon.evaluation.network import Network, load_network
from bot.backgammon.kernels.bearoff import BearoffDatabases
from bot.backgammon.kernels.boards import Boards, points_lost
from bot.backgammon.kernels.outcomes import fill_clamped
from bot.backgammon.rules.outcome import OUTPUTS, Outcomes
from bot.backgammon.rules.position import checked_boards
from bot.weights import DEFAULT, tree_weights


class Evaluator(Protocol):
    """An evaluator gives the five chances of positions."""

    def outcomes(self, boards: Boards) -> Outcomes:
        """Chances of the player on roll; int8[n, 26] in, float32[n, 5] out, a new array."""


class NetworkEvaluator:
    """Finished games exactly, every other position by one network."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def outcomes(self, boards: Boards) -> Outcomes:
        """Chances of the player on roll; int8[n, 26] in, float32[n, 5] out, a new array."""
        outcomes = self.network.outcomes(boards)
        for i in _finished(boards):
            outcomes[i] = _outcomes_lost(int(points_lost(boards[i])))
        return outcomes


class CompositeEvaluator:
    """Finished games and bear-offs exactly, the rest by a network within what the board allows.

    tree: the evaluator of all that is looked at in searches deeper than one ply, but for back games
    (see Search), and of rollouts: a quicker one, or itself.
    """

    def __init__(
        self,
        network: Network,
        databases: BearoffDatabases = NO_DATABASES,
        tree: "CompositeEvaluator | None" = None,
    ) -> None:
        self.network = network
        self.databases = databases
        self.tree = tree or self

    def outcomes(self, boards: Boards) -> Outcomes:
        """Chances of the player on roll; int8[n, 26] in, float32[n, 5] out, a new array.

        Raises ValueError for what are no positions.
        """
        boards = checked_boards(boards)
        outcomes, is_exact = known_outcomes(boards, self.databases)
        for i in _finished(boards):
            outcomes[i] = _outcomes_lost(int(points_lost(boards[i])))
            is_exact[i] = True
        rest = np.flatnonzero(~is_exact)
        if len(rest):
            evaluated = self.network.outcomes(boards[rest])
            fill_clamped(boards[rest], evaluated)
            outcomes[rest] = evaluated
        return outcomes


def load_evaluator(
    name: str = DEFAULT, databases: BearoffDatabases = NO_DATABASES
) -> CompositeEvaluator:
    """The evaluator of weights by name or file, with the one of the weights listed for its trees.

    Raises ValueError if there are no such weights.
    """
    network, tree = load_network(name), tree_weights(name)
    if tree is None:
        return CompositeEvaluator(network, databases)
    return CompositeEvaluator(network, databases, CompositeEvaluator(load_network(tree), databases))


def _finished(boards: Boards) -> list[int]:
    """Rows in which the other side has borne off its last checker."""
    return [int(i) for i in np.flatnonzero(~(boards < 0).any(axis=1))]


def _outcomes_lost(points: int) -> Outcomes:
    outcomes = np.zeros(OUTPUTS, np.float32)
    outcomes[3] = points >= 2
    outcomes[4] = points >= 3
    return outcomes
