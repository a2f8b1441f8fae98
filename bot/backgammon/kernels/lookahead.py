"""Positions from self-play, each with its chances after one ply of exact lookahead."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import BearoffTables, bearoff_outcomes
from bot.backgammon.kernels.boards import Boards, fill_turned, points_lost
from bot.backgammon.kernels.dice import Generator, next_below, next_dice, next_word
from bot.backgammon.kernels.network import (
    Floats,
    Layers,
    Room,
    fill_root,
    fill_sibling_outputs,
    room_for,
)
from bot.backgammon.kernels.plays import fill_plays
from bot.backgammon.kernels.selfplay import (
    START_BOARD,
    PlayRoom,
    equity_of,
    fill_lost,
    play_room,
    turn_chances,
)

_MOST_PLIES = 400
_MOST_RANDOM_OPENING = 12


@njit(cache=True)
def _rate(
    root: Boards,
    board: Boards,
    layers: Layers,
    tables: BearoffTables,
    room: Room,
    chances: Floats,
) -> None:
    """Set the chances of the player on roll: exact where the game is over or in the tables."""
    points = points_lost(board)
    if points > 0:
        fill_lost(points, chances)
    elif not bearoff_outcomes(board, tables, chances):
        fill_sibling_outputs(root, board, layers, room, chances)


@njit(cache=True)
def fill_expectation(
    board: Boards,
    layers: Layers,
    tables: BearoffTables,
    room: Room,
    plays: PlayRoom,
    expectation: Floats,
) -> None:
    """Set the chances of the player on roll, averaged over the 21 rolls, each played best.

    board: int8[26]; expectation: float32[5]. What is best after each roll the network says.
    """
    turned = np.empty((1, 26), np.int8)
    best = np.empty(5, np.float32)
    fill_turned(board.reshape(1, 26), turned)
    fill_root(turned[0], layers, room)
    expectation[:] = 0.0
    for high in range(1, 7):
        for low in range(1, high + 1):
            count = fill_plays(board, high, low, plays.work, plays.after, plays.steps, plays.keys)
            if count == 0:
                _rate(turned[0], turned[0], layers, tables, room, best)
            else:
                fill_turned(plays.after[:count], plays.replies)
                least = np.inf
                for i in range(count):
                    _rate(turned[0], plays.replies[i], layers, tables, room, room.outputs)
                    equity = equity_of(room.outputs)
                    if equity < least:
                        least = equity
                        best[:] = room.outputs
            turn_chances(best)
            weight = np.float32(1 / 36 if high == low else 1 / 18)
            for output in range(5):
                expectation[output] += weight * best[output]


@njit(cache=True)
def _noise(amplitude: float, generator: Generator) -> float:
    """A number between 0 and the amplitude, all equally likely."""
    return amplitude * (next_word(generator) / 4294967296.0)


@njit(cache=True)
def _chosen(
    turned: Boards,
    count: int,
    amplitude: float,
    layers: Layers,
    tables: BearoffTables,
    room: Room,
    plays: PlayRoom,
    generator: Generator,
) -> int:
    """The best of the plays in plays.replies once noise up to the amplitude is added to each."""
    fill_root(turned, layers, room)
    chosen = 0
    least = np.inf
    for i in range(count):
        _rate(turned, plays.replies[i], layers, tables, room, room.outputs)
        equity = equity_of(room.outputs) - _noise(amplitude, generator)
        if equity < least:
            least = equity
            chosen = i
    return chosen


@njit(cache=True)
def fill_examples(
    games: int,
    layers: Layers,
    tables: BearoffTables,
    generator: Generator,
    boards: Boards,
    targets: Floats,
    counts: NDArray[np.int64],
) -> int:
    """Fill positions of games against itself and their chances after one ply; their number.

    boards: int8[n, 26], each seen by the player on roll; targets: float32[n, 5], that player's
    chances; counts: int64[3], games, plies and games broken off are added; the generator changes.
    For variety a game in four opens with up to twelve random plays, half the games choose among
    plays with noise up to 0.02 to 0.16 points, and one play in fifty is any legal one. A game
    ends where the bear-off tables know the rest; once the boards are full there are no more.
    """
    room = room_for(layers)
    plays = play_room()
    game = np.empty((2, 26), np.int8)
    filled = 0
    for _ in range(games):
        game[0, :] = START_BOARD
        amplitude = 0.0
        if next_below(generator, 2) == 0:
            amplitude = 0.02 * 2.0 ** next_below(generator, 4)
        random_plies = 0
        if next_below(generator, 4) == 0:
            random_plies = next_below(generator, _MOST_RANDOM_OPENING) + 1
        counts[0] += 1
        ply = 0
        while filled < boards.shape[0]:
            if points_lost(game[0]) > 0 or bearoff_outcomes(game[0], tables, room.outputs):
                break
            if ply == _MOST_PLIES:
                counts[2] += 1
                break
            boards[filled, :] = game[0]
            fill_expectation(game[0], layers, tables, room, plays, targets[filled])
            filled += 1
            counts[1] += 1
            high, low = next_dice(generator, ply == 0)
            fill_turned(game[0:1], game[1:2])
            count = fill_plays(game[0], high, low, plays.work, plays.after, plays.steps, plays.keys)
            if count > 0:
                fill_turned(plays.after[:count], plays.replies)
                if ply < random_plies or next_below(generator, 50) == 0:
                    chosen = next_below(generator, count)
                else:
                    chosen = _chosen(
                        game[1], count, amplitude, layers, tables, room, plays, generator
                    )
                game[1, :] = plays.replies[chosen]
            game[0, :] = game[1]
            ply += 1
    return filled
