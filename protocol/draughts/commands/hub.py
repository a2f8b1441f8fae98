"""`blot draughts hub`: an engine of the Hub protocol on standard input and output."""

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from protocol.log_file import add_log
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from protocol.draughts.adapters.hub_engine import MakePlayer
    from protocol.draughts.adapters.hub_parameter import HubParameter


LEVEL = "best"
MAX_THREADS = 64


def add_hub(subcommands: Parsers) -> None:
    """Add `blot draughts hub`."""
    parser = subcommands.add_parser(
        "hub",
        help="play for another program, as a Hub engine",
        description="Answer the Hub protocol, version 2, on standard input and output: "
        "international draughts as the variant normal, Czech draughts as czech.",
        allow_abbrev=False,
    )
    add_log(parser)
    parser.set_defaults(run=_hub)


def _hub(options: argparse.Namespace) -> int:
    from collections.abc import Mapping

    from bot.draughts.engine.level import LEVELS, level
    from bot.draughts.rules.decision import Player
    from protocol.draughts.adapters.hub_parameter import VARIANTS, HubParameter
    from protocol.draughts.arena.named_players import compile_for
    from protocol.progress import tell

    parameters = (
        HubParameter("threads", "1", "int", least=1, most=MAX_THREADS),
        HubParameter("level", LEVEL, "enum", tuple(LEVELS)),
    )

    def make_player(values: Mapping[str, str]) -> Player:
        variant = VARIANTS[values["variant"]]
        compile_for([values["level"]], variant)
        return level(values["level"]).engine(variant, tell, threads=int(values["threads"]))

    return serve_hub(make_player, parameters, getattr(options, "log", None))


def serve_hub(
    make_player: "MakePlayer", parameters: "Sequence[HubParameter]" = (), log: str | None = None
) -> int:
    """Answer until `quit` or the end of the input, which stop a search; the exit status.

    make_player: see HubEngine. parameters: what can be set besides the variant.
    """
    import sys
    from concurrent.futures import ThreadPoolExecutor

    from bot import VERSION
    from protocol import wire
    from protocol.draughts.adapters.hub_engine import MAX_HUB_LINE, HubEngine

    wire.keep_log(log)
    identity = {"name": "Blot", "version": VERSION, "author": "The Blot developers"}
    adapters: list[HubEngine] = []
    with ThreadPoolExecutor(1) as searches:

        def make_adapter(send: Callable[[str], None]) -> HubEngine:
            adapters.append(
                HubEngine(
                    make_player,
                    send,
                    parameters=parameters,
                    identity={**identity, "country": "CZ"},
                    begin=searches.submit,
                )
            )
            return adapters[-1]

        try:
            answers = wire.kept_for_answers()
            wire.serve_stream(sys.stdin.fileno(), answers, make_adapter, MAX_HUB_LINE)
        except (KeyboardInterrupt, BrokenPipeError):
            pass
        finally:
            for adapter in adapters:
                adapter.stop()
    return 0
