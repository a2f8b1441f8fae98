"""`blot signature`: one number that tells how Blot plays."""

import argparse

from protocol.backgammon.commands.options import DefaultsShown
from protocol.subcommands import Parsers
from protocol.values import print_values


def add_signature(subcommands: Parsers) -> None:
    """Add `blot signature`."""
    parser = subcommands.add_parser(
        "signature",
        help="tell in one number how Blot plays",
        description="Play fixed games with fixed dice, ask what to do with plays, cube and "
        "resignations at many scores, up to three plies deep, and tell in one number what was "
        "decided; a change that alters no decision leaves it as it is.",
        formatter_class=DefaultsShown,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--weights", default="default", metavar="NAME", help="network, by name or file"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.add_argument(
        "--check",
        action="store_true",
        help="fail unless the number is the one that is listed with the weights",
    )
    parser.set_defaults(run=_signature)


def _signature(options: argparse.Namespace) -> int:
    from bot import VERSION
    from bot.backgammon.arena.signature import signature, signature_engines
    from bot.backgammon.compilation import player_jobs
    from bot.backgammon.evaluation.network import load_network
    from bot.weights import digest_of, listed_weights, weights_aliases, weights_file
    from protocol.backgammon.reports.compilation import compile_first
    from protocol.progress import tell

    name = options.weights
    row = listed_weights().get(weights_aliases().get(name, name))
    if options.check and (row is None or row.signature is None):
        raise ValueError(f"no signature to check: the manifest lists none for weights {name}")
    load_network(name)  # or say what is wrong with it before anything is compiled
    digest = digest_of(weights_file(name))
    compile_first(player_jobs(searches=True))
    found = signature(signature_engines(name, tell))
    if options.json:
        table = {"signature": found.number, "version": VERSION, "weights": digest}
        print_values({**table, "slack": found.slack})
    else:
        print(f"{found.number}  Blot {VERSION}, weights {name} ({digest[:12]})")
    if options.check and row is not None and found.number != row.signature:
        raise ValueError(
            f"Blot plays otherwise with weights {name}: the signature is {found.number}, "
            f"the manifest lists {row.signature}"
        )
    return 0
