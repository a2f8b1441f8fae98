"""`blot analyse`: every choice of a match judged, by Blot or by GNU Backgammon."""

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.backgammon.commands.analysis_files import (
    CARD,
    add_files,
    check_files,
    write_files,
)
from protocol.backgammon.commands.analysts import (
    DISPUTED,
    GNUBG,
    GNUBG_PLIES,
    MAX_GNUBG_PLIES,
    TRIALS,
    about_level,
    analysis_level,
    analyst_plies,
    check_first,
    check_plies,
    check_second,
    compared,
    judged_by,
)
from protocol.backgammon.commands.options import (
    LEVEL_NAMES,
    add_level,
    add_met,
    check_rules,
    met_alone,
    met_of,
)
from protocol.errors import UsageError, as_usage
from protocol.progress import tell
from protocol.subcommands import Parsers
from protocol.values import print_values
from protocol.workers import MAX_WORKERS, worker_count

if TYPE_CHECKING:
    from bot.backgammon.rules.record import MatchRecord
    from protocol.backgammon.formats.pasted_id import PastedId
    from protocol.backgammon.reports.agreement import AgreementReport
    from protocol.backgammon.reports.analysis import MatchAnalysis

WORST = 10
OF_A_FILE = (
    "by",
    "out",
    "sgf",
    "html",
    "picture",
    "force",
    "worst",
    "json",
    "compare",
    "cards",
    "above",
    "trials",
)
"""Options that say nothing to the engine for programs."""


def add_analyse(subcommands: Parsers) -> None:
    """Add `blot analyse`."""
    parser = subcommands.add_parser(
        "analyse",
        help="judge every choice of a match",
        description="Judge every checker play and every choice with the cube of a match file "
        "(.mat, .txt, .sgf, .xg) or a game that Blot saved (.json), and tell each player's errors "
        "and luck in GNU Backgammon's terms: doubtful from 0.03, bad from 0.06, very bad from 0.12 "
        "of equity (EMG), rates in thousandths, PR as eXtreme Gammon counts it. Luck is told "
        "without looking ahead. Of a position's ID the plays, or what the cube is worth, are told. "
        "With --stdio it is an engine for programs: a JSON query a line.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.add_argument(
        "file",
        nargs="?",
        default=None,
        metavar="FILE",
        help="a match file, or the ID of a position",
    )
    parser.add_argument(
        "--by",
        choices=("blot", GNUBG),
        help=f"who judges; gnubg is started for it, and --ply is its own, 0 to {MAX_GNUBG_PLIES}, "
        f"{GNUBG_PLIES} without it (default: blot)",
    )
    add_level(parser, "expert", plies=analyst_plies)
    add_met(parser)
    _add_comparison(parser)
    parser.add_argument(
        "--workers",
        type=worker_count,
        default=1,
        metavar="N",
        help=f"processes, or gnubg's threads, that judge at once, 1 to {MAX_WORKERS} (default: 1)",
    )
    add_files(parser)
    parser.add_argument(
        "--worst",
        type=int,
        metavar="N",
        help=f"how many of the worst choices to show (default: {WORST})",
    )
    parser.add_argument("--json", action="store_true", help="print each verdict as JSON, then sums")
    parser.add_argument(
        "--stdio",
        action="store_true",
        default=False,
        help="answer queries on standard input until it ends, several at once with --workers",
    )
    parser.set_defaults(run=_analyse)


