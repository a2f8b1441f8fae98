"""`blot ubgi`: an engine of the Universal Backgammon Interface on standard input and output."""

import argparse
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from protocol.backgammon.commands.options import (
    DEFAULT_LEVEL,
    add_met,
    add_strength,
    is_baseline,
    level_of,
    met_of,
)
from protocol.errors import UsageError
from protocol.log_file import add_log
from protocol.progress import tell
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from bot.backgammon.engine.engine import Engine
    from bot.backgammon.evaluation.met import MatchEquityTable
    from protocol.backgammon.adapters.ubgi_settings import UbgiSettings


def add_ubgi(subcommands: Parsers) -> None:
    """Add `blot ubgi`."""
    parser = subcommands.add_parser(
        "ubgi",
        help="play for a match runner or another program, as a UBGI engine",
        description="Answer the Universal Backgammon Interface, dialect 0.2 and those before it, "
        "on standard input and output. The options are the first values of the keys that the "
        "other side can set.",
        allow_abbrev=False,
    )
    add_strength(parser, rolls_out=False)
    add_met(parser)
    add_log(parser)
    parser.set_defaults(run=_ubgi)


def _ubgi(options: argparse.Namespace) -> int:
    """Answer until `quit` or the end of the input; a search is finished then, if not stopped."""
    from bot import VERSION
    from protocol import wire
    from protocol.backgammon.adapters.ubgi_engine import UbgiEngine

    settings = _settings(options)
    met = met_of(options)
    wire.keep_log(getattr(options, "log", None))
    answers = wire.kept_for_answers()
    adapters: list[UbgiEngine] = []
    begun: list[Future[None]] = []
    with ThreadPoolExecutor(1) as searches:

        def make_engine(settings: "UbgiSettings", *, cube: bool, stop: threading.Event) -> "Engine":
            return ready_engine(settings, cube=cube, met=met, stop=stop)

        def begin(search: Callable[[], None]) -> None:
            begun[:] = [each for each in begun if not each.done() or each.exception()]
            begun.append(searches.submit(search))

        def make_adapter(send: Callable[[str], None]) -> UbgiEngine:
            identity = f"Blot {VERSION}", "The Blot developers", VERSION
            adapters.append(
                UbgiEngine(make_engine, send, settings=settings, identity=identity, begin=begin)
            )
            return adapters[-1]

        try:
            wire.serve_stream(sys.stdin.fileno(), answers, make_adapter)
            for each in begun:
                each.result()
        except (KeyboardInterrupt, BrokenPipeError):
            for adapter in adapters:
                adapter.stop()
    return 0


def _settings(options: argparse.Namespace) -> "UbgiSettings":
    """The values of the keys at first."""
    from bot.backgammon.evaluation.network import load_network
    from protocol.backgammon.adapters.ubgi_settings import NAMES, UbgiSettings

    level = level_of(options)
    if is_baseline(options):
        raise UsageError(f"as a UBGI engine Blot plays as {', '.join(NAMES)}, or with a network")
    load_network(level.weights)
    return UbgiSettings(level, getattr(options, "level", DEFAULT_LEVEL))


def ready_engine(
    settings: "UbgiSettings",
    *,
    cube: bool,
    met: "MatchEquityTable | None" = None,
    stop: threading.Event,
) -> "Engine":
    """An engine that answers at once, and ends a search when it is told to stop."""
    from bot.backgammon.arena.players import ask_everything
    from bot.backgammon.compilation import player_jobs
    from bot.backgammon.engine.level import quick_twin
    from protocol.backgammon.reports.compilation import compile_first

    searches = settings.search.ply > 0
    compile_first(player_jobs(searches=searches, shares=searches))
    evaluator = settings.level.evaluator(tell)
    engines = [
        level.engine(tell, candidates=1, cube=cube, met=met, stop=stop, evaluator=evaluator)
        for level in (quick_twin(settings.level), settings.level)
    ]
    ask_everything(engines[0])
    return engines[1]
