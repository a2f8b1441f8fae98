"""Hypergammon: a game that is solved, to measure learners against perfect play."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from bot.archive import read_archive, write_archive
from bot.backgammon.evaluation.hypergammon import Hypergammon, load_hypergammon, start_of
from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.solved_play import (
    Shortfall,
    Solved,
    add_shortfall,
    fill_perfect_points,
)
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import turned
from bot.backgammon.rules.roll import OPENINGS, Roll
from bot.backgammon.training.run import LEARNERS
from bot.backgammon.training.settings import LearnerName, Settings
from bot.estimate import Estimate, ratio_estimate, standard_error
from bot.generator import new_generator
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings, Row, percent_text

_POSITIONS = 7_959_904
_FIRST_EQUITY = 0.0836795444708631
_FIRST_WINS = 0.52118
"""Of the three-checker game, for who has won the opening roll."""

_STATE_VERSION = 1
_GAMES_BETWEEN_NOTES = 5_000
_MAX_PLIES = 2000

_WINDOW = 100_000
"""Positions that the learner by lookahead draws from: games are so short that more take too long to
fill."""


def opening_plays(game: Hypergammon) -> list[tuple[Roll, CheckerPlay, float, float]]:
    """The best play of each opening roll, its equity, and how far the next best stays behind."""
    start = start_of(game.checkers)
    found = []
    for roll in OPENINGS:
        plays = legal_plays(start, roll)
        equities = -game.equities_of(np.array([turned(play.after).board for play in plays]))
        order = np.argsort(-equities)
        margin = float(equities[order[0]] - equities[order[1]]) if len(plays) > 1 else 0.0
        found.append((roll, plays[order[0]], float(equities[order[0]]), margin))
    return found


def run(attempt: Attempt) -> Findings:
    """Solve the game, then let each learner play it and measure what its play gives away."""
    learners, ahead = _learners(attempt), _lookahead(attempt)  # wrong settings are told at once
    attempt.prepare()
    game = load_hypergammon(attempt.note, attempt.settings["checkers"])
    solved = Solved(start_of(game.checkers).board, game.sides.numbers, game.equities)
    rows: list[Row] = []
    for label, settings in learners.items():
        rows += _learnt(attempt, label, settings, solved)
    rows += _learnt(attempt, "lookahead", ahead, solved)
    openings = opening_plays(game)
    shown = ", ".join(f"{roll.high}{roll.low} {_play_text(play)}" for roll, play, _, _ in openings)
    return Findings(
        rows=rows,
        charts=[
            _chart(rows, "loss", "equity lost per decision"),
            _chart(rows, "error", "absolute error of an evaluation"),
        ],
        comparisons=_comparisons(attempt, game, solved, openings),
        difference=f"Points given away per decision after {attempt.settings['games']:,} games: "
        f"{_ends(rows, 0)}; looking a ply ahead: {_ends(rows, 1)}. Perfect play gives away none.",
        remarks=[
            f"The best opening plays: {shown}.",
            "Decisions are those with several plays, in games of each network against itself; "
            "evaluations are those of the positions before the roll. Both are held against the "
            "solved game. 1-ply is the last network looking a ply ahead. The learner by lookahead "
            "goes on from the first network here, and only its own games are counted.",
        ],
    )


def _ends(rows: Sequence[Row], plies: int) -> str:
    """Sentence on the points that the last networks give away, so many plies deep, least first."""
    last = {row["learner"]: row for row in rows if row["plies"] == plies}
    ranked = sorted(last.values(), key=lambda row: float(row["loss"] or 0.0))
    return ", ".join(
        f"{row['learner']} {row['loss']:.4f} ± "
        + ("unknown" if row["loss_error"] is None else f"{row['loss_error']:.4f}")
        for row in ranked
    )


def _learners(attempt: Attempt) -> dict[str, Settings]:
    chosen = attempt.settings
    usual = Settings(
        games=chosen["games"],
        hidden_units=chosen["hidden"],
        rates=tuple(chosen["rates"]),
        seed=attempt.seed,
    )
    learners = {f"TD({trace:g})": replace(usual, trace=trace) for trace in chosen["lambdas"]}
    for learner in (LearnerName.BACKPROPAGATION, LearnerName.MUTATION):
        learners[learner.value] = replace(usual, learner=learner)
    return learners


def _lookahead(attempt: Attempt) -> Settings:
    """Settings of the learner that goes on from the first one's network."""
    chosen = attempt.settings
    return Settings(
        learner=LearnerName.LOOKAHEAD,
        games=chosen["lookahead-games"],
        units=(chosen["hidden"],),
        rates=tuple(chosen["lookahead-rates"]),
        start=str(_network_path(attempt, f"TD({chosen['lambdas'][0]:g})")),
        pruner="",
        window=_WINDOW,
        layouts=0.0,
        seed=attempt.seed,
    )


