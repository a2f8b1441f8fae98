"""`blot draughts board`: a board of draughts in the browser."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.draughts.commands.options import STANDARD_VARIANT, VARIANT_NAMES
from protocol.draughts.commands.play import OPPONENT
from protocol.page_server import Page, add_page_options, listener_for, serve_page
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from bot.draughts.rules.variant import Variant
    from protocol.draughts.table.kept_games import KeptGames
    from protocol.draughts.table.table import Table

PORT = 7310


def add_board(subcommands: Parsers) -> None:
    """Add `blot draughts board`."""
    parser = subcommands.add_parser(
        "board",
        help="play, watch and let learn in the browser",
        description="Open a board of draughts in the browser. It prints the address of a page on "
        "this machine; the address has a secret in it, and requests without it are refused. The "
        "game that was played last, here or in the terminal, goes on.",
        allow_abbrev=False,
    )
    add_page_options(parser, PORT)
    parser.add_argument(
        "--variant",
        choices=VARIANT_NAMES,
        help=f"kind of draughts to begin with; without it, that of the last game, or "
        f"{STANDARD_VARIANT}",
    )
    parser.add_argument("--new", action="store_true", help="begin a new game; those kept stay")
    parser.set_defaults(run=_board)


def _board(options: argparse.Namespace) -> int:
    listener = listener_for(options, "blot draughts board")
    from bot.draughts.jobs import COMPILATION, MOVES
    from protocol.compilation import compile_first
    from protocol.draughts.browser import api
    from protocol.draughts.table.kept_games import KeptGames, kept_path
    from protocol.state import state_folder
    from protocol.web import Events

    compile_first(COMPILATION, [MOVES])

    def kept_of(variant: "Variant") -> KeptGames:
        return KeptGames.load(kept_path(variant), variant)

    events = Events()
    table, kept = _table(options)
    answers = api.Api(table, kept, kept_of, state_folder(), events)
    folder = Path(api.__file__).parent / "page"
    files = {"export": answers.exported}
    page = Page(folder, events, answers.answers, files, api.MAX_BODY)
    try:
        serve_page(options, listener, page, state_folder() / "draughts-board.token")
    finally:
        answers.close()
    return 0


def _table(options: argparse.Namespace) -> "tuple[Table, KeptGames]":
    """The unfinished game that people have played last, or a new one, and where it is kept."""
    from bot.draughts.rules.position import Position
    from bot.draughts.rules.variant import VARIANTS
    from protocol.draughts.browser.api import seated
    from protocol.draughts.table.kept_games import KeptGames, kept_path
    from protocol.draughts.table.table import HUMAN, Table

    def played(variant: "Variant") -> float:
        path = kept_path(variant)
        return path.stat().st_mtime if path.exists() else 0.0

    names = VARIANT_NAMES if options.variant is None else (options.variant,)
    variant = max((VARIANTS[name] for name in names), key=played)
    kept = KeptGames.load(kept_path(variant), variant)
    table = None if options.new else kept.take_unfinished(variant)
    if table is None:
        table = Table(Position.start(variant), (HUMAN, OPPONENT))
    return seated(table), kept