def _add_comparison(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("two analysts")
    group.add_argument(
        "--compare",
        choices=(*LEVEL_NAMES, GNUBG),
        help="have a second analyst judge, tell how far both agree, and roll disputed choices out "
        "to see who was right",
    )
    group.add_argument(
        "--above",
        type=float,
        metavar="LOSS",
        help="a choice is disputed if each analyst says that the other's loses more equity than "
        f"this ({DISPUTED:g} without it); with --cards, what loses more gets a card ({CARD:g})",
    )
    group.add_argument(
        "--trials",
        type=int,
        metavar="N",
        help=f"games of each rolled-out choice (default: {TRIALS})",
    )


def _analyse(options: argparse.Namespace) -> int:
    from bot.journal import open_journal
    from protocol.backgammon.arena.analysis_journal import BEGINNING, KIND

    check_plies(options)
    if options.stdio:
        return _serve(options)
    if options.file is None:
        raise UsageError("name the match file to analyse, or give --stdio")
    worst = getattr(options, "worst", WORST)
    if worst < 0:
        raise UsageError(f"--worst: 0 choices or more, not {worst}")
    if "worst" in options and "json" in options and "html" not in options:
        raise UsageError("--worst is for the table and the page: leave it out with --json")
    path = Path(options.file)
    if not path.exists() and (pasted := _id_in(options.file)):
        return _analyse_position(options, pasted)
    check_files(options)
    _check_comparison(options)
    match, report = _match(path), None
    check_first(options, match)
    with open_journal(getattr(options, "out", None), KIND, BEGINNING) as journal:
        analysis, lines = judged_by(options, match, journal)
        if "compare" in options:
            report, others = compared(options, match, (analysis, lines), journal)
            lines = lines + others
        journal.end()
    write_files(analysis, options, worst)
    _print(analysis, report, lines, options, worst)
    return 0


def _print(
    analysis: "MatchAnalysis",
    report: "AgreementReport | None",
    lines: list[dict[str, Any]],
    options: argparse.Namespace,
    worst: int,
) -> None:
    from protocol.backgammon.reports.agreement import (
        agreement_lines,
        agreement_values,
        disputes_table,
        rates_table,
    )
    from protocol.backgammon.reports.analysis import statistics_table, summary_values, worst_table

    if "json" in options:
        for values in lines:
            print_values(values)
        about = {} if report is None else {"agreement": agreement_values(report)}
        print_values({"summary": summary_values(analysis)} | about)
        return
    from rich.console import Console

    console = Console()
    console.print(statistics_table(analysis))
    if worst and analysis.worst(worst):
        console.print(worst_table(analysis, worst))
    if report is not None:
        console.print(rates_table(report))
        if report.disputes:
            console.print(disputes_table(report))
        print("\n".join(agreement_lines(report)))


def _id_in(text: str) -> "PastedId | None":
    """The ID of a position in a text, None if it is none."""
    from protocol.backgammon.formats.pasted_id import pasted_id

    try:
        return pasted_id(text)
    except ValueError:
        return None


def _analyse_position(options: argparse.Namespace, pasted: "PastedId") -> int:
    """Tell the plays of a position, or what the cube is worth there."""
    from protocol.backgammon.commands.question import question_about
    from protocol.backgammon.reports.advisor import advisor
    from protocol.backgammon.reports.hint import hint_lines, hint_values

    for name in OF_A_FILE:
        if name in options and name != "json":
            raise UsageError(f"--{name} is of a match, and {pasted.text} is one position")
    question, level = question_about(pasted), analysis_level(options)
    if options.workers > 1 and level.roller is None:
        raise UsageError("--workers share out the choices of a match; leave it out with an ID")
    score = question.state.score
    check_rules(met_alone(options), cube=True, length=score.length if score else None)
    with advisor(level, met=met_of(options)) as engine:
        if "json" in options:
            about = {"id": pasted.text, "analysis": about_level(options, level)}
            print_values(about | hint_values(question, engine))
        else:
            print("\n".join(hint_lines(question, engine)))
    return 0


def _check_comparison(options: argparse.Namespace) -> None:
    """Raise UsageError for options of a comparison that is not made, or cannot be."""
    from bot.backgammon.engine.rollout_trials import RolloutSettings

    if "trials" in options and "compare" not in options:
        raise UsageError("--trials are of a comparison: give --compare with it")
    if "above" in options and "compare" not in options and "cards" not in options:
        raise UsageError(
            "--above is of a comparison or of cards: give --compare or --cards with it"
        )
    if "compare" in options:
        check_second(options)
    with as_usage():
        RolloutSettings(getattr(options, "trials", TRIALS))
    if not 0 <= getattr(options, "above", DISPUTED) < math.inf:
        raise UsageError(f"--above: equity of 0 or more, not {options.above:g}")


def _match(path: Path) -> "MatchRecord":
    """The match in a file; raises ValueError if it is none, or empty."""
    from protocol.backgammon.formats.match_file import READERS, read_match
    from protocol.backgammon.table.saved_game import load

    kind = path.suffix.lower()
    if not path.exists():
        raise ValueError(f"cannot read {path}: No such file or directory")
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name one match file")
    if kind != ".json" and kind not in READERS:
        raise ValueError(
            f"{path} is no match file: its name ends with none of {', '.join(READERS)} or .json"
        )
    if kind == ".json":
        match = load(path).match
    else:
        read = read_match(path)
        if read.fault:
            tell(f"{path}, {read.fault}: what comes before is analysed")
        if read.broken_scores:
            tell(f"{path}, {read.broken_scores}")
        match = read.match
    if not any(game.events for game in match.games):
        raise ValueError(f"there is nothing to analyse in {path}")
    return match


def _serve(options: argparse.Namespace) -> int:
    """Answer queries until standard input ends."""
    from bot.backgammon.compilation import jobs_of_level, player_jobs
    from bot.backgammon.evaluation.bearoff import load_databases
    from protocol.backgammon.adapters.analysis_engine import AnalysisEngine, read_lines
    from protocol.backgammon.commands.analysis_answers import Answers
    from protocol.backgammon.reports.compilation import compile_first

    for name in OF_A_FILE:
        if name in options or options.file is not None:
            given = f"--{name}" if name in options else options.file
            raise UsageError(f"--stdio gets its positions in queries: leave out {given}")
    level = analysis_level(options)
    if level.roller is not None:
        raise UsageError("--stdio does not roll out: give another --level")
    met = met_of(options)
    compile_first([*jobs_of_level(level), *player_jobs(searches=True, shares=True)])
    load_databases(tell)
    answers = Answers(level, met)
    with AnalysisEngine(answers.answer, print_values, options.workers) as engine:
        for line in read_lines(sys.stdin.buffer):
            engine.receive(line)
        engine.finish()
    return 0
