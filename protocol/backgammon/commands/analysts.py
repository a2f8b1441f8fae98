"""Analysts: who judges a match for `blot analyse`, and how two of them are compared."""

import argparse
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.backgammon.commands.options import (
    LEVEL_OPTIONS,
    MAX_PLIES,
    check_rules,
    is_baseline,
    level_of,
    level_text,
    met_alone,
    met_of,
)
from protocol.errors import UsageError
from protocol.progress import progress, tell

if TYPE_CHECKING:
    from bot.backgammon.engine.agreement import Ruling
    from bot.backgammon.engine.level import Level
    from bot.backgammon.rules.record import MatchRecord
    from bot.journal import Journal
    from protocol.backgammon.reports.agreement import AgreementReport
    from protocol.backgammon.reports.analysis import MatchAnalysis

    Judged = tuple[MatchAnalysis, list[dict[str, Any]]]

GNUBG = "gnubg"
GNUBG_PLIES = 2
"""Plies that gnubg looks ahead if it is not told otherwise, as it does of itself."""

MAX_GNUBG_PLIES = 4
"""Plies that gnubg looks ahead at most; gnubg_program, which has them too, is slow to import."""

TRIALS = 324
ROLLOUT_PLY = 1
"""Trials of a disputed choice, and how far both players look ahead in them."""

DISPUTED = 0.01
"""Equity beyond which a choice is disputed, if both say so of the other's."""


def analyst_plies(text: str) -> int:
    """Plies of either analyst; check_plies knows which one it is. Raises ArgumentTypeError."""
    if text not in map(str, range(max(MAX_PLIES, MAX_GNUBG_PLIES) + 1)):
        raise argparse.ArgumentTypeError(
            f"Blot looks 0 to {MAX_PLIES} plies ahead, gnubg 0 to {MAX_GNUBG_PLIES}, not {text}"
        )
    return int(text)


def check_plies(options: argparse.Namespace) -> None:
    """Raise UsageError for plies that gnubg alone looks ahead, if it does not judge."""
    if getattr(options, "ply", 0) > MAX_PLIES and getattr(options, "by", "blot") != GNUBG:
        raise UsageError(
            f"--ply: Blot looks 0 to {MAX_PLIES} plies ahead, not {options.ply}; --by {GNUBG} "
            f"looks up to {MAX_GNUBG_PLIES}"
        )


def check_first(options: argparse.Namespace, match: "MatchRecord") -> None:
    """Raise, before there is a file to write to, what keeps the first analyst from judging.

    UsageError for options that it does not take, ValueError if there are no such weights or match
    equities, GnubgMissingError if there is no gnubg.
    """
    from bot.weights import weights_digest

    if getattr(options, "by", "blot") == GNUBG:
        for name in ("level", "weights", "filter", "met"):
            if name in options:
                raise UsageError(f"--{name} is Blot's: leave it out with --by gnubg")
        _require_gnubg()
        return
    check_rules(met_alone(options), cube=match.rules.has_cube, length=match.rules.length)
    met_of(options)
    weights_digest(analysis_level(options).weights)


def _require_gnubg() -> None:
    from protocol.backgammon.adapters.gnubg_program import find_gnubg

    find_gnubg()


def judged_by(options: argparse.Namespace, match: "MatchRecord", journal: "Journal") -> "Judged":
    """The analysis that the options ask for, as far as it is there already, and the rest."""
    if getattr(options, "by", "blot") == GNUBG:
        return _by_gnubg(options, match, journal, getattr(options, "ply", GNUBG_PLIES))
    return _by_blot(options, match, journal, analysis_level(options))


