"""Competitor: the thesis's player and Blot's levels against random and other programs."""

from dataclasses import dataclass
from statistics import fmean
from threading import Event
from typing import Any

from bot.draughts.arena.duel import Duel, played_pair
from bot.draughts.lab.thesis import NAMES, SOURCE, UNKNOWN
from bot.draughts.rules.decision import Limits
from bot.draughts.rules.variant import VARIANTS, Side
from bot.estimate import Estimate, share_estimate
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Findings, percent_curve, percent_text

_HUB = "hub:"
_PY_DRAUGHTS = f"{_HUB}python tests/bench/draughts_hub.py"

_INSTALL = (
    "py-draughts is not part of Blot: `python3 -m venv judge && judge/bin/pip install py-draughts` "
    "makes an environment for it, and with `PATH=$PWD/judge/bin:$PATH` before the command, given "
    "where tests/ stands, tests/bench/draughts_hub.py finds it."
)


@dataclass(frozen=True, slots=True)
class _Met:
    """Results of the pairs of games of two players, as the first of them sees them."""

    points: Estimate
    won: int
    drawn: int
    lost: int
    plies: int
    faults: int

    @property
    def games(self) -> int:
        """Number of games."""
        return self.won + self.drawn + self.lost


_Results = dict[tuple[str, str, str], _Met]
"""Results by variant, player and opponent."""


def run(attempt: Attempt) -> Findings:
    """Let every player of ours play every opponent of the variant."""
    meetings = [
        (name, one, other)
        for name in NAMES
        for other in attempt.settings[f"{name}-opponents"]
        for one in attempt.settings["players"]
        if one != other
    ]
    if not meetings:
        raise ValueError("players and opponents leave nobody to play: name others")
    for name, one, other in meetings:
        if not all(attempt.knows(key) for key in _keys(attempt, name, one, other)):
            _duel(attempt, name, (one, other))  # who is no player is told before any game
    results = {each: _met(attempt, *each) for each in meetings}
    return Findings(
        rows=[
            {
                "variant": name,
                "player": one,
                "opponent": _label(other),
                "games": met.games,
                "won": met.won,
                "drawn": met.drawn,
                "lost": met.lost,
                "points": met.points.mean,
                "points_error": met.points.error,
                "plies": met.plies / met.games,
                "forfeited": met.faults,
            }
            for (name, one, other), met in results.items()
        ],
        charts=[_chart(attempt, results, name) for name in NAMES],
        comparisons=[
            Comparison(
                f"{NAMES[name]}: {one} against {_label(other)}", UNKNOWN, percent_text(met.points)
            )
            for (name, one, other), met in results.items()
        ],
        difference=_difference(results),
        remarks=[
            "alpha-beta:4 is the thesis's player at depth 4; easy, medium and hard are Blot's "
            "levels, at 1, 3 and 7 plies. Pairs of games begin with a ballot of two plies, colours "
            "swapped; ± is that of the pairs, unknown where all games were won or all were lost.",
            f"{_INSTALL} It plays no Czech draughts. One of the thesis's tables 4, 5 and 8 is "
            "thought to be that against a competing program.",
            "Against Moby Dam, which comes over DamExchange: `python -m "
            "tests.bench.draughts_strength international mobydam --program PATH --seconds 1`; it "
            "is not part of these figures.",
            *(
                f"{NAMES[name]}, {one} against {_label(other)}: {met.faults} games were forfeited."
                for (name, one, other), met in results.items()
                if met.faults
            ),
        ],
    )


def _label(name: str) -> str:
    """A player's name for people."""
    if name.startswith(_PY_DRAUGHTS):
        return f"py-draughts, depth {name.removeprefix(_PY_DRAUGHTS).strip()}"
    return name.removeprefix(_HUB)


