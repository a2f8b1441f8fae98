"""Benchmark command: `blot bench`."""

import argparse
import itertools
import json
import math
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.backgammon.commands.bench_kinds import bench_kinds
from protocol.backgammon.commands.options import (
    DEFAULT_LEVEL,
    FILTERS_IN_WORDS,
    LEVEL_NAMES,
    MAX_PLIES,
    DefaultsShown,
    is_baseline,
    level_of,
)
from protocol.errors import UsageError
from protocol.progress import tell
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.backgammon.engine.level import Level
    from bot.backgammon.rules.decision import Decider
    from protocol.backgammon.arena.judged_decisions import Ask, JudgedDecision
    from protocol.backgammon.reports.bench import Benchmark, Rate, Row

PLIES = (0, 1, 2)
"""Plies that are measured unless others are given."""

SECONDS = 6.0
ROUNDS = 3
"""Each rate is the median of so many, Blot's and gnubg's in turn."""

MAX_DECISIONS = 1_000_000
MAX_POSITIONS = 200
"""So many of the decisions' positions are enough to measure rates with."""

WARMING_UP = 5
"""Decisions made before the first that counts."""


def add_bench(subcommands: Parsers) -> None:
    """Add `blot bench`."""
    parser = subcommands.add_parser(
        "bench",
        help="measure speed, and losses on judged decisions, beside gnubg",
        description="Measure evaluations, plays and decisions per second on one thread, and beside "
        "them gnubg's in the same run if it is installed; with --judged also what the decisions "
        "lose. All answers are checked to be possible. With --kinds measure instead how far "
        "equities are off, in back games and other kinds of game.",
        formatter_class=DefaultsShown,
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    unsaid = argparse.SUPPRESS  # defaults that --help shall not show as None
    parser.set_defaults(limit=None, judged=None, kinds=None, gnubg=None)
    _add_players(parser)
    parser.add_argument(
        "--judged",
        metavar="FILE",
        type=Path,
        default=unsaid,
        help="judged decisions, one JSON object a line, may be .gz; else positions from games",
    )
    parser.add_argument(
        "--kinds",
        metavar="FILE",
        nargs="?",
        const="",
        default=unsaid,
        help="evaluate positions of every kind at each --ply, beside gnubg_nn if it is installed; "
        "those that come with Blot, or a file of bot.backgammon.lab.kinds",
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=int,
        default=unsaid,
        help="how many decisions; without it 100, or with --judged all of the file",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=float,
        help=f"time to measure each rate for (default: {SECONDS:g})",
    )
    parser.add_argument(
        "--gnubg",
        action=argparse.BooleanOptionalAction,
        default=unsaid,
        help="whether gnubg is measured, too; it is by default, beside a network",
    )
    parser.add_argument(
        "--json", action="store_true", default=False, help="print JSON, for programs"
    )
    parser.set_defaults(run=_bench)


def _add_players(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what plays."""
    parser.add_argument(
        "--ply",
        type=int,
        nargs="*",
        choices=range(MAX_PLIES + 1),
        help="plies that Blot and gnubg look ahead, or none "
        f"(default: {' '.join(map(str, PLIES))})",
    )
    parser.add_argument(
        "--level",
        nargs="*",
        choices=LEVEL_NAMES,
        help=f"levels at which Blot is measured, too, or none (default: {DEFAULT_LEVEL})",
    )
    parser.add_argument(
        "--weights",
        metavar="NAME",
        help="the network, by name or file; without it, each level's (default with --ply)",
    )
    parser.add_argument(
        "--filter",
        metavar="FILTER",
        help=f"which plays are looked at deeper with --ply: {FILTERS_IN_WORDS} (default: normal)",
    )


def _bench(options: argparse.Namespace) -> int:
    """Measure, and print it all at the end."""
    from protocol.backgammon.arena.judged_decisions import game_decisions, judged_decisions
    from protocol.backgammon.reports.bench import bench_tables, bench_values

    if options.kinds is not None:
        return bench_kinds(options, getattr(options, "ply", PLIES))
    seconds = getattr(options, "seconds", SECONDS)
    if not 0 < seconds < math.inf:
        raise UsageError(f"a rate is measured for more than 0 seconds, not {seconds:g}")
    if options.limit is not None and not 1 <= options.limit <= MAX_DECISIONS:
        raise UsageError(f"measure 1 to {MAX_DECISIONS:,} decisions, not {options.limit:,}")
    if options.judged is None:
        decisions = game_decisions(options.limit or 100)
        source = "positions from games of pubeval"
    else:
        decisions = judged_decisions(options.judged, options.limit)
        source = f"judged decisions of {options.judged.name}"
    found = _measured(options, decisions, source)
    if options.json:
        print(json.dumps(bench_values(found), indent=2))
        return 0
    from rich.console import Console

    console = Console(highlight=False)
    for part in bench_tables(found):
        console.print(part)
    return 0


def _measured(
    options: argparse.Namespace, decisions: "Sequence[JudgedDecision]", source: str
) -> "Benchmark":
    """Everything the options ask for."""
    from protocol.backgammon.arena.timed_gnubg import gnubg_seat
    from protocol.backgammon.reports.bench import Benchmark

    strengths = _strengths(options)
    if is_baseline(options) and options.gnubg:
        raise UsageError(
            f"gnubg is measured at plies, and {options.weights} has none: leave it out"
        )
    with_gnubg = options.gnubg is not False and not is_baseline(options) and _has_gnubg()
    weights = getattr(options, "weights", strengths[0][1].weights if strengths else "default")
    rates = _rates(weights, decisions, getattr(options, "seconds", SECONDS), with_gnubg)
    rows: list[Row] = []
    for name, level in strengths:
        rows.append(_blot_row(name, level, decisions))
        if with_gnubg and name.endswith("-ply"):
            with gnubg_seat(level.search.ply) as gnubg:
                rows.append(_row("gnubg", name, decisions, gnubg.ask))
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return Benchmark(weights, source, rates, rows, load, os.cpu_count() or 1)


def _has_gnubg() -> bool:
    """Whether there is a gnubg to measure; if not, tells what to do about it."""
    from protocol.backgammon.adapters.gnubg_program import GnubgMissingError, find_gnubg

    try:
        find_gnubg()
    except GnubgMissingError as error:
        tell(f"{error}: measuring Blot alone")
        return False
    return True


def _strengths(options: argparse.Namespace) -> "list[tuple[str, Level]]":
    """The players that are measured, by the names that the tables give them."""
    from dataclasses import replace

    if is_baseline(options):
        return [(options.weights, level_of(options))]
    given = {"weights": options.weights} if "weights" in options else {}
    plies = sorted(set(getattr(options, "ply", PLIES)))
    found = [(f"{ply}-ply", level_of(argparse.Namespace(ply=ply, **given))) for ply in plies]
    if "filter" in options:
        deepest = argparse.Namespace(ply=max(plies, default=0), filter=options.filter)
        filters = level_of(deepest).search.filters
        found = [
            (name, replace(level, search=replace(level.search, filters=filters)))
            for name, level in found
        ]
    for name in dict.fromkeys(getattr(options, "level", (DEFAULT_LEVEL,))):
        level = level_of(argparse.Namespace(level=name, **given))
        found.append((name, level))
    return found


def _rates(
    weights: str, decisions: "Sequence[JudgedDecision]", seconds: float, with_gnubg: bool
) -> "list[Rate]":
    """Rates of Blot and of gnubg, measured in turn.

    Blot's are those of the network that evaluates in deep searches. Nothing for a baseline.
    """
    from statistics import median

    from bot.backgammon.arena.baselines import BASELINES
    from bot.backgammon.arena.throughput import Workload, per_second
    from bot.backgammon.compilation import jobs_of_level
    from bot.backgammon.engine.level import Level
    from bot.backgammon.engine.nets import pruner_of
    from protocol.backgammon.arena.timed_gnubg import gnubg_evaluations_per_second
    from protocol.backgammon.reports.bench import Rate
    from protocol.backgammon.reports.compilation import compile_first

    if weights in BASELINES:
        return []
    positions = [each.request.state.position for each in decisions[:MAX_POSITIONS]]
    compile_first([*jobs_of_level(Level(weights)), "replies"])
    evaluator = Level(weights).evaluator(tell).tree
    pruner = pruner_of(evaluator.network)
    workload = Workload(evaluator, positions, pruner)
    workload.check()
    tell("evaluations and plays ...")
    works = {
        "evaluations": workload.evaluate_replies,
        "evaluations, in a batch": workload.evaluate_batch,
        "legal plays made": workload.make_plays,
    }
    if pruner is not None:
        works["evaluations, pruned"] = workload.evaluate_pruned_replies
    ours: dict[str, list[float]] = {name: [] for name in works}
    theirs = []
    for _ in range(ROUNDS):
        for name, work in works.items():
            ours[name].append(per_second(work, seconds / ROUNDS))
        if with_gnubg:
            theirs.append(gnubg_evaluations_per_second(seconds / ROUNDS))
    gnubg = median(theirs) if theirs else None
    return [
        Rate(name, median(rates), gnubg if name.startswith("evaluations") else None)
        for name, rates in sorted(ours.items())
    ]


def _blot_row(name: str, level: "Level", decisions: "Sequence[JudgedDecision]") -> "Row":
    """One of Blot's strengths, warmed up and measured."""
    from bot.backgammon.compilation import jobs_of_level
    from protocol.backgammon.arena.judged_decisions import results
    from protocol.backgammon.arena.timed_seat import blot_seat
    from protocol.backgammon.reports.compilation import compile_first

    compile_first(jobs_of_level(level))
    with _player(level) as player, blot_seat(player) as blot:
        results(decisions[:WARMING_UP], blot.ask)
        return _row("blot", name, decisions, blot.ask)


@contextmanager
def _player(level: "Level") -> "Iterator[Decider]":
    """The player of a level."""
    from bot.backgammon.arena.baselines import BASELINES
    from bot.backgammon.arena.players import seated
    from protocol.backgammon.arena.named_players import decider
    from protocol.backgammon.arena.timed_seat import CubelessPlays

    if level.weights in BASELINES:
        yield decider(level, seed=1)
        return
    engines = [level.engine(tell, candidates=1, cube=cube) for cube in (False, True)]
    with seated(*engines):
        yield CubelessPlays(*engines)


def _row(player: str, name: str, decisions: "Sequence[JudgedDecision]", ask: "Ask") -> "Row":
    """The results of a player who is asked all decisions; shows progress on a terminal."""
    from protocol.backgammon.arena.judged_decisions import results
    from protocol.backgammon.reports.bench import Row
    from protocol.progress import progress

    tell(f"{player} {name} ...")
    answered = itertools.count(1)
    with progress("decisions", len(decisions)) as show:
        return Row(player, name, results(decisions, ask, lambda: show(next(answered))))
