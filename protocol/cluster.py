"""Cluster option: a command's work on many machines."""

import argparse
from contextlib import AbstractContextManager, nullcontext

from protocol.errors import UsageError, as_argument
from protocol.progress import tell


def add_cluster(parser: argparse._ActionsContainer) -> None:
    """Add --cluster."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        type=_address,
        default=argparse.SUPPRESS,
        help="work on a cluster of Ray's (extra cluster): local starts one on this machine alone, "
        "HOST:PORT is the head of one that this machine is a node of",
    )


@as_argument()
def _address(text: str) -> str:
    from bot.workers.cluster import LOCAL, check_address

    if text != LOCAL:
        check_address(text)
    return text


def refuse_idle_count(options: argparse.Namespace, name: str) -> None:
    """Raise UsageError if the option with a number of processes is given, and would not count.

    A cluster that is there already works with all the processors it has.
    """
    if not (name in options and "cluster" in options):
        return
    from bot.workers.cluster import LOCAL

    if options.cluster != LOCAL:
        raise UsageError(
            f"--{name} is for this machine alone, and {options.cluster} has its own processors: "
            "leave it out"
        )


def on_its_cluster(
    options: argparse.Namespace, processors: int | None = None
) -> AbstractContextManager[None]:
    """The work of a command with --cluster is done there meanwhile.

    processors: of a local one, all of this machine's if None. Raises ValueError if Ray is not
    installed, OSError if no cluster answers.
    """
    if "cluster" not in options:
        return nullcontext()
    from bot.workers.cluster import at_cluster

    return at_cluster(options.cluster, tell, processors)
