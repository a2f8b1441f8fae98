"""Rollout command: `blot rollout`."""

import argparse
import json
import signal
import sys
import time
from typing import TYPE_CHECKING, Any, TypeAlias

from protocol.backgammon.question import add_question, question_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.backgammon.decision import ChooseCheckerPlay, Request
    from bot.backgammon.position import Position
    from bot.backgammon.rollout import RolloutPlayer, RolloutSettings
    from protocol.backgammon.rollout_report import RolledOutPlay

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

INTERRUPTED = 130
SECONDS_BETWEEN_LINES = 10.0


def add_rollout(subcommands: Parsers) -> None:
    """Add `blot rollout`."""
    parser = subcommands.add_parser(
        "rollout",
        help="play a position out many times",
        description="Play a position, or the best plays of a roll, out many times with the same "
        "dice, cubeless, and tell equity and chances with their standard errors. The luck of the "
        "dice is subtracted as the evaluator sees it. Ctrl-C ends with what is known so far, and "
        "exit code 130.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    unsaid = argparse.SUPPRESS
    add_question(parser)
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
    from bot.backgammon.bearoff import load_tables
    from bot.backgammon.decision import ChooseCheckerPlay
    from bot.backgammon.rollout import RolloutPlayer, RolloutSettings
    from protocol.backgammon.rollout_report import rollout_lines, rollout_values

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
    load_tables(lambda text: print(text, file=sys.stderr, flush=True))
    with _Interruption() as interruption:
        watch = _Watch(settings, interruption)
        try:
            _play_out(question, options.count, RolloutPlayer(options.weights), settings, watch)
            interruption.is_late = True
        except KeyboardInterrupt:
            interruption.came = True
        finally:
            watch.close()
        roll = question.roll if isinstance(question, ChooseCheckerPlay) else None
        if options.json:
            values = {"id": options.id, "weights": options.weights}
            values |= {"dice": roll and [roll.high, roll.low], "interrupted": interruption.came}
            print(json.dumps(values | rollout_values(watch.plays, settings)), flush=True)
        elif watch.plays:
            print("\n".join(rollout_lines(watch.plays, settings)), flush=True)
        elif interruption.came:
            print("blot: interrupted before anything was known", file=sys.stderr)
        else:
            print("The roll allows no play.")
    return INTERRUPTED if interruption.came else 0


def _play_out(
    question: "Request",
    count: int,
    player: "RolloutPlayer",
    settings: "RolloutSettings",
    watch: "_Watch",
) -> None:
    """Roll out what the question is about; the watch sees all that becomes known."""
    from dataclasses import replace

    from bot.backgammon.decision import ChooseCheckerPlay
    from bot.backgammon.position import START, turned
    from bot.backgammon.rollout import rollouts
    from protocol.backgammon.rollout_report import ranked
    from protocol.progress import compiling

    short = replace(settings, trials=2, truncate=1, workers=1, error=None)
    with compiling(f"rollout-{min(settings.ply, 1)}-{settings.is_reduced}"):
        for _ in rollouts([START], player, short):
            pass
    position = question.state.position
    if not isinstance(question, ChooseCheckerPlay):
        for known in rollouts([position], player, settings):
            watch.see(ranked([None], known))
        return
    texts, afters = _best_plays(question, count, player)
    for known in rollouts([turned(after) for after in afters], player, settings) if texts else ():
        watch.see(ranked(texts, [each.turned() for each in known]))


def _best_plays(
    question: "ChooseCheckerPlay", count: int, player: "RolloutPlayer"
) -> tuple[list[str], list["Position"]]:
    """The best plays of the roll without looking ahead, in text, and the positions after them."""
    from bot.backgammon.engine import Engine
    from protocol.backgammon.hint import rated_plays
    from protocol.backgammon.notation import short_play_text

    plays = [row.play for row in rated_plays(question, Engine(player.evaluator()))[:count]]
    texts = [short_play_text(play, question.state.position) for play in plays]
    return texts, [play.after for play in plays]


class _Interruption:
    """Ctrl-C: ends the playing out once, and never the telling of what it has shown."""

    def __init__(self) -> None:
        self.came = False
        self.is_late = False
        self._before: Any = None

    def __enter__(self) -> "_Interruption":
        self._before = signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, *error: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def check(self) -> None:
        """End the playing out if it was to end and did not: callbacks swallow what they raise."""
        if self.came:
            raise KeyboardInterrupt

    def _hear(self, number: int, frame: object) -> None:
        if not self.came and not self.is_late:
            self.came = True
            raise KeyboardInterrupt


class _Watch:
    """Keeps what is known, and tells of it on stderr: soon, and now and then."""

    def __init__(self, settings: "RolloutSettings", interruption: _Interruption) -> None:
        self._interruption = interruption
        self.plays: Sequence[RolledOutPlay] = ()
        self._trials = settings.trials
        self._is_terminal = sys.stderr.isatty()
        self._began = time.monotonic()
        self._told = -SECONDS_BETWEEN_LINES
        self._width = 0

    def see(self, plays: "Sequence[RolledOutPlay]") -> None:
        """Keep these results; on a terminal show them, else every ten seconds."""
        from protocol.backgammon.rollout_report import standing_text

        self.plays = plays
        self._interruption.check()
        seconds = time.monotonic() - self._began
        if not self._is_terminal and seconds - self._told < SECONDS_BETWEEN_LINES:
            return
        self._told = seconds
        done = plays[0].rollout.trials
        left = seconds * (self._trials / done - 1)
        text = f"{done:,} of {self._trials:,} trials: {standing_text(plays)}, {left:.0f} s left"
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
