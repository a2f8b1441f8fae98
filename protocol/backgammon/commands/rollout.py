"""Rollout command: `blot rollout`."""

import argparse
import json
import sys
import time
from typing import TYPE_CHECKING, TypeAlias

from protocol.backgammon.commands.options import met_of
from protocol.backgammon.commands.question import add_question, question_of
from protocol.progress import tell
from protocol.signals import handled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.backgammon.engine.rollout_result import RolledOut
    from bot.backgammon.engine.rollout_trials import RolloutSettings
    from bot.backgammon.rules.decision import Request
    from bot.backgammon.rules.position import Position

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

INTERRUPTED = 130
SECONDS_BETWEEN_LINES = 10.0


def add_rollout(subcommands: Parsers) -> None:
    """Add `blot rollout`."""
    parser = subcommands.add_parser(
        "rollout",
        help="play a position out many times",
        description="Play a position, or the best plays of a roll, out many times with the same "
        "dice, and tell equity and chances with their standard errors. Before a roll both rolling "
        "and a double that is taken are played out, if there may be one; nobody beavers. The "
        "luck of the dice is subtracted as the evaluator sees it. Ctrl-C ends with what is known "
        "so far, and exit code 130.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    unsaid = argparse.SUPPRESS
    add_question(parser)
    parser.add_argument(
        "--cube",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="play with the cube; without it equities are cubeless, of a money game",
    )
    parser.add_argument(
        "--count", type=_count, default=5, metavar="N", help="plays to roll out, the best at 0-ply"
    )
    parser.add_argument("--trials", type=int, default=1296, metavar="N", help="games of each")
    parser.add_argument(
        "--truncate", type=int, default=unsaid, metavar="N", help="rate after N plies; else end"
    )
    parser.add_argument("--ply", type=int, default=1, metavar="N", help="of both players, 0 to 3")
    parser.add_argument(
        "--error", type=float, default=unsaid, metavar="E", help="enough once every equity is so"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the dice")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes at once")
    parser.add_argument("--weights", default="default", metavar="NAME", help="name or file")
    parser.add_argument(
        "--plain", action="store_true", help="leave the luck in; many more trials are needed"
    )
    parser.add_argument("--json", action="store_true", help="for a program to read")
    parser.set_defaults(run=_rollout)


def _rollout(options: argparse.Namespace) -> int:
    """Roll out, and tell what is known even if it ended early."""
    from bot.backgammon.engine.rollout import rolled_out
    from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
    from bot.backgammon.evaluation.bearoff import load_databases
    from bot.backgammon.rules.decision import ChooseCheckerPlay
    from protocol.backgammon.formats.pasted_id import pasted_id
    from protocol.backgammon.reports.rollout import known_lines, known_values

    settings = RolloutSettings(
        trials=options.trials,
        truncate=getattr(options, "truncate", None),
        ply=options.ply,
        seed=options.seed,
        error=getattr(options, "error", None),
        workers=options.workers,
        is_reduced=not options.plain,
    )
    question = question_of(options)
    position = question.state.position
    answers = rolled_out(
        question,
        RolloutPlayer(options.weights),
        settings,
        has_cube=options.cube,
        met=met_of(options),
        count=options.count,
    )
    load_databases(tell)
    interruption = _Interruption()
    with handled(interruption.hear, "SIGINT"):
        watch = _Watch(settings, position, interruption)
        _play_out(question, settings, answers, watch, interruption)
        if options.json:
            roll = question.roll if isinstance(question, ChooseCheckerPlay) else None
            values = {"id": pasted_id(options.id), "weights": options.weights}
            values |= {"dice": roll and [roll.high, roll.low], "interrupted": interruption.came}
            print(json.dumps(values | known_values(watch.known, settings, position)), flush=True)
        elif watch.known:
            print("\n".join(known_lines(watch.known, settings, position)), flush=True)
        elif interruption.came:
            print("blot: interrupted before anything was known", file=sys.stderr)
        else:
            print("The roll allows no play.")
    return INTERRUPTED if interruption.came else 0


def _play_out(
    question: "Request",
    settings: "RolloutSettings",
    answers: "Iterator[RolledOut]",
    watch: "_Watch",
    interruption: "_Interruption",
) -> None:
    """Show the watch what becomes known, until it is enough or Ctrl-C ends it."""
    try:
        _compile(question, settings)
        watch.start()
        for known in answers:
            watch.see(known)
        interruption.is_late = True
    except KeyboardInterrupt:
        interruption.came = True
    finally:
        watch.close()


def _compile(question: "Request", settings: "RolloutSettings") -> None:
    """Have compiled what the games need."""
    from bot.backgammon.compilation import player_jobs
    from bot.backgammon.rules.decision import ChooseCheckerPlay
    from protocol.backgammon.reports.compilation import compile_first

    searches = settings.ply > 0
    jobs = [*player_jobs(searches=searches), "luck" if searches else "rollout"]
    if not (searches or isinstance(question, ChooseCheckerPlay)):
        jobs.remove("ratings")
    compile_first(jobs)


class _Interruption:
    """Ctrl-C: ends the playing out once, and never the telling of what it has shown."""

    def __init__(self) -> None:
        self.came = False
        self.is_late = False

    def check(self) -> None:
        """End the playing out if it was to end and did not: callbacks swallow what they raise."""
        if self.came:
            raise KeyboardInterrupt

    def hear(self, number: int, frame: object) -> None:
        """Handle the signal."""
        if not self.came and not self.is_late:
            self.came = True
            raise KeyboardInterrupt


class _Watch:
    """Keeps what is known, and tells of it on stderr: soon, and now and then."""

    def __init__(
        self, settings: "RolloutSettings", position: "Position", interruption: _Interruption
    ) -> None:
        self._interruption = interruption
        self._position = position
        self.known: RolledOut = ()
        self._trials = settings.trials
        self._is_terminal = sys.stderr.isatty()
        self._began = time.monotonic()
        self._told = -SECONDS_BETWEEN_LINES
        self._width = 0

    def start(self) -> None:
        """Count the seconds from now on: what was compiled before tells nothing of what is left."""
        self._began = time.monotonic()

    def see(self, known: "RolledOut") -> None:
        """Keep these results; on a terminal show them, else every ten seconds."""
        from protocol.backgammon.reports.rollout import standing_text, trials_of

        self.known = known
        self._interruption.check()
        seconds = time.monotonic() - self._began
        if not self._is_terminal and seconds - self._told < SECONDS_BETWEEN_LINES:
            return
        self._told = seconds
        done = trials_of(known)
        left = seconds * (self._trials / done - 1)
        standing = standing_text(known, self._position)
        text = f"{done:,} of {self._trials:,} trials: {standing}, {left:.0f} s left"
        end = "" if self._is_terminal else "\n"
        start = "\r" if self._is_terminal else ""
        print(f"{start}{text:<{self._width}}", end=end, file=sys.stderr, flush=True)
        self._width = len(text) if self._is_terminal else 0

    def close(self) -> None:
        """Wipe the line off a terminal."""
        if self._width:
            print(f"\r{'':{self._width}}\r", end="", file=sys.stderr, flush=True)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"roll out at least 1 play, not {text!r}")
    return int(text)
