"""Measure what the match equity table is computed from: how Blot's games against itself end.

Cubeless games, each sequence of dice played twice with the sides swapped, in which gammons are
worth this or that to each player and plays are chosen by it. First, how good the position of a
player is when he may first double.

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
from bot.backgammon.kernels.selfplay import START_BOARD
from bot.backgammon.kernels.siblings import NO_LAYERS, Rater, prepare_root, rate_siblings
from bot.backgammon.position import START, turned_boards
from bot.backgammon.roll import ROLLS
from bot.backgammon.rollout import RolloutPlayer
from bot.backgammon.search import Search, SearchSettings
from bot.backgammon.selfplay import new_generator

MOST_PLIES = 1000

SITUATIONS = {
    "1/2, 1/2": (2.0, 1.0, 1.0, -1.0, -1.0),
    "1/2, 0": (2.0, 1.0, 0.0, 0.0, 0.0),
    "1, 0": (2.0, 2.0, 0.0, 0.0, 0.0),
}
"""What a gammon adds to a win for the first player and for the other, in wins; and what each of the
first player's five chances is worth to him for it. The other wants the contrary. The first are
money games, the only ones in which backgammons count."""


class Games(NamedTuple):
    """Games played: points the first player won, int8[n]; first rows of the games, int64[n + 1].

    A row is a position before a roll, those of the opening left out: boards int8[rows, 26] and
    chances float32[rows, 5] of the player on roll; is_own bool[rows], whether that is the first.
    """

    points: np.ndarray
    starts: np.ndarray
    boards: np.ndarray
    chances: np.ndarray
    is_own: np.ndarray


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
def play_games(weights, generator, rater, room, seats, games):
    """Fill all arrays with as many games as points has room for; rows are left out when full.

    seats: 2 to play each sequence of dice twice with the sides swapped, else 1.
    """
    dice = np.empty(WORDS, np.int64)
    kept = np.empty(WORDS, np.int64)
    board = np.empty(26, np.int8)
    row = 0
    for game in range(games.points.shape[0]):
        if game % seats == 0:
            for i in range(WORDS):
                kept[i] = next_word(generator)
        dice[:] = kept
        board[:] = START_BOARD
        games.starts[game] = row
        for ply in range(MOST_PLIES):
            is_own = ply % 2 == game % seats
            high, low = next_dice(dice, ply == 0)
            count = fill_plays(board, high, low, room.work, room.after, room.steps, room.keys)
            if count == 0:
                count = 1
                room.after[0] = board
                room.steps[0] = -1
            prepare_root(board, rater, room.siblings)
            rate_siblings(board, room.after, room.steps, count, False, rater, room.siblings)
            best = best_play(weights, is_own, count, room.siblings)
            fill_turned(room.after[best : best + 1], board.reshape(1, 26))
            lost = points_lost(board)
            if lost > 0:
                games.points[game] = lost if is_own else -lost
                break
            if row < games.boards.shape[0]:
                games.boards[row] = board
                games.chances[row] = room.siblings.outcomes[best]
                games.is_own[row] = not is_own
                row += 1
    games.starts[games.points.shape[0]] = row


def games_of(
    situation: str, count: int, seed: int, player: RolloutPlayer, *, seats: int = 2, rows: int = 0
) -> Games:
    """Play; rows: so many positions are kept at most."""
    evaluator = player.evaluator()
    rater = Rater(evaluator.network.layers, NO_LAYERS, evaluator.tables)
    games = Games(
        np.zeros(count, np.int8),
        np.zeros(count + 1, np.int64),
        np.zeros((rows, 26), np.int8),
        np.zeros((rows, 5), np.float32),
        np.zeros(rows, np.bool_),
    )
    weights = np.array(SITUATIONS[situation])
    play_games(weights, new_generator(seed), rater, search_room(rater), seats, games)
    if not games.points.all():
        raise SystemExit(f"{np.sum(games.points == 0)} games were not finished")
    return games


def mean_and_error(values: np.ndarray) -> tuple[float, float]:
    """Mean of a value per game and its standard error, pairs being the samples."""
    pairs = values.reshape(-1, 2).mean(axis=1)
    return float(pairs.mean()), float(pairs.std(ddof=1) / len(pairs) ** 0.5)


def first_chances(player: RolloutPlayer, groups: int) -> np.ndarray:
    """Winning chances of a player when he may first double, in equal groups; float64[groups].

    He may before his second roll or, if the other side has begun, before his first.
    """
    search = Search(player.evaluator(), SearchSettings(1))

    def reply(board, roll):
        ratings = search.ratings(board, roll, is_choice=True)
        after = ratings.after[ratings.order()[0]] if len(ratings.after) else board
        return turned_boards(after[np.newaxis])[0]

    rows = []
    for opening in ROLLS:
        if opening.high == opening.low:
            continue
        board = reply(START.board, opening)
        share = 1 / 15 / 2
        rows.append((share, search.outcomes(board)[0, 0]))
        rows += [(share * roll.chance, search.outcomes(reply(board, roll))[0, 0]) for roll in ROLLS]
    shares, chances = np.array(sorted(rows, key=lambda row: row[1])).T
    ends = np.linspace(0, 1, groups + 1)
    sums = np.interp(ends, [0, *shares.cumsum()], [0, *(shares * chances).cumsum()])
    return np.diff(sums) * groups


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=50_000)
    parser.add_argument("--worth", choices=SITUATIONS, nargs="+", default=list(SITUATIONS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", default="ahead-256-64")
    options = parser.parse_args()
    player = RolloutPlayer(options.weights)
    chances = first_chances(player, 10)
    print("first chances:", ", ".join(f"{chance:.3f}" for chance in chances))
    games_of("1/2, 1/2", 2, options.seed, player)
    for situation in options.worth:
        began = time.perf_counter()
        points = games_of(situation, 2 * options.pairs, options.seed, player).points
        print(
            f"gammons worth {situation}: {len(points)} games, {time.perf_counter() - began:.0f} s"
        )
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
