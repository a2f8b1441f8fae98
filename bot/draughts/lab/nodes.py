"""Nodes: boards that alpha-beta need not look at, and positions with an only move."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bot.draughts.arena.depth_games import DepthGames, DepthPlayer
from bot.draughts.engine.alpha_beta import AlphaBetaSettings
from bot.draughts.lab.thesis import (
    NAMES,
    SOURCE,
    UNKNOWN,
    counts_of,
    depths_in,
    greatest_depth,
)
from bot.draughts.rules.variant import VARIANTS, Variant
from bot.estimate import Estimate, ratio_estimate
from bot.lab.attempt import Attempt
from bot.lab.experiment import Experiment
from bot.lab.findings import Chart, Comparison, Curve, Findings, Row, percent_curve, percent_text

_SPARED = 1 / 3
_ONLY_MOVES = {"czech": 31, "international": 38}
"""The thesis's figures: share of boards spared, and per cent of positions with an only move."""

_RANDOM_PLIES = 4

_Players = tuple[int, int]
"""The depths of White and of Black, 0 for random."""


@dataclass(frozen=True, slots=True)
class _Searched:
    """Boards met in the same games by alpha-beta and by minimax; searches: by either."""

    variant: str
    depth: int
    searches: int
    pruned: int
    full: int
    spared: Estimate


def run(attempt: Attempt) -> Findings:
    """Play the same games by alpha-beta and by minimax, then count only moves in others."""
    pairings = _pairings(depths_in(attempt, "only-depths"))
    limits = {variant: greatest_depth(attempt, variant.name, 1) for variant in VARIANTS.values()}
    searched = [
        _searched(attempt, variant, depth)
        for variant, limit in limits.items()
        for depth in range(1, limit + 1)
    ]
    only = {
        (variant.name, players): _only_moves(attempt, variant, players)
        for variant in VARIANTS.values()
        for players in pairings
    }
    return Findings(
        rows=[*map(_boards_row, searched), *(_only_row(*each) for each in only.items())],
        charts=[_boards_chart(searched), _spared_chart(searched), _only_chart(attempt, only)],
        comparisons=[
            *(
                Comparison(
                    f"{NAMES[each.variant]}, depth {each.depth}: spared by alpha-beta",
                    "about a third",
                    percent_text(each.spared),
                )
                for each in searched
            ),
            *(
                Comparison(
                    f"{NAMES[name]}: only moves, {_told(players)}",
                    f"{_ONLY_MOVES[name]} %",
                    percent_text(found),
                )
                for (name, players), found in only.items()
            ),
        ],
        difference=_difference(searched, only),
        remarks=[_table(searched), _REMARK],
    )


_REMARK = (
    "Either player meets the same positions and plays the same moves, which is checked game by "
    "game. A board counts when the search comes to it, the root left out. Moves are tried in the "
    "order in which they are found: a better order would spare more. The thesis played an only "
    "move at once, as we do; in which games it counted them we do not know. One of its tables 4, 5 "
    "and 8 is thought to have these figures."
)


def _searched(attempt: Attempt, variant: Variant, depth: int) -> _Searched:
    players: list[DepthGames] = []

    def play(number: int) -> list[int]:
        """Searches, and boards met by alpha-beta and by minimax, in the game of that number."""
        if not players:
            for is_pruned in (True, False):
                one = DepthPlayer(AlphaBetaSettings(depth, is_pruned))
                players.append(DepthGames(variant, one, one, attempt.seed, _RANDOM_PLIES))
        attempt.note(f"{variant.name}, depth {depth}: game {number + 1}")
        before = [counts_of(games) for games in players]
        pruned, full = (games.play(number) for games in players)
        if pruned.boards.tobytes() != full.boards.tobytes():
            raise RuntimeError(f"alpha-beta and minimax play otherwise in game {number}")
        found = [counts_of(games) - each for games, each in zip(players, before, strict=True)]
        return [found[0].searches, found[0].nodes, found[1].nodes]

    games = [
        attempt.found(f"{variant.name} depth {depth} game {number}", lambda: play(number))  # noqa: B023
        for number in range(attempt.settings["games"])
    ]
    searches, pruned, full = (sum(column) for column in zip(*games, strict=True))
    spared = ratio_estimate([(all_met - met, all_met) for _, met, all_met in games])
    assert spared is not None
    return _Searched(variant.name, depth, searches, pruned, full, spared)


def _pairings(depths: Sequence[int]) -> list[_Players]:
    """Each depth against itself and against random, which is depth 0."""
    return [*((depth, depth) for depth in depths), *((depth, 0) for depth in depths if depth)]


def _only_moves(attempt: Attempt, variant: Variant, players: _Players) -> Estimate:
    """Share of the positions in games between two depths that have a single move."""

    def find() -> list[float | None]:
        attempt.note(f"{variant.name}: only moves, {_told(players)}")
        white, black = (DepthPlayer(AlphaBetaSettings(depth)) for depth in players)
        played = DepthGames(variant, white, black, attempt.seed, _RANDOM_PLIES)
        sums = []
        for number in range(attempt.settings["only-games"]):
            before = counts_of(played)
            played.play(number)
            counts = counts_of(played) - before
            sums.append((float(counts.only), counts.decisions))
        found = ratio_estimate(sums)
        assert found is not None
        return [found.mean, found.error]

    return Estimate(*attempt.found(f"{variant.name} only moves, {_told(players)}", find))


