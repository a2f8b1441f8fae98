"""Log file option: where a command writes down what it and others say to each other."""

import argparse


def add_log(parser: argparse._ActionsContainer, but: str = "") -> None:
    """Add --log; but: what is not written, in words that begin with a comma."""
    parser.add_argument(
        "--log",
        metavar="FILE",
        default=argparse.SUPPRESS,
        help=f"write to this file every line sent or received{but}, with its time; at 10 MB it is "
        "renamed FILE.1, in place of the one before",
    )
