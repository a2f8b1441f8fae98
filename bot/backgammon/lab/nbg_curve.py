"""NBG's curve: games won against pubeval while a network of 40 hidden units learns by TD(0)."""

from dataclasses import replace
from statistics import fmean

import numpy as np

from bot.backgammon.arena.network_duel import network_duel
from bot.backgammon.lab.trained_run import (
    Duel,
    Score,
    Snapshot,
    Trained,
    duel_score,
    play_beside,
    train_beside,
    trained_run,
)
from bot.backgammon.training.settings import Activation, Loss, Schedule, Settings, Update
from bot.backgammon.training.temporal_difference import TemporalDifference
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings, Row, percent_text

_THEIR_BEST = (614, 605)
_MEANT = 5
"""Tests in a row whose mean tells when a run is level with pubeval."""

_STEPS = 10
"""Times that the run by the printed formula is looked at."""

Tests = list[tuple[Snapshot, Score]]


def run(attempt: Attempt) -> Findings:
    """Train each run, let every snapshot play pubeval, and the best of them once more."""
    chosen = attempt.settings
    runs: list[tuple[Trained, Tests]] = []
    planned = {f"run-{n + 1}": nbg_settings(attempt, n) for n in range(chosen["runs"])}
    train_beside(attempt, planned)
    for name, settings in planned.items():
        trained = trained_run(attempt, name, settings)
        tests = [_test(attempt, name, each) for each in trained.snapshots]
        play_beside(attempt, dict(tests))
        scores = [duel_score(attempt, *test) for test in tests]
        runs.append((trained, list(zip(trained.snapshots, scores, strict=True))))
    rows: list[Row] = [
        {
            "run": number,
            "games": snapshot.games,
            "won": score.won.mean,
            "won_error": score.won.error,
            "points": score.points.mean,
            "points_error": score.points.error,
        }
        for number, (_, tests) in enumerate(runs, start=1)
        for snapshot, score in tests
    ]
    comparisons, again = _compared(attempt, runs)
    formula, remark = _formula(attempt)
    return Findings(
        rows=rows,
        charts=[_chart(runs), formula],
        comparisons=comparisons,
        difference=_difference(runs, again),
        remarks=[
            "Theirs is the best of some 400 tests, each ± 15: a maximum of many tests is too high, "
            "as the row below it shows, where the same network plays on.",
            remark,
            "Beside the thesis: our network always sees the board of the player on roll and gives "
            "his chance, so that White and Black share what they learn; each dice sequence is "
            "played twice with the sides swapped; the games are cubeless.",
        ],
    )


def _compared(
    attempt: Attempt, runs: list[tuple[Trained, Tests]]
) -> tuple[list[Comparison], list[float]]:
    """Theirs and ours, and what share the best network of each run wins when it plays on."""
    comparisons, again = [], []
    for number, (trained, tests) in enumerate(runs, start=1):
        snapshot, best = max(tests, key=lambda test: test[1].won.mean)
        games, seed = attempt.settings["again-games"], attempt.seed + 10**6
        duel = Duel(snapshot.network, "pubeval", games, seed)
        truth = duel_score(attempt, f"run-{number} best again", duel)
        again.append(truth.won.mean)
        theirs = f"{_THEIR_BEST[number - 1]} of 1,000" if number <= len(_THEIR_BEST) else ""
        comparisons += [
            Comparison(
                f"run {number}: level with pubeval", "400,000 to 450,000 games", _level(tests)
            ),
            Comparison(
                f"run {number}: best of {len(tests)} tests",
                theirs,
                f"{1000 * best.won.mean:.0f} of 1,000, after {snapshot.games:,} games",
            ),
            Comparison(
                f"run {number}: that network in {truth.games:,} games more",
                "",
                percent_text(truth.won),
            ),
            Comparison(
                f"run {number}: time", "about ten days", f"{trained.seconds / 60:.1f} minutes"
            ),
        ]
    return comparisons, again


def nbg_settings(attempt: Attempt, number: int = 0) -> Settings:
    """The settings of the thesis: TD(0), weights in ±0.1, 0.05 (N - n) / N, and one output."""
    chosen = attempt.settings
    return Settings(
        games=chosen["games"],
        hidden_units=chosen["hidden"],
        inputs="nbg-1",
        activation=Activation.LOGISTIC,
        loss=Loss.SQUARES,
        outputs=1,
        update=Update.TRACES,
        trace=chosen["lambda"],
        rates=(chosen["rate"], 0.0),
        schedule=Schedule.LINEAR,
        seed=attempt.seed + number,
        test_every=chosen["every"],
        test_games=2,
    )


