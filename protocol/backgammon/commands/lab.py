"""`blot lab`: published experiments remade, ours beside theirs."""

import argparse
from typing import TypeAlias

from protocol.backgammon.commands.knowledge import (
    KNOWLEDGE,
    TITLE,
    add_knowledge_options,
    print_knowledge,
    refuse_knowledge_options,
)
from protocol.errors import UsageError
from protocol.lab import add_lab_options, at_the_laboratory

DEFAULTS = {"scale": "small", "seed": 1}
"""Defaults of the options that add_lab_options adds."""

OF_AN_ATTEMPT = {
    "show": "--show",
    "resume": "--resume",
    "out": "--out",
    "changes": "--set",
    "cluster": "--cluster",
}
"""The other options of an experiment, by what they are kept as."""

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


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
    add_knowledge_options(parser)
    parser.set_defaults(run=_lab, **dict.fromkeys(DEFAULTS))  # None tells that nobody gave it


def _lab(options: argparse.Namespace) -> int:
    from bot.backgammon.lab.laboratory import LABORATORY

    given = [flag for name, flag in OF_AN_ATTEMPT.items() if getattr(options, name, None)]
    given += [f"--{name}" for name in DEFAULTS if getattr(options, name) is not None]
    if options.name == KNOWLEDGE and not options.bind:
        if given:
            raise UsageError(f"blot lab {KNOWLEDGE} has only --weights and --json, no {given[0]}")
        return print_knowledge(options)
    refuse_knowledge_options(options)
    if options.bind and set(given) - {"--out"}:
        raise UsageError("--bind needs folders of attempts and --out, and nothing else")
    if options.name is None and given and not options.bind:
        raise UsageError(f"{given[0]} is for an experiment: name one; blot lab lists them")
    for name, value in DEFAULTS.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    return at_the_laboratory(options, LABORATORY, _prepare, [(KNOWLEDGE, "a second", TITLE)])


def _prepare() -> None:
    from protocol.backgammon.reports.compilation import compile_first

    compile_first(["self-play", "tests"])