def _met(attempt: Attempt, name: str, one: str, other: str) -> _Met:
    """Results of the games of two players; the journal has one line for each pair."""
    duels: list[Duel] = []

    def play(number: int) -> dict[str, Any]:
        if not duels:
            duels.append(_duel(attempt, name, (one, other)))
        attempt.note(f"{name}, {one} against {_label(other)}: pair {number + 1}")
        pair = played_pair(duels[0], number, Event())
        sides = zip(pair.games, Side, strict=True)
        return {
            "points": [game.points(side) for game, side in sides],
            "plies": sum(len(game.moves) for game in pair.games),
            "broken_off": sum(game.result is None for game in pair.games),
            "faults": sum(bool(game.fault) for game in pair.games),
        }

    pairs = [
        attempt.found(key, lambda: play(number))  # noqa: B023
        for number, key in enumerate(_keys(attempt, name, one, other))
    ]
    attempt.count_broken_off("games", sum(pair["broken_off"] for pair in pairs))
    points = [each for pair in pairs for each in pair["points"]]
    score = share_estimate([fmean(pair["points"]) for pair in pairs])
    assert score is not None
    return _Met(
        points=score,
        won=points.count(1.0),
        drawn=points.count(0.5),
        lost=points.count(0.0),
        plies=sum(pair["plies"] for pair in pairs),
        faults=sum(pair["faults"] for pair in pairs),
    )


def _keys(attempt: Attempt, name: str, one: str, other: str) -> list[str]:
    """The keys of the pairs of games of two players."""
    return [f"{name} {one} - {other} {number}" for number in range(attempt.settings["pairs"])]


def _duel(attempt: Attempt, name: str, players: tuple[str, str]) -> Duel:
    """The terms of a duel between players of these names; raises ValueError if there is none."""
    if attempt.players is None:
        raise ValueError("the competitor experiment needs players by name: blot draughts lab")
    variant = VARIANTS[name]
    one, other = (attempt.players(each, variant) for each in players)
    return Duel(variant, (one, other), (Limits(), Limits()), seed=attempt.seed)


def _difference(results: _Results) -> str:
    told = []
    for name, other in dict.fromkeys((name, other) for name, _, other in results):
        mine = {
            one: met.points
            for (variant, one, each), met in results.items()
            if (variant, each) == (name, other)
        }
        worst = min(mine, key=lambda one: mine[one].mean)
        told.append(f"{worst} with {percent_text(mine[worst])} ({_label(other)}, {NAMES[name]})")
    return (
        "His results against a competing program are not known to us; the worst of our "
        f"players against each opponent is {', '.join(told)}."
    )


def _chart(attempt: Attempt, results: _Results, name: str) -> Chart:
    curves = []
    for other in attempt.settings[f"{name}-opponents"]:
        mine = {
            one: met.points
            for (variant, one, each), met in results.items()
            if (variant, each) == (name, other)
        }
        curves.append(percent_curve(_label(other), [*mine], [*mine.values()], is_line=False))
    return Chart(f"player ({NAMES[name]})", "points won (%)", curves, {"even": 50.0})


EXPERIMENT = Experiment(
    name="competitor",
    title="Against other programs",
    question="How do the thesis's player and Blot's levels fare against other programs?",
    source=SOURCE,
    theirs=f"he compared his player with a competing program; which and how it went is {UNKNOWN}.",
    settings={
        "pairs": 8,
        "players": ("alpha-beta:2", "alpha-beta:4", "alpha-beta:6", "easy", "medium", "hard"),
        "czech-opponents": ("random",),
        "international-opponents": (
            "random", f"{_PY_DRAUGHTS} 1", f"{_PY_DRAUGHTS} 2"
        ),
    },
    small={
        "pairs": 2,
        "players": ("alpha-beta:2", "easy", "medium"),
        "czech-opponents": ("random",),
        "international-opponents": ("random",),
    },
    minutes=(0.2, 4),
    not_shown="other programs: it plays random alone, and too few games for differences.",
    run=run,
)  # fmt: skip
