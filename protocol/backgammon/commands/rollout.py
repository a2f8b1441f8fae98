"""Rollout command: `blot rollout`."""

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.signals import REQUESTS, handled
from protocol.backgammon.commands.options import (
    LEVEL_OPTIONS,
    DefaultsShown,
    add_level,
    is_baseline,
    level_of,
    met_of,
)
from protocol.backgammon.commands.question import (
    add_plays,
    add_question,
    count_of,
    has_cube,
    plays_of,
    question_of,
)
from protocol.cluster import add_cluster, on_its_cluster, refuse_idle_count
from protocol.errors import UsageError, as_usage
from protocol.progress import tell
from protocol.subcommands import Parsers
from protocol.values import print_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.backgammon.engine.level import Level
    from bot.backgammon.engine.rollout import Store, StoreOf
    from bot.backgammon.engine.rollout_result import RolledOut
    from bot.backgammon.engine.rollout_start import Start
    from bot.backgammon.engine.rollout_trials import RolloutSettings
    from bot.backgammon.engine.spread import Spread
    from bot.backgammon.rules.decision import Request
    from bot.backgammon.rules.position import Position

PLY = 1
"""Plies that both players look ahead unless they are told otherwise."""

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
        formatter_class=DefaultsShown,
        allow_abbrev=False,
    )
    unsaid = argparse.SUPPRESS
    add_question(parser, has_beavers=False)
    add_plays(parser, "plays to roll out at most, the best without looking ahead")
    add_level(parser, f"the default network looks {PLY} ply ahead", rolls_out=False)
    games = parser.add_argument_group("games")
    games.add_argument(
        "--trials", type=int, default=1296, metavar="N", help="games of each play or action"
    )
    games.add_argument(
        "--truncate",
        type=int,
        default=unsaid,
        metavar="N",
        help="break games off after N plies and evaluate; without it they are played to the end",
    )
    games.add_argument(
        "--error",
        type=float,
        default=unsaid,
        metavar="E",
        help="stop as soon as no equity has a larger standard error",
    )
    games.add_argument("--seed", type=int, default=1, metavar="N", help="number the dice come from")
    games.add_argument(
        "--workers",
        type=int,
        default=unsaid,
        metavar="N",
        help="processes that play at the same time (default: 1, with --cluster local one for each "
        "processor)",
    )
    add_cluster(games)
    games.add_argument(
        "--plain", action="store_true", help="leave the luck in; many more trials are needed"
    )
    games.add_argument(
        "--out",
        type=Path,
        default=unsaid,
        metavar="FILE.jsonl",
        help="keep each trial in this file; a rollout that was interrupted, or is to have more "
        "--trials, goes on there",
    )
    parser.add_argument(
        "--spread",
        type=int,
        default=unsaid,
        metavar="N",
        help="also tell how far equity is spread 1 to N rolls ahead: mean, standard deviation and "
        "where it lies, without the cube",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.set_defaults(run=_rollout)


def _rollout(options: argparse.Namespace) -> int:
    """Roll out, and tell what is known even if it ended early."""
    from bot.backgammon.engine.rollout import rolled_out
    from bot.backgammon.engine.rollout_trials import RolloutPlayer
    from bot.backgammon.engine.spread import MAX_ROLLS
    from bot.backgammon.evaluation.bearoff import load_databases
    from bot.backgammon.evaluation.network import load_network
    from bot.backgammon.rules.decision import AnswerResignation, ChooseCheckerPlay
    from bot.weights import bring_weights
    from protocol.backgammon.formats.pasted_id import pasted_id
    from protocol.backgammon.reports.rollout import known_lines, known_values

    if getattr(options, "beavers", False):
        raise UsageError("nobody beavers in a rollout: leave out --beavers")
    refuse_idle_count(options, "workers")
    if "spread" in options and not 1 <= options.spread <= MAX_ROLLS:
        raise UsageError(f"--spread: 1 to {MAX_ROLLS} rolls ahead, not {options.spread}")
    level = _level(options)
    settings = _settings(options, level)
    question, cube = question_of(options), has_cube(options)
    if isinstance(question, AnswerResignation):
        raise ValueError("a rollout does not answer resignations: blot hint does")
    position, own = question.state.position, plays_of(options, question)
    load_network(level.weights)  # a wrong file is told before there are trials to keep
    files, interruption = ExitStack(), _Interruption()
    watch = _Watch(settings, position, interruption)
    answers = rolled_out(
        question,
        RolloutPlayer(level.weights),
        settings,
        has_cube=cube,
        met=met_of(options),
        count=count_of(options),
        wanted=own,
        store=_store_of(options, level, settings, files, watch),
    )
    load_databases(tell)
    with files, handled(interruption.hear, "SIGINT", *REQUESTS):
        with on_its_cluster(options, getattr(options, "workers", None)):
            bring_weights([level.weights])
            _play_out(question, settings, answers, watch, interruption)
        shown = watch.known, settings, position
        if options.json:
            roll = question.roll if isinstance(question, ChooseCheckerPlay) else None
            values: dict[str, Any] = {"id": pasted_id(options.id).text, "weights": level.weights}
            values |= {"dice": roll and [roll.high, roll.low], "interrupted": interruption.came}
            values |= known_values(*shown, uses_cube=cube, own=own)
            values |= {"spread": _spread_values(options, question, watch.known, level)}
            print_values(values)
        elif watch.known:
            lines = known_lines(*shown, uses_cube=cube, own=own)
            lines += _spread_lines(options, question, watch.known, level)
            print("\n".join(lines), flush=True)
        elif interruption.came:
            tell("blot: interrupted before anything was known")
        else:
            print("The roll allows no play.")
    return INTERRUPTED if interruption.came else 0


def _store_of(
    options: argparse.Namespace,
    level: "Level",
    settings: "RolloutSettings",
    files: ExitStack,
    watch: "_Watch",
) -> "StoreOf | None":
    """A maker of the store that keeps trials in the file of --out; None without that option.

    files: closes the file. watch: is told how many trials the file had. Raises ValueError if the
    file cannot be used, and the maker if it is of another rollout.
    """
    if "out" not in options:
        return None
    from bot.backgammon.engine.rollout_trials import RolloutPlayer
    from bot.journal import open_journal
    from protocol.backgammon.arena.rollout_journal import BEGINNING, KIND, RolloutJournal

    journal = files.enter_context(open_journal(options.out, KIND, BEGINNING))
    player = RolloutPlayer(level.weights)

    def store(starts: "Sequence[Start]") -> "Store":
        kept = RolloutJournal(starts, player, settings, journal)
        watch.kept = kept.trials.shape[2]
        return kept

    return store


def _spreads(
    options: argparse.Namespace, question: "Request", known: "RolledOut", level: "Level"
) -> "list[tuple[str, Sequence[Spread]]]":
    """The spreads of each play, or of the position, by its name; none if nobody asked."""
    from bot.backgammon.engine.rollout_trials import RolloutPlayer
    from bot.backgammon.engine.spread import spreads
    from bot.backgammon.rules.decision import ChooseCheckerPlay
    from bot.backgammon.rules.position import turned
    from protocol.backgammon.formats.notation import short_play_text

    if "spread" not in options:
        return []
    evaluator = RolloutPlayer(level.weights).evaluator()
    position, seed = question.state.position, options.seed
    if not isinstance(question, ChooseCheckerPlay):
        return [("position", spreads(position, evaluator, options.spread, seed=seed))]
    rows = known if isinstance(known, Sequence) else ()
    afters = {short_play_text(row.play, position): row.play.after for row in rows}
    return [
        (text, spreads(turned(after), evaluator, options.spread, seed=seed, is_own=False))
        for text, after in afters.items()
    ]


def _spread_lines(options: argparse.Namespace, *about: Any) -> list[str]:
    from protocol.backgammon.reports.spread import TITLE, spread_lines

    found = [line for one in _spreads(options, *about) for line in spread_lines(*one)]
    return ["", TITLE, *found] if found else []


def _spread_values(options: argparse.Namespace, *about: Any) -> dict[str, Any]:
    from protocol.backgammon.reports.spread import spread_values

    return {name: spread_values(found) for name, found in _spreads(options, *about)}


def _level(options: argparse.Namespace) -> "Level":
    """The level that plays both sides; raises ValueError if there is none that could."""
    from bot.backgammon.engine.level import Level
    from bot.backgammon.engine.search import SearchSettings
    from bot.weights import weights_file

    said = {name: getattr(options, name) for name in LEVEL_OPTIONS if name in options}
    players = argparse.Namespace(**said)  # --workers are the rollout's
    if is_baseline(players):
        raise UsageError(f"{options.weights} has no equities: give --weights of a network")
    chosen = level_of(players, Level(search=SearchSettings(PLY)))
    weights_file(chosen.weights)
    return chosen


@as_usage()
def _settings(options: argparse.Namespace, level: "Level") -> "RolloutSettings":
    """The settings of the rollout; raises UsageError if no rollout can have them."""
    from bot.backgammon.engine.rollout_trials import RolloutSettings

    return RolloutSettings(
        trials=options.trials,
        truncate=getattr(options, "truncate", None),
        ply=level.search.ply,
        seed=options.seed,
        error=getattr(options, "error", None),
        workers=getattr(options, "workers", 1),
        is_reduced=not options.plain,
        filters=level.search.filters,
    )


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
    from bot.backgammon.compilation import player_jobs, rollout_jobs
    from bot.backgammon.rules.decision import ChooseCheckerPlay
    from protocol.backgammon.reports.compilation import compile_first

    searches = settings.ply > 0
    jobs = [*player_jobs(searches=searches), *rollout_jobs(settings.ply)]
    if not (searches or isinstance(question, ChooseCheckerPlay)):
        jobs.remove("candidates")
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
    """Keeps what is known, and tells of it on stderr: soon, and now and then.

    kept: trials that a file had, which tell nothing of the seconds that are left.
    """

    def __init__(
        self, settings: "RolloutSettings", position: "Position", interruption: _Interruption
    ) -> None:
        self._interruption = interruption
        self._position = position
        self.known: RolledOut = ()
        self.kept = 0
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
        left = seconds * (self._trials - done) / max(done - self.kept, 1)
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
