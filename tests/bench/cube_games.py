"""Games that Blot plays against itself with the cube, 0 plies deep, for money or at a score.

A dropped double ends a game; to see how it would have ended at the board it is played on as if the
double had been taken.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from bot.backgammon.engine.rollout import Seat
from bot.backgammon.evaluation.cube import cube_table
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.kernels.boards import points_lost
from bot.backgammon.kernels.cube import (
    doubled_state,
    level_of,
    root_state,
    state_count,
    turned_state,
)
from bot.backgammon.kernels.cubeful_rollout import (
    DROPPED,
    NO_DOUBLE,
    double_result,
    fill_cubeful_reply,
)
from bot.backgammon.kernels.dice import WORDS, next_dice, next_word, roll_number
from bot.backgammon.kernels.search import fill_plays_of_roll
from bot.backgammon.kernels.selfplay import START_BOARD
from bot.backgammon.kernels.siblings import prepare_root
from bot.backgammon.rules.dice import new_generator
from bot.backgammon.rules.match import MAX_LENGTH, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START

MOST_PLIES = 2000
LOST = 2
"""Place of the ways to lose among those in which a game ends, less one (see CubeTable)."""

MONEY = GameState(START, money=MoneyRules(jacoby=False))


class Games(NamedTuple):
    """Games played, seen by the first player; he begins every other one.

    points: int8[n], of the end at the board, at cube 1; utilities: float64[n], of the end of the
    game with the cube (see CubeTable); is_dropped: bool[n], whether a double ended it.
    """

    points: np.ndarray
    utilities: np.ndarray
    is_dropped: np.ndarray


@njit
def play_games(cube, generator, rater, room, seats, games):
    """Fill all arrays; seats: 2 if games 2i and 2i + 1 have the same dice, else 1."""
    dice = np.empty(WORDS, np.int64)
    kept = np.empty(WORDS, np.int64)
    board = np.empty(26, np.int8)
    reply = np.empty(26, np.int8)
    turned = np.empty(26, np.int8)
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
        for ply in range(MOST_PLIES):
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
            count = max(fill_plays_of_roll(board, roll_number(high, low), room), 1)
            prepare_root(board, rater, room.siblings)
            fill_cubeful_reply(
                board, count, side, state, cube, rater, room, turned, values, reply, chances
            )
            board[:] = reply
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


def games_of(
    state: GameState,
    met: MatchEquityTable | None,
    count: int,
    seed: int,
    seat: Seat,
    *,
    stream: int = 0,
) -> Games:
    """Play; the first player is the state's player on roll, and its position is not looked at.

    At a score the same dice are played twice with the sides swapped; as for money both sides want
    the same, the other game would be the same there.
    """
    games = Games(np.zeros(count, np.int8), np.zeros(count), np.zeros(count, np.bool_))
    cube = cube_table(state, met, seat.evaluator.tables)
    seats = 1 if state.score is None else 2
    play_games(cube, new_generator(seed, stream), seat.rater, seat.room, seats, games)
    if not games.points.all():
        raise SystemExit(f"{np.sum(games.points == 0)} games were not finished")
    return games


def state_at(away: int, other_away: int, *, is_crawford: bool = False) -> GameState:
    """Before a game at such away scores; the first player's first."""
    score = Score(MAX_LENGTH, MAX_LENGTH - away, MAX_LENGTH - other_away, is_crawford)
    return GameState(START, score=score)


def mean_and_error(values: np.ndarray) -> tuple[float, float]:
    """Mean of a value per game at a score and its standard error, pairs being the samples."""
    pairs = values.reshape(-1, 2).mean(axis=1)
    return float(pairs.mean()), float(pairs.std(ddof=1) / len(pairs) ** 0.5)


def share_and_error(part: np.ndarray, whole: np.ndarray) -> tuple[float, float]:
    """Share of the games of the whole that are in the part, and its standard error; bool[n]."""
    games = int(whole.sum())
    share = float((part & whole).sum()) / games
    return share, (share * (1 - share) / games) ** 0.5
