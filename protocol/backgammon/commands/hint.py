"""`blot hint`: the plays of a position, ranked."""

import argparse
import re
import sys

from protocol.backgammon.commands.options import (
    add_strength,
    check_rules_of_cube,
    level_of,
    met_of,
)
from protocol.backgammon.commands.question import (
    add_plays,
    add_question,
    count_of,
    has_cube,
    plays_of,
    question_about,
    question_of,
)
from protocol.errors import UsageError
from protocol.subcommands import Parsers
from protocol.values import print_values

STANDARD_INPUT = "-"
MAX_BYTES = 4096
"""No line with an ID is longer."""

DICE_BEHIND = re.compile(r"(.*\S)\s+(\d[-,]?\d)")


def add_hint(subcommands: Parsers) -> None:
    """Add `blot hint`."""
    parser = subcommands.add_parser(
        "hint",
        help="rank the plays of a position",
        description="Rank the plays of a roll. Before the roll, tell the chances and what it is "
        "worth to double, to take and to drop; for a double or a resignation in the match ID, what "
        "to answer. With - for ID it answers each line of standard input, an ID and perhaps dice "
        "behind it, with a line of JSON; empty lines and those that begin with # are skipped.",
        allow_abbrev=False,
    )
    add_question(parser)
    add_plays(parser, "plays to show at most, the best")
    add_strength(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.set_defaults(run=_hint)


def _hint(options: argparse.Namespace) -> int:
    from protocol.backgammon.formats.pasted_id import pasted_id
    from protocol.backgammon.reports.advisor import advisor
    from protocol.backgammon.reports.hint import hint_lines, hint_values

    if options.id == STANDARD_INPUT:
        return _hint_each_line(options)
    question = question_of(options)
    own = plays_of(options, question)
    level = level_of(options)
    cube = has_cube(options)
    with advisor(level, cube=cube, met=met_of(options)) as engine:
        asked = question, engine, count_of(options)
        if options.json:
            values = {"id": pasted_id(options.id).text, "weights": level.weights}
            values |= hint_values(*asked, uses_cube=cube, own=own)
            print_values(values)
        else:
            print("\n".join(hint_lines(*asked, uses_cube=cube, own=own)))
    return 0


def _hint_each_line(options: argparse.Namespace) -> int:
    """Answer each line of standard input with a line of JSON; 1 if one could not be answered."""
    from protocol.backgammon.adapters.analysis_engine import read_lines
    from protocol.backgammon.formats.pasted_id import pasted_id
    from protocol.backgammon.reports.advisor import advisor
    from protocol.backgammon.reports.hint import hint_values

    if "play" in options:
        raise UsageError("--play is for one position, not for those of standard input")
    cube, count = has_cube(options), count_of(options)
    check_rules_of_cube(options, cube=cube)
    level = level_of(options)
    status = 0
    with advisor(level, cube=cube, met=met_of(options)) as engine:
        for line in read_lines(sys.stdin.buffer, MAX_BYTES):
            text = line.decode(errors="replace").strip()
            if not text or text.startswith("#"):
                continue
            try:
                identity, dice = _id_and_dice(text)
                if dice and "dice" in options:
                    raise ValueError("dice behind the ID, and --dice: give one of them")
                pasted = pasted_id(identity)
                question = question_about(
                    pasted,
                    dice or getattr(options, "dice", None),
                    jacoby=getattr(options, "jacoby", None),
                    beavers=getattr(options, "beavers", None),
                )
                values = {"id": pasted.text, "weights": level.weights}
                if pasted.xgid and pasted.xgid.note:
                    values["note"] = pasted.xgid.note
                values |= hint_values(question, engine, count, uses_cube=cube)
            except ValueError as error:
                values, status = {"id": text, "error": str(error)}, 1
            print_values(values)
    return status


def _id_and_dice(line: str) -> tuple[str, tuple[int, int] | None]:
    """The ID of a line, and the dice if they stand behind it; raises ValueError for bad dice."""
    from protocol.backgammon.formats.notation import parse_dice

    found = DICE_BEHIND.fullmatch(line)
    return (found[1], parse_dice(found[2])) if found else (line, None)
