"""`blot draughts lab`: what a thesis measured of its player, measured again."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING

from protocol.lab import add_lab_options, at_the_laboratory
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from bot.draughts.arena.duel import Entrant
    from bot.draughts.rules.decision import Player
    from bot.draughts.rules.variant import Variant

COMMAND = "blot draughts lab"


def add_lab(subcommands: Parsers) -> None:
    """Add `blot draughts lab`."""
    parser = subcommands.add_parser(
        "lab",
        help="make a thesis's experiments again",
        description="Make an experiment of the Czech thesis again: a table, a picture (which needs "
        "matplotlib) and a page with his figures, where they are known, beside ours. Without a "
        "name the experiments are listed. After Ctrl-C or a crash --resume goes on.",
        allow_abbrev=False,
    )
    add_lab_options(parser, COMMAND)
    parser.set_defaults(run=_lab)


def _lab(options: argparse.Namespace) -> int:
    from bot.draughts.lab.laboratory import LABORATORY

    with players_by_name() as players:
        return at_the_laboratory(options, LABORATORY, _prepare, players=players)


def _prepare() -> None:
    """Have compiled what the games of experiments need, named players left out: see compile_for."""
    from bot.draughts.jobs import COMPILATION, DEPTH_GAMES
    from protocol.compilation import compile_first

    compile_first(COMPILATION, [DEPTH_GAMES])


@contextmanager
def players_by_name() -> "Iterator[Callable[[str, Variant], Entrant]]":
    """Makes entrants by their names; a program is started once and ends with the block."""
    with ExitStack() as programs:
        started: dict[tuple[str, str], Entrant] = {}

        def entrant_of(name: str, variant: "Variant") -> "Entrant":
            from protocol.draughts.arena.named_players import HUB, compile_for, entrant

            found = entrant(name, variant)

            def compiled(seed: int) -> "AbstractContextManager[Player]":
                compile_for([name], variant)
                return found(seed)

            if not name.startswith(HUB):
                return compiled
            key = name, variant.name
            if key not in started:
                program = programs.enter_context(compiled(0))
                started[key] = lambda _: nullcontext(program)
            return started[key]

        yield entrant_of
