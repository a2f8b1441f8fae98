"""Measure what the match equity table is computed from: how Blot's games against itself end.

Cubeless games, each sequence of dice played twice with the sides swapped. Every situation is one
player's use for gammons while a gammon is nothing to the other player, and money, where both use
them: plays are chosen by what they are worth there. Last, how often the player who trails after the
Crawford game is in front when he may double first, and what the other gains by a free drop.

    python -m tests.bench.measure_rates --pairs 50000
"""

import argparse
import time
from typing import NamedTuple

import numpy as np
from numba import njit

from bot.backgammon.kernels.boards import fill_turned, points_lost
from bot.backgammon.kernels.dice import WORDS, next_dice, next_word
from bot.backgammon.kernels.plays import fill_plays
from bot.backgammon.kernels.search import search_room
from bot.backgammon.kernels.selfplay import START_BOARD, turn_chances
from bot.backgammon.kernels.siblings import NO_LAYERS, Rater, prepare_root, rate_siblings
from bot.backgammon.rollout import RolloutPlayer
from bot.backgammon.selfplay import new_generator

MOST_PLIES = 1000

SITUATIONS = {
    "money": (2.0, 1.0, 1.0, -1.0, -1.0),
    "gammons worth half": (2.0, 1.0, 0.0, 0.0, 0.0),
    "gammons worth one": (2.0, 2.0, 0.0, 0.0, 0.0),
}
"""What each of his five chances is worth to the first player; the other wants the contrary."""


class Games(NamedTuple):
    """Games played: points the first player won, int8[n]; his chances before every roll but the
    first of each game, float32[rows, 5]; who was on roll there, bool[rows]; first
    rows of the games, int64[n + 1].
    """

    points: np.ndarray
    chances: np.ndarray
    is_own: np.ndarray
    starts: np.ndarray


@njit
def best_play(weights, is_own, count, room):
    """The rated play that the mover wants for what the first player's chances are worth."""
    best = 0
    most = -np.inf
    for i in range(count):
        chances = room.outcomes[i]  # of the player on roll after the play
        worth = 0.0
        if is_own:
            worth += weights[0] * (1.0 - chances[0])
            worth += weights[1] * chances[3] + weights[2] * chances[4]
            worth += weights[3] * chances[1] + weights[4] * chances[2]
        else:
            for chance in range(5):
                worth -= weights[chance] * chances[chance]
        if worth > most:
            most = worth
            best = i
    return best


@njit
def play_pairs(weights, generator, rater, room, points, chances, is_own, starts):
    """Fill all four with as many games as points has room for; rows are left out when full."""
    dice = np.empty(WORDS, np.int64)
    kept = np.empty(WORDS, np.int64)
    boards = np.empty((2, 26), np.int8)
    row = 0
    for game in range(points.shape[0]):
        if game % 2 == 0:
            for i in range(WORDS):
                kept[i] = next_word(generator)
        dice[:] = kept
        boards[0, :] = START_BOARD
        starts[game] = row
        points[game] = 0
        for ply in range(MOST_PLIES):
            mover = ply % 2 == game % 2
            high, low = next_dice(dice, ply == 0)
            count = fill_plays(boards[0], high, low, room.work, room.after, room.steps, room.keys)
            if count == 0:
                count = 1
                room.after[0] = boards[0]
                room.steps[0] = -1
            prepare_root(boards[0], rater, room.siblings)
            rate_siblings(boards[0], room.after, room.steps, count, False, rater, room.siblings)
            best = best_play(weights, mover, count, room.siblings)
            fill_turned(room.after[best : best + 1], boards[0:1])
            lost = points_lost(boards[0])
            if lost > 0:
                points[game] = lost if mover else -lost
                break
            if row < chances.shape[0]:
                chances[row] = room.siblings.outcomes[best]
                if mover:
                    turn_chances(chances[row])
                is_own[row] = not mover
                row += 1
    starts[points.shape[0]] = row


def games_of(situation: str, pairs: int, seed: int, player: RolloutPlayer, rows: int) -> Games:
    """Play; rows: so many chances are kept at most."""
    evaluator = player.evaluator()
    rater = Rater(evaluator.network.layers, NO_LAYERS, evaluator.tables)
    games = Games(
        np.zeros(2 * pairs, np.int8),
        np.zeros((rows, 5), np.float32),
        np.zeros(rows, np.bool_),
        np.zeros(2 * pairs + 1, np.int64),
    )
    weights = np.array(SITUATIONS[situation])
    play_pairs(weights, new_generator(seed), rater, search_room(rater), *games)
    if not games.points.all():
        raise SystemExit(f"{np.sum(games.points == 0)} games were not finished")
    return games


def mean_and_error(values: np.ndarray) -> tuple[float, float]:
    """Mean of a value per game and its standard error, pairs being the samples."""
    pairs = values.reshape(-1, 2).mean(axis=1)
    return float(pairs.mean()), float(pairs.std(ddof=1) / len(pairs) ** 0.5)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", default="ahead-256-64")
    options = parser.parse_args()
    player = RolloutPlayer(options.weights)
    games_of("money", 1, options.seed, player, 0)
    for situation in SITUATIONS:
        began = time.perf_counter()
        points = games_of(situation, options.pairs, options.seed, player, 0).points
        print(f"{situation}, {len(points)} games, {time.perf_counter() - began:.0f} s")
        for name, values in (
            ("won", points > 0),
            ("won a gammon or more", points >= 2),
            ("won a backgammon", points == 3),
            ("lost a gammon or more", points <= -2),
            ("lost a backgammon", points == -3),
        ):
            mean, error = mean_and_error(values)
            print(f"  {name}: {100 * mean:.2f} ± {100 * error:.2f} %", flush=True)


if __name__ == "__main__":
    main()
