"""`blot lab knowledge`: positions that theses show, put to a network."""

import argparse
import json

from protocol.errors import UsageError

KNOWLEDGE = "knowledge"
TITLE = "Positions that theses show, put to a network"


def add_knowledge_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that are for `blot lab knowledge` alone."""
    group = parser.add_argument_group(f"options of blot lab {KNOWLEDGE}")
    group.add_argument(
        "--weights",
        default=argparse.SUPPRESS,
        metavar="NAME",
        help="network to ask, a name or a file (default: default)",
    )
    group.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON, for programs"
    )


def refuse_knowledge_options(options: argparse.Namespace) -> None:
    """Raise UsageError if an option was given that nothing but knowledge has."""
    for name in ("weights", "json"):
        if name in options:
            raise UsageError(f"--{name} is for blot lab {KNOWLEDGE}")


def print_knowledge(options: argparse.Namespace) -> int:
    """Ask the network and print what it plays."""
    from rich.console import Console

    from bot.backgammon.evaluation.bearoff import load_databases
    from bot.backgammon.evaluation.evaluator import CompositeEvaluator, NetworkEvaluator
    from bot.backgammon.evaluation.network import load_network
    from bot.backgammon.lab.knowledge import OPENING_ROLLS, THESES, answers
    from bot.weights import DEFAULT
    from protocol.backgammon.reports.compilation import compile_first
    from protocol.backgammon.reports.knowledge import knowledge_tables, knowledge_values
    from protocol.progress import tell

    weights = getattr(options, "weights", DEFAULT)
    network = NetworkEvaluator(load_network(weights))
    compile_first(["plays", "evaluation"])
    stronger = CompositeEvaluator(load_network(DEFAULT), load_databases(tell))
    found = answers([*THESES, *OPENING_ROLLS], network, stronger)
    if "json" in options:
        values = {"weights": weights, "stronger": DEFAULT, "answers": knowledge_values(found)}
        print(json.dumps(values, indent=2))
        return 0
    console = Console(highlight=False)
    for part in knowledge_tables(found):
        console.print(part)
    return 0
