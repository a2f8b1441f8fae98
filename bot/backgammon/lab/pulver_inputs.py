"""Inputs of PulverGammon: 198, or 212 that tell of races and blocks."""

import math
from itertools import product
from statistics import fmean

from bot.backgammon.lab.pulver import REMARK, SOURCE, TD_SETTINGS, TD_SMALL, learnt, pulver_settings
from bot.backgammon.lab.trained_run import Duel, duel_score, train_beside, trained_run
from bot.backgammon.training.settings import LearnerName, Settings
from bot.estimate import Estimate, standard_error
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings

_TD = LearnerName.TEMPORAL_DIFFERENCE
_SETS = {"tesauro-1": 198, "blocks-1": 212}
_THEIRS = -0.015

Curves = dict[str, list[tuple[int, Estimate]]]


def run(attempt: Attempt) -> Findings:
    """Train on both sets to the end, and from several seeds over the first games."""
    seeds = range(attempt.settings["seeds"])
    first_runs = dict(_first_run(attempt, *each) for each in product(_SETS, seeds))
    few, many = (learnt(attempt, _TD, inputs).network for inputs in _SETS)
    games = attempt.settings["test-games"]
    score = duel_score(attempt, "212 - 198", Duel(many, few, games, attempt.seed)).points
    train_beside(attempt, first_runs)
    curves = {inputs: _first_games(attempt, inputs) for inputs in _SETS}
    off = f"at most {abs(_largest_difference(curves)):.1f}"
    if len(seeds) == 1:
        off = "an unknown number of"
    return Findings(
        rows=[
            {
                "inputs": _SETS[inputs],
                "games": games,
                "points": points.mean,
                "points_error": points.error,
            }
            for inputs, curve in curves.items()
            for games, points in curve
        ],
        charts=[
            Chart(
                "first games of learning",
                "points per game against pubeval",
                [
                    Curve(
                        f"{_SETS[inputs]} inputs",
                        [games for games, _ in curve],
                        [points.mean for _, points in curve],
                        [points.error for _, points in curve],
                    )
                    for inputs, curve in curves.items()
                ],
                {},
            )
        ],
        comparisons=[
            Comparison("212 - 198 inputs at the end", f"{_THEIRS:+.3f}", str(score)),
            *(
                Comparison(
                    f"{_SETS[inputs]} inputs after {curve[-1][0]:,} games, against pubeval",
                    "",
                    str(curve[-1][1]),
                )
                for inputs, curve in curves.items()
            ),
        ],
        difference=f"212 inputs win {score} points per game from 198 with us, and "
        f"{_THEIRS:+.3f} with them; over the first games the two sets are {off} standard errors "
        "apart.",
        remarks=[
            "The standard errors of the first games are those between seeds, of which each has "
            "other first weights and other dice; the end is one run of each set, so that its error "
            "says nothing of what other seeds would bring.",
            REMARK,
        ],
    )


def _largest_difference(curves: Curves) -> float:
    """Standard errors that the two sets are apart where they are furthest, over the first games."""
    return max(
        (
            (one.mean - other.mean) / math.hypot(one.error or 0.0, other.error or 0.0)
            for (_, one), (_, other) in zip(curves["blocks-1"], curves["tesauro-1"], strict=True)
            if one.error or other.error
        ),
        key=abs,
        default=0.0,
    )


def _first_run(attempt: Attempt, inputs: str, seed: int) -> tuple[str, Settings]:
    """A run over the first games, by its name."""
    chosen = attempt.settings
    games, every = chosen["first-games"], chosen["first-every"]
    settings = pulver_settings(attempt, _TD, inputs, games, every, 1 + seed)
    return f"first-{inputs}-{seed + 1}", settings


def _first_games(attempt: Attempt, inputs: str) -> list[tuple[int, Estimate]]:
    """Points per game against pubeval early on: means of several runs, errors between them."""
    chosen = attempt.settings
    found: dict[int, list[float]] = {}
    for seed in range(chosen["seeds"]):
        for each in trained_run(attempt, *_first_run(attempt, inputs, seed)).snapshots:
            key = f"first {inputs} {seed} {each.games}"
            games = chosen["first-test-games"]
            duel = Duel(each.network, "pubeval", games, attempt.seed + seed)
            score = duel_score(attempt, key, duel)
            found.setdefault(each.games, []).append(score.points.mean)
    return [
        (games, Estimate(fmean(points), standard_error(points))) for games, points in found.items()
    ]


EXPERIMENT = Experiment(
    name="pulver-inputs",
    title="PulverGammon: 198 inputs or 212",
    question="Does it help to tell the network of races and of the longest block?",
    source=SOURCE,
    theirs="212 against 198 inputs: -0.015 points per game, no gain.",
    settings={
        **TD_SETTINGS,
        "test-games": 20_000,
        "seeds": 5,
        "first-games": 5_000,
        "first-every": 250,
        "first-test-games": 1_000,
    },
    small={**TD_SMALL, "test-games": 2_000, "seeds": 2, "first-every": 1_000},
    minutes=(1, 9),
    not_shown="the end of learning: both stop at 20,000 games; and two seeds say little.",
    run=run,
    is_parallel=True,
)
