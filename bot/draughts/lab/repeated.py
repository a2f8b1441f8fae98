"""Repeated: many games of one setting, from which the table of states goes on learning."""

from dataclasses import dataclass
from typing import Any

from bot.draughts.arena.depth_games import DepthGames, DepthPlayer, Repeated
from bot.draughts.engine.alpha_beta import DISCOUNT, AlphaBetaSettings
from bot.draughts.evaluation.state_table import StateTable
from bot.draughts.lab.thesis import MODES, NAMES, SOURCE, UNKNOWN, depths_in
from bot.draughts.rules.variant import VARIANTS
from bot.estimate import Estimate
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings, Row, percent_curve, percent_text


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the games: games up to its end, states then, and the first player's results."""

    games: int
    states: int
    points: Estimate
    drawn: float
    plies: float
    broken_off: int


_Parts = dict[tuple[str, int, str], list[_Part]]
"""The parts by variant, depth of both players, and mode."""


def run(attempt: Attempt) -> Findings:
    """Play the games of each setting one after another, and learn from each."""
    parts = {
        (name, depth, mode): _parts(attempt, name, depth, mode)
        for name in NAMES
        for depth in depths_in(attempt, "depths")
        for mode in MODES
    }
    return Findings(
        rows=[_row(key, part) for key, each in parts.items() for part in each],
        charts=[*(_points_chart(parts, name) for name in NAMES), _states_chart(parts)],
        comparisons=[
            Comparison(
                f"{NAMES[name]}, depth {depth} against itself, table for {mode}: points of the "
                f"first, in the last {attempt.settings['every']:,} games",
                UNKNOWN,
                percent_text(each[-1].points),
            )
            for (name, depth, mode), each in parts.items()
        ],
        difference=_difference(parts),
        remarks=[_table(parts), _HOW],
    )


_HOW = (
    "Every game begins in the first position, and where moves have the same value the seed chooses "
    "one; the players change colours after each game, and two games are a sample. The table learns "
    "from every game, whoever asks it: with none it is only filled. As the same positions come "
    "again and again, what was lost once can be avoided; where both ask, games may become one and "
    "the same, with a ± of 0. The thesis's tables 6 and 7 are thought to be such games."
)


def _parts(attempt: Attempt, name: str, depth: int, mode: str) -> list[_Part]:
    """The parts of the games of one setting."""
    chosen = attempt.settings
    games, every = chosen["games"], chosen["every"]
    if not (every >= 2 and every % 2 == 0 and games >= every and games % every == 0):
        raise ValueError(f"every is even and divides games, not {every} and {games}")

    def find() -> list[dict[str, Any]]:
        attempt.note(f"{name} at depth {depth}, table for {mode}: {games:,} games")
        setting = _Setting(name, depth, mode, attempt.seed)
        return [setting.part(every) for _ in range(games // every)]

    found = attempt.found(f"{name} depth {depth} {mode}", find)
    parts = [_Part(**{**value, "points": Estimate(*value["points"])}) for value in found]
    attempt.count_broken_off("games", sum(part.broken_off for part in parts))
    return parts


class _Setting:
    """Games of one setting, one after another."""

    def __init__(self, name: str, depth: int, mode: str, seed: int) -> None:
        variant = VARIANTS[name]
        self._table = StateTable(variant)
        settings = AlphaBetaSettings(depth)
        first = DepthPlayer(settings, self._table if mode != "none" else None)
        second = DepthPlayer(settings, self._table if mode == "both" else None)
        self._games = (
            DepthGames(variant, first, second, seed),
            DepthGames(variant, second, first, seed),
        )
        self._played = 0

    def part(self, games: int) -> dict[str, Any]:
        """Play so many games more; what came of them, for the first player."""
        results = Repeated()
        for _ in range(games // 2):
            pair = []
            for is_white, played in ((True, self._games[0]), (False, self._games[1])):
                game = played.play(self._played)
                self._table.learn(game.boards, game.end, DISCOUNT, is_backward=True)
                pair.append((game, is_white))
                self._played += 1
            results.add(pair)
        assert results.score is not None
        return {
            "games": self._played,
            "states": len(self._table),
            "points": [results.score.mean, results.score.error],
            "drawn": results.drawn / results.games,
            "plies": results.plies / results.games,
            "broken_off": results.broken_off,
        }


def _row(key: tuple[str, int, str], part: _Part) -> Row:
    name, depth, mode = key
    return {
        "variant": name,
        "depth": depth,
        "table_for": mode,
        "games": part.games,
        "points": part.points.mean,
        "points_error": part.points.error,
        "drawn": part.drawn,
        "plies": part.plies,
        "states": part.states,
    }


def _difference(parts: _Parts) -> str:
    told = []
    for (name, depth, mode), each in parts.items():
        if mode == "one":
            told.append(
                f"{percent_text(each[0].points)} and then {percent_text(each[-1].points)} at depth "
                f"{depth} ({NAMES[name]})"
            )
    return (
        "His figures are not known to us; in the first part of the games and in the last the "
        f"player who alone asks the table wins {', '.join(told)}."
    )


def _table(parts: _Parts) -> str:
    """The last parts, as a table of Markdown."""
    lines = ["| table for | depth | points of the first | drawn | plies a game | states |"]
    lines.append("|---|---|---|---|---|---|")
    lines += [
        f"| {mode} ({NAMES[name]}) | {depth} | {percent_text(each[-1].points)} | "
        f"{100 * each[-1].drawn:.0f} % | {each[-1].plies:.0f} | {each[-1].states:,} |"
        for (name, depth, mode), each in parts.items()
    ]
    return "\n".join(lines)


def _points_chart(parts: _Parts, name: str) -> Chart:
    curves = []
    for (variant, depth, mode), each in parts.items():
        if variant == name:
            games, points = [part.games for part in each], [part.points for part in each]
            curves.append(percent_curve(f"depth {depth}, table for {mode}", games, points))
    return Chart(f"games ({NAMES[name]})", "points of the first player (%)", curves, {})


def _states_chart(parts: _Parts) -> Chart:
    curves = [
        Curve(
            f"{NAMES[name]}, depth {depth}",
            [p.games for p in each],
            [p.states for p in each],
        )
        for (name, depth, mode), each in parts.items()
        if mode == "both"
    ]
    return Chart("games", "states in the table, asked by both", curves, {})


EXPERIMENT = Experiment(
    name="repeated",
    title="The same game again and again",
    question="Does a player who remembers the games win more when one setting is repeated?",
    source=SOURCE,
    theirs="tables 6 and 7 repeat games of one setting, with the table of states for one side, for "
    f"both and for none; their figures are {UNKNOWN}.",
    settings={"games": 5_000, "every": 500, "depths": (2, 3)},
    small={"games": 400, "every": 100, "depths": (2,)},
    minutes=(0.1, 1.5),
    not_shown="how long the gain goes on: it plays 400 games of each setting.",
    run=run,
)
