"""Blot's moves in three games as gnubg judges them: python -m tests.bench.three_games td-128:0.

A table of a Polish project for its network, made again for ours: total and unforced moves, doubtful
and bad ones, error per unforced move. Each player, as NAME:PLIES, plays three seeded money games
against gnubg, which analyses them afterwards. Errors are in mEMG, thousandths of a point at the
cube's value; the project told 0.26 to 1.45 % a game and no unit, which is 2.6 to 14.5 mEMG if a
whole is a point.
"""

import argparse
import contextlib
import io
import tempfile
from pathlib import Path

from bot.backgammon.engine.match_statistics import PlayerStatistics, Skill, statistics_of
from bot.lab.command_line import told_in_a_sentence
from protocol.backgammon.adapters.gnubg_analysis import gnubg_analysis
from protocol.backgammon.formats.match_file import read_match
from protocol.cli import main as blot

TITLES = ("player", "game", "moves", "unforced", "doubtful", "bad", "very bad", "mEMG a move")


def row(name: str, game: str, player: PlayerStatistics) -> str:
    """A row of the table."""
    marks = (player.marks[mark] for mark in (Skill.DOUBTFUL, Skill.BAD, Skill.VERY_BAD))
    rate = f"{1000 * (player.play_rate or 0):.1f}"
    cells = (name, game, player.moves, player.plays.count, *marks, rate)
    return f"| {' | '.join(map(str, cells))} |"


def judged_games(name: str, options: argparse.Namespace) -> list[str]:
    """The rows of a player, one for each game and one for all."""
    weights, _, ply = name.partition(":")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.sgf"
        asked = ["match", "--weights", weights, "--ply", ply or "0", "--games", "3"]
        asked += ["--opponent", f"gnubg:{options.opponent}", "--seed", str(options.seed)]
        with contextlib.redirect_stdout(io.StringIO()):
            if blot([*asked, "--sgf", str(file)]) != 0:
                raise SystemExit(f"{name} played no games")
        found = gnubg_analysis(read_match(file).whole, options.ply)
    seat = found.match.players.index("blot")
    judged = list(zip(found.choices, found.verdicts, strict=True))
    rows = []
    for number in range(1, len(found.match.games) + 1):
        here = [one for one in judged if one[0].game == number]
        rows.append(row(name, str(number), statistics_of(here)[seat]))
    return [*rows, row(name, "all", statistics_of(judged)[seat])]


@told_in_a_sentence()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="+", metavar="NAME:PLIES")
    parser.add_argument("--ply", type=int, default=2, help="plies that gnubg analyses with")
    parser.add_argument("--opponent", type=int, default=2, help="plies that gnubg plays with")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"| {' | '.join(TITLES)} |\n|{'---|' * len(TITLES)}")
    for name in options.players:
        print("\n".join(judged_games(name, options)), flush=True)


if __name__ == "__main__":
    main()
