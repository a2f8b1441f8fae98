"""Hold Game against GNU Backgammon: random games, every event of which it plays as well.

    python -m tests.bench.check_game [--games N] [--seed N]

After each event position, cube, its owner, who is asked, dice, score and Crawford must be the same,
and after each game the points. Plays, cube actions and resignations are random, and rules go round:
money games with and without Jacoby, beavers, automatic doubles and the cube, and matches to 1 to 9
points with and without Crawford and the cube. Left out is where gnubg has a rule of its own: see
tests.games.random_answer and tests.gnubg_games. Exit status 1 if anything differs.
"""

import argparse
import itertools
import sys
import time
from collections import Counter

from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import MatchRecord, Rules
from bot.lab.command_line import told_in_a_sentence
from tests.games import random_match
from tests.gnubg_games import disagreements

MATCHES_AT_ONCE = 20
MONEY_GAMES = 4
RULES = (
    Rules(),
    Rules(7),
    Rules(beavers=True, automatic_doubles=2),
    Rules(3),
    Rules(jacoby=False, beavers=True),
    Rules(5),
    Rules(has_cube=False, automatic_doubles=2),
    Rules(1),
    Rules(jacoby=False, automatic_doubles=3),
    Rules(9),
    Rules(beavers=True, automatic_doubles=1),
    Rules(5, crawford=False),
    Rules(3, has_cube=False),
)
ODDS = ({"words": 0.02, "resigns": 0.001}, {"words": 0.5, "resigns": 0.05}, {"words": 0.9})


def random_matches(games: int, seed: int) -> list[MatchRecord]:
    """Matches and sessions of at least so many games in all, their rules going round."""
    matches: list[MatchRecord] = []
    kinds = zip(itertools.cycle(ODDS), itertools.cycle(RULES))  # of 3 and 13, so every pair comes
    while sum(len(match.games) for match in matches) < games:
        odds, rules = next(kinds)
        place = seed + 1000 * len(matches)
        matches.append(
            random_match(
                rules, place, games=MONEY_GAMES, as_gnubg=True, turns_dead_cube=False, **odds
            )
        )
    return matches


def told(event: object) -> str:
    """What kind of event it is."""
    value = getattr(event, "value", None)
    if isinstance(event, CheckerPlay) and not event.legs:
        return "pass"
    return str(value or type(event).__name__)


@told_in_a_sentence()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    matches = random_matches(options.games, options.seed)
    games = [game for match in matches for game in match.games]
    events = Counter(told(event.answer) for game in games for event in game.events)
    endings = Counter(game.result.ending.value for game in games if game.result)
    found: list[str] = []
    for first in range(0, len(matches), MATCHES_AT_ONCE):
        found += disagreements(matches[first : first + MATCHES_AT_ONCE])
        done = min(first + MATCHES_AT_ONCE, len(matches))
        print(f"{done} of {len(matches)} matches, {len(found)} differ", file=sys.stderr)
    print("\n".join(found))
    print(f"{len(games)} games of {len(matches)} matches and sessions, {dict(endings)}")
    print(f"{events.total()} events: {dict(events.most_common())}")
    print(f"{len(found)} matches differ, {time.monotonic() - began:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
