"""`blot board`: a board in the browser."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.backgammon.commands.options import add_met
from protocol.backgammon.commands.play import OPPONENT
from protocol.page_server import Page, add_page_options, listener_for, serve_page
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from protocol.backgammon.table.kept_games import KeptGame, KeptGames
    from protocol.backgammon.table.table import Setting, Table

PORT = 7300


def add_board(subcommands: Parsers) -> None:
    """Add `blot board`."""
    parser = subcommands.add_parser(
        "board",
        help="play, analyse and learn in the browser",
        description="Open a board in the browser. It prints the address of a page on this "
        "machine; the address has a secret in it, and requests without it are refused. The game "
        "that was played last, here or in the terminal, goes on.",
        allow_abbrev=False,
    )
    add_page_options(parser, PORT)
    parser.add_argument("--new", action="store_true", help="begin a new game; those kept stay")
    add_met(parser)
    parser.set_defaults(run=_board)


def _board(options: argparse.Namespace) -> int:
    listener = listener_for(options, "blot board")
    from bot.backgammon.compilation import jobs_of_level
    from bot.backgammon.engine.level import LEVELS
    from protocol.backgammon.browser import api
    from protocol.backgammon.commands.options import met_of
    from protocol.backgammon.reports.compilation import compile_first
    from protocol.backgammon.table.kept_games import KeptGames
    from protocol.state import state_folder
    from protocol.web import Events

    met_of(options)
    met = Path(options.met) if "met" in options else None
    compile_first(jobs_of_level(LEVELS["best"]))  # rollouts among them
    games, events = KeptGames(state_folder()), Events()
    table, kept = _table(games, is_new=options.new)
    answers = api.Api(table, kept, games, events, _table_of, met)
    folder = Path(api.__file__).parent / "page"
    page = Page(folder, events, answers.answers, {"export": answers.exported})
    try:
        serve_page(options, listener, page, games.folder / "board.token")
    finally:
        answers.close()
    return 0


def _table(games: "KeptGames", *, is_new: bool) -> "tuple[Table, KeptGame]":
    """The game that people have played last, or a new one, and where it is kept."""
    import secrets

    from bot.backgammon.rules.match import MoneyRules
    from protocol.backgammon.table.table import HUMAN, SEEDS, Setting, Table
    from protocol.progress import tell

    for kept in () if is_new else games.all():
        try:
            table = kept.load()
        except ValueError as error:
            tell(str(error))
            continue
        if table is not None and HUMAN in table.setting.players:
            return table, kept
    setting = Setting(
        (HUMAN, OPPONENT), seed=secrets.randbelow(SEEDS), cube=True, money=MoneyRules()
    )
    return Table(setting), games.free()


def _table_of(text: str, setting: "Setting") -> "Table":
    """The table at the position of a pasted ID; of a bare position, with the cube as before."""
    from dataclasses import replace

    from protocol.backgammon.commands.question import question_about, table_about
    from protocol.backgammon.formats.pasted_id import pasted_id

    pasted = pasted_id(text)
    has_cube = setting.cube
    if pasted.xgid is not None:
        has_cube = pasted.xgid.limit > 0
    elif pasted.record is not None:
        has_cube = True
    return table_about(pasted, question_about(pasted), replace(setting, cube=has_cube))
