"""Outputs: one or two of them, of which the second is said to win many more games."""

from itertools import product

from bot.backgammon.lab.trained_run import Score, run_score, train_beside
from bot.backgammon.training.settings import Schedule, Settings, Update
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Findings, percent_curve, percent_text

_THEIRS = {1: 75.0, 2: 84.0}
"""Per cent of the games won against random after 100,000 games, by outputs."""


def run(attempt: Attempt) -> Findings:
    """Train a network for each guess and number of outputs, and let each play random."""
    chosen = attempt.settings
    guesses = list(product(chosen["lambdas"], chosen["rates"]))
    each = [(*guess, outputs) for guess in guesses for outputs in _THEIRS]
    train_beside(attempt, dict(_run(attempt, *one) for one in each))
    scores = {one: run_score(attempt, *_run(attempt, *one), "random") for one in each}

    def off(guess: tuple[float, float]) -> float:
        """Per cent that both numbers of outputs are away from theirs, added up."""
        return sum(
            abs(100 * scores[*guess, outputs].won.mean - share)
            for outputs, share in _THEIRS.items()
        )

    nearest = min(guesses, key=off)
    one, two = (scores[*nearest, outputs].won for outputs in _THEIRS)
    return Findings(
        rows=[
            {
                "lambda": trace,
                "rate": rate,
                "outputs": outputs,
                "won": score.won.mean,
                "won_error": score.won.error,
                "points": score.points.mean,
                "points_error": score.points.error,
            }
            for (trace, rate, outputs), score in scores.items()
        ],
        charts=[_chart(guesses, scores)],
        comparisons=[
            Comparison(
                f"λ {trace:g}, rate {rate:g}, {outputs} output{'s' * (outputs > 1)}",
                f"{_THEIRS[outputs]:g} %",
                percent_text(score.won),
            )
            for (trace, rate, outputs), score in scores.items()
        ],
        difference=f"λ {nearest[0]:g} and rate {nearest[1]:g} come nearest, with "
        f"{percent_text(one)} for one output and {percent_text(two)} for two, where they have "
        f"{_THEIRS[1]:g} % and {_THEIRS[2]:g} %.",
    )


def _run(attempt: Attempt, trace: float, rate: float, outputs: int) -> tuple[str, Settings]:
    """A run, by its name."""
    chosen = attempt.settings
    return f"lambda-{trace:g}-rate-{rate:g}-outputs-{outputs}", Settings(
        games=chosen["games"],
        hidden_units=chosen["hidden"],
        inputs=chosen["inputs"],
        update=Update.TRACES,
        trace=trace,
        rates=(rate,),
        schedule=Schedule.CONSTANT,
        outputs=outputs,
        seed=attempt.seed,
        test_every=chosen["games"],
        test_games=2,
    )


def _chart(
    guesses: list[tuple[float, float]], scores: dict[tuple[float, float, int], Score]
) -> Chart:
    curves = []
    for trace, rate in guesses:
        won = [scores[trace, rate, outputs].won for outputs in _THEIRS]
        curves.append(percent_curve(f"λ {trace:g}, rate {rate:g}", ["one", "two"], won))
    levels = {f"theirs, {outputs}: {share:g} %": share for outputs, share in _THEIRS.items()}
    return Chart("outputs", "games won against random (%)", curves, levels)


EXPERIMENT = Experiment(
    name="outputs",
    title="One output or two",
    question="Does a network learn faster with an output for each side's win than with one?",
    source="TD-Gammon again (Poland, about 2012): TD(λ), 198-40, 100,000 games; λ and the rate are "
    "not stated.",
    theirs="after 100,000 games 75 % of the games against random with one output, 84 % with two.",
    settings={
        "games": 100_000,
        "hidden": 40,
        "inputs": "tesauro-1",
        "lambdas": (0.0, 0.7),
        "rates": (0.01, 0.1),
        "test-games": 10_000,
    },
    small={"games": 2_000, "test-games": 1_000},
    minutes=(0.3, 8),
    not_shown="any difference after 100,000 games: it plays 2,000.",
    run=run,
    is_parallel=True,
)
