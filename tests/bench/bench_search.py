"""How much faster several threads look ahead, on the decisions of `blot bench`.

    python -m tests.bench.bench_search [--plies 1 2] [--threads 1 2] [--judged FILE] [--limit N]

Checks that the answers do not depend on the threads. Everything else about speed on one thread,
and gnubg beside it, is `blot bench`'s.
"""

import argparse
from pathlib import Path

from bot.backgammon.engine.level import Level
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.rules.decision import Request
from bot.lab.command_line import told_in_a_sentence
from protocol.backgammon.arena.judged_decisions import (
    Answer,
    game_decisions,
    judged_decisions,
    results,
)
from protocol.backgammon.arena.named_players import decider
from protocol.backgammon.arena.timed_seat import blot_seat
from protocol.backgammon.commands.options import parse_filters


@told_in_a_sentence()
def main() -> None:
    """Check, time and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plies", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--judged", type=Path)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--weights", default="default")
    parser.add_argument("--filter", default="normal")
    options = parser.parse_args()
    if options.judged:
        decisions = judged_decisions(options.judged, options.limit)
    else:
        decisions = game_decisions(options.limit)
    for ply in options.plies:
        expected: list[Answer] = []
        for threads in options.threads:
            settings = SearchSettings(ply, parse_filters(options.filter), threads)
            player = decider(Level(options.weights, settings), seed=1)
            answers: list[Answer] = []
            with blot_seat(player) as blot:

                def noted(request: Request, blot=blot, answers=answers) -> tuple[float, Answer]:
                    seconds, answer = blot.ask(request)
                    answers.append(answer)
                    return seconds, answer

                results(decisions[:10], blot.ask)
                found = results(decisions, noted)
            expected = expected or answers
            assert answers == expected, f"{threads} threads answer differently"
            for result in found:
                print(
                    f"{ply}-ply, {threads} threads: {result.per_second:.1f} {result.kind}s a "
                    f"second, median {1000 * result.median_seconds:.3f} ms",
                    flush=True,
                )


if __name__ == "__main__":
    main()
