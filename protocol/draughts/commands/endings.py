"""`blot draughts endings`: endings solved ahead, those that take long as well."""

import argparse

from protocol.subcommands import Parsers


def add_endings(subcommands: Parsers) -> None:
    """Add `blot draughts endings`."""
    from bot.draughts.rules.variant import VARIANTS

    parser = subcommands.add_parser(
        "endings",
        help="solve endings with few pieces, for stronger play",
        description="Solve all endings of a game with up to so many pieces and keep them in the "
        "cache folder, each value checked. Up to 3 pieces of international draughts and 4 of Czech "
        "draughts are solved when they are first needed; 4 of international draughts take 80 "
        "seconds of a processor, 58 MB, and 290 MB of memory meanwhile.",
        allow_abbrev=False,
    )
    parser.add_argument("--variant", choices=VARIANTS, required=True, help="the game")
    parser.add_argument(
        "--pieces", type=int, choices=(2, 3, 4), default=4, help="most pieces (default: 4)"
    )
    parser.set_defaults(run=_solve)


def _solve(options: argparse.Namespace) -> int:
    """Solve the endings unless they are there."""
    from bot.draughts.evaluation.endings import endings_path, load_endings
    from bot.draughts.jobs import COMPILATION
    from bot.draughts.jobs import ENDINGS as SOLVING
    from bot.draughts.rules.variant import VARIANTS
    from protocol.compilation import compile_first
    from protocol.progress import tell

    variant = VARIANTS[options.variant]
    compile_first(COMPILATION, (SOLVING,))
    endings = load_endings(variant, tell, options.pieces)
    print(f"{len(endings.values):,} values: {endings_path(variant, options.pieces)}")
    return 0
