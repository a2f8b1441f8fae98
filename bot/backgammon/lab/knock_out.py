"""Knock-out: to find the best snapshot of a run, as PulverGammon did, and a better way."""

from functools import partial
from statistics import fmean

import numpy as np

from bot.backgammon.arena.network_duel import network_duel
from bot.backgammon.evaluation.network import Network
from bot.backgammon.lab.pulver import REMARK, SOURCE, TD_SETTINGS, TD_SMALL, learnt
from bot.backgammon.lab.trained_run import Duel, Snapshot, duel_score
from bot.backgammon.training.settings import LearnerName
from bot.estimate import Estimate, standard_error
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings

_PAIRS = 5
"""Pairs of games of a match between two looks at its score."""

_SEEDS_OF_A_CHOICE = 10**6


def run(attempt: Attempt) -> Findings:
    """Choose again and again by either way, and see how good the chosen ones truly are."""
    chosen = attempt.settings
    snapshots = _candidates(attempt)
    networks = [snapshot.network for snapshot in snapshots]
    strengths = _strengths(attempt, networks)
    ways = _choices(attempt, networks)
    found = {
        way: _estimate([strengths[winner] for winner, _ in choices])
        for way, choices in ways.items()
    }
    games_of = {way: fmean(games for _, games in choices) for way, choices in ways.items()}
    best = max(strengths)
    return Findings(
        rows=[
            {
                "way": way,
                "choice": number,
                "snapshot": snapshots[winner].games,
                "strength": strengths[winner],
                "games": games,
            }
            for way, choices in ways.items()
            for number, (winner, games) in enumerate(choices, start=1)
        ],
        charts=[_chart(snapshots, strengths, ways)],
        comparisons=[
            Comparison(
                f"{way}, mean strength of {len(ways[way])} chosen, {games_of[way]:,.0f} games each",
                "",
                str(found[way]),
            )
            for way in ways
        ]
        + [
            Comparison("the truly best snapshot", "", f"{best:+.3f}"),
            Comparison("a snapshot taken at random", "", f"{fmean(strengths):+.3f}"),
            Comparison("the last snapshot", "", f"{strengths[-1]:+.3f}"),
        ],
        difference=f"With as many games the knock-out chooses snapshots of strength "
        f"{found['knock-out']} and halving {found['halving']}, where "
        f"the best there is has {best:+.3f}.",
        remarks=[
            f"Strength is points per game against the other snapshots, {chosen['field-games']:,} "
            f"games against each; its own standard error is about "
            f"{1.3 / (chosen['field-games'] * (len(networks) - 1)) ** 0.5:.3f}. A match of the "
            f"knock-out goes on until one is ahead by {chosen['lead']} points, at most "
            f"{chosen['most-games']:,} games.",
            "Halving: everybody left plays the last snapshot with the same dice, which takes the "
            "luck out of the comparison; the better half, by the points so far, goes on, and every "
            "round has the same number of games. The knock-out throws away what it has seen of a "
            "loser's strength, and spends most games on pairs that are equal.",
            REMARK,
        ],
    )


def _choices(attempt: Attempt, networks: list[Network]) -> dict[str, list[tuple[int, int]]]:
    """The networks chosen again and again by either way, and the games that each choice took."""
    chosen = attempt.settings
    ways: dict[str, list[tuple[int, int]]] = {"knock-out": [], "halving": []}
    for number in range(chosen["choices"]):
        attempt.note(f"choice {number + 1} of {chosen['choices']}")
        seed = attempt.seed + _SEEDS_OF_A_CHOICE * (number + 1)
        knock_out = partial(knocked_out, networks, chosen["lead"], chosen["most-games"], seed)
        winner, games = attempt.found(f"knock-out {number}", knock_out)
        ways["knock-out"].append((winner, games))
        halving = partial(halved, networks, games, seed)
        ways["halving"].append(tuple(attempt.found(f"halving {number}", halving)))
    return ways


