"""`blot hint`: the plays of a position, ranked."""

import argparse
import json
from typing import TypeAlias

from protocol.backgammon.commands.options import (
    add_strength,
    level_of,
    met_of,
)
from protocol.backgammon.commands.question import add_question, question_of

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_hint(subcommands: Parsers) -> None:
    """Add `blot hint`."""
    parser = subcommands.add_parser(
        "hint",
        help="rank the plays of a position",
        description="Rank the plays of a roll. Before the roll, tell the chances and what it is "
        "worth to double, to take and to drop; for a double or a resignation in the match ID, what "
        "to answer.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    add_question(parser)
    parser.add_argument(
        "--cube", action=argparse.BooleanOptionalAction, default=True, help="cube in use"
    )
    parser.add_argument("--count", type=_count, default=5, help="plays to show at most")
    add_strength(parser)
    parser.add_argument("--json", action="store_true", help="for a program to read")
    parser.set_defaults(run=_hint)


def _hint(options: argparse.Namespace) -> int:
    from protocol.backgammon.formats.pasted_id import pasted_id
    from protocol.backgammon.reports.hint import hint_lines, hint_values
    from protocol.backgammon.terminal.terminal import advisor

    question = question_of(options)
    level = level_of(options)
    engine = advisor(level, cube=options.cube, met=met_of(options))
    if options.json:
        values = {"id": pasted_id(options.id), "weights": level.weights}
        values |= hint_values(question, engine, options.count, uses_cube=options.cube)
        print(json.dumps(values))
    else:
        print("\n".join(hint_lines(question, engine, options.count, uses_cube=options.cube)))
    return 0


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"show at least 1 play, not {text!r}")
    return int(text)