def _network_path(attempt: Attempt, label: str) -> Path:
    """The file of the last network of a learner."""
    return attempt.folder / f"{label}-network.npz"


def _learnt(attempt: Attempt, label: str, settings: Settings, solved: Solved) -> list[Row]:
    """Train a network and measure it on the way; the rows of the table."""
    path = attempt.folder / f"{label}.npz"
    rows: list[Row] = []
    with closing(LEARNERS[settings.learner](settings, solved.start)) as learner:
        if path.exists():
            learner.restore(read_archive(path, "learner", _STATE_VERSION)[1])
        duel = settings.duel_games if settings.learner is LearnerName.MUTATION else 1
        for games in _places(attempt.settings["first"], settings.games, duel):
            if learner.tally.games < games:
                while learner.tally.games < games:
                    if learner.tally.games % _GAMES_BETWEEN_NOTES == 0:
                        attempt.note(f"{label}: {learner.tally.games:,} games of training")
                    learner.advance(min(games - learner.tally.games, learner.round_games))
                write_archive(path, {"version": _STATE_VERSION}, learner.state())
            for plies in (0, 1) if games == settings.games else (0,):
                key = f"{label} after {games} games, {plies} plies"
                find = partial(_measured, attempt, learner.network, plies, solved)
                found = attempt.found(key, find)
                rows.append({"learner": label, "games": games, "plies": plies, **found})
        learner.network.save(_network_path(attempt, label))
    attempt.broken_off[f"training {label}"] = learner.tally.broken_off
    attempt.broken_off[f"measuring {label}"] = sum(int(row["broken_off"] or 0) for row in rows)
    return rows


def _places(first: int, last: int, duel: int) -> list[int]:
    """Numbers of games to measure after: about three in each power of ten, and the last.

    duel: games that are played together, of which a learner comes to whole ones alone.
    """
    places = [factor * 10**power for power in range(9) for factor in (1, 2, 5)]
    return [each for each in places if first <= each < last and each % duel == 0] + [last]


def _measured(
    attempt: Attempt, network: Network, plies: int, solved: Solved
) -> dict[str, float | None]:
    """The network's loss per decision and error per evaluation, each with its standard error."""
    games = attempt.settings["test-games"]
    shortfall = Shortfall(np.zeros((games, 2)), np.zeros((games, 2), np.int64))
    dice = new_generator(attempt.seed, 1)
    add_shortfall(plies, _MAX_PLIES, dice, network.layers, network.features, solved, shortfall)
    columns = zip(shortfall.sums.T.tolist(), shortfall.counts.T.tolist(), strict=True)
    loss, error = (ratio_estimate(list(zip(*each, strict=True))) for each in columns)
    if loss is None or error is None:
        raise ValueError(f"test-games is too few: in {games} nobody had a choice")
    return {
        "loss": loss.mean,
        "loss_error": loss.error,
        "error": error.mean,
        "error_error": error.error,
        "decisions": int(shortfall.counts[:, 0].sum()),
        "broken_off": int((shortfall.counts[:, 1] >= _MAX_PLIES - 1).sum()),
    }


