"""Prove pubeval's choices against gnubg-nn's.

Choices are compared on turns of games of gnubg at 0-ply, of pubeval and of random players; a
different board with the same score (single precision) is a tie.

    python -m tests.bench.check_pubeval --turns 12000
"""

import argparse
import itertools

from bot.backgammon.arena.baselines import PubevalPlayer, RandomPlayer
from bot.lab.command_line import told_in_a_sentence
from tests.plain.agreement import pubeval_difference
from tests.plain.games import choice_of, turns_of_games
from tests.plain.judges import gnubg_boards_after, gnubg_choice

TIE = 2e-5


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


@told_in_a_sentence()
def main() -> None:
    """Compare and print; exits with 1 at a different choice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    compared, ties, different = compared_choices(arguments.turns, arguments.seed)
    print(f"pubeval: {compared} choices compared, {different} different, {ties} ties")
    if different:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
