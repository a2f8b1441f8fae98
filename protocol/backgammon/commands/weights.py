"""`blot weights`: the networks that come with Blot."""

import argparse
import json
from dataclasses import asdict

from protocol.subcommands import Parsers


def add_weights(subcommands: Parsers) -> None:
    """Add `blot weights`."""
    parser = subcommands.add_parser(
        "weights",
        help="list the networks that come with Blot",
        description="List the networks that come with Blot, by the names --weights takes.",
        allow_abbrev=False,
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.set_defaults(run=_weights)


def _weights(options: argparse.Namespace) -> int:
    from bot.weights import listed_weights, weights_aliases

    rows = listed_weights().values()
    aliases = weights_aliases()
    names = {row.name: [row.name, *(a for a in aliases if aliases[a] == row.name)] for row in rows}
    if options.json:
        print(json.dumps([{**asdict(row), "names": names[row.name]} for row in rows], indent=2))
        return 0
    print("mEq: thousandths of a point lost a play, of 1,000 judged ones (checker_dev)")
    for row in rows:
        print(f"{', '.join(names[row.name])}: {row.shape}, {row.inputs}, {row.games:,} games")
        print(f"    {row.strength}")
    return 0
