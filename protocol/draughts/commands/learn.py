"""`blot draughts learn`: a table of states, learnt from games against the thesis's best."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.signals import stopping_gently
from protocol.errors import UsageError, as_usage
from protocol.progress import progress
from protocol.subcommands import Parsers
from protocol.training import add_place, begun, resumable

if TYPE_CHECKING:
    from bot.draughts.training.state_learning import StateLearning
    from bot.draughts.training.state_run import StateRun


def add_learn(subcommands: Parsers) -> None:
    """Add `blot draughts learn`."""
    parser = subcommands.add_parser(
        "learn",
        help="learn a table of states",
        description="Learn the values of states by TD(0): one side moves by chance and learns, the "
        "other plays its best, and they change sides after each game. Ctrl-C stops at a "
        "checkpoint, from which --resume goes on; after any other end the last checkpoint is some "
        "seconds old.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    add_place(
        parser,
        "go on with the run in DIR, by its own settings; with --games N until it has played N "
        "games in all",
    )
    parser.add_argument("--games", type=int, metavar="N", help="games in all (default: 100000)")
    _add_settings(parser)
    parser.set_defaults(run=_learn)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--variant", choices=("czech", "international"), help="draughts to play (default: czech)"
    )
    parser.add_argument(
        "--depth", type=int, metavar="PLIES", help="depth of the side at its best (default: 2)"
    )
    parser.add_argument(
        "--each",
        dest="is_shared",
        action="store_false",
        help="a table for White and one for Black, instead of one for both",
    )
    parser.add_argument(
        "--unasked",
        dest="is_asked",
        action="store_false",
        help="the side at its best does not ask the table, so that it stays as it is",
    )
    parser.add_argument(
        "--forward",
        dest="is_backward",
        action="store_false",
        help="learn each game from its first position to its last, so that its end reaches one "
        "position further back with every game; without it all positions at once",
    )
    parser.add_argument(
        "--discount",
        type=float,
        metavar="SHARE",
        help="share of a value that is left a ply earlier (default: 0.99)",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="number that all chance comes from (default: 1)"
    )


def _learn(options: argparse.Namespace) -> int:
    """Start a run or go on with one, to its end."""
    from bot.draughts.jobs import COMPILATION, DEPTH_GAMES
    from protocol.compilation import compile_first

    run = _run_of(options)
    with resumable("draughts learn", run.folder):
        compile_first(COMPILATION, (DEPTH_GAMES,))
        with stopping_gently() as is_stopped:
            standing = _standing(run.learning)
            kept = run.learning.results.games
            with progress("games", run.settings.games, standing, kept) as show:
                run.go_on(show, is_stopped=is_stopped)
    print(result_text(run))
    return 0


def _standing(learning: "StateLearning") -> Callable[[], str]:
    def standing() -> str:
        score = learning.results.score
        text = f"{learning.states:,} states"
        return text if score is None else f"{text}, the best scores {100 * score.mean:.1f} %"

    return standing


def result_text(run: "StateRun") -> str:
    """The end of a run, in two sentences."""
    learning, results = run.learning, run.learning.results
    score = results.score
    files = " and ".join(map(str, run.table_files))
    assert score is not None
    speed = f"{results.games / run.seconds:,.0f}" if run.seconds else "unknown"
    return (
        f"{results.games:,} games, {speed} a second, {learning.states:,} states: {files}. The best "
        f"won {results.won:,}, drew {results.drawn:,} and lost {results.lost:,}: "
        f"{score.percent_95} (95 %)."
    )


def _run_of(options: argparse.Namespace) -> "StateRun":
    """The run to go on with, or a new one in a folder of its own."""
    from bot.draughts.training.state_learning import LearningSettings
    from bot.draughts.training.state_run import StateRun

    names = LearningSettings.__slots__
    given = {name: getattr(options, name) for name in names if name in options}
    if "resume" in options:
        if set(given) - {"games"}:
            raise UsageError("beside --resume only --games may be given: a run keeps its settings")
        return StateRun.resume(options.resume, given.get("games"))
    with as_usage():
        settings = LearningSettings(**given)
    name = f"states-{settings.variant}"
    return begun(options, name, settings.games, lambda folder: StateRun.start(folder, settings))