def _chart(rows: Sequence[Row], name: str, axis: str) -> Chart:
    """A curve of each learner by games; of losses, a point of its last network a ply deep, too."""
    curves = []
    depths = (0, 1) if name == "loss" else (0,)
    for label, plies in product(dict.fromkeys(str(row["learner"]) for row in rows), depths):
        own = [row for row in rows if row["learner"] == label and row["plies"] == plies]
        places, values = ([float(row[key] or 0.0) for row in own] for key in ("games", name))
        found = [row[f"{name}_error"] for row in own]
        errors = [None if error is None else float(error) for error in found]
        shown = f"{label}, looking a ply ahead" if plies else label
        curves.append(Curve(shown, places, values, errors, is_line=plies == 0))
    return Chart("games", axis, curves, {}, is_logarithmic=True)


def _comparisons(
    attempt: Attempt,
    game: Hypergammon,
    solved: Solved,
    openings: list[tuple[Roll, CheckerPlay, float, float]],
) -> list[Comparison]:
    """The solved game beside what is published of it."""
    is_published = game.checkers == 3
    first = sum(equity for _, _, equity, _ in openings) / len(openings)

    def play() -> list[float | None]:
        points = np.empty(attempt.settings["perfect-games"], np.int8)
        fill_perfect_points(new_generator(attempt.seed, 2), solved, points)
        found = (points, (points > 0).astype(np.float64))
        return [value for each in found for value in (float(each.mean()), standard_error(each))]

    points, points_error, won, won_error = attempt.found("perfect play", play)
    return [
        Comparison("positions", f"{_POSITIONS:,}" if is_published else "", f"{game.positions:,}"),
        Comparison(
            "equity of who wins the opening roll",
            f"{_FIRST_EQUITY:+.13f}" if is_published else "",
            f"{first:+.13f}",
        ),
        Comparison(
            f"the same, in {attempt.settings['perfect-games']:,} games of perfect play",
            f"{_FIRST_EQUITY:+.3f}" if is_published else "",
            str(Estimate(points, points_error)),
        ),
        Comparison(
            "and games won",
            f"{100 * _FIRST_WINS:.1f} %" if is_published else "",
            percent_text(Estimate(won, won_error)),
        ),
    ]


def _play_text(play: CheckerPlay) -> str:
    """The play of two legs, those of one checker joined."""
    first, second = play.legs
    if first.target == second.source:
        return f"{first.source}/{second.target}"
    return f"{first.source}/{first.target} {second.source}/{second.target}"


EXPERIMENT = Experiment(
    name="hypergammon",
    title="Learners against perfect play",
    question="How far from perfect play do learners end in a game that is solved, and how does "
    "that fall with the games?",
    source="The game and its solution: Hugh Sconyers (1991); the figures: Tom Keith, Hypergammon "
    "Fun, bkgm.com (2018). The learners against it: nobody.",
    theirs="7,959,904 positions; who wins the opening roll has an equity of +0.0836795444708631 "
    "without a cube, and wins 52.1 % of the games.",
    settings={
        "checkers": 3,
        "games": 500_000,
        "first": 100,
        "hidden": 40,
        "lambdas": (0.0, 0.7),
        "rates": (0.02, 0.01, 0.005, 0.002, 0.0005),
        "lookahead-games": 100_000,
        "lookahead-rates": (0.0005, 0.0003, 0.0001, 0.00003, 0.000003),
        "test-games": 2_000,
        "perfect-games": 300_000,
    },
    small={
        "checkers": 2,
        "games": 20_000,
        "lookahead-games": 10_000,
        "test-games": 500,
        "perfect-games": 100_000,
    },
    minutes=(1, 20),
    not_shown="the published game of three checkers a side, which takes minutes to solve: it has "
    "two here.",
    run=run,
)