def _test(attempt: Attempt, name: str, snapshot: Snapshot) -> tuple[str, Duel]:
    games, seed = attempt.settings["test-games"], attempt.seed + snapshot.games
    return f"{name} {snapshot.games}", Duel(snapshot.network, "pubeval", games, seed)


def _level(tests: Tests) -> str:
    """The games after which the mean of some tests in a row is half the games or more."""
    for first in range(len(tests) - _MEANT + 1):
        some = tests[first : first + _MEANT]
        if fmean(score.won.mean for _, score in some) >= 0.5:
            return f"{some[0][0].games:,} to {some[-1][0].games:,} games"
    return f"not in {tests[-1][0].games:,} games"


def _difference(runs: list[tuple[Trained, Tests]], again: list[float]) -> str:
    best = [max(score.won.mean for _, score in tests) for _, tests in runs]
    told = " and ".join(f"{1000 * won:.0f}" for won in best)
    truth = " and ".join(f"{1000 * won:.0f}" for won in again)
    theirs = " and ".join(map(str, _THEIR_BEST))
    return (
        f"Our best tests won {told} of 1,000 games against pubeval, theirs {theirs}; playing on, "
        f"those networks of ours win {truth}."
    )


def _chart(runs: list[tuple[Trained, Tests]]) -> Chart:
    curves = [
        Curve(
            f"run {number}",
            [snapshot.games / 1000 for snapshot, _ in tests],
            [1000 * score.won.mean for _, score in tests],
        )
        for number, (_, tests) in enumerate(runs, start=1)
    ]
    levels = {f"theirs, best of all tests: {best}": float(best) for best in _THEIR_BEST}
    return Chart(
        "games of self-play (thousands)", "games won of 1,000 against pubeval", curves, levels
    )


def _formula(attempt: Attempt) -> tuple[Chart, str]:
    """Learn by the printed formula 4.2, which multiplies the rate anew after every game."""
    games = attempt.settings["formula-games"]
    pairs = max(attempt.settings["test-games"] // 2, 1)
    text = nbg_settings(attempt)
    printed = replace(text, schedule=Schedule.RECURSIVE, rates=text.rates[:1])

    def find() -> list[list[float]]:
        found, learner = [], TemporalDifference(printed)
        learner.advance(0)
        for step in range(1, _STEPS + 1):
            before = learner.network.layers.first
            while (left := games * step // _STEPS - learner.tally.games) > 0:
                learner.advance(min(left, learner.round_games))  # each has a rate of its own
            attempt.note(f"formula 4.2: {learner.tally.games:,} games")
            network = learner.network
            duel = network_duel(network, "pubeval", pairs=pairs, seed=attempt.seed)
            change = float(np.abs(network.layers.first - before).max())
            found.append([learner.tally.games, duel.won, change])
        return found

    found = attempt.found("formula 4.2", find)
    places = [games * step / 100 for step in range(1, 101)]
    rates = [[settings.rate_at(int(place)) for place in places] for settings in (text, printed)]
    (_, _, first), (_, won, last) = found[0], found[-1]
    chart = Chart(
        "games of self-play",
        "learning rate",
        [Curve("its text: 0.05 (N - n) / N", places, rates[0]),
         Curve("its formula 4.2, printed", places, rates[1])],
        {},
    )  # fmt: skip
    remark = (
        "The formula that the thesis prints (4.2) multiplies the rate by (N - n) / N after every "
        f"game: after {games // 3:,} games it is {printed.rate_at(games // 3):.1e}. In the first "
        f"tenth of {games:,} games a weight of the first layer still changed by {first:.2f}, in "
        f"the last by {last:.1e}, and the network wins {1000 * won:.0f} of 1,000 games against "
        "pubeval and will never win more. So the text must be what was done."
    )
    return chart, remark


EXPERIMENT = Experiment(
    name="nbg-curve",
    title="NBG: 40 hidden units against pubeval",
    question="How many games of 1,000 does a network win from pubeval while it learns by TD(0) "
    "from four million games against itself?",
    source="NBG, thesis (Ljubljana 2010): 198-40-1, weights begin in ±0.1, rate 0.05 (N - n) / N.",
    theirs="level after 400,000 to 450,000 games; best tests 614 and 605 of 1,000; two runs of "
    "about ten days each.",
    settings={
        "runs": 2,
        "games": 4_000_000,
        "every": 10_000,
        "test-games": 1_000,
        "again-games": 10_000,
        "hidden": 40,
        "lambda": 0.0,
        "rate": 0.05,
        "formula-games": 30_000,
    },
    small={"games": 40_000, "every": 4_000, "formula-games": 3_000},
    minutes=(1, 120),
    not_shown="whether and when a network passes pubeval, and how good it becomes: it ends where "
    "theirs had played a hundredth of their games.",
    run=run,
    is_parallel=True,
)
