"""What is full first when lookahead training has 10, 100 or 1,000 nodes: a simulation.

A round as bot.backgammon.training.lookahead has it: every worker makes its share of the games with
the same weights, the student learns meanwhile from earlier ones, and the round ends when both have.
Pieces come in one after the other over the link of the student's node and are taken in by its one
process. Shares take different times: games are of different lengths. Beside it stands what the
slowest of the four alone would allow, which no simulation is needed for.

    python -m tests.bench.simulate_cluster --made 700 --learnt 3000 --bytes 50

The options are the figures that tests.bench.bench_cluster prints.
"""

import argparse

import numpy as np

from bot.lab.command_line import told_in_a_sentence


@told_in_a_sentence()
def main() -> None:
    """Simulate rounds for each number of nodes, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--made", type=float, required=True, help="examples a worker makes a second"
    )
    parser.add_argument("--learnt", type=float, required=True, help="examples learnt a second")
    parser.add_argument("--bytes", type=float, required=True, help="of an example")
    parser.add_argument("--take", type=float, required=True, help="microseconds to take one in")
    parser.add_argument("--piece", type=float, required=True, help="milliseconds for a piece")
    parser.add_argument(
        "--spread", type=float, default=0.1, help="of a share's time, its deviation"
    )
    parser.add_argument("--link", type=float, default=1e9, help="bits a second")
    parser.add_argument("--workers", type=int, default=8, help="of a node")
    parser.add_argument("--games", type=int, default=100, help="of a worker's share")
    parser.add_argument("--per-game", type=float, default=50.0, help="examples")
    parser.add_argument("--rounds", type=int, default=50)
    options = parser.parse_args()
    print(
        "nodes | making | learning | link | taking in | pieces | least of these | simulated | busy"
    )
    for nodes in (1, 2, 10, 100, 1000):
        workers = nodes * options.workers
        limits = {
            "making": workers * options.made,
            "learning": options.learnt,
            "link": options.link / 8 / options.bytes,
            "taking in": 1e6 / options.take,
            "pieces": options.games * options.per_game / (options.piece / 1e3),
        }
        found, busy = simulated(options, workers)
        shown = " | ".join(f"{limit:,.0f}" for limit in limits.values())
        least = min(limits, key=limits.__getitem__)
        print(
            f"{nodes:,} | {shown} | {least} {limits[least]:,.0f} | {found:,.0f} | "
            + ", ".join(f"{name} {share:.0%}" for name, share in busy.items())
        )


def simulated(options: argparse.Namespace, workers: int) -> tuple[float, dict[str, float]]:
    """Examples a second, and the share of the time that each part is busy."""
    numbers = np.random.default_rng(1)
    share = options.games * options.per_game
    seconds = making = learning = 0.0
    for _ in range(options.rounds):
        times = numbers.normal(1.0, options.spread, workers).clip(0.2) * share / options.made
        handing_out = options.piece / 1e3 * np.arange(1, workers + 1)
        ready = np.sort(handing_out + times)
        link = taken = 0.0
        in_the_way = workers * share * options.take / 1e6
        learnt = handing_out[-1] + workers * share / options.learnt
        for moment in ready:  # the link and the process have them one after the other
            link = max(link, moment) + share * options.bytes * 8 / options.link
            taken = max(taken, link) + share * options.take / 1e6
        seconds += max(taken, learnt + in_the_way)
        making += times.mean()
        learning += learnt - handing_out[-1]
    made = options.rounds * workers * share
    return made / seconds, {"makers": making / seconds, "student": learning / seconds}


if __name__ == "__main__":
    main()
