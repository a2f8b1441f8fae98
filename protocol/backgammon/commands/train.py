"""`blot train`: a network by self-play, and its learning curve."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bot.signals import stopping_gently
from protocol.backgammon.commands.training_options import add_settings, settings_in
from protocol.cluster import add_cluster, on_its_cluster
from protocol.errors import UsageError, as_usage
from protocol.picture_file import ENDINGS, picture_file
from protocol.progress import tell
from protocol.subcommands import Parsers
from protocol.training import add_place, begun, resumable

if TYPE_CHECKING:
    from bot.backgammon.training.run import Run
    from bot.backgammon.training.settings import Settings


def add_train(subcommands: Parsers) -> None:
    """Add `blot train`."""
    from bot.backgammon.training.presets import PRESETS

    parser = subcommands.add_parser(
        "train",
        help="train a network by self-play",
        description="Train a network by self-play: without options with the preset default, in a "
        "new folder under runs. Ctrl-C stops at a checkpoint, from which --resume goes on; after "
        "any other end the last checkpoint is at most half a minute old.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    place = add_place(
        parser,
        "go on with the run in DIR; with --games N, also after its end, until it has played N "
        "games in all. The rates are then spread over all N games, so the rate rises again where "
        "the run had ended",
    )
    place.add_argument(
        "--report", metavar="DIR", type=Path, nargs="+", help="draw the learning curves of runs"
    )
    parser.add_argument(
        "--picture",
        metavar="FILE",
        type=picture_file,
        help=f"file that --report draws ({', '.join(ENDINGS)}); without it, curve.png in the first "
        "DIR",
    )
    start = parser.add_argument_group(
        "where settings come from", "An option overrides a file, and a file a preset."
    )
    purposes = "; ".join(f"{name}: {preset.purpose}" for name, preset in PRESETS.items())
    start.add_argument(
        "--preset",
        choices=PRESETS,
        help="settings that go together, for --learner td; without it, those called default. "
        + purposes,
    )
    start.add_argument(
        "--settings",
        metavar="FILE",
        type=Path,
        help="TOML whose keys are the names of the options below, as the settings.toml of a run",
    )
    add_settings(parser)
    add_cluster(start)
    parser.set_defaults(run=_train)


def _train(options: argparse.Namespace) -> int:
    """Start a run, go on with one, or draw what runs have measured."""
    _refuse_what_has_no_use(options)
    if "report" in options:
        return _draw_report(options)
    from bot.run_folder import WEIGHTS
    from bot.weights import bring_weights
    from protocol.backgammon.reports.compilation import compile_first
    from protocol.backgammon.reports.training import pace_text, training_progress

    run = _run_of(options)
    with resumable("train", run.folder), on_its_cluster(options):
        compile_first(run.jobs)
        bring_weights([run.settings.pruner])
        run.make_ready()
        with stopping_gently() as is_stopped, training_progress() as report:
            network = run.go_on(report, is_stopped=is_stopped)
    print(f"{network.shape}, {pace_text(run.progress)}: {run.folder / WEIGHTS}")
    return _draw_report(argparse.Namespace(report=[run.folder]), is_wanted=False)


def _refuse_what_has_no_use(options: argparse.Namespace) -> None:
    """Raise UsageError for an option that says nothing beside --resume, --report or without it."""
    from bot.backgammon.training.settings import option_of

    settings = [f"--{option_of(name)}" for name in settings_in(options)]
    settings += [f"--{name}" for name in ("preset", "settings") if name in options]
    idle = settings + ["--cluster"] * ("cluster" in options)
    if "report" in options and idle:
        raise UsageError(
            f"--report draws what was measured and trains nothing: {idle[0]} has no use beside it"
        )
    if "picture" in options and "report" not in options:
        raise UsageError("--picture names the picture of --report, which is not given")
    others = [option for option in settings if option != "--games"]
    if "resume" in options and others:
        raise UsageError(
            "a run goes on with its own settings: beside --resume only --games may be given, the "
            f"games it is to play in all, not {others[0]}"
        )


def _run_of(options: argparse.Namespace) -> "Run":
    """The run to go on with, or a new one in a folder of its own."""
    from bot.backgammon.training.run import Run
    from bot.backgammon.training.settings import check_value

    if "resume" in options:
        games = getattr(options, "games", None)
        if games is not None:
            with as_usage():
                check_value("games", games)
        run = Run.resume(options.resume, games)
        _refuse_cluster(options, run.settings)
        if run.progress.games >= run.settings.games:
            tell(
                f"{run.folder} has played all its {run.settings.games:,} games; --games, with "
                "more in all, prolongs it"
            )
        return run
    settings = _training_settings(options)
    _refuse_cluster(options, settings)
    usual = "default" if settings.learner == "td" else settings.learner
    return begun(
        options,
        getattr(options, "preset", usual),
        settings.games,
        lambda folder: Run.start(folder, settings),
    )


def _refuse_cluster(options: argparse.Namespace, settings: "Settings") -> None:
    if "cluster" in options and settings.learner != "lookahead":
        raise UsageError(
            "--cluster is for --learner lookahead, whose workers share nothing, not for "
            f"{settings.learner}"
        )


def _training_settings(options: argparse.Namespace) -> "Settings":
    """The settings that preset, file and options make."""
    from bot.backgammon.evaluation.inputs import input_set
    from bot.backgammon.training.given import Given, settings_chosen, settings_given
    from bot.backgammon.training.presets import preset
    from bot.backgammon.training.settings_table import values_in_file, values_of

    places = []
    if "preset" in options:
        places.append(Given(preset(options.preset).values, f"--preset {options.preset}"))
    if "settings" in options:
        places.append(Given(values_in_file(options.settings), str(options.settings)))
    with as_usage():
        if "inputs" in options:
            input_set(options.inputs)
        places.append(Given(values_of(settings_in(options))))
        if "settings" not in options:
            settings_chosen(places)
    return settings_given(places)


def _draw_report(options: argparse.Namespace, *, is_wanted: bool = True) -> int:
    """Draw learning curves; what cannot be drawn fails only if a person asked for it."""
    from bot.backgammon.training.report import draw_learning_curves
    from bot.run_folder import CURVE

    picture = getattr(options, "picture", None) or options.report[0] / CURVE
    try:
        draw_learning_curves(options.report, picture)
    except (ValueError, OSError) as error:
        if is_wanted:
            raise
        tell(f"blot: {error}")
        return 0
    print(picture)
    return 0
