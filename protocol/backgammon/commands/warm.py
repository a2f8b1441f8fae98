"""`blot warm`: everything compiled and built beforehand."""

import argparse

from protocol.progress import tell
from protocol.subcommands import Parsers

GAMES = ("backgammon", "draughts")


def add_warm(subcommands: Parsers) -> None:
    """Add `blot warm`."""
    parser = subcommands.add_parser(
        "warm",
        help="compile everything, so that no command has to",
        description="Compile all kernels, those of backgammon and of draughts, and build the "
        "bear-off databases, as far as that was not done before. Whatever needs them does so "
        "itself.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=_warm)


def _warm(options: argparse.Namespace) -> int:
    """Compile and build all there is."""
    from bot.backgammon.evaluation.bearoff import load_databases
    from bot.compilation import Compilation
    from bot.kernels import is_compiled
    from protocol.compilation import compile_first, not_kept_text

    not_kept = not_kept_text()
    for game in GAMES:  # named by strings, as the games do not know each other
        compilation = Compilation(f"bot.{game}.jobs")
        if not_kept is not None and not all(map(is_compiled, compilation.jobs)):
            raise OSError(not_kept)
        compile_first(compilation, compilation.jobs)
    load_databases(tell)
    print("Everything is compiled.")
    return 0
