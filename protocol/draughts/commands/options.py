"""Options that the commands about draughts share."""

import argparse
import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.errors import UsageError

if TYPE_CHECKING:
    from bot.draughts.rules.decision import Limits
    from bot.draughts.rules.variant import Variant

VARIANT_NAMES = ("international", "czech")
STANDARD_VARIANT = "international"

MAX_DEPTH = 60
"""Plies that a search may be told to look ahead, as a player alpha-beta:DEPTH may."""

MAX_NODES = 10**15
"""Positions that a search may be told to look at, far more than it can."""

_IDLE = {"human", "random"}
"""Players that search nothing."""

_WITH_DEPTH = ("alpha-beta:", "minimax:")
"""Beginnings of players whose names say how deep they search."""


def add_variant(parser: argparse.ArgumentParser) -> None:
    """Add --variant."""
    parser.add_argument(
        "--variant",
        choices=VARIANT_NAMES,
        default=STANDARD_VARIANT,
        help=f"kind of draughts (default: {STANDARD_VARIANT})",
    )


def variant_of(options: argparse.Namespace) -> "Variant":
    """The variant that is asked for."""
    from bot.draughts.rules.variant import VARIANTS

    return VARIANTS[options.variant]


def add_limits(parser: argparse.ArgumentParser, of: str) -> None:
    """Add --depth, --nodes and --seconds; of: whose searches they limit, in words."""
    group = parser.add_argument_group(
        "limits", f"of each search {of}; without any each player has its own"
    )
    group.add_argument(
        "--depth", type=_depth, metavar="PLIES", help=f"plies to look ahead, 1 to {MAX_DEPTH}"
    )
    group.add_argument("--nodes", type=_count, metavar="N", help="positions to look at")
    group.add_argument("--seconds", type=_seconds, metavar="S", help="seconds to think")


def limits_of(options: argparse.Namespace) -> "Limits":
    """The limits that are asked for, none if there are none."""
    from bot.draughts.rules.decision import Limits

    return Limits(depth=options.depth, nodes=options.nodes, seconds=options.seconds)


def refuse_idle_limits(options: argparse.Namespace, players: Collection[str]) -> None:
    """Raise UsageError if a limit is given and none of the players searches, or not by it."""
    is_idle = all(map(_moves_by_chance_or_hand, players))
    for player in players if options.depth is not None else ():
        if player.startswith(_WITH_DEPTH):
            raise UsageError(f"{player} says how deep it looks: leave out --depth")
    for name in ("depth", "nodes", "seconds"):
        if getattr(options, name) is not None and is_idle:
            raise UsageError(f"--{name} limits a search, and nobody searches here: leave it out")


def _moves_by_chance_or_hand(player: str) -> bool:
    """Whether a player searches nothing, as alpha-beta:0 does."""
    depths = [player.removeprefix(kind) for kind in _WITH_DEPTH if player.startswith(kind)]
    return player in _IDLE or any(not depth.strip("0") for depth in depths)


def refuse_existing(path: Path) -> None:
    """Raise ValueError if a file that is to be new is there."""
    if path.exists():
        raise ValueError(f"{path} is there already: name a new file")


def refuse_missing_folder(path: Path) -> None:
    """Raise ValueError if there is no folder for a file, or nothing may be written there."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ValueError(f"there is no folder for the file {path}")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"cannot write {path}: nothing may be written in its folder")


def _depth(text: str) -> int:
    if text not in map(str, range(1, MAX_DEPTH + 1)):
        raise argparse.ArgumentTypeError(f"1 to {MAX_DEPTH} plies are wanted, not {text!r}")
    return int(text)


def _count(text: str) -> int:
    is_short = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_NODES))
    if not (is_short and 1 <= int(text) <= MAX_NODES):
        raise argparse.ArgumentTypeError(
            f"1 to {MAX_NODES:,} positions are wanted, not {text[:40]!r}"
        )
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"seconds above 0 and up to a day, not {text!r}")
    return seconds
