"""`blot show`: a position, drawn."""

import argparse
from typing import TypeAlias

from protocol.backgammon.commands.question import add_id, parse_question

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_show(subcommands: Parsers) -> None:
    """Add `blot show`."""
    parser = subcommands.add_parser(
        "show",
        help="draw a position",
        description="Draw the board that an ID stands for, as GNU Backgammon does; also the last "
        "one of a game or match that is over.",
        allow_abbrev=False,
    )
    add_id(parser)
    parser.set_defaults(run=_show)


def _show(options: argparse.Namespace) -> int:
    from protocol.backgammon.formats.diagram import diagram, final_diagram
    from protocol.backgammon.formats.pasted_id import pasted_id
    from protocol.backgammon.formats.position_id import parse_finished, parse_match_id

    finished = parse_finished(pasted_id(options.id))
    if finished:
        print(final_diagram(finished))
        return 0
    question = parse_question(options.id)
    _, colon, match = pasted_id(options.id).partition(":")
    record = parse_match_id(match) if colon else None
    if record is None:
        print(diagram(question))
    else:
        points = (0, 0) if record.length else record.points
        print(diagram(question, roller=record.roller, session_points=points))
    return 0
