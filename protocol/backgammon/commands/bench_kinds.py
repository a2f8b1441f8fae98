"""Benchmark by kind: `blot bench --kinds`."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.progress import progress, tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bot.backgammon.arena.benchmark import Benchmark, KindErrors

OTHERS = ("judged", "limit", "filter", "level", "seconds")
"""Options of decisions and their speed, which nobody looks at here."""


def bench_kinds(options: argparse.Namespace, plies: "Iterable[int]") -> int:
    """Evaluate the positions of the benchmark so many plies deep, and print errors by kind."""
    from bot.backgammon.arena.baselines import BASELINES
    from bot.backgammon.arena.benchmark import Benchmark
    from protocol.backgammon.reports.kinds import kinds_tables, kinds_values
    from protocol.errors import UsageError

    given = [name for name in OTHERS if getattr(options, name, None) is not None]
    if given:
        raise UsageError(
            f"--kinds evaluates positions, where nobody decides: --{given[0]} has no effect"
        )
    if getattr(options, "weights", None) in BASELINES:
        raise UsageError(f"{options.weights} has no equities: give --weights of a network")
    plies = sorted(set(plies))
    if not plies:
        raise UsageError("--kinds evaluates so many plies deep as --ply says: give one or more")
    benchmark = Benchmark.load(Path(options.kinds) if options.kinds else None).rolled_out
    if not len(benchmark.boards):
        raise ValueError("nothing is rolled out yet in that benchmark")
    evaluated = _evaluated(options, plies, benchmark)
    if options.json:
        header = {"benchmark": dict(benchmark.header), "trials": int(benchmark.trials.sum())}
        print(json.dumps(header | kinds_values(evaluated), indent=2))
        return 0
    from rich.console import Console

    console = Console(highlight=False)
    for part in kinds_tables(evaluated):
        console.print(part, crop=False)
    return 0


def _evaluated(
    options: argparse.Namespace, plies: "Sequence[int]", benchmark: "Benchmark"
) -> "dict[str, list[KindErrors]]":
    """Errors of Blot at each ply, and of gnubg_nn if it is to be measured and can be."""
    from bot.backgammon.arena.benchmark import equities_of, errors_by_kind
    from bot.backgammon.compilation import jobs_of_level
    from bot.backgammon.engine.level import Level
    from bot.backgammon.engine.nets import pruner_of
    from bot.backgammon.engine.search import Search, SearchSettings
    from protocol.backgammon.arena.gnubg_nn import gnubg_nn_equities, is_installed
    from protocol.backgammon.reports.compilation import compile_first

    weights = getattr(options, "weights", "default")
    compile_first(jobs_of_level(Level(weights, SearchSettings(max(plies)))))
    evaluator = Level(weights).evaluator(tell)
    pruner = pruner_of(evaluator.tree.network)
    with_gnubg = options.gnubg is not False and is_installed()
    if options.gnubg is not False and not with_gnubg:
        tell("gnubg_nn is not installed (pip install 'blot-gammon[judges]'): Blot alone")
    boards, evaluated = benchmark.boards, {}
    for ply in plies:
        search = Search(evaluator, SearchSettings(ply), pruner=pruner)
        with progress(f"positions by {weights} {ply}-ply", len(boards)) as show:
            evaluated[f"{weights} {ply}-ply"] = errors_by_kind(
                benchmark, equities_of(search, boards, show)
            )
    for ply in plies if with_gnubg else ():
        with progress(f"positions by gnubg_nn {ply}-ply", len(boards)) as show:
            evaluated[f"gnubg_nn {ply}-ply"] = errors_by_kind(
                benchmark, gnubg_nn_equities(boards, ply, show)
            )
    return evaluated
