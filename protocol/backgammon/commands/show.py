"""`blot show`: a position, drawn."""

import argparse

from protocol.backgammon.commands.question import add_id
from protocol.subcommands import Parsers


def add_show(subcommands: Parsers) -> None:
    """Add `blot show`."""
    parser = subcommands.add_parser(
        "show",
        help="draw a position",
        description="Draw the board that an ID stands for, as GNU Backgammon does, with its XGID; "
        "in a finished game or match the last one.",
        allow_abbrev=False,
    )
    add_id(parser)
    parser.set_defaults(run=_show)


def _show(options: argparse.Namespace) -> int:
    from protocol.backgammon.formats.diagram import diagram, final_diagram
    from protocol.backgammon.formats.pasted_id import UNTOLD, pasted_id
    from protocol.backgammon.formats.xgid import Xgid, xgid_line

    pasted = pasted_id(options.id)
    if pasted.finished:
        print(final_diagram(pasted.finished))
        return 0
    record = pasted.record or UNTOLD
    print(diagram(pasted.request, record=record))
    print(xgid_line(pasted.xgid or Xgid(pasted.position, record)))
    return 0
