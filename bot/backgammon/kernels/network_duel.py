"""Games of a network against a baseline or another network, each dice sequence played twice."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.baselines import (
    PubevalWeights,
    pubeval_choice,
    random_choice,
    simple_choice,
)
from bot.backgammon.kernels.boards import (
    Boards,
    fill_copy,
    fill_turned,
    points_lost_of,
    side_checkers,
)
from bot.backgammon.kernels.dice import WORDS, Generator, next_dice, next_word
from bot.backgammon.kernels.inputs import Features
from bot.backgammon.kernels.network import Layers, NetworkWorkspace, network_workspace
from bot.backgammon.kernels.plays import fill_plays
from bot.backgammon.kernels.selfplay import PlayWorkspace, best_reply, play_workspace
from bot.kernels import kernel

Points = NDArray[np.int8]

NETWORK, PUBEVAL, RANDOM, SIMPLE = range(4)
"""Kinds of players; the simple ones have further kinds, a plan of kernels/baselines.py added."""


class Duellist(NamedTuple):
    """One of two players: kind, one of the above; layers and features are a network's."""

    kind: int
    layers: Layers
    features: Features


@kernel
def _choice(
    player: Duellist,
    boards: Boards,
    checkers: int,
    count: int,
    plays: PlayWorkspace,
    workspace: NetworkWorkspace,
    pubeval: tuple[PubevalWeights, PubevalWeights],
    generator: Generator,
) -> int:
    """The row of plays.after that the player takes.

    boards: int8[2, 26], the board seen by the player and by the other side.
    """
    board = boards[0]
    if player.kind == NETWORK:
        fill_turned(plays.after[:count], plays.replies)
        replies = plays.replies[:count]
        best, _ = best_reply(boards[1], replies, checkers, player.layers, workspace)
        return best
    if player.kind == PUBEVAL:
        return pubeval_choice(board, plays.after, count, pubeval[0], pubeval[1])
    if player.kind >= SIMPLE:
        return simple_choice(player.kind - SIMPLE, board, plays.after, count)
    return random_choice(count, generator)


@kernel
def play_pairs(
    most_plies: int,
    start: Boards,
    generator: Generator,
    player: Duellist,
    opponent: Duellist,
    pubeval: tuple[PubevalWeights, PubevalWeights],
    points: Points,
) -> int:
    """Play pairs of games with the same dice, the player moving first in each first; plies played.

    start: the first board, int8[26]; generator: int64[4], changed, gives every pair its dice;
    pubeval: its contact and race weights; points: int8[n, 2], filled with what the player won in
    each game, 0 for one broken off at most_plies.
    """
    workspaces = (
        network_workspace(player.layers, player.features),
        network_workspace(opponent.layers, opponent.features),
    )
    checkers = side_checkers(start)
    plays = play_workspace()
    boards = np.empty((2, 26), np.int8)
    dice = np.empty(WORDS, np.int64)
    choices = np.empty(WORDS, np.int64)
    words = np.empty(2 * WORDS, np.int64)
    plies = 0
    for pair in range(points.shape[0]):
        for i in range(2 * WORDS):
            words[i] = next_word(generator)
        for game in range(2):
            fill_copy(words[:WORDS], dice)
            fill_copy(words[WORDS:], choices)
            points[pair, game] = 0
            boards[0, :] = start
            for ply in range(most_plies):
                plies += 1
                high, low = next_dice(dice, ply == 0)
                ours = ply % 2 == game
                board = boards[0]
                count = fill_plays(
                    board, high, low, plays.work, plays.after, plays.steps, plays.keys
                )
                fill_turned(boards[0:1], boards[1:2])
                if count > 0:
                    best = 0
                    if count > 1:
                        mover = player if ours else opponent
                        workspace = workspaces[0] if ours else workspaces[1]
                        best = _choice(
                            mover, boards, checkers, count, plays, workspace, pubeval, choices
                        )
                    fill_turned(plays.after[best : best + 1], boards[1:2])
                fill_copy(boards[1], boards[0])
                lost = points_lost_of(boards[0], checkers)
                if lost > 0:
                    points[pair, game] = lost if ours else -lost
                    break
    return plies
