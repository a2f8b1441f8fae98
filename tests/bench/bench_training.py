"""Speed of training with one worker and with two: games and plies per second, in turn.

    python -m tests.bench.bench_training [--hidden 128] [--games 20000] [--repeats 5]

Plies are the fairer measure, for games grow shorter as the network learns. A quiet machine with
two cores is needed to see what a second worker brings.
"""

import argparse
import statistics
import time
from contextlib import closing

from bot.backgammon.training.settings import Settings
from bot.backgammon.training.temporal_difference import TemporalDifference
from bot.lab.command_line import told_in_a_sentence


def speed(workers: int, hidden_units: int, games: int) -> tuple[float, float]:
    """Games and plies per second, once a quarter as many games have been played to warm up."""
    settings = Settings(hidden_units=hidden_units, trace=0.3, rates=(0.01,), workers=workers)
    learner = TemporalDifference(settings)
    with closing(learner):
        learner.advance(0)
        rounds = max(games // learner.round_games, 1)
        for _ in range(max(rounds // 4, 1)):
            learner.advance(learner.round_games)
        games, plies = learner.tally.games, learner.tally.plies
        started = time.perf_counter()
        for _ in range(rounds):
            learner.advance(learner.round_games)
        seconds = time.perf_counter() - started
        assert learner.tally.games - games == rounds * learner.round_games
        assert learner.network.layers.first.any()
        return (
            (learner.tally.games - games) / seconds,
            (learner.tally.plies - plies) / seconds,
        )


@told_in_a_sentence()
def main() -> None:
    """Measure in turn, so that other work on the machine disturbs both alike."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    games, plies = [], []
    for _ in range(options.repeats):
        one, two = (speed(workers, options.hidden, options.games) for workers in (1, 2))
        print(f"one worker {one[0]:,.0f} games/s, {one[1]:,.0f} plies/s")
        print(f"two workers {two[0]:,.0f} games/s, {two[1]:,.0f} plies/s")
        games.append(two[0] / one[0])
        plies.append(two[1] / one[1])
    print(
        f"two workers over one, median: {statistics.median(games):.2f} times the games per second,"
    )
    print(f"{statistics.median(plies):.2f} times the plies per second")


if __name__ == "__main__":
    main()
