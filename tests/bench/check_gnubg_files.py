"""Self-play through GNU Backgammon and back: python -m tests.bench.check_gnubg_files.

The plays are Blot's at 0-ply; doubles, beavers, drops and resignations come by chance, so that all
of them come. Every game goes out as SGF and as .mat, is read and written again by GNU Backgammon in
both, and must be the same.
"""

import argparse
from collections import Counter

from bot.backgammon.engine.level import Level
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending
from bot.backgammon.rules.record import Rules
from bot.lab.command_line import told_in_a_sentence
from protocol.backgammon.adapters.gnubg_program import GnubgError
from tests.games import random_match
from tests.gnubg_files import different, through_gnubg

RULES = (
    Rules(7),
    Rules(beavers=True),
    Rules(3, crawford=False),
    Rules(jacoby=False, beavers=True),
    Rules(1),
    Rules(beavers=True, automatic_doubles=2),
    Rules(3, has_cube=False),
    Rules(has_cube=False),
)


@told_in_a_sentence()
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10, help="that gnubg may be silent")
    options = parser.parse_args()
    engine = Level(search=SearchSettings(0)).engine(print, candidates=1)

    def choose(game):
        return engine.decide(game.request).play

    matches, games = [], 0
    while games < options.games:
        rules = RULES[len(matches) % len(RULES)]
        odds = {"resigns": 0.004, "words": 0.05, "as_gnubg": True}
        matches.append(random_match(rules, options.seed + 1000 * games, 4, choose=choose, **odds))
        games += len(matches[-1].games)
    records = [game for match in matches for game in match.games]
    answers = Counter(event.answer for game in records for event in game.events)
    endings = Counter(game.result.ending for game in records)
    kinds = ((CubeAction.DOUBLE, "doubles"), (DoubleAnswer.BEAVER, "beavers"))
    print(f"{games} games in {len(matches)} matches and sessions:")
    print(", ".join([f"{answers[kind]} {name}" for kind, name in kinds]), end=", ")
    print(", ".join(f"{endings[ending]} by {ending.value}" for ending in Ending))
    ways, wrong = Counter(), 0
    for match in matches:
        try:
            told = [
                (way, different(match, read))
                for way, match, read in through_gnubg([match], options.seconds)
            ]
        except GnubgError as error:
            told = [("nowhere", str(error).partition(";")[0])]
        for way, sentence in told:
            ways[way] += len(match.games)
            if sentence:
                wrong += 1
                print(f"{way}, {match.rules}: {sentence}")
    print("; ".join(f"{way}: {count} games" for way, count in ways.items()))
    print("all equal" if not wrong else f"{wrong} files differ")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
