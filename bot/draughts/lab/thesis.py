"""Thesis: what is known of it, and measures of its player that several experiments take."""

import time
from dataclasses import asdict, dataclass
from typing import Any

from bot.draughts.arena.depth_games import RANDOM, Counts, DepthDuel, DepthGames, DepthPlayer
from bot.draughts.engine.alpha_beta import MAX_DEPTH
from bot.draughts.rules.variant import Variant
from bot.estimate import Estimate
from bot.lab.attempt import Attempt

SOURCE = (
    'J. Knoflíček, "Hraní deterministických her s učením" (deterministic games playing with '
    "learning), bachelor's thesis, Brno University of Technology, 2011."
)

UNKNOWN = "not known to us"
"""Told where a figure of the thesis is wanted that we do not have."""

NAMES = {"czech": "Czech", "international": "international"}
"""The variants for people, by name."""

MODES = ("one", "both", "none")
"""Which players ask the table of states: the first one, both, or none."""

SECONDS = "Everything but the seconds comes from the seed; they are of one processor, and of ours."


@dataclass(frozen=True, slots=True)
class DuelResult:
    """Result of a duel, as its first player sees it.

    points: share of them won; seconds: of one processor, for all games; nodes, searches: of the
    first player, boards met and searches made.
    """

    points: Estimate
    won: int
    drawn: int
    lost: int
    plies: int
    broken_off: int
    nodes: int
    searches: int
    seconds: float

    @property
    def games(self) -> int:
        """Number of games."""
        return self.won + self.drawn + self.lost


def duel_result(
    attempt: Attempt,
    key: str,
    variant: Variant,
    players: tuple[DepthPlayer, DepthPlayer],
    pairs: int,
) -> DuelResult:
    """The result of so many pairs of games, each pair from the same four plies by chance."""

    def find() -> dict[str, Any]:
        attempt.note(f"{key}: {2 * pairs:,} games")
        duel = DepthDuel(variant, *players, attempt.seed)
        _compile(variant)
        began = time.process_time()
        for _ in range(pairs):
            duel.play_pair()
        seconds = time.process_time() - began
        first, score = duel.counts[0], duel.result.score
        assert score is not None
        return {
            "points": [score.mean, score.error],
            **{name: getattr(duel.result, name) for name in ("won", "drawn", "lost")},
            **{name: getattr(duel.result, name) for name in ("plies", "broken_off")},
            "nodes": first.nodes,
            "searches": first.searches,
            "seconds": seconds,
        }

    value = attempt.found(key, find)
    attempt.count_broken_off("duels", value["broken_off"])
    return DuelResult(**{**value, "points": Estimate(*value["points"])})


def _compile(variant: Variant) -> None:
    """Have all compiled that games need, so that no measured time has it in it."""
    chance = DepthPlayer(RANDOM)
    DepthGames(variant, chance, chance, 0).play(0)


def greatest_depth(attempt: Attempt, variant: str, least: int) -> int:
    """The setting of the greatest depth in a variant; raises ValueError if nobody looks so deep."""
    name = f"{variant}-deepest"
    depth = int(attempt.settings[name])
    if not least <= depth <= MAX_DEPTH:
        raise ValueError(f"{name} is {least} to {MAX_DEPTH}, not {depth}")
    return depth


def depths_in(attempt: Attempt, name: str) -> tuple[int, ...]:
    """A setting of several depths; raises ValueError if nobody looks so deep."""
    depths: tuple[int, ...] = attempt.settings[name]
    for depth in depths:
        if not 0 <= depth <= MAX_DEPTH:
            raise ValueError(f"{name} are 0 to {MAX_DEPTH} each, not {depth}")
    return depths


def duel_row(result: DuelResult) -> dict[str, float | None]:
    """A result as cells of a table."""
    row = asdict(result)
    points = row.pop("points")
    del row["nodes"], row["searches"]
    return {"games": result.games, "points": points["mean"], "points_error": points["error"], **row}


def counts_of(games: DepthGames) -> Counts:
    """Counts of both players together in all games so far."""
    white, black = games.counts
    return white + black
