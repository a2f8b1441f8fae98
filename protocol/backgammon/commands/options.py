"""Options that commands share: how strong Blot plays, and by which rules."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from protocol.errors import as_usage

if TYPE_CHECKING:
    from bot.backgammon.engine.level import Level
    from bot.backgammon.engine.move_filter import MoveFilter
    from bot.backgammon.evaluation.met import MatchEquityTable
    from bot.backgammon.rules.match import MoneyRules

LEVEL_NAMES = ("easy", "medium", "hard", "expert", "best")
FILTER_NAMES = ("tiny", "narrow", "normal", "large", "huge")
FILTERS_IN_WORDS = (
    f"{', '.join(FILTER_NAMES)}, or PLIES:MOST:MARGIN,... such as 0:8:0.16,2:2:0.04 (of the plays "
    "seen 0 plies deep at most the best 8, none more than 0.16 points behind the best; and so on)"
)
DEFAULT_LEVEL = "expert"
ROLLER = "best"
"""The level that rolls out."""
MAX_PLIES = 3


LEVEL_OPTIONS = ("level", "ply", "weights", "filter")
"""Options of add_level."""


class DefaultsShown(argparse.ArgumentDefaultsHelpFormatter):
    """Shows the defaults of options that take a value; that a switch is off needs no words."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help if action.nargs == 0 else super()._get_help_string(action)


def add_strength(parser: argparse.ArgumentParser, *, rolls_out: bool = True) -> None:
    """Add the options of add_level, --threads, --seconds and, if it rolls out, --workers."""
    group = add_level(parser, DEFAULT_LEVEL, rolls_out=rolls_out)
    unsaid = argparse.SUPPRESS
    group.add_argument(
        "--threads",
        type=int,
        default=unsaid,
        metavar="N",
        help="threads that look ahead at the same time (default: 1)",
    )
    if rolls_out:
        group.add_argument(
            "--workers",
            type=int,
            default=unsaid,
            metavar="N",
            help=f"processes that roll out at once, at the level {ROLLER}; without it, one a core",
        )
    of_rollouts = f"; at the level {ROLLER} this is the most it may take" if rolls_out else ""
    group.add_argument(
        "--seconds",
        type=float,
        default=unsaid,
        metavar="S",
        help="seconds to think about each decision: one ply deep, then two, up to --ply "
        f"({MAX_PLIES} without it); time left over goes to plays that the filter left out"
        f"{of_rollouts}",
    )


def add_level(
    parser: argparse.ArgumentParser,
    standard: str,
    *,
    rolls_out: bool = True,
    plies: Callable[[str], int] | None = None,
) -> "argparse._ArgumentGroup":
    """Add --level, --ply, --weights and --filter.

    standard: who plays without them, in words. rolls_out: whether the level that does is offered.
    plies: an argparse type for those of --ply, where they may be another engine's.
    """
    group = parser.add_argument_group("strength")
    unsaid = argparse.SUPPRESS
    depth = group.add_mutually_exclusive_group()
    depth.add_argument(
        "--level",
        choices=[name for name in LEVEL_NAMES if rolls_out or name != ROLLER],
        default=unsaid,
        help=f"weights, plies{', filter and rollouts' if rolls_out else ' and filter'} by one "
        f"name; without it and without --ply, {standard}",
    )
    depth.add_argument(
        "--ply",
        type=plies or _ply,
        default=unsaid,
        metavar="N",
        help=f"plies to look ahead, as gnubg counts, 0 to {MAX_PLIES}",
    )
    group.add_argument(
        "--weights",
        default=unsaid,
        metavar="NAME",
        help="the network, by name or file; without it, the level's (default with --ply)",
    )
    group.add_argument(
        "--filter",
        default=unsaid,
        metavar="FILTER",
        help=f"which plays are looked at deeper: {FILTERS_IN_WORDS}; without it, the level's "
        "(normal with --ply)",
    )
    return group


@as_usage()
def level_of(options: argparse.Namespace, standard: "Level | None" = None) -> "Level":
    """The level that the options make; raises UsageError with a sentence if they make none.

    standard: what plays if neither --level nor --ply is given, the default level if None.
    """
    from dataclasses import replace

    from bot.backgammon.engine.level import Level, level
    from bot.backgammon.engine.search import SearchSettings

    if is_baseline(options):
        return Level(options.weights)
    if "ply" in options:
        chosen = Level(search=SearchSettings(options.ply))
    elif "level" in options or standard is None:
        chosen = level(getattr(options, "level", DEFAULT_LEVEL))
    else:
        chosen = standard
    if "workers" in options and chosen.roller is None:
        raise ValueError(f"--workers roll out: give --level {ROLLER} with it")
    search, roller = chosen.search, chosen.roller
    if roller is not None:
        said = {name: getattr(options, name) for name in ("workers", "seconds") if name in options}
        roller = replace(roller, **said)
    elif "seconds" in options:
        if getattr(options, "ply", MAX_PLIES) == 0:
            raise ValueError(f"--seconds is time to look ahead: give --ply 1 to {MAX_PLIES}")
        ply = getattr(options, "ply", MAX_PLIES)
        search = replace(search, ply=ply, seconds=options.seconds)
    for name in ("filter", "threads"):
        if name in options and search.ply == 0:
            raise ValueError(
                f"--{name} is for looking ahead: give --ply 1 to {MAX_PLIES}, or another level"
            )
    if "filter" in options:
        search = replace(search, filters=_filters_for(options.filter, search.ply))
    if "threads" in options:
        search = replace(search, threads=options.threads)
    return Level(getattr(options, "weights", chosen.weights), search, roller)


