"""Rollout command: `blot rollout`."""

import argparse
import json
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from protocol.backgammon.commands.options import met_of
from protocol.backgammon.commands.question import add_question, question_of
from protocol.progress import tell
from protocol.signals import handled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.backgammon.engine.rollout import RolloutPlayer, RolloutSettings
    from bot.backgammon.evaluation.met import MatchEquityTable
    from bot.backgammon.rules.decision import ChooseCheckerPlay, Request
    from bot.backgammon.rules.match import GameState
    from bot.backgammon.rules.play import CheckerPlay
    from protocol.backgammon.reports.rollout import Known

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
    from bot.backgammon.engine.rollout import RolloutPlayer, RolloutSettings
    from bot.backgammon.evaluation.bearoff import load_tables
    from bot.backgammon.evaluation.met import blot_table
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
    games = _Games(
        RolloutPlayer(options.weights), settings, options.cube, met_of(options) or blot_table()
    )
    load_tables(tell)
    interruption = _Interruption()
    with handled(interruption.hear, "SIGINT"):
        watch = _Watch(settings, interruption)
        _play_out(games, question, options.count, watch, interruption)
        if options.json:
            roll = question.roll if isinstance(question, ChooseCheckerPlay) else None
            values = {"id": pasted_id(options.id), "weights": options.weights}
            values |= {"dice": roll and [roll.high, roll.low], "interrupted": interruption.came}
            print(json.dumps(values | known_values(watch.known, settings)), flush=True)
        elif watch.known:
            print("\n".join(known_lines(watch.known, settings)), flush=True)
        elif interruption.came:
            print("blot: interrupted before anything was known", file=sys.stderr)
        else:
            print("The roll allows no play.")
    return INTERRUPTED if interruption.came else 0


def _play_out(
    games: "_Games", question: "Request", count: int, watch: "_Watch", interruption: "_Interruption"
) -> None:
    """Show the watch what becomes known, until it is enough or Ctrl-C ends it."""
    try:
        _compile(games, question)
        watch.start()
        for known in games.known(question, count):
            watch.see(known)
        interruption.is_late = True
    except KeyboardInterrupt:
        interruption.came = True
    finally:
        watch.close()


@dataclass(frozen=True, slots=True)
class _Games:
    """Who plays out, how, with the cube or without, and by which match equities."""

    player: "RolloutPlayer"
    settings: "RolloutSettings"
    cube: bool
    met: "MatchEquityTable"

    def known(self, question: "Request", count: int) -> "Iterator[Known]":
        """What becomes known of the best plays of the roll, or of what is done before it."""
        from bot.backgammon.rules.decision import ChooseCheckerPlay

        if isinstance(question, ChooseCheckerPlay):
            return self._of_plays(question, count)
        if self.cube and question.state.doubling_bar is None:
            return self._of_double(question.state)
        return self._of_position(question.state)

    def _of_plays(self, question: "ChooseCheckerPlay", count: int) -> "Iterator[Known]":
        from bot.backgammon.engine.cubeful_rollout import cubeful_rollouts
        from bot.backgammon.engine.rollout import rollouts
        from bot.backgammon.engine.rollout_start import play_start
        from bot.backgammon.rules.position import turned
        from protocol.backgammon.formats.notation import short_play_text
        from protocol.backgammon.reports.rollout import ranked

        plays = self._best_plays(question, count)
        if not plays:
            return
        texts = [short_play_text(play, question.state.position) for play in plays]
        if self.cube:
            starts = [play_start(question.state, play.after, self.met) for play in plays]
            for found in cubeful_rollouts(starts, self.player, self.settings):
                yield ranked(texts, [each.turned() for each in found])
            return
        positions = [turned(play.after) for play in plays]
        for known in rollouts(positions, self.player, self.settings):
            yield ranked(texts, [each.turned() for each in known])

    def _best_plays(self, question: "ChooseCheckerPlay", count: int) -> "list[CheckerPlay]":
        """The best plays of the roll without looking ahead."""
        from bot.backgammon.engine.engine import Engine
        from protocol.backgammon.reports.hint import rated_plays

        engine = Engine(self.player.evaluator(), cube=self.cube, met=self.met)
        return [row.play for row in rated_plays(question, engine)[:count]]

    def _of_double(self, state: "GameState") -> "Iterator[Known]":
        from bot.backgammon.engine.cubeful_rollout import cubeful_rollouts
        from bot.backgammon.engine.rollout_start import roll_start, take_start
        from protocol.backgammon.reports.rollout import RolledOutCube

        starts = [roll_start(state, self.met), take_start(state, self.met)]
        for no_double, double_take in cubeful_rollouts(starts, self.player, self.settings):
            yield RolledOutCube(no_double, double_take)

    def _of_position(self, state: "GameState") -> "Iterator[Known]":
        from bot.backgammon.engine.cubeful_rollout import cubeful_rollouts
        from bot.backgammon.engine.rollout import rollouts
        from bot.backgammon.engine.rollout_start import roll_start
        from protocol.backgammon.reports.rollout import ranked

        if self.cube:
            starts = [roll_start(state, self.met)]
            for found in cubeful_rollouts(starts, self.player, self.settings):
                yield ranked([None], found)
            return
        for known in rollouts([state.position], self.player, self.settings):
            yield ranked([None], known)


def _compile(games: _Games, question: "Request") -> None:
    """Have compiled what the games need."""
    from bot.backgammon.compilation import player_jobs
    from bot.backgammon.rules.decision import ChooseCheckerPlay
    from protocol.backgammon.reports.compilation import compile_first

    settings = games.settings
    searches = settings.ply > 0
    jobs = [*player_jobs(searches=searches), "luck"]
    if not searches:
        jobs.append("rollout with the cube" if games.cube else "rollout")
    elif settings.is_reduced:
        jobs.append("luck with the cube" if games.cube else "replies")
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

    def __init__(self, settings: "RolloutSettings", interruption: _Interruption) -> None:
        self._interruption = interruption
        self.known: Known = ()
        self._trials = settings.trials
        self._is_terminal = sys.stderr.isatty()
        self._began = time.monotonic()
        self._told = -SECONDS_BETWEEN_LINES
        self._width = 0

    def start(self) -> None:
        """Count the seconds from now on: what was compiled before tells nothing of what is left."""
        self._began = time.monotonic()

    def see(self, known: "Known") -> None:
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
        text = f"{done:,} of {self._trials:,} trials: {standing_text(known)}, {left:.0f} s left"
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
