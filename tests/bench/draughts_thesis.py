"""The thesis's player measured: nodes by depth, only moves, depths against each other, learning.

    python tests/bench/draughts_thesis.py nodes | duels | learning [--pairs N] [--games N]

Everything is deterministic but the seconds. The thesis's own figures, but for the share of nodes
that alpha-beta spares (about a third) and of only moves (31 % Czech, 38 % international), are not
known to us.
"""

import argparse
import time

from bot.draughts.arena.depth_games import RANDOM, DepthDuel, DepthGames, Entrant, duel, share_error
from bot.draughts.engine.alpha_beta import AlphaBetaSettings
from bot.draughts.rules.variant import VARIANTS
from bot.draughts.training.state_learning import LearningSettings, StateLearning

DEEPEST = {"czech": 6, "international": 5}
POSITIONS_OF = 20
"""Games that are played both ways."""


def nodes_by_depth(games):
    """Boards met in the same games, which players of one depth play by alpha-beta and in full."""
    for variant in VARIANTS.values():
        for depth in range(1, DEEPEST[variant.name] + 1):
            counts = []
            for is_pruned in (True, False):
                entrant = Entrant(AlphaBetaSettings(depth, is_pruned))
                played = DepthGames(variant, entrant, entrant, seed=1, random_plies=4)
                courses = [played.play(number).boards.tobytes() for number in range(games)]
                counts.append((played.counts, courses))
            (pruned, one), (full, other) = counts
            assert one == other, "alpha-beta and minimax play the same moves"
            met, all_met = (sum(side.nodes for side in each) for each in (pruned, full))
            searches = sum(side.searches for side in pruned)
            spared = 100 * (1 - met / all_met)
            print(
                f"{variant.name} depth {depth}: alpha-beta {met / searches:,.0f} and minimax "
                f"{all_met / searches:,.0f} boards a search, {spared:.1f} % less",
                flush=True,
            )
            only, decisions = (
                sum(getattr(side, name) for side in pruned) for name in ("only", "decisions")
            )
            share = only / decisions
            error = share_error(share, decisions)
            print(
                f"    only moves {100 * share:.1f} ± {100 * error:.1f} % of {decisions:,}",
                flush=True,
            )


def told(duel):
    """A duel's result, and the share of only moves of both."""
    result = duel.result
    counts = duel.counts
    share = sum(side.only for side in counts) / sum(side.decisions for side in counts)
    score = result.score
    return (
        f"{100 * score.mean:.1f} ± {100 * score.error:.1f} % ({result.won} won, {result.drawn} "
        f"drawn, {result.lost} lost), {result.plies / result.games:.0f} plies, "
        f"only moves {100 * share:.1f} %, {result.broken_off} broken off"
    )


def duels(pairs):
    """Each depth against chance and against the depth below."""
    for variant in VARIANTS.values():
        chance = DepthDuel(variant, Entrant(RANDOM), Entrant(RANDOM), seed=1)
        for _ in range(5 * pairs):
            chance.play_pair()
        print(f"{variant.name} chance against chance: {told(chance)}", flush=True)
        for depth in range(1, DEEPEST[variant.name] + 1):
            player = Entrant(AlphaBetaSettings(depth))
            below = Entrant(AlphaBetaSettings(depth - 1))
            opponents = {"chance": Entrant(RANDOM), f"depth {depth - 1}": below}
            if depth == 1:
                del opponents["depth 0"]
            for name, opponent in opponents.items():
                found = duel(variant, player, opponent, pairs, seed=depth)
                print(f"{variant.name} depth {depth} against {name}: {told(found)}", flush=True)


def learning(games, pairs):
    """A player with a table and without, before and after so many games of learning."""
    for variant in VARIANTS.values():
        for is_backward in (True, False):
            settings = LearningSettings(variant.name, games, depth=2, is_backward=is_backward)
            learner = StateLearning(settings)
            order = "last first" if is_backward else "first first"
            for part in (0, games // 10, games):
                began = time.perf_counter()
                learner.advance(part - learner.results.games)
                seconds = time.perf_counter() - began
                print(
                    f"{variant.name}, {order}, {part:,} games: {learner.states:,} states, "
                    f"{seconds:.1f} s",
                    flush=True,
                )
                for depth, opponent in ((1, 0), (2, 0), (1, 1), (2, 2), (4, 4)):
                    player = Entrant(AlphaBetaSettings(depth), learner.tables[0])
                    other = Entrant(AlphaBetaSettings(opponent))
                    found = duel(variant, player, other, pairs, seed=100 + depth)
                    print(f"    depth {depth} against {opponent}: {told(found)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("nodes", "duels", "learning"))
    parser.add_argument("--pairs", type=int, default=250)
    parser.add_argument("--games", type=int, default=50_000)
    options = parser.parse_args()
    if options.what == "nodes":
        nodes_by_depth(POSITIONS_OF)
    elif options.what == "duels":
        duels(options.pairs)
    else:
        learning(options.games, options.pairs)


if __name__ == "__main__":
    main()
