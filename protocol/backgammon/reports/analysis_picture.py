"""Analysis picture: how a match went, choice by choice, and where it was given away."""

import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bot.backgammon.engine.analysis import CubeVerdict, Verdict, ends_of
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import AnswerDouble
from protocol.backgammon.reports.analysis import MatchAnalysis
from protocol.picture_file import write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("tab:blue", "tab:red")


def write_picture(analysis: MatchAnalysis, path: Path) -> None:
    """Draw the match into a file of a kind that its name tells.

    Raises ValueError without matplotlib or for a kind that it cannot draw, and OSError if the file
    cannot be written.
    """
    try:
        from matplotlib import rc_context
    except ImportError:
        raise ValueError("--picture needs matplotlib (pip install 'blot-gammon[plots]')") from None
    with rc_context({"text.parse_math": False}), warnings.catch_warnings():  # names are no formulae
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a box stands for the letter
        write_figure(_drawn(analysis), path)


def _drawn(analysis: MatchAnalysis) -> "Figure":
    """The match drawn: worths above, and below what each choice lost."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    worths = np.array([worth_of(analysis, choice, verdict) for choice, verdict in analysis.judged])
    known = np.flatnonzero(~np.isnan(worths))
    above.plot(known + 1, worths[known], color="black", linewidth=1)
    first, second = analysis.match.players
    unit = "points" if analysis.is_money else "chance to win the match"
    above.set_ylabel(f"{first}: {unit}")
    if not analysis.is_money:
        above.set_ylim(0, 1)
    for seat, name in enumerate((first, second)):
        places = [i for i, (choice, _) in enumerate(analysis.judged, 1) if choice.seat == seat]
        losses = [analysis.judged[place - 1][1].loss for place in places]
        sign = -1 if seat else 1
        shown = f" {name}"  # matplotlib leaves out what begins with _
        below.bar(places, [sign * loss for loss in losses], color=COLOURS[seat], label=shown)
    below.axhline(0, color="black", linewidth=0.5)
    below.set_ylabel("equity lost")
    below.yaxis.set_major_formatter(lambda loss, _: f"{abs(loss):g}")
    below.set_xlabel("choice")
    below.legend()
    for axes in (above, below):
        for place in _first_choices(analysis):
            axes.axvline(place, color="lightgrey", linewidth=0.8, zorder=0)
    return figure


def worth_of(analysis: MatchAnalysis, choice: Choice, verdict: Verdict) -> float:
    """The worth to seat 0 where a choice was made: points, in a match the chance to win it.

    Not a number where there was nothing to play.
    """
    state = choice.request.state
    if isinstance(verdict, CubeVerdict):
        evaluation, is_roller = verdict.evaluation, choice.roller == 0
        is_doubled = isinstance(choice.request, AnswerDouble)
        equity = evaluation.doubled if is_doubled else max(evaluation.no_double, evaluation.doubled)
    else:
        is_roller = choice.seat == 0
        shown = verdict.played or (verdict.candidates[0] if verdict.candidates else None)
        equity = shown.equity if shown else math.nan
    won, lost = ends_of(state, analysis.met)
    worth = (won + lost) / 2 + equity * (won - lost) / 2
    if is_roller:
        return worth
    return -worth if analysis.is_money else 1 - worth


def _first_choices(analysis: MatchAnalysis) -> list[int]:
    """The places, from 1, at which a game begins."""
    games = [choice.game for choice, _ in analysis.judged]
    return [i for i, game in enumerate(games, 1) if i == 1 or game != games[i - 2]]