def _told(players: _Players) -> str:
    one, other = (f"depth {depth}" if depth else "random" for depth in players)
    return f"{one} against {other}"


def _boards_row(found: _Searched) -> Row:
    return {
        "measure": "boards",
        "variant": found.variant,
        "players": f"depth {found.depth}",
        "searches": found.searches,
        "alpha_beta": found.pruned / found.searches,
        "minimax": found.full / found.searches,
        "share": found.spared.mean,
        "error": found.spared.error,
    }


def _only_row(key: tuple[str, _Players], found: Estimate) -> Row:
    empty = dict.fromkeys(("searches", "alpha_beta", "minimax"))
    told = {"measure": "only moves", "variant": key[0], "players": _told(key[1])}
    return {**told, **empty, "share": found.mean, "error": found.error}


def _difference(searched: list[_Searched], only: dict[tuple[str, _Players], Estimate]) -> str:
    spared = []
    for name in _ONLY_MOVES:
        mine = [each for each in searched if each.variant == name]
        near = min(mine, key=lambda each: abs(each.spared.mean - _SPARED))
        last = mine[-1]
        spared.append(
            f"in {NAMES[name]} draughts {percent_text(near.spared)} at depth {near.depth} and "
            f"{percent_text(last.spared)} at depth {last.depth}"
        )
    shares = []
    for name, theirs in _ONLY_MOVES.items():
        shared = {players: found for (variant, players), found in only.items() if variant == name}
        players = min(shared, key=lambda each: abs(100 * shared[each].mean - theirs))
        shares.append(
            f"{percent_text(shared[players])} ({NAMES[name]}, {_told(players)}; his {theirs} %)"
        )
    return (
        f"He spares about a third; we spare {', '.join(spared)}, as more is cut off the deeper one "
        f"looks. The shares of only moves that come nearest to his are {' and '.join(shares)}."
    )


def _table(searched: list[_Searched]) -> str:
    """Boards met, as a table of Markdown."""
    lines = [
        "| | depth | searches | alpha-beta, boards a search | minimax |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {NAMES[each.variant]} | {each.depth} | {each.searches:,} | "
        f"{each.pruned / each.searches:,.0f} | {each.full / each.searches:,.0f} |"
        for each in searched
    ]
    return "\n".join(lines)


def _boards_chart(searched: list[_Searched]) -> Chart:
    curves = []
    for name in _ONLY_MOVES:
        mine = [each for each in searched if each.variant == name]
        depths = [each.depth for each in mine]
        for label in ("pruned", "full"):
            boards = [math.log10(getattr(each, label) / each.searches) for each in mine]
            player = "alpha-beta" if label == "pruned" else "minimax"
            curves.append(Curve(f"{NAMES[name]}, {player}", depths, boards))
    return Chart("depth", "boards met in a search (power of ten)", curves, {})


def _spared_chart(searched: list[_Searched]) -> Chart:
    curves = []
    for name in _ONLY_MOVES:
        mine = [each for each in searched if each.variant == name]
        spared = [each.spared for each in mine]
        curves.append(percent_curve(NAMES[name], [each.depth for each in mine], spared))
    return Chart("depth", "boards spared by alpha-beta (%)", curves, {"his, about": 100 * _SPARED})


def _only_chart(attempt: Attempt, only: dict[tuple[str, _Players], Estimate]) -> Chart:
    depths = attempt.settings["only-depths"]
    curves = []
    for name in _ONLY_MOVES:
        for opponent in ("itself", "random"):
            found = [only[name, (depth, depth if opponent == "itself" else 0)] for depth in depths]
            curves.append(percent_curve(f"{NAMES[name]}, against {opponent}", depths, found))
    levels = {f"his, {NAMES[name]}": float(share) for name, share in _ONLY_MOVES.items()}
    return Chart("depth, 0 random", "positions with an only move (%)", curves, levels)


EXPERIMENT = Experiment(
    name="nodes",
    title="Alpha-beta against minimax",
    question="How many boards need alpha-beta not look at, and how often is there only one move?",
    source=SOURCE,
    theirs="alpha-beta visits about a third fewer boards than minimax at his depths; an only move "
    f"in 31 % of Czech and 38 % of international positions; the rest is {UNKNOWN}.",
    settings={
        "games": 6,
        "czech-deepest": 7,
        "international-deepest": 6,
        "only-games": 400,
        "only-depths": (0, 1, 2, 3, 4),
    },
    small={
        "games": 4,
        "czech-deepest": 5,
        "international-deepest": 4,
        "only-games": 100,
        "only-depths": (0, 2),
    },
    minutes=(0.1, 3),
    not_shown="how the share goes on behind depth 5: minimax takes too long.",
    run=run,
)
