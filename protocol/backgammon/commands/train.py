"""`blot train`: a network by self-play, and its learning curve."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from protocol.signals import handled

if TYPE_CHECKING:
    from bot.backgammon.training.settings import Settings

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Group: TypeAlias = "argparse._ArgumentGroup"


def add_train(subcommands: Parsers) -> None:
    """Add `blot train`."""
    from bot.backgammon.training.settings import PRESETS, LearnerName, Schedule, Settings

    standard = Settings()
    parser = subcommands.add_parser(
        "train",
        help="train a network by self-play",
        description="Train a network from random weights by TD(lambda) self-play. Ctrl-C stops at "
        "a checkpoint; after any other end the last one is at most half a minute old.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--out", metavar="DIR", type=Path, help="folder of a new run")
    place.add_argument("--resume", metavar="DIR", type=Path, help="go on with the run in DIR")
    place.add_argument(
        "--report", metavar="DIR", type=Path, nargs="+", help="draw the learning curves of runs"
    )
    parser.add_argument(
        "--picture", metavar="FILE", type=Path, help="of --report (default: curve.png in DIR)"
    )
    start = parser.add_argument_group(
        "settings", "an option counts more than a file, than a preset"
    )
    start.add_argument("--preset", choices=PRESETS, help="settings to start from")
    start.add_argument("--settings", metavar="FILE", type=Path, help="settings in TOML")

    def setting(option: str, dest: str, text: str, group: Group = start, **more: Any) -> None:
        shown = getattr(standard, dest)
        if isinstance(shown, tuple):
            shown = " ".join(map(str, shown))
        group.add_argument(option, dest=dest, help=f"{text} (default: {shown})", **more)

    setting("--learner", "learner", "what it learns from", choices=list(map(str, LearnerName)))
    setting("--games", "games", "games to play in all", type=int)
    setting("--hidden", "hidden_units", "hidden units", type=int)
    setting("--lambda", "trace", "the lambda of TD(lambda)", type=float)
    setting("--rates", "rates", "learning rates", type=float, nargs="+", metavar="RATE")
    setting(
        "--schedule", "schedule", "how rates follow each other", choices=list(map(str, Schedule))
    )
    setting("--seed", "seed", "of the first weights and the dice", type=int)
    setting("--max-plies", "most_plies", "a longer game is broken off, and counted", type=int)
    setting("--workers", "workers", "processes that play at once", type=int)
    setting("--test-every", "test_every", "games between two tests", type=int)
    setting("--test-games", "test_games", "games of a test", type=int)
    ahead = parser.add_argument_group("settings of --learner lookahead")
    setting("--inputs", "inputs", "set of inputs", group=ahead)
    setting("--units", "units", "of each hidden layer", group=ahead, type=int, nargs="+")
    setting("--phases", "phases", "with upper layers of their own", group=ahead, type=int)
    setting("--teacher", "teacher", "weights that look ahead first", group=ahead, metavar="NAME")
    setting("--start", "start", "weights to go on from", group=ahead, metavar="NAME")
    setting("--pruner", "pruner", "weights that choose replies", group=ahead, metavar="NAME")
    setting("--promote-every", "promote_every", "games of a teacher", group=ahead, type=int)
    setting("--window", "window", "positions to draw from", group=ahead, type=int)
    setting("--batch", "batch", "positions of a step", group=ahead, type=int)
    setting("--passes", "passes", "how often each is learnt", group=ahead, type=float)
    setting("--averaging", "averaging", "share a step keeps", group=ahead, type=float)
    parser.set_defaults(run=_train)


def _train(options: argparse.Namespace) -> int:
    """Start a run, go on with one, or draw what runs have measured."""
    from bot.backgammon.training.run import WEIGHTS, Run
    from protocol.backgammon.reports.compilation import compile_first
    from protocol.backgammon.reports.training import pace_text, training_progress

    given = set(vars(options)) - {"run", "out", "resume", "report", "picture"}
    if "report" in options:
        if given:
            raise ValueError("--report draws what was measured: give no settings beside it")
        return _draw_report(options)
    if "picture" in options:
        raise ValueError("--picture names the picture of --report")
    if "resume" in options:
        if given:
            raise ValueError("a run goes on with its own settings: give none beside --resume")
        run = Run.resume(options.resume)
    else:
        run = Run.start(options.out, _training_settings(options))
    try:
        compile_first(run.jobs)
        run.make_ready()
        with _stopping_gently() as is_stopped, training_progress() as report:
            network = run.go_on(report, is_stopped=is_stopped)
    except KeyboardInterrupt:
        print(f"stopped; go on with: blot train --resume {run.folder}", file=sys.stderr)
        raise
    except OSError as error:
        way = f"the run stands at its last checkpoint: blot train --resume {run.folder}"
        raise OSError(f"{error}; {way}") from None
    print(f"{network.shape}, {pace_text(run.progress)}: {run.folder / WEIGHTS}")
    return _draw_report(argparse.Namespace(report=[run.folder]), is_wanted=False)


@contextmanager
def _stopping_gently() -> Iterator[Callable[[], bool]]:
    """Whether the user wants an end; who asks a second time gets it at once."""
    signals: list[int] = []

    def stop(number: int, frame: Any) -> None:
        if signals:
            raise KeyboardInterrupt
        signals.append(number)

    with handled(stop, "SIGINT", "SIGTERM"):
        yield lambda: bool(signals)


def _training_settings(options: argparse.Namespace) -> "Settings":
    from bot.backgammon.training.settings import Settings, preset, settings_in_file, settings_of

    settings = preset(options.preset) if "preset" in options else Settings()
    if "settings" in options:
        settings = settings_in_file(options.settings, settings)
    given = {name: getattr(options, name) for name in Settings.__slots__ if name in options}
    return settings_of(given, settings)


def _draw_report(options: argparse.Namespace, *, is_wanted: bool = True) -> int:
    """Draw learning curves; what cannot be drawn fails only if a person asked for it."""
    from bot.backgammon.training.report import draw_learning_curves

    picture = getattr(options, "picture", None) or options.report[0] / "curve.png"
    try:
        draw_learning_curves(options.report, picture)
    except (ValueError, OSError) as error:
        if is_wanted:
            raise
        print(f"blot: {error}", file=sys.stderr)
        return 0
    print(picture)
    return 0
