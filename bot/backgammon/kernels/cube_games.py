"""Games of a player against itself with the cube, 0 plies deep, each to its end at the board."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import fill_copy, points_lost
from bot.backgammon.kernels.cube import (
    CubeTable,
    Values,
    doubled_state,
    level_of,
    root_state,
    state_count,
    turned_state,
)
from bot.backgammon.kernels.dice import WORDS, Generator, next_dice, next_word, roll_number
from bot.backgammon.kernels.rollout import (
    DROPPED,
    NO_DOUBLE,
    Replies,
    double_result,
    fill_replies_to,
)
from bot.backgammon.kernels.search import Flags, Tools
from bot.backgammon.kernels.selfplay import START_BOARD
from bot.kernels import kernel
from bot.kernels.held import Held

MAX_PLIES = 2000
LOST = 2
"""Place of the ways to lose among those in which a game ends, less one (see CubeTable)."""


class CubeGames(NamedTuple):
    """Games played, seen by the first player; he begins every other one.

    points: int8[n], of the end at the board, at cube 1, 0 if a game was broken off; utilities:
    float64[n], of the end of the game with the cube (see CubeTable); is_dropped: bool[n], whether
    a double ended it.
    """

    points: NDArray[np.int8]
    utilities: Values
    is_dropped: Flags


@kernel
def fill_cube_games(
    cube: CubeTable,
    generator: Generator,
    tools: Held[Tools],
    replies: Replies,
    seats: int,
    games: CubeGames,
) -> None:
    """Play as many games as the arrays have places, which are zero, and set how each ended.

    A dropped double ends a game; to see how it would have ended at the board it is played on as if
    the double had been taken. replies: of one node, changed; seats: 2 if games 2i and 2i + 1
    have the same dice, else 1.
    """
    dice = np.empty(WORDS, np.int64)
    kept = np.empty(WORDS, np.int64)
    board = np.empty(26, np.int8)
    chances = np.empty(5, np.float32)
    values = np.empty(state_count(cube))
    for game in range(games.points.shape[0]):
        if game % seats == 0:
            for i in range(WORDS):
                kept[i] = next_word(generator)
        dice[:] = kept
        board[:] = START_BOARD
        side = game % 2
        state = root_state(cube)
        stake = 1.0
        for ply in range(MAX_PLIES):
            sign = 1 - 2 * side
            if ply > 0:
                result = double_result(board, chances, side, state, cube, values)
                if result == DROPPED and not games.is_dropped[game]:
                    single = cube.utilities[side, level_of(state), 0]
                    games.utilities[game] = sign * stake * single
                    games.is_dropped[game] = True
                if result != NO_DOUBLE:
                    state = doubled_state(state, cube)
                    stake *= cube.factor
            high, low = next_dice(dice, ply == 0)
            roll = roll_number(high, low)
            rolls = (roll, roll + 1)
            fill_replies_to(rolls, board, side, state, cube, tools, replies)
            fill_copy(replies.boards[roll], board)
            fill_copy(replies.outcomes[roll], chances)
            side = 1 - side
            state = turned_state(state)
            lost = points_lost(board)
            if lost > 0:
                sign = 1 - 2 * side
                games.points[game] = -sign * lost
                if not games.is_dropped[game]:
                    utility = cube.utilities[side, level_of(state), LOST + lost]
                    games.utilities[game] = sign * stake * utility
                break
