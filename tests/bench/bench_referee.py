"""Measure the referee: games a second of processor time, and the share of time outside players.

python -m tests.bench.bench_referee
"""

import argparse
import time

from bot.backgammon.arena.luck import LuckMeter
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.run_file import RunFile
from bot.backgammon.arena.tournament import Plan, Tournament
from protocol.backgammon.commands.entrants import entrant_of

ROWS = (
    ("td-128", 4000, False, False),
    ("td-128", 1000, False, True),
    ("td-128", 400, True, False),
    ("td-128:1", 400, False, False),
    ("td-128:1", 100, True, False),
    ("default:1", 100, False, False),
    ("default:1", 60, True, False),
)


def main() -> None:
    """Measure and print, one process; recording is part of it."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    for name, games, cube, has_luck in ROWS:
        entrants = (entrant_of(name), entrant_of(name))
        meter = LuckMeter("td-128") if has_luck else None
        for count in (4, games):  # the first one warms up
            match_format = MatchFormat(count, cube=cube)
            tournament = Tournament(Plan(entrants, ((0, 1),), match_format, meter=meter), RunFile())
            began, began_clock = time.process_time(), time.perf_counter()
            tournament.play()
            seconds = time.process_time() - began
            clock = time.perf_counter() - began_clock
        assert set(tournament.standings[0].tally.samples) == {0.0}
        inside = sum(spent for _, spent in tournament.thought[0])
        print(
            f"{name:10} {'cube' if cube else 'cubeless':8} {'luck' if has_luck else '':4} "
            f"{games / seconds:7.0f} games per processor second, "
            f"{100 * (1 - inside / clock):4.1f} % of the clock outside players"
        )


if __name__ == "__main__":
    main()
