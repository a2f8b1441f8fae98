"""Games of a network against itself, and learning from one after another in one kernel."""

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
from bot.backgammon.kernels.dice import Generator, next_dice
from bot.backgammon.kernels.inputs import Features
from bot.backgammon.kernels.learning import Method, learn_from_game
from bot.backgammon.kernels.network import (
    Floats,
    Layers,
    NetworkWorkspace,
    fill_root,
    fill_sibling_outputs,
    network_workspace,
)
from bot.backgammon.kernels.plays import MAX_PLAYS, STEPS, Keys, Steps, fill_plays
from bot.kernels import kernel

Tally = NDArray[np.int64]
Counts = NDArray[np.int32]

START_BOARD = np.array(
    [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0], np.int8
)

GAMES, PLIES, BROKEN_OFF = range(3)
"""The counts of play_games, in this order."""


@kernel
def equity_of(chances: Floats) -> float:
    """Cubeless equity of five chances, float32[5], for the player whose chances they are."""
    won = 2.0 * chances[0] - 1.0 + chances[1] + chances[2]
    return float(won - chances[3] - chances[4])


@kernel
def best_reply(
    turned: Boards, replies: Boards, checkers: int, layers: Layers, workspace: NetworkWorkspace
) -> tuple[int, float]:
    """Index of the board that leaves the player on roll the least equity, and that equity.

    turned: int8[26], the board before the play; replies: int8[m, 26], the boards after each play;
    all as the opponent sees them, who is on roll after the play; checkers: that each side began
    with.
    """
    fill_root(turned, layers, workspace)
    best = 0
    least = np.inf
    for i in range(replies.shape[0]):
        points = points_lost_of(replies[i], checkers)
        if points > 0:
            equity = -float(points)
        else:
            fill_sibling_outputs(turned, replies[i], layers, workspace, workspace.outputs)
            equity = equity_of(workspace.outputs)
        if equity < least:
            least = equity
            best = i
    return best, least


class PlayWorkspace(NamedTuple):
    """Workspace for the plays of one roll, see fill_plays; replies: int8[MAX_PLAYS, 26]."""

    work: Boards
    after: Boards
    steps: Steps
    keys: Keys
    replies: Boards


@kernel
def play_workspace() -> PlayWorkspace:
    """A new workspace for plays."""
    return PlayWorkspace(
        np.empty(26, np.int8),
        np.empty((MAX_PLAYS, 26), np.int8),
        np.empty((MAX_PLAYS, STEPS), np.int8),
        np.empty(MAX_PLAYS, np.int64),
        np.empty((MAX_PLAYS, 26), np.int8),
    )


@kernel
def play_game(
    positions: Boards,
    generator: Generator,
    start: Boards,
    layers: Layers,
    workspace: NetworkWorkspace,
    plays: PlayWorkspace,
) -> tuple[int, int]:
    """Play one game against itself; plies played and points its last mover won, 0 if broken off.

    positions: int8[most plies + 1, 26], filled with the position before each ply and the last one,
    each seen by the player then on roll. start: int8[26], the first of them, with all the checkers
    that each side has in the game.
    """
    fill_copy(start, positions[0])
    checkers = side_checkers(start)
    most_plies = positions.shape[0] - 1
    for ply in range(most_plies):
        high, low = next_dice(generator, ply == 0)
        count = fill_plays(
            positions[ply], high, low, plays.work, plays.after, plays.steps, plays.keys
        )
        following = positions[ply + 1 : ply + 2]
        fill_turned(positions[ply : ply + 1], following)
        if count == 0:
            continue
        fill_turned(plays.after[:count], plays.replies)
        best = 0
        if count > 1:
            best, _ = best_reply(following[0], plays.replies[:count], checkers, layers, workspace)
        fill_copy(plays.replies[best], following[0])
        points = points_lost_of(following[0], checkers)
        if points > 0:
            return ply + 1, points
    return most_plies, 0


@kernel
def play_games(
    generator: Generator,
    start: Boards,
    layers: Layers,
    features: Features,
    positions: Boards,
    plies: Counts,
    points: Counts,
) -> int:
    """Play games against itself, as many as plies has room for; rows of positions filled.

    positions: int8[games * (most plies + 1), 26], filled with one game after another as play_game
    leaves them; plies, points: int32[games], filled with what play_game answers; generator:
    int64[4], changed; start: see play_game; features: that the network sees beside the classic
    inputs.
    """
    workspace = network_workspace(layers, features)
    plays = play_workspace()
    rows_of_game = positions.shape[0] // max(plies.shape[0], 1)
    row = 0
    for game in range(plies.shape[0]):
        plies[game], points[game] = play_game(
            positions[row : row + rows_of_game], generator, start, layers, workspace, plays
        )
        row += int(plies[game]) + 1
    return row


@kernel
def learn_from_games(
    positions: Boards,
    plies: Counts,
    points: Counts,
    method: Method,
    layers: Layers,
    features: Features,
    tally: Tally,
) -> None:
    """Learn from each game that play_games left, in turn; for the rest see learn_by_selfplay."""
    workspace = network_workspace(layers, features)
    row = 0
    for game in range(plies.shape[0]):
        count = int(plies[game])
        won = int(points[game])
        learn_from_game(positions[row : row + count + 1], count, won, method, layers, workspace)
        row += count + 1
        tally[GAMES] += 1
        tally[PLIES] += count
        tally[BROKEN_OFF] += won == 0


@kernel
def learn_by_selfplay(
    games: int,
    most_plies: int,
    method: Method,
    generator: Generator,
    start: Boards,
    layers: Layers,
    features: Features,
    tally: Tally,
) -> None:
    """Play games against itself and learn from each before the next.

    most_plies: a longer game is broken off; generator and layers are changed; start: see play_game;
    features: that the network sees beside the classic inputs; tally: int64[3], games, plies and
    games broken off are added.
    """
    positions = np.empty((most_plies + 1, 26), np.int8)
    workspace = network_workspace(layers, features)
    plays = play_workspace()
    for _ in range(games):
        plies, points = play_game(positions, generator, start, layers, workspace, plays)
        learn_from_game(positions, plies, points, method, layers, workspace)
        tally[GAMES] += 1
        tally[PLIES] += plies
        tally[BROKEN_OFF] += points == 0
