"""`blot serve`: GNU Backgammon's external player."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from bot.lab.command_line import whole_number
from bot.signals import REQUESTS, handle
from protocol.backgammon.commands.options import (
    add_rules,
    add_strength,
    check_rules_of_cube,
    level_of,
    level_text,
    met_of,
    money_of,
)
from protocol.errors import as_usage
from protocol.log_file import add_log
from protocol.progress import tell
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from bot.backgammon.engine.engine import Engine
    from bot.backgammon.engine.level import Level
    from bot.backgammon.engine.shared_engine import SharedEngine
    from bot.backgammon.evaluation.met import MatchEquityTable
    from bot.backgammon.rules.match import MoneyRules
    from protocol.backgammon.adapters.gnubg_server import Evaluate

HOST, PORT = "127.0.0.1", 7100
ROLLING_ENGINES = 2
"""Engines that roll out at the same time; each has processes of its own."""


def add_serve(subcommands: Parsers) -> None:
    """Add `blot serve`."""
    parser = subcommands.add_parser(
        "serve",
        help="play in GNU Backgammon, as its external player",
        description="Listen for GNU Backgammon and play at its board, in any number of games. "
        "The lines of GNU Backgammon's own server are answered too.",
        allow_abbrev=False,
    )
    unsaid = argparse.SUPPRESS  # what is not given can be told from what is
    parser.add_argument(
        "--host", default=unsaid, help=f"IPv4 address to listen on (default: {HOST})"
    )
    parser.add_argument(
        "--port",
        type=whole_number(0, 65535),
        default=unsaid,
        help=f"port to listen on, 0 for any free one (default: {PORT})",
    )
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--unix", metavar="PATH", default=unsaid, help="listen on this Unix socket instead"
    )
    other.add_argument(
        "--stdio", action="store_true", help="talk over standard input and output instead"
    )
    add_strength(parser)
    add_rules(parser, "rules that gnubg does not tell")
    add_log(parser)
    parser.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    """Serve until a signal ends it."""
    from protocol import wire
    from protocol.backgammon.adapters.gnubg_external import GnubgAdapter
    from protocol.backgammon.adapters.gnubg_server import GnubgServer

    cube, money = getattr(options, "cube", True), money_of(options)
    with as_usage():
        check_rules_of_cube(options, cube=cube)
        _check_place(options)
        level = level_of(options)
    wire.keep_log(getattr(options, "log", None))
    listener, engine = None, None
    try:
        if not options.stdio:
            host, port = getattr(options, "host", HOST), getattr(options, "port", PORT)
            listener = wire.listener(host, port, getattr(options, "unix", None))
        met = met_of(options)
        engine = ready_engine(level, cube=cube, met=met)

        evaluator = GnubgServer(_evaluation(level, met), money)

        def make_adapter(send: Callable[[str], None]) -> GnubgAdapter:
            return GnubgAdapter(engine, send, money=money, server=evaluator)

        if listener is None:
            wire.serve_stream(sys.stdin.fileno(), sys.stdout.fileno(), make_adapter)
        else:
            server = wire.LineServer(listener, make_adapter)
            handle(lambda *_: server.stop(), "SIGINT", *REQUESTS)
            address = wire.address_of(listener)
            print(_invitation(address, level, money, met, cube=cube), flush=True)
            server.run()
    except KeyboardInterrupt:
        return 0
    finally:
        if listener is not None:
            wire.close_listener(listener)
        if engine is not None:
            engine.close()
    return 0


def _evaluation(level: "Level", met: "MatchEquityTable | None") -> "Evaluate":
    """The level's evaluation of a state, as deep as is asked; engines are made at first use."""
    from bot.backgammon.engine.shared_engine import SharedEngine

    evaluator = level.evaluator(tell)

    @cache
    def engine(ply: int, cubeful: bool) -> SharedEngine:
        search = replace(level.search, ply=ply, seconds=None)
        alone = replace(level, search=search, roller=None)
        return SharedEngine(lambda: alone.engine(tell, cube=cubeful, met=met, evaluator=evaluator))

    return lambda state, ply, cubeful: engine(ply, cubeful).worth(state)


def _check_place(options: argparse.Namespace) -> None:
    """Raise ValueError for a host or port that nobody listens on."""
    other = "--stdio" if options.stdio else "--unix" if "unix" in options else None
    for name in ("host", "port"):
        if other and name in options:
            raise ValueError(f"--{name} has no use beside {other}: leave one of them out")


def _invitation(
    address: str,
    level: "Level",
    money: "MoneyRules",
    met: "MatchEquityTable | None",
    *,
    cube: bool,
) -> str:
    """The lines to type in gnubg, and the settings in force."""
    rules = ", ".join(
        f"{name} {'on' if is_on else 'off'}"
        for name, is_on in (("jacoby", money.jacoby), ("beavers", money.beavers), ("cube", cube))
    )
    table = f", match equities of {met.name}" if met else ""
    typed = f'"{address}"' if " " in address else address
    return (
        f"Type in GNU Backgammon:  set player 1 external {typed}\n"
        f"Blot plays as {level_text(level)}; {rules}{table} "
        "(set gnubg alike). Ctrl-C ends."
    )


def ready_engine(
    level: "Level", *, cube: bool = True, met: "MatchEquityTable | None" = None
) -> "SharedEngine":
    """An engine that answers at once: kernels compiled, all asked once, processes started."""
    from bot.backgammon.arena.players import ask_everything
    from bot.backgammon.compilation import jobs_of_level
    from bot.backgammon.engine.level import quick_twin
    from bot.backgammon.engine.shared_engine import ENGINES, SharedEngine
    from protocol.backgammon.reports.compilation import compile_first

    compile_first(jobs_of_level(level))
    evaluator = level.evaluator(tell)

    def engine_of(level: "Level") -> "Engine":
        return level.engine(tell, candidates=1, cube=cube, met=met, evaluator=evaluator)

    ask_everything(engine_of(quick_twin(level)))
    engine = SharedEngine(
        lambda: engine_of(level), ENGINES if level.roller is None else ROLLING_ENGINES
    )
    # whoever has a time for each decision must not start processes within it
    is_timed = level.roller is not None and level.roller.seconds is not None
    engine.prepare(ROLLING_ENGINES if is_timed else 1)
    return engine
