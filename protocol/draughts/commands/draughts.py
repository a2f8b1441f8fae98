"""`blot draughts`: the commands about draughts, one group of their own."""

import argparse

from protocol.draughts.commands.board import add_board
from protocol.draughts.commands.dxp import add_dxp
from protocol.draughts.commands.endings import add_endings
from protocol.draughts.commands.hub import add_hub
from protocol.draughts.commands.lab import add_lab
from protocol.draughts.commands.learn import add_learn
from protocol.draughts.commands.match import add_match
from protocol.draughts.commands.play import add_play
from protocol.draughts.commands.repeat import add_repeat
from protocol.draughts.commands.train import add_train
from protocol.subcommands import Parsers

ADDED = (
    add_play,
    add_board,
    add_match,
    add_hub,
    add_dxp,
    add_train,
    add_endings,
    add_learn,
    add_repeat,
    add_lab,
)
"""The subcommands, each by what adds it."""


def add_draughts(subcommands: Parsers) -> None:
    """Add `blot draughts` with its own subcommands."""
    parser = subcommands.add_parser(
        "draughts",
        help="play Czech or international draughts",
        description="Czech and international draughts.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=lambda options: _show_help(parser))
    group = parser.add_subparsers(title="what to do", metavar="COMMAND")
    for add in ADDED:
        add(group)


def _show_help(parser: argparse.ArgumentParser) -> int:
    parser.print_help()
    return 0
