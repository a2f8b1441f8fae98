"""`blot serve`: GNU Backgammon's external player."""

import argparse
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from protocol.backgammon.commands.options import (
    add_rules,
    add_strength,
    level_of,
    level_text,
    met_of,
)
from protocol.progress import tell
from protocol.signals import handle

if TYPE_CHECKING:
    from bot.backgammon.engine.engine import Engine
    from bot.backgammon.engine.level import Level
    from bot.backgammon.evaluation.met import MatchEquityTable

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_serve(subcommands: Parsers) -> None:
    """Add `blot serve`."""
    parser = subcommands.add_parser(
        "serve",
        help="play in GNU Backgammon, as its external player",
        description="Listen for GNU Backgammon and play at its board, in any number of games.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--host", default="127.0.0.1", help="IPv4 address to listen on")
    parser.add_argument("--port", type=int, default=7100, help="port, 0 for any free one")
    parser.add_argument("--unix", metavar="PATH", help="listen on this Unix socket instead")
    parser.add_argument("--stdio", action="store_true", help="read and answer here instead")
    add_strength(parser)
    add_rules(parser, "rules that gnubg does not tell")
    parser.add_argument("--log", metavar="FILE", help="keep every line with its time")
    parser.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    """Serve until a signal ends it."""
    from bot.backgammon.rules.match import MoneyRules
    from protocol import wire
    from protocol.backgammon.adapters.gnubg_external import GnubgAdapter

    handle(signal.default_int_handler, "SIGTERM")
    wire.keep_log(options.log)
    listener = None
    try:
        if not options.stdio:
            listener = wire.listener(options.host, options.port, options.unix)
        level = level_of(options)
        met = met_of(options)
        engine = ready_engine(level, cube=options.cube, met=met)
        money = MoneyRules(options.jacoby, options.beavers)

        def make_adapter(send: Callable[[str], None]) -> GnubgAdapter:
            return GnubgAdapter(engine, send, money=money)

        if listener is None:
            wire.serve_stream(sys.stdin.fileno(), sys.stdout.fileno(), make_adapter)
        else:
            server = wire.LineServer(listener, make_adapter)
            handle(lambda *_: server.stop(), "SIGINT", "SIGTERM")
            address = wire.address_of(listener)
            print(_invitation(address, level, met, options), flush=True)
            server.run()
    except KeyboardInterrupt:
        return 0
    finally:
        if listener is not None:
            wire.close_listener(listener)
    return 0


def _invitation(
    address: str, level: "Level", met: "MatchEquityTable | None", options: argparse.Namespace
) -> str:
    """The lines to type in gnubg, and the settings in force."""
    jacoby, beavers, cube = (
        f"{name} {'on' if getattr(options, name) else 'off'}"
        for name in ("jacoby", "beavers", "cube")
    )
    table = f", match equities of {met.name}" if met else ""
    typed = f'"{address}"' if " " in address else address
    return (
        f"Type in GNU Backgammon:  set player 1 external {typed}\n"
        f"Weights {level_text(level)}; {jacoby}, {beavers}, {cube}{table} "
        "(set gnubg alike). Ctrl-C ends."
    )


def ready_engine(
    level: "Level", *, cube: bool = True, met: "MatchEquityTable | None" = None
) -> "Engine":
    """An engine that answers at once: its kernels compiled and every kind of question asked."""
    from bot.backgammon.arena.players import ask_everything
    from bot.backgammon.compilation import jobs_of_level
    from bot.backgammon.engine.level import quick_twin
    from protocol.backgammon.reports.compilation import compile_first

    compile_first(jobs_of_level(level))
    ask_everything(quick_twin(level).engine(tell, candidates=1, cube=cube, met=met))
    return level.engine(tell, candidates=1, cube=cube, met=met)
