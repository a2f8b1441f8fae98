"""Options that commands share: how strong Blot plays, and by which rules."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.backgammon.engine.level import Level
    from bot.backgammon.engine.move_filter import MoveFilter
    from bot.backgammon.evaluation.met import MatchEquityTable
    from bot.backgammon.rules.match import MoneyRules

LEVEL_NAMES = ("easy", "medium", "hard", "expert", "best")
FILTER_NAMES = ("tiny", "narrow", "normal", "large", "huge")
DEFAULT_LEVEL = "expert"
MAX_PLIES = 3


def add_strength(parser: argparse.ArgumentParser) -> None:
    """Add --level, --weights, --ply, --filter, --threads and --seconds."""
    group = parser.add_argument_group("strength")
    unsaid = argparse.SUPPRESS
    depth = group.add_mutually_exclusive_group()
    depth.add_argument(
        "--level",
        choices=LEVEL_NAMES,
        default=unsaid,
        help=f"weights, plies and filter by name; if no --ply is given {DEFAULT_LEVEL}",
    )
    depth.add_argument(
        "--ply",
        type=_ply,
        default=unsaid,
        help=f"plies to look ahead, as gnubg counts, 0 to {MAX_PLIES}",
    )
    group.add_argument(
        "--weights", default=unsaid, metavar="NAME", help="name or file; if not given the level's"
    )
    group.add_argument(
        "--filter",
        default=unsaid,
        metavar="FILTER",
        help="which plays are looked into: "
        + ", ".join(FILTER_NAMES)
        + ", or PLIES:MOST:MARGIN,... as 0:8:0.16,2:2:0.04; if not given the level's or normal",
    )
    group.add_argument("--threads", type=int, default=1, help="threads that look ahead at once")
    group.add_argument(
        "--seconds",
        type=float,
        default=unsaid,
        metavar="S",
        help=f"look ever deeper and wider for so long, to {MAX_PLIES} plies or --ply",
    )


def level_of(options: argparse.Namespace) -> "Level":
    """The level that the options make; raises ValueError with a sentence if they make none."""
    from dataclasses import replace

    from bot.backgammon.arena.baselines import BASELINES
    from bot.backgammon.engine.level import Level, level
    from bot.backgammon.engine.search import SearchSettings

    if getattr(options, "weights", None) in BASELINES:
        return Level(options.weights)
    if "ply" in options:
        chosen = Level(search=SearchSettings(options.ply))
    else:
        chosen = level(getattr(options, "level", DEFAULT_LEVEL))
    search = replace(chosen.search, threads=options.threads)
    if "seconds" in options:
        if getattr(options, "ply", MAX_PLIES) == 0:
            raise ValueError(f"--seconds is time to look ahead: give --ply 1 to {MAX_PLIES}")
        ply = getattr(options, "ply", MAX_PLIES)
        search = replace(search, ply=ply, seconds=options.seconds)
    if "filter" in options:
        search = replace(search, filters=parse_filters(options.filter))
    return Level(getattr(options, "weights", chosen.weights), search)


def parse_filters(text: str) -> "tuple[MoveFilter, ...]":
    """Move filters by the name of a profile, or as PLIES:MOST:MARGIN with commas between.

    Raises ValueError with a sentence if the text is neither, or no such filter can be.
    """
    from bot.backgammon.engine.move_filter import FILTERS, MoveFilter

    if text in FILTERS:
        return FILTERS[text]
    filters = []
    for part in text.split(","):
        try:
            plies, most, margin = part.split(":")
            numbers = int(plies), int(most), float(margin)
        except ValueError:
            raise ValueError(
                f"no move filter {part!r}: give PLIES:MOST:MARGIN as 0:8:0.16, "
                f"or one of {', '.join(FILTERS)}"
            ) from None
        filters.append(MoveFilter(*numbers))
    return tuple(filters)


def level_text(level: "Level") -> str:
    """Weights, plies and time, as in "default, 2-ply"."""
    search = level.search
    limit = "" if search.seconds is None else f" within {search.seconds:g} s"
    return f"{level.weights}, {search.ply}-ply{limit}"


def _ply(text: str) -> int:
    if text not in map(str, range(MAX_PLIES + 1)):
        raise argparse.ArgumentTypeError(f"Blot looks 0 to {MAX_PLIES} plies ahead, not {text}")
    return int(text)


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
