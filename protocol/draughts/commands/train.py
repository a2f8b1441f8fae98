"""`blot draughts train`: an evaluation by self-play."""

import argparse
from typing import TYPE_CHECKING

from bot.signals import stopping_gently
from protocol.errors import UsageError, as_usage
from protocol.progress import progress
from protocol.subcommands import Parsers
from protocol.training import add_place, begun, resumable

if TYPE_CHECKING:
    from bot.draughts.training.run import Progress, Run

_HELP = {
    "games": ("N", "games to play"),
    "depth": ("PLIES", "how deep each position is searched"),
    "trace": ("LAMBDA", "the part of a target that comes from later than the next position"),
    "rate": ("RATE", "rate of learning at first"),
    "last_rate": ("RATE", "rate of learning at the end, to which it falls evenly"),
    "opening": ("PLIES", "most moves at random in the beginning of a game"),
    "random_every": ("N", "after those one move in N is random"),
    "endings": (
        "PIECES",
        "most pieces of the solved endings that end a game, 2 to 4, or 0 for none",
    ),
    "seed": ("N", "the same seed and settings give the same weights"),
}
"""Placeholder and help text of each setting's option."""


def add_train(subcommands: Parsers) -> None:
    """Add `blot draughts train`."""
    from dataclasses import fields

    from bot.draughts.rules.variant import VARIANTS
    from bot.draughts.training.settings import Settings, option

    parser = subcommands.add_parser(
        "train",
        help="train an evaluation by self-play",
        description="Train an evaluation of Czech or international draughts by self-play, in a new "
        "folder under runs. Ctrl-C stops at a checkpoint, from which --resume goes on; after any "
        "other end the last checkpoint is at most some ten seconds old.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--variant", choices=VARIANTS, help="the game to learn; needed for a new run"
    )
    add_place(parser, "go on with the run in DIR")
    for field in fields(Settings):
        if field.name in _HELP:
            metavar, told = _HELP[field.name]
            parser.add_argument(
                option(field.name),
                dest=field.name,
                metavar=metavar,
                type=type(field.default),
                help=f"{told} (default: {field.default})",
            )
    parser.set_defaults(run=_train)


def _train(options: argparse.Namespace) -> int:
    """Start a run or go on with one."""
    from bot.draughts.jobs import COMPILATION, ENDINGS, SELF_PLAY
    from bot.run_folder import WEIGHTS
    from protocol.compilation import compile_first

    run = _run_of(options)
    settings = run.settings
    latest = run.progress

    def standing() -> str:
        return f"a first king is worth {latest.king:.2f} men"

    with resumable("draughts train", run.folder):
        compile_first(COMPILATION, (SELF_PLAY, ENDINGS))
        with (
            stopping_gently() as is_stopped,
            progress("games", settings.games, standing, latest.games) as show,
        ):

            def report(now: "Progress") -> None:
                nonlocal latest
                latest = now
                show(now.games)

            run.go_on(report, is_stopped=is_stopped)
    end = run.progress
    print(
        f"{settings.variant}, {end.games:,} games, {end.plies:,} positions in {end.seconds:.0f} "
        f"seconds: {run.folder / WEIGHTS}"
    )
    return 0


def _run_of(options: argparse.Namespace) -> "Run":
    """The run to go on with, or a new one in a folder of its own."""
    from bot.draughts.training.run import Run
    from bot.draughts.training.settings import Settings, option

    given = {name: value for name, value in vars(options).items() if name in _HELP}
    if "resume" in options:
        if given or "variant" in options:
            name = option("variant" if "variant" in options else next(iter(given)))
            raise UsageError(f"a run goes on with its own settings: {name} has no use beside it")
        return Run.resume(options.resume)
    if "variant" not in options:
        raise UsageError("a new run needs --variant, the game to learn")
    with as_usage():
        settings = Settings(variant=options.variant, **given)
    name = f"draughts-{settings.variant}"
    return begun(options, name, settings.games, lambda folder: Run.start(folder, settings))
