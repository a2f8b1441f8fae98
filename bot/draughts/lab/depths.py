"""Depths: what it is worth to look a ply deeper, against random and against other depths."""

from collections.abc import Iterator

from bot.draughts.arena.depth_games import DepthPlayer
from bot.draughts.engine.alpha_beta import AlphaBetaSettings
from bot.draughts.lab.thesis import (
    NAMES,
    SECONDS,
    SOURCE,
    UNKNOWN,
    DuelResult,
    duel_result,
    duel_row,
    greatest_depth,
)
from bot.draughts.rules.variant import VARIANTS
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings, percent_curve, percent_text

_Duels = dict[tuple[str, int, int], DuelResult]
"""Results of the first depth against the second, 0 for random, by variant and depths."""


def run(attempt: Attempt) -> Findings:
    """Let every depth play every smaller one, and random."""
    limits = {name: _deepest(attempt, name) for name in NAMES}
    duels = {
        (name, one, other): duel_result(
            attempt,
            f"{name} {one} - {other}",
            VARIANTS[name],
            (DepthPlayer(AlphaBetaSettings(one)), DepthPlayer(AlphaBetaSettings(other))),
            attempt.settings["pairs"],
        )
        for name, limit in limits.items()
        for one in range(1, limit + 1)
        for other in range(one)
    }
    return Findings(
        rows=[
            {
                "variant": name,
                "depth": one,
                "opponent": other,
                **duel_row(found),
                "boards_per_search": found.nodes / found.searches,
            }
            for (name, one, other), found in duels.items()
        ],
        charts=[
            *(_points_chart(attempt, name, duels) for name in NAMES),
            *(_plies_chart(duels, name) for name in NAMES),
        ],
        comparisons=list(_comparisons(attempt, duels)),
        difference=_difference(attempt, duels),
        remarks=[
            *(_table(attempt, name, duels) for name in NAMES),
            *(_games_table(attempt, name, duels) for name in NAMES),
            "Each pair of games begins with the same four plies by chance, colours swapped; ± is "
            f"that of the pairs. A drawn game is half a point. {SECONDS}",
            "One of the thesis's tables 4, 5 and 8 is thought to have games between depths.",
        ],
    )


def _deepest(attempt: Attempt, name: str) -> int:
    return greatest_depth(attempt, name, 2)


def _comparisons(attempt: Attempt, duels: _Duels) -> Iterator[Comparison]:
    """Each depth against random, which is depth 0, and against the depth below."""
    for name, label in NAMES.items():
        for depth in range(1, _deepest(attempt, name) + 1):
            for other in sorted({0, depth - 1}):
                opponent = f"depth {other}" if other else "random"
                measure = f"{label}, depth {depth}: points against {opponent}"
                points = duels[name, depth, other].points
                yield Comparison(measure, UNKNOWN, percent_text(points))


def _difference(attempt: Attempt, duels: _Duels) -> str:
    told = []
    for name, label in NAMES.items():
        deepest = _deepest(attempt, name)
        below = [duels[name, depth, depth - 1].points for depth in range(2, deepest + 1)]
        least = min(below, key=lambda points: points.mean)
        depth = below.index(least) + 2
        told.append(
            f"in {label} draughts depth 1 wins {percent_text(duels[name, 1, 0].points)} of the "
            f"points from random, and the step that gains least is "
            f"to depth {depth}, worth {percent_text(least)} against depth {depth - 1}"
        )
    return f"His points are not known to us; {'; '.join(told)}."


def _table(attempt: Attempt, name: str, duels: _Duels) -> str:
    """All depths against all smaller ones, as a table of Markdown."""
    deepest = _deepest(attempt, name)
    lines = [f"| {NAMES[name]}: points against | random |"]
    lines[0] += "".join(f" depth {depth} |" for depth in range(1, deepest))
    lines.append("|---" * (deepest + 1) + "|")
    for one in range(1, deepest + 1):
        cells = [percent_text(duels[name, one, other].points) for other in range(one)]
        cells += [""] * (deepest - one)
        lines.append(f"| depth {one} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _games_table(attempt: Attempt, name: str, duels: _Duels) -> str:
    """How long games and searches are, as a table of Markdown."""
    lines = [
        f"| {NAMES[name]} | plies a game, against random | against the depth below | "
        "boards a search | ms a game |",
        "|---|---|---|---|---|",
    ]
    for depth in range(1, _deepest(attempt, name) + 1):
        chance, below = duels[name, depth, 0], duels[name, depth, depth - 1]
        lines.append(
            f"| depth {depth} | {chance.plies / chance.games:.0f} | "
            f"{below.plies / below.games:.0f} | {below.nodes / below.searches:,.0f} | "
            f"{1000 * below.seconds / below.games:.2f} |"
        )
    return "\n".join(lines)


def _points_chart(attempt: Attempt, name: str, duels: _Duels) -> Chart:
    curves = []
    deepest = _deepest(attempt, name)
    for other in range(deepest):
        depths = range(other + 1, deepest + 1)
        points = [duels[name, one, other].points for one in depths]
        label = f"against depth {other}" if other else "against random"
        curves.append(percent_curve(label, list(map(str, depths)), points))
    return Chart(f"depth ({NAMES[name]})", "points won (%)", curves, {"even": 50.0})


def _plies_chart(duels: _Duels, name: str) -> Chart:
    """Plies of the games of each depth against random and against the depth below."""
    curves = []
    depths = sorted({one for variant, one, _ in duels if variant == name})
    for is_random, label in ((True, "against random"), (False, "against the depth below")):
        found = [duels[name, depth, 0 if is_random else depth - 1] for depth in depths]
        plies = [each.plies / each.games for each in found]
        curves.append(Curve(label, list(map(str, depths)), plies))
    return Chart(f"depth ({NAMES[name]})", "plies of a game", curves, {})


EXPERIMENT = Experiment(
    name="depths",
    title="How deep to look",
    question="What is a ply deeper worth, against random and against players that look less deep?",
    source=SOURCE,
    theirs=f"his player's results by depth are {UNKNOWN}; its best depth is 8.",
    settings={"pairs": 60, "czech-deepest": 6, "international-deepest": 5},
    small={"pairs": 10, "czech-deepest": 4, "international-deepest": 3},
    minutes=(0.1, 0.5),
    not_shown="differences of some per cent between neighbouring depths: it plays 20 games each.",
    run=run,
)
