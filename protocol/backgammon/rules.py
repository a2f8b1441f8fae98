"""Rules: the options that say what a game is played for, and what they make."""

import argparse
from typing import TYPE_CHECKING

from protocol.backgammon.strength import add_met

if TYPE_CHECKING:
    from bot.backgammon.match import MoneyRules


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
    from bot.backgammon.match import MoneyRules

    return MoneyRules(options.jacoby, options.beavers)
