"""Speed of learning: TD, backpropagation and mutation against three opponents."""

from collections.abc import Sequence
from statistics import fmean

from bot.backgammon.lab.pulver import NAMES, REMARK, SETTINGS, SMALL, SOURCE, all_learnt
from bot.backgammon.lab.trained_run import Duel, duel_score
from bot.backgammon.training.settings import LearnerName
from bot.estimate import Estimate
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings, Row

_OPPONENTS = {"random": "random", "blockers": "simple-3", "pubeval": "pubeval"}
_NEAR = 0.05
"""Points per game below its best mean at which a learner is almost at its best."""

_THEIRS = {
    (LearnerName.TEMPORAL_DIFFERENCE, "pubeval"): "almost at its best by 200,000 games",
    (LearnerName.MUTATION, "pubeval"): "at its best by 500,000 games",
    (LearnerName.BACKPROPAGATION, "pubeval"): "at its best by 700,000 games",
}

Curves = dict[tuple[LearnerName, str], list[tuple[int, float, float | None]]]


def run(attempt: Attempt) -> Findings:
    """Let every snapshot of the three learners play every opponent; means of several in a row."""
    chosen = attempt.settings
    curves: Curves = {}
    for learner, trained in all_learnt(attempt).items():
        snapshots = trained.snapshots
        meant = min(chosen["meant"], len(snapshots))
        for opponent in _OPPONENTS:
            points = [
                duel_score(
                    attempt,
                    f"{learner} {each.games} {opponent}",
                    Duel(each.network, opponent, chosen["test-games"], attempt.seed + each.games),
                ).points
                for each in snapshots
            ]
            curves[learner, opponent] = [
                (
                    snapshots[last].games,
                    fmean(each.mean for each in points[last + 1 - meant : last + 1]),
                    _error_of_mean(points[last + 1 - meant : last + 1]),
                )
                for last in range(meant - 1, len(snapshots))
            ]
    rows: list[Row] = [
        {"learner": learner, "opponent": opponent, "games": games, "points": mean, "error": error}
        for (learner, opponent), curve in curves.items()
        for games, mean, error in curve
    ]
    return Findings(
        rows=rows,
        charts=[_chart(curves, opponent, name) for opponent, name in _OPPONENTS.items()],
        comparisons=_comparisons(curves),
        difference=_difference(curves),
        remarks=[
            "Almost at its best is meant as 0.05 points below its best mean of "
            f"{chosen['meant']} tests in a row.",
            REMARK,
        ],
    )


def _error_of_mean(points: Sequence[Estimate]) -> float | None:
    """Standard error of the mean of tests, None if that of one of them is not known."""
    errors = [each.error for each in points if each.error is not None]
    if len(errors) < len(points):
        return None
    return float(sum(each**2 for each in errors) ** 0.5 / len(points))


def _near_best(curve: list[tuple[int, float, float | None]]) -> int:
    """Games after which a curve first comes close to its best."""
    best = max(mean for _, mean, _ in curve)
    return next(games for games, mean, _ in curve if mean >= best - _NEAR)


def _comparisons(curves: Curves) -> list[Comparison]:
    found = []
    for (learner, opponent), curve in curves.items():
        _, mean, error = curve[-1]
        theirs = _THEIRS.get((learner, opponent), "+2.5" if opponent == "random" else "")
        found.append(
            Comparison(
                f"{NAMES[learner]} against {_OPPONENTS[opponent]}",
                theirs,
                f"{Estimate(mean, error).text(2)} after {curve[-1][0]:,} games; "
                f"almost at its best by {_near_best(curve):,}",
            )
        )
    passed = _passed(curves)
    found.append(
        Comparison(
            "against simple-3 backpropagation passes mutation",
            "at about 350,000 games",
            "never" if passed is None else f"at {passed:,} games",
        )
    )
    return found


def _passed(curves: Curves) -> int | None:
    """Games after which backpropagation stays ahead of mutation against simple-3."""
    one = curves[LearnerName.BACKPROPAGATION, "blockers"]
    other = curves[LearnerName.MUTATION, "blockers"]
    pairs = list(zip(one, other, strict=False))
    ahead = [first[1] > second[1] for first, second in pairs]
    if not ahead or not ahead[-1]:
        return None
    behind = [place for place, is_ahead in enumerate(ahead) if not is_ahead]
    return pairs[behind[-1] + 1 if behind else 0][0][0]


def _difference(curves: Curves) -> str:
    told = ", ".join(
        f"{NAMES[learner]} by {_near_best(curves[learner, 'pubeval']):,}" for learner in NAMES
    )
    return (
        f"Against pubeval we are almost at the best of our runs after so many games: {told}; "
        "theirs took 200,000, 700,000 and 500,000."
    )


def _chart(curves: Curves, opponent: str, name: str) -> Chart:
    drawn = [
        Curve(
            label,
            [games / 1000 for games, _, _ in curves[learner, opponent]],
            [mean for _, mean, _ in curves[learner, opponent]],
        )
        for learner, label in NAMES.items()
    ]
    levels = {"theirs, all three: +2.5": 2.5} if opponent == "random" else {}
    return Chart("games of learning (thousands)", f"points per game against {name}", drawn, levels)


EXPERIMENT = Experiment(
    name="pulver-speed",
    title="PulverGammon: three ways to learn, and how fast",
    question="How fast do TD(0.7), backpropagation of outcomes and mutation learn?",
    source=SOURCE,
    theirs="against pubeval TD is almost at its best by 200,000 games, mutation at its best by "
    "500,000, backpropagation by 700,000; against simple-3 backpropagation passes mutation at "
    "about 350,000; against random all come to +2.5.",
    settings={**SETTINGS, "test-games": 200, "meant": 10},
    small={**SMALL, "meant": 5},
    minutes=(1, 30),
    not_shown="where each learner ends: it stops at 20,000 games, before any rate is lowered "
    "often.",
    run=run,
)
