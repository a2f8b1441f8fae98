"""Rules: the options that say what a game is played for, and what they make."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.backgammon.match import MoneyRules
    from bot.backgammon.met import MatchEquityTable


def add_rules(parser: argparse.ArgumentParser, title: str = "rules") -> None:
    """Add --cube, --jacoby, --beavers and --met, the first three with their opposites."""
    switch = argparse.BooleanOptionalAction
    group = parser.add_argument_group(title)
    group.add_argument("--cube", action=switch, default=True, help="cube in use")
    group.add_argument("--jacoby", action=switch, default=True, help="Jacoby rule in money games")
    group.add_argument("--beavers", action=switch, default=False, help="beavers in money games")
    add_met(group)


def add_met(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    """Add --met."""
    parser.add_argument(
        "--met",
        type=Path,
        default=argparse.SUPPRESS,
        metavar="FILE",
        help="match equity table in GNU Backgammon's XML; if not given Blot's own",
    )


def money_of(options: argparse.Namespace) -> "MoneyRules":
    """The rules of money games."""
    from bot.backgammon.match import MoneyRules

    return MoneyRules(options.jacoby, options.beavers)


def met_of(options: argparse.Namespace) -> "MatchEquityTable | None":
    """The table in the file given, None for Blot's own; raises ValueError if it is none."""
    if "met" not in options:
        return None
    from protocol.backgammon.met_file import read_table

    return read_table(options.met)