def compared(
    options: argparse.Namespace, match: "MatchRecord", first: "Judged", journal: "Journal"
) -> "tuple[AgreementReport, list[dict[str, Any]]]":
    """The analysis beside that of a second analyst, with what rollouts say where they differ.

    Also the lines of the second one.
    """
    from bot.backgammon.engine.agreement import disputed, opinions_of
    from protocol.backgammon.reports.agreement import AgreementReport

    if options.compare == GNUBG:
        second = _by_gnubg(options, match, journal, GNUBG_PLIES)
    else:
        second = _by_blot(options, match, journal, _second_level(options))
    (one, lines), (other, others) = first, second
    threshold = getattr(options, "above", DISPUTED)
    found = disputed(opinions_of(one.judged, other.judged), threshold)
    report = AgreementReport(one, other, found, (), threshold)
    rulings = _rulings(options, report, (lines[0], others[0]), journal) if found else ()
    return replace(report, rulings=rulings), others


def check_second(options: argparse.Namespace) -> None:
    """Raise UsageError for a second analyst who is the first one.

    GnubgMissingError for a gnubg that is not there, which would be told when the first has judged.
    """
    from bot.weights import weights_digest

    is_gnubg = options.compare == GNUBG
    if is_gnubg != (getattr(options, "by", "blot") == GNUBG):
        if is_gnubg:
            _require_gnubg()
        return
    levels = () if is_gnubg else (analysis_level(options), _second_level(options))
    if len({replace(each, weights=weights_digest(each.weights)) for each in levels}) < 2:
        name = options.compare
        raise UsageError(f"--compare {name}: {name} judges already, give another analyst")


def _second_level(options: argparse.Namespace) -> "Level":
    """The level that --compare names."""
    return _with_workers(level_of(argparse.Namespace(level=options.compare)), options)


def _rulings(
    options: argparse.Namespace,
    report: "AgreementReport",
    lines: tuple[dict[str, Any], dict[str, Any]],
    journal: "Journal",
) -> "tuple[Ruling, ...]":
    """The rulings on the disputed choices, as far as they are there already, and the rest."""
    from bot.backgammon.compilation import player_jobs, rollout_jobs
    from bot.backgammon.engine.agreement import ruling_on
    from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
    from bot.weights import weights_digest
    from protocol.backgammon.arena.analysis_journal import RulingJournal
    from protocol.backgammon.reports.agreement import dispute_values
    from protocol.backgammon.reports.compilation import compile_first

    trials = getattr(options, "trials", TRIALS)
    player = RolloutPlayer()
    settings = RolloutSettings(trials, ply=ROLLOUT_PLY, workers=options.workers)
    about = {
        "first": lines[0]["analysis"],
        "second": lines[1]["analysis"],
        "above": report.threshold,
        "rollout": {"trials": trials, "ply": ROLLOUT_PLY, "weights": player.weights}
        | {"digest": weights_digest(player.weights)[:16]},
    }
    disputes = [dispute_values(one) for one in report.disputes]
    kept = RulingJournal(disputes, about, lines[0]["match"], journal)
    left = report.disputes[len(kept.rulings) :]
    if left:
        compile_first([*player_jobs(searches=True), *rollout_jobs(ROLLOUT_PLY)])
    with progress("disputes", len(disputes), kept=len(kept.rulings)) as show:
        for one in left:
            number = len(kept.rulings) + 1
            has_cube = report.first.match.rules.has_cube
            seeded = replace(settings, seed=number)
            kept.add(ruling_on(one, player, seeded, has_cube=has_cube, met=met_of(options)))
            show(number)
    return tuple(kept.rulings)


