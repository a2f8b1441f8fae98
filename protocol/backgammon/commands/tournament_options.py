"""Options of the tournaments of `blot match`, which only count with players by name."""

import argparse
from pathlib import Path

from protocol.cluster import add_cluster
from protocol.errors import UsageError
from protocol.workers import MAX_WORKERS, worker_count

UNUSED_MET = "--met is for players who think with a network, and none does here: leave it out"
"""Told where no player and no luck is looked up in the table of match equities."""

GAMES, SEED, MAX_FAULTS = 100, 1, 10
"""Games, the seed, and games lost by failures that end a run, if nothing is said."""

DEFAULTS = {
    "games": GAMES,
    "seed": SEED,
    "max_faults": MAX_FAULTS,
    "sprt": None,
    "luck": False,
    "shape": None,
}
"""Options of a run, and what counts if they are not given; those of the rules depend on others."""


def add_referee(parser: argparse.ArgumentParser) -> None:
    """Add the players by name, and the options that only count with them."""
    unsaid = argparse.SUPPRESS
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        default=unsaid,
        help="two players or more, each by a name that --opponent takes, NAME:PLIES for weights "
        "that look ahead, or an alias of --engines; without them, --opponent and the options of "
        "strength say who plays",
    )
    group = parser.add_argument_group("any players against each other, refereed here")
    group.add_argument(
        "--engines",
        type=Path,
        default=unsaid,
        metavar="FILE",
        help="a TOML file with a table for each player by an alias",
    )
    shape = group.add_mutually_exclusive_group()
    for name, meaning in (
        ("round-robin", "every player plays every other one"),
        ("gauntlet", "the first player plays every other one"),
    ):
        shape.add_argument(
            f"--{name}",
            dest="shape",
            action="store_const",
            const=name,
            default=unsaid,
            help=meaning,
        )
    for name, meaning in (
        ("record", "keep settings, results and games in this file (SQLite)"),
        (
            "resume",
            "go on with the run in this file, by its settings; with --games N until N are played, "
            "and the last games so far may be played anew",
        ),
        ("export", "write the games of the run in this file to --mat and --sgf, and play none"),
    ):
        group.add_argument(f"--{name}", type=Path, default=unsaid, metavar="FILE", help=meaning)
    _add_course(group)


def _add_course(group: "argparse._ArgumentGroup") -> None:
    """Add the options of how a run goes and when it ends."""
    unsaid = argparse.SUPPRESS
    group.add_argument(
        "--parallel",
        type=worker_count,
        default=unsaid,
        metavar="N",
        help=f"processes that play, 1 to {MAX_WORKERS}; without it 1, or with --cluster local one "
        "for each processor",
    )
    add_cluster(group)
    group.add_argument(
        "--max-faults",
        type=int,
        default=unsaid,
        metavar="N",
        help=f"give up after so many games lost by players that fail (default: {MAX_FAULTS})",
    )
    group.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        default=unsaid,
        metavar=("LOW", "HIGH"),
        help="stop as soon as it is clear, with 5 %% error, whether the first player's mean result "
        "of a pair is LOW or HIGH, in standard deviations of a pair; --games is the most to play",
    )
    group.add_argument(
        "--luck",
        action="store_true",
        default=unsaid,
        help="also tell results less the luck of the dice, as Blot sees it at 0-ply",
    )


REFEREE_OPTIONS = (
    "engines",
    "shape",
    "record",
    "resume",
    "export",
    "parallel",
    "cluster",
    "max_faults",
    "sprt",
    "luck",
)


def is_tournament(options: argparse.Namespace) -> bool:
    """Whether players are named; raises UsageError for options that only count then."""
    if options.players or "resume" in options or "export" in options:
        return True
    for name in REFEREE_OPTIONS:
        if name in options:
            said = options.shape if name == "shape" else name.replace("_", "-")
            raise UsageError(f"--{said} is for players by name: blot match PLAYER PLAYER --{said}")
    return False
