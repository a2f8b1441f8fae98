"""`blot lab`: published experiments remade, ours beside theirs."""

import argparse

from protocol.backgammon.commands.knowledge import (
    KNOWLEDGE,
    TITLE,
    add_knowledge_options,
    print_knowledge,
    refuse_knowledge_options,
)
from protocol.cluster import add_cluster
from protocol.errors import UsageError
from protocol.lab import add_lab_options, at_the_laboratory, experiment_options
from protocol.subcommands import Parsers


def add_lab(subcommands: Parsers) -> None:
    """Add `blot lab`."""
    parser = subcommands.add_parser(
        "lab",
        help="make published experiments again",
        description="Make an experiment of a thesis again: a table, a picture (which needs "
        "matplotlib) and a page with theirs beside ours. Without a name the experiments are "
        f"listed. After Ctrl-C or a crash --resume goes on. {KNOWLEDGE} is no experiment: it shows "
        "what a network plays in positions of the theses and in the opening.",
        allow_abbrev=False,
    )
    add_lab_options(parser, "blot lab", f", or {KNOWLEDGE}")
    add_cluster(parser)
    add_knowledge_options(parser)
    parser.set_defaults(run=_lab)


def _lab(options: argparse.Namespace) -> int:
    from bot.backgammon.lab.laboratory import LABORATORY

    if options.name == KNOWLEDGE and not options.bind:
        given = experiment_options(options)
        if given:
            raise UsageError(f"blot lab {KNOWLEDGE} has only --weights and --json, no {given[0]}")
        return print_knowledge(options)
    refuse_knowledge_options(options)
    return at_the_laboratory(options, LABORATORY, _prepare, [(KNOWLEDGE, "a second", TITLE)])


def _prepare() -> None:
    from bot.backgammon.training.run import TEST_JOBS
    from protocol.backgammon.reports.compilation import compile_first

    compile_first(["self-play", *TEST_JOBS])
