"""Games of a network against itself, and what it learns from each: TD(lambda) in one kernel."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards, fill_copy, fill_turned, points_lost
from bot.backgammon.kernels.dice import Generator, next_dice
from bot.backgammon.kernels.inputs import NO_FEATURES
from bot.backgammon.kernels.network import (
    Floats,
    Layers,
    NetworkWorkspace,
    fill_outputs,
    fill_root,
    fill_sibling_outputs,
    fill_sums,
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
def fill_lost(points: int, outputs: Floats) -> None:
    """Set the five chances of a player who has lost 1, 2 or 3 points; float32[5]."""
    outputs[:] = 0.0
    if points >= 2:
        outputs[3] = 1.0
    if points >= 3:
        outputs[4] = 1.0


@kernel
def turn_chances(chances: Floats) -> None:
    """Change five chances, float32[5], into those of the other player."""
    chances[0] = 1.0 - chances[0]
    for kind in range(1, 3):
        kept = chances[kind]
        chances[kind] = chances[kind + 2]
        chances[kind + 2] = kept


@kernel
def equity_of(chances: Floats) -> float:
    """Cubeless equity of five chances, float32[5], for the player whose chances they are."""
    won = 2.0 * chances[0] - 1.0 + chances[1] + chances[2]
    return float(won - chances[3] - chances[4])


@kernel
def best_reply(turned: Boards, replies: Boards, layers: Layers, workspace: NetworkWorkspace) -> int:
    """Index of the board that leaves the player on roll the least equity.

    turned: int8[26], the board before the play; replies: int8[m, 26], the boards after each play;
    all as the opponent sees them, who is on roll after the play.
    """
    fill_root(turned, layers, workspace)
    best = 0
    least = np.inf
    for i in range(replies.shape[0]):
        points = points_lost(replies[i])
        if points > 0:
            equity = -float(points)
        else:
            fill_sibling_outputs(turned, replies[i], layers, workspace, workspace.outputs)
            equity = equity_of(workspace.outputs)
        if equity < least:
            least = equity
            best = i
    return best


@kernel(fastmath=True)
def learn(
    board: Boards, target: Floats, rate: float, layers: Layers, workspace: NetworkWorkspace
) -> None:
    """Move the chances of a board, int8[26], towards the target by one gradient step.

    For networks on the classic inputs with one hidden layer. The gradient is that of the
    cross-entropy, so that rare gammons are learnt as fast as wins. Leaves the chances as
    they were before the step in workspace.outputs.
    """
    active = fill_sums(board, layers, workspace, workspace.sums)
    fill_outputs(layers, workspace, workspace.sums, workspace.outputs)
    units = workspace.sums.shape[0]
    back = workspace.sums
    for unit in range(units):
        back[unit] = 0.0
    for output in range(5):
        step = np.float32(rate * (target[output] - workspace.outputs[output]))
        for unit in range(units):
            back[unit] += step * layers.last[output, unit]
            layers.last[output, unit] += step * workspace.hidden[unit]
        layers.last_biases[output] += step
    for unit in range(units):
        if workspace.hidden[unit] <= 0.0:
            back[unit] = 0.0
        layers.biases[unit] += back[unit]
    for i in range(active):
        row = workspace.rows[i]
        value = workspace.factors[i]
        for unit in range(units):
            layers.first[row, unit] += value * back[unit]


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
    layers: Layers,
    workspace: NetworkWorkspace,
    plays: PlayWorkspace,
) -> tuple[int, int]:
    """Play one game against itself; plies played and points its last mover won, 0 if broken off.

    positions: int8[most plies + 1, 26], filled with the position before each ply and the last one,
    each seen by the player then on roll.
    """
    positions[0, :] = START_BOARD
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
            best = best_reply(following[0], plays.replies[:count], layers, workspace)
        fill_copy(plays.replies[best], following[0])
        points = points_lost(following[0])
        if points > 0:
            return ply + 1, points
    return most_plies, 0


@kernel
def learn_from_game(
    positions: Boards,
    plies: int,
    points: int,
    rate: float,
    trace: float,
    layers: Layers,
    workspace: NetworkWorkspace,
) -> None:
    """One step for each position of a game, from its last to its first, towards its lambda return.

    positions, plies, points: as play_game leaves them; trace: lambda, 0 to 1. A game broken off
    ends with the chances of its last position as they are evaluated.
    """
    later = np.empty(5, np.float32)
    if points > 0:
        fill_lost(points, workspace.outputs)
    else:
        fill_sums(positions[plies], layers, workspace, workspace.sums)
        fill_outputs(layers, workspace, workspace.sums, workspace.outputs)
    fill_copy(workspace.outputs, later)
    for ply in range(plies - 1, -1, -1):
        for output in range(5):
            later[output] = trace * later[output] + (1.0 - trace) * workspace.outputs[output]
        turn_chances(later)
        learn(positions[ply], later, rate, layers, workspace)


@kernel
def play_games(
    generator: Generator, layers: Layers, positions: Boards, plies: Counts, points: Counts
) -> int:
    """Play games against itself, as many as plies has room for; rows of positions filled.

    positions: int8[games * (most plies + 1), 26], filled with one game after another as play_game
    leaves them; plies, points: int32[games], filled with what play_game answers; generator:
    int64[4], changed.
    """
    workspace = network_workspace(layers, NO_FEATURES)
    plays = play_workspace()
    rows_of_game = positions.shape[0] // max(plies.shape[0], 1)
    row = 0
    for game in range(plies.shape[0]):
        plies[game], points[game] = play_game(
            positions[row : row + rows_of_game], generator, layers, workspace, plays
        )
        row += int(plies[game]) + 1
    return row


@kernel
def learn_from_games(
    positions: Boards,
    plies: Counts,
    points: Counts,
    rate: float,
    trace: float,
    layers: Layers,
    tally: Tally,
) -> None:
    """Learn from each game that play_games left, in turn; for the rest see learn_by_selfplay."""
    workspace = network_workspace(layers, NO_FEATURES)
    row = 0
    for game in range(plies.shape[0]):
        count = int(plies[game])
        won = int(points[game])
        learn_from_game(
            positions[row : row + count + 1], count, won, rate, trace, layers, workspace
        )
        row += count + 1
        tally[GAMES] += 1
        tally[PLIES] += count
        tally[BROKEN_OFF] += won == 0


@kernel
def learn_by_selfplay(
    games: int,
    most_plies: int,
    rate: float,
    trace: float,
    generator: Generator,
    layers: Layers,
    tally: Tally,
) -> None:
    """Play games against itself and learn from each before the next.

    most_plies: a longer game is broken off; rate: of learning; trace: lambda; generator and layers
    are changed; tally: int64[3], games, plies and games broken off are added.
    """
    positions = np.empty((most_plies + 1, 26), np.int8)
    workspace = network_workspace(layers, NO_FEATURES)
    plays = play_workspace()
    for _ in range(games):
        plies, points = play_game(positions, generator, layers, workspace, plays)
        learn_from_game(positions, plies, points, rate, trace, layers, workspace)
        tally[GAMES] += 1
        tally[PLIES] += plies
        tally[BROKEN_OFF] += points == 0
