"""Fit how live the cube is at the start of a game to games played without regard to it.

Blot plays games against itself as for money. Each is then doubled, taken and dropped at many
scores, one ply deep, by the match equity table as it is; the mean chance to win the match that
comes out lies between what the recurrence says of a dead and of a live cube. Chance is reduced by
how the same games end without a cube. Plays that use the cube would make it more live.

    python -m tests.bench.fit_efficiency --games 4000
"""

import argparse

import numpy as np
from numba import njit

from bot.backgammon.cube import cube_table
from bot.backgammon.kernels.cube import (
    CENTRED,
    doubled_state,
    fill_rolled_values,
    fill_static_values,
    level_of,
    state_count,
    turned_state,
)
from bot.backgammon.kernels.search import ROLL_COUNT, fill_replies, search_room
from bot.backgammon.kernels.siblings import NO_LAYERS, Rater
from bot.backgammon.match import GameState, Score
from bot.backgammon.met import blot_table
from bot.backgammon.met_recurrence import MONEY, before_crawford, game_chances
from bot.backgammon.position import START
from bot.backgammon.roll import ROLLS
from bot.backgammon.rollout import RolloutPlayer
from tests.bench.measure_rates import games_of

LENGTH = 64
ROWS_OF_GAME = 75
LEAST, MOST = 0.45, 0.97
"""Chances to win between which a double is looked at one ply deep; outside, at a glance."""

BLOCKS = 20

_CHANCES = np.array([roll.chance for roll in ROLLS])


@njit
def fill_all_replies(boards, chances, rater, room, numbers, replies, outcomes):
    """Set the replies of fill_replies for the rows between LEAST and MOST, and their numbers."""
    is_exact = np.empty(ROLL_COUNT, np.bool_)
    count = 0
    for row in range(boards.shape[0]):
        numbers[row] = -1
        if LEAST <= chances[row, 0] <= MOST and count < replies.shape[0]:
            fill_replies(boards[row], rater, room, replies[count], outcomes[count], is_exact)
            numbers[row] = count
            count += 1
    return count


@njit
def fill_ahead(replies, outcomes, side, cube, child, values):
    """Set the utilities of rolling, float64[K], one ply deep."""
    values[:] = 0.0
    for roll in range(ROLL_COUNT):
        fill_static_values(replies[roll], outcomes[roll], 1 - side, cube, child)
        for state in range(values.shape[0]):
            values[state] -= _CHANCES[roll] * child[turned_state(state)]


@njit
def fill_results(
    points, starts, boards, chances, is_own, numbers, replies, outcomes, is_turned, cube, results
):
    """Set the match utilities of the score's player with the cube and without one, float64[n, 2].

    is_turned: whether that player is not the first player of the games but the other.
    """
    values = np.empty(state_count(cube))
    child = np.empty(state_count(cube))
    for game in range(points.shape[0]):
        won = -int(points[game]) if is_turned else int(points[game])
        way = won - 1 if won > 0 else 2 - won
        results[game, 1] = cube.utilities[0, 0, way]
        state = CENTRED
        is_cashed = False
        for row in range(starts[game], starts[game + 1]):
            side = 0 if is_own[row] != is_turned else 1
            state = turned_state(state) if row > starts[game] else state
            if not cube.may_double[side, state]:
                continue
            number = numbers[row]
            if number >= 0:
                fill_ahead(replies[number], outcomes[number], side, cube, child, values)
            else:
                fill_rolled_values(boards[row], chances[row], side, cube, values)
            taken = values[doubled_state(state, cube)]
            drops = cube.utilities[side, level_of(state), 0]
            if min(taken, drops) < values[state]:
                continue
            if taken > drops:
                results[game, 0] = drops if side == 0 else -drops
                is_cashed = True
                break
            state = doubled_state(state, cube)
        if not is_cashed:
            results[game, 0] = cube.utilities[0, level_of(state), way]


def ends_of(table: np.ndarray, away: int, other: int) -> list[float]:
    """Match-winning chance before a game with a dead and with a live cube, by the recurrence."""
    own = np.arange(2, away + other - 1)
    both = (game_chances(table, own, own[::-1], MONEY, x)[away - 2] for x in (0.0, 1.0))
    return [float(chance) for chance in both]


def main() -> None:
    """Play, fit and print; exits with 1 if rows ran out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4_000)
    parser.add_argument("--most-away", type=int, default=9)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--weights", default="ahead-256-64")
    options = parser.parse_args()
    player = RolloutPlayer(options.weights)
    most = ROWS_OF_GAME * options.games
    games = games_of("1/2, 1/2", options.games, options.seed, player, seats=1, rows=most)
    rows = int(games.starts[-1])
    if rows == most:
        raise SystemExit("too little room for the positions of the games")
    looked = int(((games.chances[:rows, 0] >= LEAST) & (games.chances[:rows, 0] <= MOST)).sum())
    numbers = np.full(rows, -1)
    replies = np.empty((looked + 1, ROLL_COUNT, 26), np.int8)
    outcomes = np.empty((looked + 1, ROLL_COUNT, 5), np.float32)
    evaluator = player.evaluator()
    rater = Rater(evaluator.network.layers, NO_LAYERS, evaluator.tables)
    room = search_room(rater)
    fill_all_replies(games.boards[:rows], games.chances, rater, room, numbers, replies, outcomes)
    print(f"{options.games} games, {looked} of {rows} positions one ply deep", flush=True)
    met = blot_table()
    table = before_crawford(np.array([1.0, *met.post]))
    found = []
    for away in range(3, options.most_away + 1):
        for other in range(2, away):
            score = Score(LENGTH, LENGTH - away, LENGTH - other)
            cube = cube_table(GameState(START, score=score), met)
            results = np.empty((2, options.games, 2))
            for view in (0, 1):
                fill_results(*games, numbers, replies, outcomes, view == 1, cube, results[view])
            mwcs = 0.5 + 0.5 * results.mean(axis=0)
            dead, live = ends_of(table, away, other)
            slope = np.cov(mwcs.T)[0, 1] / np.var(mwcs[:, 1])
            mwcs[:, 0] -= slope * (mwcs[:, 1] - dead)
            found.append((dead, live, mwcs[:, 0]))
            mean, error = mwcs[:, 0].mean(), mwcs[:, 0].std() / options.games**0.5
            print(
                f"{away:2} away, {other:2} away: {100 * mean:.2f} ± {100 * error:.2f} %, dead "
                f"{100 * dead:.2f}, live {100 * live:.2f}, so far "
                f"{100 * met.mwc(away, other):.2f}; efficiency {(mean - dead) / (live - dead):.2f}",
                flush=True,
            )
    gains = np.array([live - dead for dead, live, _ in found])
    lifts = np.array([mwcs - dead for dead, _, mwcs in found])
    whole = gains @ lifts.mean(axis=1) / (gains @ gains)
    blocks = np.array(
        [gains @ part.mean(axis=1) / (gains @ gains) for part in np.array_split(lifts, BLOCKS, 1)]
    )
    left = 100 * (lifts.mean(axis=1) - whole * gains)
    print(
        f"efficiency {whole:.3f} ± {blocks.std(ddof=1) / BLOCKS**0.5:.3f}; games and recurrence "
        f"then differ by {np.abs(left).mean():.2f} % on average, at most {np.abs(left).max():.2f} %"
    )


if __name__ == "__main__":
    main()
