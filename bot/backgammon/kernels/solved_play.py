"""A network's play of hypergammon beside perfect play, from the solved game."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import (
    Boards,
    fill_copy,
    fill_turned,
    points_lost_of,
    side_checkers,
)
from bot.backgammon.kernels.dice import CHANCES, DICE, ROLL_COUNT, Generator, next_dice
from bot.backgammon.kernels.hypergammon import Doubles, number_on
from bot.backgammon.kernels.inputs import Features
from bot.backgammon.kernels.network import (
    Layers,
    NetworkWorkspace,
    fill_outputs,
    fill_sums,
    network_workspace,
)
from bot.backgammon.kernels.plays import fill_plays
from bot.backgammon.kernels.selfplay import PlayWorkspace, best_reply, equity_of, play_workspace
from bot.kernels import inner, kernel

Counts = NDArray[np.int64]


class Solved(NamedTuple):
    """The solved game: start, int8[26]; numbers of sides and equities as in the Hypergammon."""

    start: Boards
    numbers: NDArray[np.int16]
    equities: Doubles


class Shortfall(NamedTuple):
    """Sums of each game; float64[games, 2] by whether it is play or evaluation, and counts, int64.

    sums: equity that plays gave away, and absolute errors of evaluations before the roll; counts:
    decisions with several plays, and positions.
    """

    sums: Doubles
    counts: Counts


@inner
def _exact(board: Boards, turned: Boards, solved: Solved) -> float:
    """Equity of rolling on a board, int8[26], given as the other side sees it, too."""
    own = number_on(board, solved.numbers)
    other = number_on(turned, solved.numbers)
    return float(solved.equities[own, other])


@kernel
def _looked_ahead(
    board: Boards, checkers: int, layers: Layers, workspace: NetworkWorkspace, plays: PlayWorkspace
) -> float:
    """Equity of rolling on a board by the network's evaluations after each roll's best play."""
    turned = np.empty((1, 26), np.int8)
    boards = np.empty((1, 26), np.int8)
    fill_copy(board, boards[0])
    fill_turned(boards, turned)
    total = 0.0
    for roll in range(ROLL_COUNT):
        high, low = DICE[roll]
        count = fill_plays(board, high, low, plays.work, plays.after, plays.steps, plays.keys)
        if count == 0:
            fill_copy(turned[0], plays.replies[0])
            count = 1
        else:
            fill_turned(plays.after[:count], plays.replies)
        _, least = best_reply(turned[0], plays.replies[:count], checkers, layers, workspace)
        total -= CHANCES[roll] * least
    return total


@kernel
def _choice(
    turned: Boards,
    replies: Boards,
    plies: int,
    checkers: int,
    layers: Layers,
    workspace: NetworkWorkspace,
    plays: PlayWorkspace,
) -> int:
    """Index of the reply that the network leaves, looking so many plies ahead, 0 or 1."""
    if plies == 0:
        best, _ = best_reply(turned, replies, checkers, layers, workspace)
        return best
    best = 0
    least = np.inf
    for i in range(replies.shape[0]):
        lost = points_lost_of(replies[i], checkers)
        if lost > 0:
            equity = -float(lost)
        else:
            equity = _looked_ahead(replies[i], checkers, layers, workspace, plays)
        if equity < least:
            least = equity
            best = i
    return best


@kernel
def add_shortfall(
    plies: int,
    most_plies: int,
    generator: Generator,
    layers: Layers,
    features: Features,
    solved: Solved,
    shortfall: Shortfall,
) -> None:
    """Add up how far a network's games against itself stay behind perfect play, game by game.

    plies: that it looks ahead, 0 or 1; a game longer than most_plies is broken off; generator:
    int64[4], changed; shortfall: zeros, as many rows as games; positions but the first are counted,
    so that a game broken off has most_plies - 1.
    """
    workspace = network_workspace(layers, features)
    plays, deeper = play_workspace(), play_workspace()
    checkers = side_checkers(solved.start)
    boards = np.empty((2, 26), np.int8)
    for game in range(shortfall.sums.shape[0]):
        fill_copy(solved.start, boards[0])
        for ply in range(most_plies):
            fill_turned(boards[0:1], boards[1:2])
            fill_sums(boards[0], layers, workspace, workspace.sums)
            fill_outputs(layers, workspace, workspace.sums, workspace.outputs)
            error = equity_of(workspace.outputs) - _exact(boards[0], boards[1], solved)
            if ply > 0:
                shortfall.sums[game, 1] += abs(error)
                shortfall.counts[game, 1] += 1
            high, low = next_dice(generator, ply == 0)
            count = fill_plays(
                boards[0], high, low, plays.work, plays.after, plays.steps, plays.keys
            )
            if count == 0:
                fill_copy(boards[1], boards[0])
                continue
            fill_turned(plays.after[:count], plays.replies)
            replies = plays.replies[:count]
            best = _choice(boards[1], replies, plies, checkers, layers, workspace, deeper)
            if count > 1:
                least = np.inf
                for i in range(count):
                    least = min(least, _exact(replies[i], plays.after[i], solved))
                left = _exact(replies[best], plays.after[best], solved)
                shortfall.sums[game, 0] += left - least
                shortfall.counts[game, 0] += 1
            fill_copy(replies[best], boards[0])
            if points_lost_of(boards[0], checkers) > 0:
                break


@kernel
def fill_perfect_points(generator: Generator, solved: Solved, points: NDArray[np.int8]) -> None:
    """Set what the first player wins in each game of perfect play, in points at cube 1; int8[n]."""
    plays = play_workspace()
    checkers = side_checkers(solved.start)
    boards = np.empty((2, 26), np.int8)
    for game in range(points.shape[0]):
        fill_copy(solved.start, boards[0])
        ply = 0
        lost = 0
        while lost == 0:
            high, low = next_dice(generator, ply == 0)
            fill_turned(boards[0:1], boards[1:2])
            count = fill_plays(
                boards[0], high, low, plays.work, plays.after, plays.steps, plays.keys
            )
            fill_turned(plays.after[:count], plays.replies)
            best = boards[1]
            least = np.inf
            for i in range(count):
                left = _exact(plays.replies[i], plays.after[i], solved)
                if left < least:
                    least = left
                    best = plays.replies[i]
            fill_copy(best, boards[0])
            lost = points_lost_of(boards[0], checkers)
            ply += 1
        points[game] = lost if ply % 2 == 1 else -lost
