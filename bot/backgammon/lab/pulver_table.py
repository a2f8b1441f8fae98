"""The table of PulverGammon: players that learnt in three ways, and three that never did."""

from itertools import combinations

from bot.backgammon.evaluation.network import Network, load_network
from bot.backgammon.lab.pulver import NAMES, REMARK, SETTINGS, SMALL, SOURCE, all_learnt
from bot.backgammon.lab.trained_run import Duel, Score, duel_score, play_beside
from bot.estimate import Estimate
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings

_THEIRS = {
    ("pubeval", "random"): 2.50,
    ("TD", "pubeval"): 0.26,
    ("TD", "backpropagation"): 0.53,
    ("TD", "mutation"): 1.14,
    ("backpropagation", "pubeval"): -0.18,
    ("mutation", "pubeval"): -0.91,
}

_THEIR_ORDER = ("TD", "pubeval", "backpropagation", "mutation")
"""The best first."""

_BASELINES = {
    "pubeval": "pubeval",
    "simple-3": "blockers",
    "simple-2": "simple-2",
    "simple-1": "simple-1",
    "random": "random",
}


def run(attempt: Attempt) -> Findings:
    """Let everybody play everybody, in pairs of games with the same dice."""
    # first, as a name that is none is to be told before an hour of training
    others = {name: load_network(name) for name in attempt.settings["weights"] if name}
    players: dict[str, Network | str] = {
        NAMES[learner]: trained.network for learner, trained in all_learnt(attempt).items()
    }
    players |= _BASELINES
    players |= others
    games = attempt.settings["test-games"]
    duels = {
        (one, other): Duel(players[one], players[other], games, attempt.seed)
        for one, other in combinations(players, 2)
    }
    play_beside(attempt, {f"{one} - {other}": duel for (one, other), duel in duels.items()})
    scores = {
        (one, other): duel_score(attempt, f"{one} - {other}", duel)
        for (one, other), duel in duels.items()
    }
    means = {name: _mean(name, scores) for name in players}
    comparisons = [
        Comparison(
            f"{one} - {other}",
            f"{_THEIRS[one, other]:+.2f}" if (one, other) in _THEIRS else "",
            str(_seen(scores, one, other)),
        )
        for one, other in dict.fromkeys([*_THEIRS, *scores])
    ]
    order = sorted(players, key=lambda name: -means[name])
    kept = [name for name in order if name in _THEIR_ORDER]
    ours, theirs = _seen(scores, "TD", "pubeval"), _THEIRS["TD", "pubeval"]
    return Findings(
        rows=[
            {
                "player": one,
                "opponent": other,
                "games": score.games,
                "points": score.points.mean,
                "points_error": score.points.error,
                "won": score.won.mean,
                "won_error": score.won.error,
            }
            for (one, other), score in scores.items()
        ],
        charts=[
            Chart(
                "player",
                "points per game against all others",
                [Curve("mean", order, [means[name] for name in order], is_line=False)],
                {},
            )
        ],
        comparisons=comparisons,
        difference=f"Their order was {', '.join(_THEIR_ORDER)}, ours is {', '.join(kept)}; "
        f"our TD wins {ours.text(2)} a game from pubeval where theirs won {theirs:+.2f}.",
        remarks=[_table(order, scores), REMARK],
    )


def _seen(scores: dict[tuple[str, str], Score], one: str, other: str) -> Estimate:
    """Points per game of one player from another, whoever the score was written down for."""
    if (one, other) in scores:
        return scores[one, other].points
    points = scores[other, one].points
    return Estimate(-points.mean, points.error)


def _mean(name: str, scores: dict[tuple[str, str], Score]) -> float:
    """Points per game of a player against all others."""
    found = [
        score.points.mean if one == name else -score.points.mean
        for (one, other), score in scores.items()
        if name in (one, other)
    ]
    return sum(found) / len(found)


def _table(order: list[str], scores: dict[tuple[str, str], Score]) -> str:
    """All against all, the best first, as a table of Markdown."""
    lines = ["| points per game of | " + " | ".join(order) + " |"]
    lines.append("|---" * (len(order) + 1) + "|")
    for one in order:
        cells = [
            "" if one == other else f"{_seen(scores, one, other).mean:+.2f}" for other in order
        ]
        lines.append(f"| {one} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


EXPERIMENT = Experiment(
    name="pulver-table",
    title="PulverGammon: all against all",
    question="Which way to learn makes the best player, and how good are the ones made by hand?",
    source=SOURCE,
    theirs="pubeval - random +2.50; TD - pubeval +0.26; TD - backpropagation +0.53; TD - mutation "
    "+1.14; backpropagation - pubeval -0.18; mutation - pubeval -0.91; 10,000 games each.",
    settings={**SETTINGS, "test-games": 10_000, "weights": ("",)},
    small={**SMALL, "test-games": 400},
    minutes=(0.1, 2),
    not_shown="how good the learners become: they stop at 20,000 games.",
    run=run,
    is_parallel=True,
)
