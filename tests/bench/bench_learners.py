"""Speed of every learner without lookahead: games per second of processor time, on one core.

    python -m tests.bench.bench_learners [--hidden 40] [--games 10000]

Processor time is the same on a busy machine, or nearly. Games grow shorter as a network learns, so
a quarter as many are played to warm up; what is learnt is checked against random play.
"""

import argparse
import time
from dataclasses import replace

from bot.backgammon.arena.network_duel import network_duel
from bot.backgammon.training.mutation import Mutation
from bot.backgammon.training.settings import LearnerName, Settings, Update
from bot.backgammon.training.temporal_difference import TemporalDifference
from bot.lab.command_line import told_in_a_sentence

_TD = Settings(rates=(0.02,), trace=0.7)
LEARNERS = {
    "td, backward": (TemporalDifference, _TD),
    "td, traces": (TemporalDifference, replace(_TD, update=Update.TRACES)),
    "td, traces, 4 outputs": (TemporalDifference, replace(_TD, update=Update.TRACES, outputs=4)),
    "td, lambda 0, 1 output": (TemporalDifference, replace(_TD, trace=0.0, outputs=1)),
    "td, 212 inputs": (TemporalDifference, replace(_TD, inputs="blocks-1")),
    "backpropagation": (
        TemporalDifference,
        replace(_TD, learner=LearnerName.BACKPROPAGATION, rates=(0.002,)),
    ),
    "mutation": (Mutation, Settings(learner=LearnerName.MUTATION)),
}


@told_in_a_sentence()
def main() -> None:
    """Measure one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hidden", type=int, default=40)
    parser.add_argument("--games", type=int, default=10_000)
    options = parser.parse_args()
    for name, (kind, settings) in LEARNERS.items():
        learner = kind(replace(settings, hidden_units=options.hidden))
        learner.advance(0)
        learner.advance(options.games // 4 // 100 * 100)
        games, plies = learner.tally.games, learner.tally.plies
        started = time.process_time()
        learner.advance(options.games // 100 * 100)
        seconds = time.process_time() - started
        games, plies = learner.tally.games - games, learner.tally.plies - plies
        assert games == options.games // 100 * 100
        duel = network_duel(learner.network, "random", pairs=100, seed=1)
        assert duel.points_per_game > 0
        print(
            f"{name}: {games / seconds:,.0f} games/s of {plies / games:.0f} plies, "
            f"{learner.tally.broken_off} broken off; {duel.points_per_game:+.2f} "
            f"± {duel.points_error:.2f} against random",
            flush=True,
        )


if __name__ == "__main__":
    main()
