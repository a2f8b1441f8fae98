"""`blot play`: a game in the terminal."""

import argparse
import secrets
from pathlib import Path
from typing import TypeAlias

from protocol.backgammon.commands.options import (
    DEFAULT_LEVEL,
    add_rules,
    met_of,
    money_of,
)

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

MOST_SECONDS = 60.0
SEEDS = 2**31


def add_play(subcommands: Parsers) -> None:
    """Add `blot play`."""
    parser = subcommands.add_parser(
        "play",
        help="play in the terminal",
        description="Play backgammon in the terminal. A player is human, a level (easy, medium, "
        "hard, expert, best), a weights name or file (see blot weights), or random, blockers or "
        "pubeval. Who may double is asked before the roll, and an empty line rolls; without the "
        "cube gammons always count. A game left is kept, and offered at the next start.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--me", default="human", metavar="PLAYER", help="the first player")
    parser.add_argument("--opponent", default="default", metavar="PLAYER", help="the second player")
    parser.add_argument(
        "--length", type=int, default=argparse.SUPPRESS, help="points of a match; else money games"
    )
    add_rules(parser)
    parser.add_argument("--dice", choices=("auto", "manual"), default="auto", help="or typed in")
    parser.add_argument(
        "--seed", type=int, default=argparse.SUPPRESS, help="of the dice; else another every time"
    )
    parser.add_argument(
        "--delay", type=_seconds, default=0.5, metavar="SECONDS", help="between what bots do"
    )
    parser.add_argument("--weights", default="default", metavar="NAME", help="for hints")
    parser.add_argument("--ascii", action="store_true", help="draw the board with letters")
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--new", action="store_true", help="do not offer the game kept")
    start.add_argument(
        "--load", type=Path, default=argparse.SUPPRESS, metavar="FILE", help="go on with this game"
    )
    parser.set_defaults(run=_play)


def _play(options: argparse.Namespace) -> int:
    from bot.backgammon.compilation import jobs_of_level
    from bot.backgammon.engine.level import LEVELS, Level
    from protocol.backgammon.arena.named_players import known_level
    from protocol.backgammon.reports.compilation import compile_first
    from protocol.backgammon.table.saved_game import KeptGame, kept_path, load
    from protocol.backgammon.table.table import HUMAN, Dice, Setting, Table
    from protocol.backgammon.terminal.terminal import sit

    seed = options.seed if "seed" in options else secrets.randbelow(SEEDS)
    length = options.length if "length" in options else None
    players, dice = (options.me, options.opponent), Dice(options.dice)
    setting = Setting(players, length, dice, seed, options.cube, money_of(options))
    table: Table | None = load(options.load) if "load" in options else None
    bots = [name for name in (table.setting.players if table else players) if name != HUMAN]
    levels = [known_level(name, others=(HUMAN,)) for name in bots]
    compile_first(["boards", "plays", *(job for each in levels for job in jobs_of_level(each))])
    sit(
        KeptGame(kept_path()),
        lambda: Table(setting),
        table=table,
        is_fresh=options.new,
        hints=Level(options.weights, LEVELS[DEFAULT_LEVEL].search),
        met=met_of(options),
        delay=options.delay,
        ascii_only=options.ascii,
    )
    return 0


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"a delay is 0 to {MOST_SECONDS:g} seconds, not {text!r}")
    return seconds
