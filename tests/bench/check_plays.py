"""Prove the play generator: equal to gnubg-nn and bgsage as sets of resulting boards.

Positions come from games of random players, of pubeval and of gnubg at 0-ply, and from boards with
the checkers thrown anywhere. The steps of each play are replayed leg by leg to its board.

    python -m tests.bench.check_plays --turns 120000
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator

from bot.backgammon.arena.baselines import PubevalPlayer, RandomPlayer
from bot.backgammon.rules.play import RollWorkspace
from bot.lab.command_line import told_in_a_sentence
from tests.plain.agreement import checked_plays
from tests.plain.games import (
    Turn,
    choice_of,
    scattered_turns,
    turns_of_games,
)
from tests.plain.judges import gnubg_choice, gnubg_phase
from tests.plain.plays import Board


def turns_by_source(turns: int, seed: int) -> Iterator[tuple[str, Iterator[Turn]]]:
    """Turns from four sources, by their names."""
    part = turns // 4
    random_player = choice_of(RandomPlayer(seed))
    yield "random players", turns_of_games(random_player, part, seed)
    yield "pubeval", turns_of_games(choice_of(PubevalPlayer()), part, seed)
    yield "gnubg 0-ply", turns_of_games(gnubg_choice, part, seed)
    yield "scattered", scattered_turns(turns - 3 * part, seed)


def features(board: Board) -> Iterator[str]:
    """What a board is an example of."""
    yield gnubg_phase(board)
    if board[25] > 0:
        yield "own bar"
    if board[25] > 1:
        yield "two or more on the bar"
    if max(board[7:]) <= 0:
        yield "may bear off"


@told_in_a_sentence()
def main() -> None:
    """Check and print what was checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=120_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    workspace = RollWorkspace()
    total = Counter[str]()
    began = time.monotonic()
    for name, turns in turns_by_source(arguments.turns, arguments.seed):
        number = plays = 0
        distinct = set[Turn]()
        for turn in turns:
            plays += checked_plays(turn, workspace, ask_twin=number % 20 == 0)
            number += 1
            distinct.add(turn)
            total.update(features(turn[0]))
        print(f"{name}: {number} turns ({len(distinct)} different), {plays} plays, all equal")
        total["turns"] += number
    print(", ".join(f"{count} {feature}" for feature, count in total.most_common()))
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
