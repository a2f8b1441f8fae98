"""Resulting positions per second of the play generator, on one thread and warm.

Positions are those of random players and of pubeval, with all 21 rolls each. The answer is checked
against gnubg-nn before anything is timed; gnubg-nn's generator is timed on the same in the same
run (through its Python binding, which makes a key of each position).

    python -m tests.bench.bench_plays
"""

import argparse
import itertools
import time

import gnubg_nn
import numpy as np

from bot.backgammon.arena.baselines import PubevalPlayer, RandomPlayer
from bot.backgammon.rules.play import RollWorkspace, boards_after, play_count
from bot.backgammon.rules.roll import ROLLS
from bot.lab.command_line import told_in_a_sentence
from tests.plain.games import choice_of, turns_of_games
from tests.plain.judges import gnubg_boards_after, gnubg_sides
from tests.plain.plays import Board


def gnubg_plays_of_all_rolls(boards: list[list[list[int]]]) -> int:
    """The same number from gnubg-nn."""
    return sum(
        len(gnubg_nn.moves(board, roll.high, roll.low)) for board in boards for roll in ROLLS
    )


def game_boards(number: int, seed: int) -> list[Board]:
    """Boards of random players and of pubeval, half each."""
    games = (
        turns_of_games(choice_of(RandomPlayer(seed)), number // 2, seed),
        turns_of_games(choice_of(PubevalPlayer()), number // 2, seed),
    )
    return [board for board, _ in itertools.chain(*games)]


@told_in_a_sentence()
def main() -> None:
    """Check, time and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rows = game_boards(arguments.boards, arguments.seed)
    boards = np.array(rows, np.int8)
    sides = [gnubg_sides(board) for board in rows]
    workspace = RollWorkspace()
    for board in rows[:: max(1, len(rows) // 50)]:
        for roll in ROLLS:
            after, _ = boards_after(np.array(board, np.int8), roll, workspace)
            found = {tuple(row) for row in after.tolist()}
            assert found == gnubg_boards_after(board, roll.high, roll.low), (board, roll)
    plays = play_count(boards, workspace)
    assert plays == gnubg_plays_of_all_rolls(sides)
    print(f"{len(rows)} boards, 21 rolls each, {plays / len(rows) / 21:.1f} positions a roll")
    rates = []
    for _ in range(arguments.runs):
        began = time.perf_counter()
        play_count(boards, workspace)
        ours = plays / (time.perf_counter() - began)
        began = time.perf_counter()
        gnubg_plays_of_all_rolls(sides)
        theirs = plays / (time.perf_counter() - began)
        rates.append(ours)
        print(
            f"{ours / 1e6:6.2f} million positions/s, "
            f"gnubg-nn {theirs / 1e6:5.2f}: {ours / theirs:.1f} times"
        )
    print(f"median {np.median(rates) / 1e6:.2f}, best {max(rates) / 1e6:.2f} million positions/s")


if __name__ == "__main__":
    main()
