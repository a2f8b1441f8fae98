"""Benchmark command: `blot bench`."""

import argparse
import itertools
import json
import math
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from protocol.backgammon.commands.options import (
    DEFAULT_LEVEL,
    FILTER_NAMES,
    LEVEL_NAMES,
    MAX_PLIES,
    level_of,
)
from protocol.progress import tell
from protocol.signals import handle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.backgammon.engine.level import Level
    from bot.backgammon.rules.decision import Decider
    from protocol.backgammon.arena.judged_decisions import Ask, JudgedDecision
    from protocol.backgammon.reports.bench import Benchmark, Rate, Row

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

ROUNDS = 3
"""Each rate is the median of so many, Blot's and gnubg's in turn."""

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
        "lose. All answers are checked to be possible.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    unsaid = argparse.SUPPRESS  # defaults that --help shall not show as None
    parser.set_defaults(limit=None, judged=None)
    parser.add_argument(
        "--ply",
        type=int,
        nargs="*",
        choices=range(MAX_PLIES + 1),
        default=[0, 1, 2],
        help="plies that Blot and gnubg look ahead",
    )
    parser.add_argument(
        "--level",
        nargs="*",
        choices=LEVEL_NAMES,
        default=[DEFAULT_LEVEL],
        help="Blot's levels that are measured, too",
    )
    parser.add_argument("--weights", default=unsaid, metavar="NAME", help="name or file")
    parser.add_argument(
        "--filter",
        default=unsaid,
        metavar="FILTER",
        help="with --ply: " + ", ".join(FILTER_NAMES) + ", or as for the other commands",
    )
    parser.add_argument(
        "--judged",
        metavar="FILE",
        type=Path,
        default=unsaid,
        help="judged decisions, one JSON object a line, may be .gz; else positions from games",
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=int,
        default=unsaid,
        help="decisions; if not given 100, with --judged all of the file",
    )
    parser.add_argument(
        "--seconds", metavar="S", type=float, default=6.0, help="to measure each rate for"
    )
    parser.add_argument(
        "--gnubg", action=argparse.BooleanOptionalAction, default=True, help="measure gnubg, too"
    )
    parser.add_argument("--json", action="store_true", help="for a program to read")
    parser.set_defaults(run=_bench)


def _bench(options: argparse.Namespace) -> int:
    """Measure, and print it all at the end."""
    from protocol.backgammon.arena.judged_decisions import game_decisions, judged_decisions
    from protocol.backgammon.reports.bench import bench_tables, bench_values
    from protocol.errors import WireError

    handle(signal.default_int_handler, "SIGTERM")
    if not 0 < options.seconds < math.inf:
        raise ValueError(f"a rate is measured for more than 0 seconds, not {options.seconds:g}")
    if options.limit is not None and options.limit < 1:
        raise ValueError(f"measure at least 1 decision, not {options.limit}")
    if options.judged is None:
        decisions = game_decisions(options.limit or 100)
        source = "positions from games of pubeval"
    else:
        decisions = judged_decisions(options.judged, options.limit)
        source = f"judged decisions of {options.judged.name}"
    try:
        found = _measured(options, decisions, source)
    except WireError as error:
        print(f"blot: {error}", file=sys.stderr)
        return 1
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

    with_gnubg = options.gnubg and _has_gnubg()
    strengths = _strengths(options)
    weights = getattr(options, "weights", strengths[0][1].weights if strengths else "default")
    rates = _rates(weights, decisions, options.seconds, with_gnubg)
    rows: list[Row] = []
    for name, level in strengths:
        rows.append(_blot_row(name, level, decisions))
        if with_gnubg and name.endswith("-ply"):
            with gnubg_seat(level.search.ply) as gnubg:
                rows.append(_row("gnubg", name, decisions, gnubg.ask))
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return Benchmark(weights, source, rates, rows, load, os.cpu_count() or 1)


def _has_gnubg() -> bool:
    """Whether gnubg can be measured; if not, what to do about it is told."""
    from protocol.backgammon.adapters.gnubg_program import GnubgMissingError, find_gnubg

    try:
        find_gnubg()
    except GnubgMissingError as error:
        tell(f"{error}: measuring Blot alone")
        return False
    return True


def _strengths(options: argparse.Namespace) -> "list[tuple[str, Level]]":
    """The players that are measured, by the names that the tables give them."""
    given = {key: getattr(options, key) for key in ("weights", "filter") if key in options}
    found = []
    for ply in sorted(set(options.ply)):
        level = level_of(argparse.Namespace(ply=ply, threads=1, **given))
        found.append((f"{ply}-ply", level))
    given.pop("filter", None)
    for name in dict.fromkeys(options.level):
        level = level_of(argparse.Namespace(level=name, threads=1, **given))
        found.append((name, level))
    return found


def _rates(
    weights: str, decisions: "Sequence[JudgedDecision]", seconds: float, with_gnubg: bool
) -> "list[Rate]":
    """Blot's and gnubg's rates, measured in turn; of the network, without search and filters."""
    from statistics import median

    from bot.backgammon.arena.baselines import BASELINES
    from bot.backgammon.arena.throughput import Workload, per_second
    from bot.backgammon.compilation import jobs_of_level
    from bot.backgammon.engine.level import Level, pruner_of
    from protocol.backgammon.arena.timed_gnubg import gnubg_evaluations_per_second
    from protocol.backgammon.reports.bench import Rate
    from protocol.backgammon.reports.compilation import compile_first

    if weights in BASELINES:
        return []
    positions = [each.request.state.position for each in decisions[:MAX_POSITIONS]]
    compile_first([*jobs_of_level(Level(weights)), "replies"])
    evaluator = Level(weights).evaluator(tell)
    pruner = pruner_of(evaluator.network)
    workload = Workload(evaluator, positions, pruner)
    workload.check()
    tell("evaluations and plays ...")
    works = {
        "evaluations": workload.rate_replies,
        "evaluations, in a batch": workload.rate_batch,
        "legal plays made": workload.make_plays,
    }
    if pruner is not None:
        works["evaluations, pruned"] = workload.rate_pruned_replies
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
    with blot_seat(_player(level)) as blot:
        results(decisions[:WARMING_UP], blot.ask)
        return _row("blot", name, decisions, blot.ask)


def _player(level: "Level") -> "Decider":
    """The player of a level."""
    from bot.backgammon.arena.baselines import BASELINES
    from protocol.backgammon.arena.named_players import decider
    from protocol.backgammon.arena.timed_seat import CubelessPlays

    if level.weights in BASELINES:
        return decider(level, seed=1)
    return CubelessPlays(
        level.engine(tell, candidates=1, cube=False), level.engine(tell, candidates=1)
    )


def _row(player: str, name: str, decisions: "Sequence[JudgedDecision]", ask: "Ask") -> "Row":
    """Ask all decisions; progress where a person looks."""
    from protocol.backgammon.arena.judged_decisions import results
    from protocol.backgammon.reports.bench import Row
    from protocol.progress import progress

    tell(f"{player} {name} ...")
    answered = itertools.count(1)
    with progress("decisions", len(decisions)) as show:
        return Row(player, name, results(decisions, ask, lambda: show(next(answered))))