def _by_blot(
    options: argparse.Namespace, match: "MatchRecord", journal: "Journal", level: "Level"
) -> "Judged":
    from bot.backgammon.compilation import jobs_of_level
    from bot.backgammon.engine.analysts import AnalystSettings, verdicts
    from bot.backgammon.rules.choice import choices_of
    from protocol.backgammon.arena.analysis_journal import AnalysisJournal
    from protocol.backgammon.formats.analysis_lines import match_digest
    from protocol.backgammon.reports.analysis import MatchAnalysis
    from protocol.backgammon.reports.compilation import compile_first
    from protocol.backgammon.servers.board_drops import verdict_there

    met = met_of(options)
    choices = choices_of(match)
    settings = AnalystSettings(level, match.rules.has_cube, met)
    settings_told = about_level(options, level) | _drops_told(match)
    about = settings_told, match_digest(match, choices)
    kept = AnalysisJournal(choices, match.players, *about, journal)
    left = choices[len(kept.verdicts) :]
    if left:
        compile_first(jobs_of_level(level))
    judged = verdicts(left, settings, tell, workers=options.workers)
    with progress("choices", len(choices), kept=len(kept.verdicts)) as show, closing(judged):
        for choice, verdict in zip(left, judged, strict=True):
            kept.add(verdict_there(match, choice, verdict, met))
            show(len(kept.verdicts))
    judgement = list(zip(choices, kept.verdicts, strict=True))
    return MatchAnalysis(match, judgement, level_text(level), met), kept.lines


def _by_gnubg(
    options: argparse.Namespace, match: "MatchRecord", journal: "Journal", plies: int
) -> "Judged":
    from protocol.backgammon.adapters.gnubg_analysis import GnubgAnalyst
    from protocol.backgammon.arena.analysis_journal import AnalysisJournal
    from protocol.backgammon.formats.analysis_lines import match_digest
    from protocol.backgammon.reports.analysis import MatchAnalysis
    from protocol.backgammon.servers.board_drops import verdict_there

    tell(f"gnubg analyses at {plies}-ply")
    settings_told = {"by": GNUBG, "ply": plies} | _drops_told(match)
    with GnubgAnalyst(match, plies, threads=options.workers) as analyst:
        choices = analyst.choices
        about = settings_told, match_digest(analyst.match, choices)
        kept = AnalysisJournal(choices, match.players, *about, journal)
        with progress("choices", len(choices), kept=len(kept.verdicts)) as show:
            judged_choices = choices[len(kept.verdicts) :]
            found = analyst.verdicts(len(kept.verdicts))
            for choice, verdict in zip(judged_choices, found, strict=True):
                kept.add(verdict_there(match, choice, verdict, analyst.met))
                show(len(kept.verdicts))
        judged = list(zip(choices, kept.verdicts, strict=True))
        name = f"gnubg ({plies}-ply)"
        return MatchAnalysis(analyst.match, judged, name, analyst.met), kept.lines


def _drops_told(match: "MatchRecord") -> dict[str, bool]:
    """The setting that each line tells where a drop costs what the board would; it is said, too."""
    from protocol.backgammon.servers.board_drops import has_board_drops

    if not has_board_drops(match):
        return {}
    tell("a drop costs what the board would, as where this match was played")
    return {"board_drops": True}


def analysis_level(options: argparse.Namespace) -> "Level":
    """The level that judges; raises UsageError for a player without equities."""
    said = {name: getattr(options, name) for name in LEVEL_OPTIONS if name in options}
    chosen = argparse.Namespace(**said)
    if is_baseline(chosen):
        raise UsageError(f"{options.weights} has no equities: give --weights of a network")
    return _with_workers(level_of(chosen), options)


def _with_workers(level: "Level", options: argparse.Namespace) -> "Level":
    roller = level.roller and replace(level.roller, workers=options.workers)
    return replace(level, roller=roller)


def about_level(options: argparse.Namespace, level: "Level") -> dict[str, Any]:
    """The settings that each line tells."""
    from bot.weights import weights_digest

    search, met = level.search, met_of(options)
    return {
        "by": "blot",
        "weights": level.weights,
        "digest": weights_digest(level.weights)[:16],
        "ply": search.ply,
        "filter": [[each.plies, each.most, each.margin] for each in search.filters],
        "trials": level.roller.trials if level.roller else 0,
        "met": Path(options.met).name if "met" in options else "blot",
        **({"met_digest": met.digest[:16]} if met else {}),
    }
