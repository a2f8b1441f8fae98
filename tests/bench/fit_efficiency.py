"""Fit how live the cube is at the start of a game, for the match equity table.

Blot plays games against itself at some scores: plays, doubles and takes as its static cubeful
ratings say, by the match equity table as it is. The share of matches that a side wins so lies
between what the recurrence says of a dead and of a live cube. Each sequence of dice is played
twice with the sides swapped.

    python -m tests.bench.fit_efficiency --pairs 5000
"""

import argparse

import numpy as np
from numba import njit

from bot.backgammon.cube import cube_table
from bot.backgammon.kernels.boards import fill_turned, points_lost
from bot.backgammon.kernels.cube import (
    CENTRED,
    fill_rolled_values,
    fill_static_values,
    level_of,
    turned_state,
)
from bot.backgammon.kernels.dice import WORDS, next_dice, next_word
from bot.backgammon.kernels.plays import fill_plays
from bot.backgammon.kernels.search import search_room
from bot.backgammon.kernels.selfplay import START_BOARD
from bot.backgammon.kernels.siblings import NO_LAYERS, Rater, prepare_root, rate_siblings
from bot.backgammon.match import GameState, Score
from bot.backgammon.met import blot_table
from bot.backgammon.met_recurrence import MONEY, before_crawford, game_chances
from bot.backgammon.position import START
from bot.backgammon.rollout import RolloutPlayer
from bot.backgammon.selfplay import new_generator

LENGTH = 64
SCORES = ((3, 2), (4, 2), (4, 3), (5, 2), (5, 3), (6, 2), (6, 3), (7, 2))
"""Where it makes most of a difference how live the cube is."""


@njit
def best_play(board, count, side, state, cube, room, values):
    """The rated play after which the other player, who is on roll then, has least utility."""
    after = np.empty((1, 26), np.int8)
    best = 0
    least = np.inf
    for i in range(count):
        play = room.siblings.picked[i]
        fill_turned(room.after[play : play + 1], after)
        chances = room.siblings.outcomes[i]
        fill_static_values(after[0], chances, 1 - side, cube, values)
        worth = values[turned_state(state)]
        if worth < least:
            least = worth
            best = i
    return best


@njit
def play_game(dice, first, cube, rater, room):
    """Play one game; the utility of the score's player, side 0 of the cube, who begins if first."""
    board = START_BOARD.copy()
    values = np.empty(cube.doubled.shape[0])
    chances = np.zeros(5, np.float32)
    side = 0 if first else 1
    state = CENTRED
    ply = 0
    while True:
        if ply > 0 and cube.may_double[side, state]:
            fill_rolled_values(board, chances, side, cube, values)
            taken = values[cube.doubled[state]]
            drops = cube.utilities[side, level_of(state), 0]
            if min(taken, drops) >= values[state]:
                if taken > drops:
                    return drops if side == 0 else -drops
                state = cube.doubled[state]
        high, low = next_dice(dice, ply == 0)
        count = fill_plays(board, high, low, room.work, room.after, room.steps, room.keys)
        if count == 0:
            count = 1
            room.after[0] = board
            room.steps[0] = -1
        prepare_root(board, rater, room.siblings)
        rate_siblings(board, room.after, room.steps, count, False, rater, room.siblings)
        best = best_play(board, count, side, state, cube, room, values)
        play = room.siblings.picked[best]
        fill_turned(room.after[play : play + 1], board.reshape(1, 26))
        chances[:] = room.siblings.outcomes[best]
        state = turned_state(state)
        side = 1 - side
        ply += 1
        lost = points_lost(board)
        if lost > 0:
            return cube.utilities[side, level_of(state), 2 + lost] * (1 if side == 0 else -1)


@njit
def fill_results(generator, cube, rater, room, results):
    """Set the mean utilities of pairs of games with the same dice, float64[pairs]."""
    dice = np.empty(WORDS, np.int64)
    kept = np.empty(WORDS, np.int64)
    for pair in range(results.shape[0]):
        for i in range(WORDS):
            kept[i] = next_word(generator)
        results[pair] = 0.0
        for game in range(2):
            dice[:] = kept
            results[pair] += play_game(dice, game == 0, cube, rater, room) / 2


def ends_of(table: np.ndarray, away: int, other: int) -> list[float]:
    """Match-winning chance before a game with a dead and with a live cube, by the recurrence."""
    own = np.arange(2, away + other - 1)
    both = (game_chances(table, own, own[::-1], MONEY, x)[away - 2] for x in (0.0, 1.0))
    return [float(chance) for chance in both]


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--weights", default="ahead-256-64")
    options = parser.parse_args()
    evaluator = RolloutPlayer(options.weights).evaluator()
    rater = Rater(evaluator.network.layers, NO_LAYERS, evaluator.tables)
    room = search_room(rater)
    met = blot_table()
    table = before_crawford(np.array([1.0, *met.post]))
    found = []
    for stream, (away, other) in enumerate(SCORES):
        score = Score(LENGTH, LENGTH - away, LENGTH - other)
        cube = cube_table(GameState(START, score=score), met)
        results = np.empty(options.pairs)
        fill_results(new_generator(options.seed, stream), cube, rater, room, results)
        mean = 0.5 + 0.5 * results.mean()
        error = 0.5 * results.std(ddof=1) / options.pairs**0.5
        dead, live = ends_of(table, away, other)
        found.append((live - dead, mean - dead, error))
        print(
            f"{away} away, {other} away: {100 * mean:.2f} ± {100 * error:.2f} %, dead "
            f"{100 * dead:.2f}, live {100 * live:.2f}, table {100 * met.mwc(away, other):.2f}; "
            f"efficiency {(mean - dead) / (live - dead):.2f} ± {error / (live - dead):.2f}",
            flush=True,
        )
    gains, lifts, errors = np.array(found).T
    weights = gains / errors**2
    efficiency = weights @ lifts / (weights @ gains)
    left = lifts - efficiency * gains
    print(
        f"efficiency {efficiency:.3f} ± {(weights @ gains) ** -0.5:.3f}; games and recurrence then "
        f"differ by {100 * np.abs(left).mean():.2f} % on average, "
        f"chi square {np.sum((left / errors) ** 2):.1f} for {len(left) - 1}"
    )


if __name__ == "__main__":
    main()
