"""States: a table of states in learning mode, and what its values are worth afterwards."""

import time
from dataclasses import astuple, dataclass, replace
from itertools import pairwise
from operator import sub
from typing import Any

from bot.draughts.arena.depth_games import DepthPlayer, Repeated
from bot.draughts.engine.alpha_beta import AlphaBetaSettings
from bot.draughts.lab.thesis import (
    MODES,
    NAMES,
    SECONDS,
    SOURCE,
    UNKNOWN,
    DuelResult,
    depths_in,
    duel_result,
)
from bot.draughts.rules.variant import VARIANTS
from bot.draughts.training.state_learning import LearningSettings, StateLearning
from bot.estimate import Estimate
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings, Row, percent_curve, percent_text


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the learning: games up to its end, states then, the best's points in the part.

    seconds: of one processor, for the part's games.
    """

    games: int
    played: int
    broken_off: int
    states: int
    points: Estimate
    seconds: float


_ORDERS = ("last-first", "first-first")
"""Orders in which the positions of a game are learnt."""

_Tests = dict[tuple[str, int, str, int], DuelResult]
"""Results of the first player by variant, depth of both, mode, and games of learning before."""


def run(attempt: Attempt) -> Findings:
    """Learn in parts, and let players with the table and without play after each of them."""
    depths = depths_in(attempt, "test-depths")
    parts: dict[str, list[_Part]] = {}
    tests: _Tests = {}
    for name in NAMES:
        learner = _Learner(attempt, name)
        parts[name] = []
        for begin, end in pairwise([0, *learner.marks]):
            parts[name].append(learner.part(begin, end))
            for depth in depths:
                for mode in MODES if end == learner.marks[-1] else MODES[:2]:
                    tests[name, depth, mode, end] = learner.test(end, depth, mode)
    return Findings(
        rows=_rows(parts, tests),
        charts=[_points_chart(parts), _states_chart(parts), *_tests_charts(tests)],
        comparisons=_comparisons(parts, tests),
        difference=_difference(parts, tests),
        remarks=[_games_table(tests), _HOW, f"{_GRAPHS} {SECONDS}"],
    )


_HOW = (
    "In learning mode one side moves by chance and learns, the other plays its best and asks the "
    "table; they change sides after each game, and both share one table. Each test is of pairs of "
    "games that begin with the same four plies by chance, colours swapped: the first player alone "
    "asks the table, both do, or none does. Where both do or none the players are alike and a pair "
    "is one game twice, so that only draws and lengths tell something. In the order last-first a "
    "game teaches its last position first, so that all its positions get a value at once; in "
    "first-first its end reaches one position further back with every game. Of a value 0.99 is "
    "left a ply earlier. Order and discount are ours, as the thesis's are not known to us. `blot "
    "draughts learn` is the same learning, with one table or two."
)

_GRAPHS = (
    "The thesis's graphs 2 and 3 are thought to be the first two charts: results, and the number "
    "of states, over the games of learning."
)


class _Learner:
    """The learning of one variant, which is gone through only as far as something is missing.

    marks: games of learning after which it is tested, rising. Parts and tests are asked for in
    this order.
    """

    def __init__(self, attempt: Attempt, name: str) -> None:
        chosen = attempt.settings
        self._attempt, self._name = attempt, name
        if chosen["order"] not in _ORDERS:
            raise ValueError(f"order is {' or '.join(_ORDERS)}, not {chosen['order']!r}")
        settings = LearningSettings(
            name,
            chosen["games"],
            chosen["depth"],
            is_backward=chosen["order"] == _ORDERS[0],
            seed=attempt.seed,
        )
        self._learning = StateLearning(settings)
        number = chosen["parts"]
        if not 1 <= number <= chosen["games"]:
            raise ValueError(f"parts is 1 to the number of games, not {number}")
        self.marks = [chosen["games"] * part // number for part in range(1, number + 1)]

    def _advance(self, games: int) -> None:
        """Learn until so many games are played."""
        self._attempt.prepare()
        self._learning.advance(games - self._learning.results.games)

    def part(self, begin: int, end: int) -> _Part:
        """The part of the learning between two marks."""

        def find() -> dict[str, Any]:
            self._attempt.note(f"{self._name}: learning from {begin:,} to {end:,} games")
            self._advance(begin)
            # compiled, it takes no time; the table grows meanwhile, which it does by a kernel too
            StateLearning(self._learning.settings).advance(20)
            before, began = replace(self._learning.results), time.process_time()
            self._advance(end)
            seconds = time.process_time() - began
            found = _since(before, self._learning.results)
            assert found.score is not None
            return {
                "games": end,
                "played": found.games,
                "broken_off": found.broken_off,
                "states": self._learning.states,
                "points": [found.score.mean, found.score.error],
                "seconds": seconds,
            }

        value = self._attempt.found(f"{self._name} learning to {end}", find)
        self._attempt.count_broken_off("learning", value["broken_off"])
        return _Part(**{**value, "points": Estimate(*value["points"])})

    def test(self, games: int, depth: int, mode: str) -> DuelResult:
        """The result of players of a depth after so many games of learning."""
        key = f"{self._name} {mode} at depth {depth} after {games}"
        if mode != "none" and not self._attempt.knows(key):
            self._advance(games)
        table = self._learning.tables[0]
        first, second = table if mode != "none" else None, table if mode == "both" else None
        settings = AlphaBetaSettings(depth)
        return duel_result(
            self._attempt,
            key if mode != "none" else f"{self._name} none at depth {depth}",
            VARIANTS[self._name],
            (DepthPlayer(settings, first), DepthPlayer(settings, second)),
            self._attempt.settings["test-pairs"],
        )


def _since(before: Repeated, after: Repeated) -> Repeated:
    """The results of the games in between."""
    return Repeated(*map(sub, astuple(after), astuple(before)))


def _rows(parts: dict[str, list[_Part]], tests: _Tests) -> list[Row]:
    rows: list[Row] = []
    for name, each in parts.items():
        for part in each:
            rows.append(
                {
                    "variant": name,
                    "games": part.games,
                    "measure": "learning mode",
                    "depth": None,
                    "points": part.points.mean,
                    "points_error": part.points.error,
                    "drawn": None,
                    "plies": None,
                    "states": part.states,
                    "games_per_second": part.played / part.seconds if part.seconds else None,
                }
            )
    for (name, depth, mode, games), found in tests.items():
        rows.append(
            {
                "variant": name,
                "games": games,
                "measure": f"table for {mode}",
                "depth": depth,
                "points": found.points.mean if mode == "one" else None,
                "points_error": found.points.error if mode == "one" else None,
                "drawn": found.drawn / found.games,
                "plies": found.plies / found.games,
                "states": None,
                "games_per_second": None,
            }
        )
    return rows


def _comparisons(parts: dict[str, list[_Part]], tests: _Tests) -> list[Comparison]:
    """The first and the last part of each learning, and the tests after the last."""
    found = []
    for name, label in NAMES.items():
        first, last = parts[name][0], parts[name][-1]
        for part in dict.fromkeys((first, last)):
            measure = f"{label}: points of the best in the games up to {part.games:,}"
            found.append(Comparison(measure, UNKNOWN, percent_text(part.points)))
        measure = f"{label}: states after {last.games:,} games"
        found.append(Comparison(measure, UNKNOWN, f"{last.states:,}"))
        seconds = sum(part.seconds for part in parts[name])
        speed = f"{last.games / seconds:,.0f}" if seconds else "unknown"
        found.append(Comparison(f"{label}: games of learning a second", UNKNOWN, speed))
        found += [
            Comparison(
                f"{label}, depth {depth} against itself, table for one: points of the first",
                UNKNOWN,
                percent_text(result.points),
            )
            for (variant, depth, mode, games), result in tests.items()
            if (variant, mode, games) == (name, "one", last.games)
        ]
    return found


def _difference(parts: dict[str, list[_Part]], tests: _Tests) -> str:
    told = []
    for name, label in NAMES.items():
        first, last = parts[name][0], parts[name][-1]
        gains = [
            f"{percent_text(found.points)} at depth {depth}"
            for (variant, depth, mode, games), found in tests.items()
            if (variant, mode, games) == (name, "one", last.games)
        ]
        told.append(
            f"in {label} draughts the best wins {percent_text(first.points)} of the points of the "
            f"first part and {percent_text(last.points)} of the last, and after {last.games:,} "
            f"games and {last.states:,} states a player with the table wins {', '.join(gains)} "
            "from one without"
        )
    return f"His curves are not known to us; {'; '.join(told)}."


def _games_table(tests: _Tests) -> str:
    """Draws and lengths of the games after the last part, as a table of Markdown."""
    last = max(games for *_, games in tests)
    lines = ["| table for | depth | points of the first | drawn | plies a game |"]
    lines.append("|---|---|---|---|---|")
    lines += [
        f"| {mode} ({NAMES[name]}) | {depth} | "
        f"{percent_text(found.points) if mode == 'one' else 'even'} | "
        f"{100 * found.drawn / found.games:.0f} % | {found.plies / found.games:.0f} |"
        for (name, depth, mode, games), found in tests.items()
        if games == last
    ]
    return "\n".join(lines)


def _points_chart(parts: dict[str, list[_Part]]) -> Chart:
    curves = []
    for name, each in parts.items():
        games, points = [part.games for part in each], [part.points for part in each]
        curves.append(percent_curve(NAMES[name], games, points))
    return Chart("games of learning", "points of the best against random (%)", curves, {})


def _states_chart(parts: dict[str, list[_Part]]) -> Chart:
    curves = [
        Curve(NAMES[name], [0, *(part.games for part in each)], [0, *(p.states for p in each)])
        for name, each in parts.items()
    ]
    return Chart("games of learning", "states in the table", curves, {})


def _tests_charts(tests: _Tests) -> list[Chart]:
    """Points of a player with the table against one without, a chart for each variant."""
    charts = []
    for name, label in NAMES.items():
        curves = []
        for depth in dict.fromkeys(depth for _, depth, *_ in tests):
            found = {
                games: result.points
                for (variant, other, mode, games), result in tests.items()
                if (variant, other, mode) == (name, depth, "one")
            }
            curves.append(percent_curve(f"depth {depth}", [*found], [*found.values()]))
        axis = f"points of the player with the table (%, {label})"
        charts.append(Chart("games of learning", axis, curves, {"even": 50.0}))
    return charts


EXPERIMENT = Experiment(
    name="states",
    title="A table of states in learning mode",
    question="How fast do states fill a table while one side moves by chance, and do they help?",
    source=SOURCE,
    theirs=f"his curves of results and states over the games are {UNKNOWN}.",
    settings={
        "games": 20_000,
        "parts": 5,
        "depth": 1,
        "order": _ORDERS[0],
        "test-depths": (1, 2, 4),
        "test-pairs": 100,
    },
    small={"games": 2_000, "parts": 2, "test-depths": (1, 2), "test-pairs": 20},
    minutes=(0.1, 1.5),
    not_shown="whether many states help: it learns from 2,000 games.",
    run=run,
)