def _candidates(attempt: Attempt) -> list[Snapshot]:
    """Snapshots at equal distances over the second half of TD's run, where choosing is hard.

    Raises ValueError for fewer than two.
    """
    wanted = attempt.settings["candidates"]
    if wanted < 2:
        raise ValueError(f"a choice needs two candidates at the least, not {wanted}")
    snapshots = learnt(attempt, LearnerName.TEMPORAL_DIFFERENCE).snapshots
    later = snapshots[len(snapshots) // 2 :]
    if len(later) < 2:
        raise ValueError("td-games and every leave fewer than two snapshots to choose from")
    count = min(wanted, len(later))
    return [later[round(i * (len(later) - 1) / (count - 1))] for i in range(count)]


def _strengths(attempt: Attempt, networks: list[Network]) -> list[float]:
    """Points per game of each network against all others."""
    sums = [0.0] * len(networks)
    for one in range(len(networks)):
        for other in range(one):
            games, seed = attempt.settings["field-games"], attempt.seed + 1000 * one + other
            duel = Duel(networks[one], networks[other], games, seed)
            score = duel_score(attempt, f"{one} - {other}", duel)
            sums[one] += score.points.mean
            sums[other] -= score.points.mean
    return [total / max(len(networks) - 1, 1) for total in sums]


def knocked_out(networks: list[Network], lead: int, most: int, seed: int) -> tuple[int, int]:
    """The winner of a knock-out with lots drawn, and the games it took.

    lead: points ahead that end a match; most: games after which whoever is ahead goes on.
    """
    numbers = np.random.default_rng(seed)
    left = list(range(len(networks)))
    numbers.shuffle(left)
    games = 0
    while len(left) > 1:
        through = left[len(left) - len(left) % 2 :]
        for one, other in zip(left[: len(left) // 2 * 2 : 2], left[1::2], strict=True):
            ahead, played = 0, 0
            while abs(ahead) < lead and played < most:
                dice = int(numbers.integers(2**62))
                duel = network_duel(networks[one], networks[other], pairs=_PAIRS, seed=dice)
                ahead += int(duel.points.sum(dtype=np.int64))
                played += duel.points.size
            games += played
            through.append(one if ahead >= 0 else other)
        left = through
    return left[0], games


def halved(networks: list[Network], budget: int, seed: int) -> tuple[int, int]:
    """The winner of successive halving with so many games, and the games it took.

    Source: Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits (2013);
    here every arm is pulled with the same dice.
    """
    reference = networks[-1]
    left = list(range(len(networks)))
    points = dict.fromkeys(left, 0)
    rounds = max((len(left) - 1).bit_length(), 1)
    games = 0
    for number in range(rounds):
        pairs = max(budget // rounds // len(left) // 2, 1)
        for one in left:
            duel = network_duel(networks[one], reference, pairs=pairs, seed=seed + number)
            points[one] += int(duel.points.sum(dtype=np.int64))
            games += duel.points.size
        left = sorted(left, key=lambda one: -points[one])[: -(-len(left) // 2)]
    return left[0], games


def _estimate(values: list[float]) -> Estimate:
    return Estimate(fmean(values), standard_error(values))


def _chart(
    snapshots: list[Snapshot], strengths: list[float], ways: dict[str, list[tuple[int, int]]]
) -> Chart:
    places = [snapshot.games / 1000 for snapshot in snapshots]
    curves = [Curve("every snapshot", places, strengths)]
    for way, choices in ways.items():
        winners = sorted({winner for winner, _ in choices})
        curves.append(
            Curve(
                f"chosen by {way}",
                [places[winner] for winner in winners],
                [strengths[winner] for winner in winners],
                is_line=False,
            )
        )
    return Chart("games of learning (thousands)", "points per game against the others", curves, {})


EXPERIMENT = Experiment(
    name="knock-out",
    title="Knock-out, or a better way to find the best snapshot",
    question="A run leaves many networks. Which way of choosing finds the best with so many games?",
    source=SOURCE,
    theirs="a knock-out over the snapshots of a run, in which who is ahead by 50 points goes on; "
    "how good that is they did not ask.",
    settings={
        **TD_SETTINGS,
        "candidates": 32,
        "lead": 50,
        "most-games": 4_000,
        "choices": 20,
        "field-games": 1_000,
    },
    small={**TD_SMALL, "candidates": 4, "choices": 3, "field-games": 200},
    minutes=(0.3, 10),
    not_shown="a difference between the two ways: three choices among four snapshots are few.",
    run=run,
)