@as_usage()
def is_baseline(options: argparse.Namespace) -> bool:
    """Whether --weights names a player without a network; UsageError for options that need one."""
    from bot.backgammon.arena.baselines import BASELINES

    weights = getattr(options, "weights", None)
    if weights not in BASELINES:
        return False
    for name in ("level", "ply", "filter", "threads", "workers", "seconds"):
        if name in options:
            raise ValueError(f"{weights} neither evaluates nor looks ahead: leave out --{name}")
    return True


def _filters_for(text: str, ply: int) -> "tuple[MoveFilter, ...]":
    """The move filters of a text; ValueError for one that was spelt out and is never reached."""
    filters = parse_filters(text)
    if text not in FILTER_NAMES and filters[-1].plies >= ply:
        raise ValueError(
            f"--filter: plays evaluated {filters[-1].plies} plies deep are looked at no deeper "
            f"with {ply}-ply"
        )
    return filters


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
    """Name of a level, as in "expert (default 3-ply)", or else what it is made of.

    A level that is none of those with a name is weights, plies and time, as in "default 2-ply".
    """
    from dataclasses import replace

    from bot.backgammon.arena.baselines import BASELINES
    from bot.backgammon.engine.level import LEVELS

    if level.weights in BASELINES:
        return level.weights
    search, roller = level.search, level.roller
    seconds = search.seconds if roller is None else roller.seconds
    limit = "" if seconds is None else f" within {seconds:g} s"
    parts = f"{level.weights} {search.ply}-ply{' and rollouts' if roller else ''}{limit}"
    for name, known in LEVELS.items():
        alike = replace(level, search=replace(search, threads=known.search.threads))
        if roller and known.roller:
            alike = replace(alike, roller=replace(roller, workers=known.roller.workers))
        if known == alike:
            return f"{name} ({parts})" if level.weights != name else f"{name} ({search.ply}-ply)"
    return parts


def _ply(text: str) -> int:
    if text not in map(str, range(MAX_PLIES + 1)):
        raise argparse.ArgumentTypeError(f"Blot looks 0 to {MAX_PLIES} plies ahead, not {text}")
    return int(text)


def add_rules(parser: argparse.ArgumentParser, title: str = "rules") -> None:
    """Add --cube, --jacoby, --beavers and --met, the first three with their opposites."""
    switch, unsaid = argparse.BooleanOptionalAction, argparse.SUPPRESS
    group = parser.add_argument_group(title)
    for name, meaning in (
        ("cube", "whether the cube is in use; it is by default"),
        ("jacoby", "Jacoby rule in money games; on by default"),
        ("beavers", "beavers in money games; off by default"),
    ):
        group.add_argument(f"--{name}", action=switch, default=unsaid, help=meaning)
    add_met(group)


def money_of(options: argparse.Namespace) -> "MoneyRules":
    """The rules of money games."""
    from bot.backgammon.rules.match import MoneyRules

    return MoneyRules(getattr(options, "jacoby", True), getattr(options, "beavers", False))


@as_usage()
def check_rules(options: argparse.Namespace, *, cube: bool, length: int | None) -> None:
    """Raise ValueError for a rule that was given and would not count; length: None for money."""
    for name in ("jacoby", "beavers"):
        if getattr(options, name, False) and length is not None:
            raise ValueError(f"--{name} is a rule of money games; leave it out of a match")
    if "met" in options and length is None:
        raise ValueError("--met counts in matches with the cube; leave it out of money games")
    check_rules_of_cube(options, cube=cube)
    if "met" in options and length == 1:
        raise ValueError("--met says nothing about a match to 1 point; leave it out")


@as_usage()
def check_rules_of_cube(options: argparse.Namespace, *, cube: bool) -> None:
    """Raise ValueError for a rule that was given and needs the cube, if there is none."""
    for name in () if cube else ("jacoby", "beavers"):
        if getattr(options, name, False):
            raise ValueError(f"--{name} is a rule of the cube; leave it out with --no-cube")
    if "met" in options and not cube:
        raise ValueError("--met counts in matches with the cube; leave it out with --no-cube")


def add_met(parser: "argparse._ActionsContainer") -> None:
    """Add --met."""
    parser.add_argument(
        "--met",
        default=argparse.SUPPRESS,
        metavar="FILE",
        help="match equity table, as gnubg's XML; without it, Blot's own",
    )


def met_alone(options: argparse.Namespace) -> argparse.Namespace:
    """The options, nothing but --met if it was given."""
    return argparse.Namespace(met=options.met) if "met" in options else argparse.Namespace()


def met_of(options: argparse.Namespace) -> "MatchEquityTable | None":
    """The table that --met names, None for Blot's own; raises ValueError if the file is none."""
    if "met" not in options:
        return None
    from pathlib import Path

    from protocol.backgammon.formats.met_file import read_table

    return read_table(Path(options.met))
