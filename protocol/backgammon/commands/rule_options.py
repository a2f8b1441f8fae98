"""Rules: the options that say what a game is played for, and what they make."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.backgammon.evaluation.met import MatchEquityTable
    from bot.backgammon.rules.match import MoneyRules


def add_rules(parser: argparse.ArgumentParser, title: str = "rules") -> None:
    """Add --cube, --jacoby, --beavers and --met, the first three with their opposites."""
    switch = argparse.BooleanOptionalAction
    group = parser.add_argument_group(title)
    group.add_argument("--cube", action=switch, default=True, help="cube in use")
    group.add_argument("--jacoby", action=switch, default=True, help="Jacoby rule in money games")
    group.add_argument("--beavers", action=switch, default=False, help="beavers in money games")
    add_met(group)


def money_of(options: argparse.Namespace) -> "MoneyRules":
    """The rules of money games."""
    from bot.backgammon.rules.match import MoneyRules

    return MoneyRules(options.jacoby, options.beavers)


def add_met(parser: "argparse._ActionsContainer") -> None:
    """Add --met."""
    parser.add_argument(
        "--met",
        default=argparse.SUPPRESS,
        metavar="FILE",
        help="match equity table, as gnubg's XML; if not given Blot's own",
    )


def met_of(options: argparse.Namespace) -> "MatchEquityTable | None":
    """The table that --met names, None for Blot's own; raises ValueError if the file is none."""
    if "met" not in options:
        return None
    from pathlib import Path

    from protocol.backgammon.formats.met_file import read_table

    return read_table(Path(options.met))
