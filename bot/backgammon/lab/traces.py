"""Lambda: how far back a correction should be handed, which none of the three asked."""

from collections.abc import Mapping, Sequence
from itertools import product
from statistics import fmean

from bot.backgammon.lab.trained_run import run_score, train_beside
from bot.backgammon.training.settings import Activation, Loss, Schedule, Settings, Update
from bot.estimate import Estimate, standard_error
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings


def run(attempt: Attempt) -> Findings:
    """Choose each lambda's rate by short runs, then train several seeds and let them play."""
    chosen = attempt.settings
    pilots = [_pilot(attempt, *each) for each in product(chosen["lambdas"], chosen["rates"])]
    train_beside(attempt, dict(pilots))
    rates = {trace: _best_rate(attempt, trace) for trace in chosen["lambdas"]}
    train_beside(
        attempt,
        dict(
            _run(attempt, trace, rate, seed)
            for (trace, rate), seed in product(rates.items(), range(chosen["seeds"]))
        ),
    )
    points = {trace: _points(attempt, trace, rate) for trace, rate in rates.items()}
    means = {trace: Estimate(fmean(each), standard_error(each)) for trace, each in points.items()}
    best = max(means, key=lambda trace: means[trace].mean)
    near = [
        f"{trace:g}"
        for trace, found in means.items()
        if trace != best
        and means[best].mean - found.mean
        <= 2 * ((means[best].error or 0.0) ** 2 + (found.error or 0.0) ** 2) ** 0.5
    ]
    return Findings(
        rows=[
            {"lambda": trace, "rate": rates[trace], "seed": attempt.seed + seed, "points": one}
            for trace, each in points.items()
            for seed, one in enumerate(each)
        ],
        charts=[
            Chart(
                "λ",
                "points per game against pubeval",
                [
                    Curve(
                        f"mean of {chosen['seeds']} seeds",
                        list(means),
                        [found.mean for found in means.values()],
                        [found.error for found in means.values()],
                    ),
                    Curve(
                        "each seed",
                        [trace for trace, each in points.items() for _ in each],
                        [one for each in points.values() for one in each],
                        is_line=False,
                    ),
                ],
                {},
            )
        ],
        comparisons=[
            Comparison(f"λ {trace:g} (rate {rates[trace]:g})", "", str(found))
            for trace, found in means.items()
        ],
        difference=f"λ {best:g} is the best with {means[best]} points per game; "
        f"within two standard errors of it is {' and '.join(near) or 'no other'}.",
        remarks=[
            "The rate that suits one λ does not suit another, as corrections add up: each λ has "
            f"the best of the rates {', '.join(f'{rate:g}' for rate in chosen['rates'])} after "
            f"{chosen['pilot-games']:,} games of a run of its own. ± is the standard error between "
            "seeds. The rate goes down to 0 in a straight line.",
            *_at_the_edge(rates, chosen["rates"]),
        ],
    )


def _at_the_edge(rates: Mapping[float, float], tried: Sequence[float]) -> list[str]:
    """A remark on the values of lambda whose best rate is the smallest or the largest tried."""
    at_edge = [f"{trace:g}" for trace, rate in rates.items() if rate in (min(tried), max(tried))]
    if not at_edge:
        return []
    return [
        f"The best rate of λ {', '.join(at_edge)} is the smallest or the largest of those tried: a "
        "rate beyond might suit it better."
    ]


def _settings(attempt: Attempt, trace: float, rate: float, games: int, seed: int) -> Settings:
    chosen = attempt.settings
    return Settings(
        games=games,
        hidden_units=chosen["hidden"],
        inputs=chosen["inputs"],
        activation=Activation.LOGISTIC,
        loss=Loss.SQUARES,
        outputs=4,
        update=Update.TRACES,
        trace=trace,
        rates=(rate, 0.0),
        schedule=Schedule.LINEAR,
        seed=attempt.seed + seed,
        test_every=games,
        test_games=2,
    )


def _pilot(attempt: Attempt, trace: float, rate: float) -> tuple[str, Settings]:
    """A short run, by its name."""
    games = attempt.settings["pilot-games"]
    return f"pilot-lambda-{trace:g}-rate-{rate:g}", _settings(attempt, trace, rate, games, 0)


def _run(attempt: Attempt, trace: float, rate: float, seed: int) -> tuple[str, Settings]:
    """A whole run, by its name."""
    settings = _settings(attempt, trace, rate, attempt.settings["games"], 1 + seed)
    return f"lambda-{trace:g}-seed-{seed + 1}", settings


def _best_rate(attempt: Attempt, trace: float) -> float:
    """The rate whose short run plays best against pubeval."""
    found = {
        rate: run_score(attempt, *_pilot(attempt, trace, rate), "pubeval").points.mean
        for rate in attempt.settings["rates"]
    }
    return float(max(found, key=lambda rate: found[rate]))


def _points(attempt: Attempt, trace: float, rate: float) -> list[float]:
    """Points per game against pubeval of a network from each seed."""
    return [
        run_score(attempt, *_run(attempt, trace, rate, seed), "pubeval").points.mean
        for seed in range(attempt.settings["seeds"])
    ]


EXPERIMENT = Experiment(
    name="lambda",
    title="Which λ?",
    question="How far back should TD(λ) hand a correction?",
    source="ours; NBG took λ = 0, PulverGammon 0.7, TD-Gammon first 0.7 and then 0.",
    theirs="none of the three compared values of λ.",
    settings={
        "games": 200_000,
        "lambdas": (0.0, 0.3, 0.5, 0.7, 0.9, 1.0),
        "seeds": 5,
        "rates": (0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 1.0),
        "pilot-games": 20_000,
        "hidden": 40,
        "inputs": "tesauro-1",
        "test-games": 4_000,
    },
    small={
        "games": 5_000,
        "lambdas": (0.0, 0.7, 1.0),
        "seeds": 2,
        "rates": (0.05, 0.2),
        "pilot-games": 2_000,
        "test-games": 1_000,
    },
    minutes=(1, 100),
    not_shown="the end of learning, or anything smaller than the differences between two seeds.",
    run=run,
    is_parallel=True,
)
