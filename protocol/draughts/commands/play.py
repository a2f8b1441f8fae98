"""`blot draughts play`: a game of draughts in the terminal."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.draughts.commands.options import (
    add_limits,
    add_variant,
    limits_of,
    refuse_idle_limits,
    refuse_missing_folder,
    variant_of,
)
from protocol.errors import UsageError
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from bot.draughts.rules.decision import Player
    from protocol.draughts.table.table import Table

DELAY = 0.5
HUMAN = "human"
OPPONENT = "hard"
HINTS = "expert"


def add_play(subcommands: Parsers) -> None:
    """Add `blot draughts play`."""
    parser = subcommands.add_parser(
        "play",
        help="play in the terminal",
        description="Play draughts in the terminal. A player is human, a level (easy, medium, "
        "hard, expert, best), random, alpha-beta:DEPTH or minimax:DEPTH (the thesis's player, with "
        "a table of states behind another colon), or hub:COMMAND. Games are kept in a PDN "
        "file, and one that was left goes on at the next start unless another is asked for.",
        allow_abbrev=False,
    )
    add_variant(parser)
    for side, name in (("white", "human"), ("black", OPPONENT)):
        parser.add_argument(
            f"--{side}",
            metavar="PLAYER",
            help=f"who plays {side.capitalize()} (default: {name})",
        )
    add_limits(parser, "of the bots")
    parser.add_argument(
        "--from", dest="position", metavar="FEN", help="begin in this position, given as FEN"
    )
    parser.add_argument(
        "--game",
        type=Path,
        metavar="FILE",
        help="keep the games in this PDN file, and go on with the last",
    )
    parser.add_argument("--new", action="store_true", help="begin anew, whatever game is kept")
    parser.add_argument(
        "--delay",
        type=_delay,
        metavar="SECONDS",
        help=f"pause between what bots do, 0 to 60 (default: {DELAY})",
    )
    parser.add_argument("--ascii", action="store_true", help="draw the board with letters")
    parser.add_argument("--flip", action="store_true", help="draw it with Black below")
    parser.set_defaults(run=_play)


def _play(options: argparse.Namespace) -> int:
    from contextlib import ExitStack

    from protocol.draughts.arena.named_players import compile_for, entrant
    from protocol.draughts.formats.notation import example_moves
    from protocol.draughts.table.kept_games import KeptGames, kept_path
    from protocol.draughts.terminal.talk import Talk
    from protocol.draughts.terminal.terminal import look_for, sit

    variant = variant_of(options)
    if options.game is not None:
        refuse_missing_folder(options.game)
    kept = KeptGames.load(options.game or kept_path(variant), variant)
    left = None if _begins_anew(options) else kept.take_unfinished(variant)
    if left is not None and options.game is not None:
        _refuse_programs(options.game, left)
    table = _new_table(options) if left is None else left
    for name in table.players:
        if name != HUMAN:
            entrant(name, variant, beside=(HUMAN,))
    refuse_idle_limits(options, table.players)
    if options.delay is not None and set(table.players) == {HUMAN}:
        raise UsageError("--delay is between what bots do, and none plays: leave it out")
    if left is not None:
        print(f"The last game in {kept.path} goes on; --new begins another.")
    limits = limits_of(options)
    compile_for((*table.players, HINTS), variant)
    with ExitStack() as seats:

        def seat(name: str) -> "Player":
            return seats.enter_context(entrant(name, variant)(0))

        def make_talk() -> Talk:
            white, black = (None if name == HUMAN else seat(name) for name in table.players)
            talk = Talk(
                table,
                lambda text: print(text, flush=True),
                players=(white, black),
                limits=limits,
                advisor=lambda: seat(HINTS),
                look=look_for(sys.stdout, ascii_only=options.ascii, flipped=options.flip),
                keep=kept.keep,
            )
            talk.keep_by(kept.prepare)
            return talk

        sit(make_talk, example_moves(variant), DELAY if options.delay is None else options.delay)
    return 0


def _refuse_programs(path: Path, table: "Table") -> None:
    """Raise ValueError if a program plays, as a file that anybody may have written says."""
    from protocol.draughts.arena.named_players import HUB

    for side, name in zip(("White", "Black"), table.players, strict=True):
        if name.startswith(HUB):
            raise ValueError(
                f"{path} has {name} play {side}, and a file starts no program: give "
                f"--{side.lower()} {name!r} for a game against it"
            )


def _begins_anew(options: argparse.Namespace) -> bool:
    """Whether an option asks for another game than the one that is kept."""
    chosen = (options.white, options.black, options.position)
    return options.new or any(each is not None for each in chosen)


def _new_table(options: argparse.Namespace) -> "Table":
    """The table that the options ask for."""
    from bot.draughts.rules.position import Position
    from protocol.draughts.formats.fen import parse_fen
    from protocol.draughts.table.table import Table

    variant = variant_of(options)
    start = Position.start(variant)
    if options.position is not None:
        start = parse_fen(options.position, variant)
    white = HUMAN if options.white is None else options.white
    return Table(start, (white, OPPONENT if options.black is None else options.black))


def _delay(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise argparse.ArgumentTypeError(f"0 to 60 seconds, not {text!r}")
    return seconds
