"""Prove pubeval's choices against gnubg-nn's, and play the baselines against each other.

Choices are compared on turns of games of gnubg at 0-ply, of pubeval and of random players; a
different board with the same score (single precision) is a tie. Games are for money without a cube;
each sequence of dice is played twice with the sides swapped.

    python -m tests.bench.check_baselines --turns 12000 --pairs 5000
"""

import argparse
import itertools
import time

import numpy as np
from numba import njit

from bot.backgammon.arena.baselines import BASELINES, PubevalPlayer, RandomPlayer, pubeval_weights
from bot.backgammon.kernels.baselines import (
    PubevalWeights,
    blockers_choice,
    pubeval_choice,
    random_choice,
)
from bot.backgammon.kernels.boards import Boards, fill_turned, points_lost
from bot.backgammon.kernels.dice import WORDS, Generator, next_dice
from bot.backgammon.kernels.plays import MAX_PLAYS, STEPS, fill_plays
from bot.backgammon.rules.position import START
from tests.plain.agreement import pubeval_difference
from tests.plain.games import choice_of, turns_of_games
from tests.plain.judges import gnubg_boards_after, gnubg_choice

TIE = 2e-5
RANDOM, BLOCKERS, PUBEVAL = range(3)


def compared_choices(turns: int, seed: int) -> tuple[int, int, int]:
    """Turns with a choice compared, ties among them, and different choices."""
    pubeval = choice_of(PubevalPlayer())
    part = turns // 3
    sources = (
        turns_of_games(gnubg_choice, part, seed),
        turns_of_games(pubeval, part, seed),
        turns_of_games(choice_of(RandomPlayer(seed)), part, seed),
    )
    compared = ties = different = 0
    for board, roll in itertools.chain(*sources):
        if not gnubg_boards_after(board, roll.high, roll.low):
            continue
        compared += 1
        difference = pubeval_difference((board, roll), pubeval)
        if difference != 0:
            ties += abs(difference) < TIE
            different += abs(difference) >= TIE
    return compared, ties, different


@njit
def points_of_game(
    start: Boards,
    first: int,
    second: int,
    dice: Generator,
    chance: Generator,
    contact: PubevalWeights,
    race: PubevalWeights,
) -> int:
    """Points the player who moves first wins in one game."""
    board = start.copy()
    work = np.empty(26, np.int8)
    after = np.empty((MAX_PLAYS, 26), np.int8)
    steps = np.empty((MAX_PLAYS, STEPS), np.int8)
    keys = np.empty(MAX_PLAYS, np.int64)
    turn = 0
    while True:
        high, low = next_dice(dice, turn == 0)
        count = fill_plays(board, high, low, work, after, steps, keys)
        player = first if turn % 2 == 0 else second
        row = 0
        if count == 0:
            after[0, :] = board
        elif player == RANDOM:
            row = random_choice(count, chance)
        elif player == BLOCKERS:
            row = blockers_choice(board, after, count)
        else:
            row = pubeval_choice(board, after, count, contact, race)
        fill_turned(after[row : row + 1], work.reshape(1, 26))
        board[:] = work
        turn += 1
        points = points_lost(board)
        if points > 0:
            return points if turn % 2 == 1 else -points


def duplicated_results(player: int, other: int, pairs: int, seed: int) -> np.ndarray:
    """Points per game of the first player in each pair of games, float64[pairs]."""
    weights = pubeval_weights()
    start = START.board
    results = np.zeros(pairs)
    sequences = np.random.SeedSequence(seed).spawn(pairs)
    for i, sequence in enumerate(sequences):
        states = sequence.generate_state(2 * WORDS).astype(np.int64).reshape(2, WORDS)
        won = points_of_game(start, player, other, states[0].copy(), states[1], *weights)
        lost = points_of_game(start, other, player, states[0].copy(), states[1], *weights)
        results[i] = (won - lost) / 2
    return results


def main() -> None:
    """Compare, play and print; exits with 1 at a different choice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=12_000)
    parser.add_argument("--pairs", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    compared, ties, different = compared_choices(arguments.turns, arguments.seed)
    print(f"pubeval: {compared} choices compared, {different} different, {ties} ties")
    if different:
        raise SystemExit(1)
    duplicated_results(RANDOM, PUBEVAL, 1, arguments.seed)
    for player, other in ((PUBEVAL, RANDOM), (PUBEVAL, BLOCKERS), (BLOCKERS, RANDOM)):
        began = time.perf_counter()
        results = duplicated_results(player, other, arguments.pairs, arguments.seed)
        rate = 2 * len(results) / (time.perf_counter() - began)
        error = results.std(ddof=1) / np.sqrt(len(results))
        print(
            f"{BASELINES[player]} against {BASELINES[other]}: {results.mean():+.3f} "
            f"± {error:.3f} points per game, {2 * len(results)} games, {rate:.0f} games/s"
        )


if __name__ == "__main__":
    main()
