"""Tally: results of games and matches added up."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from bot.estimate import Estimate, estimate, ratio_estimate

LEVELS = {1: "single", 2: "gammon", 3: "backgammon"}
"""The kinds of a won game, and what each is worth at cube 1."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended for us: points won, negative if lost, and its level 1, 2 or 3."""

    points: int
    level: int

    def __post_init__(self) -> None:
        if self.level not in LEVELS or self.points == 0:
            raise ValueError(f"no result of a game: {self.points} points, level {self.level}")


class Tally:
    """Money games, or matches if there is a length, added up as we see them.

    A sample is what one set of dice gave: a game's points, a match won (1) or lost (0), or the
    mean of two that were played with the same dice and sides swapped.
    """

    def __init__(self, length: int | None = None) -> None:
        self.length = length
        self.won: Counter[int] = Counter()
        self.lost: Counter[int] = Counter()
        self.samples: list[float] = []
        self._match_points: list[tuple[int, int]] = []
        self.unfinished = 0
        self.rejected_plays: list[str] = []
        self.decision_seconds: list[float] = []

    @property
    def games(self) -> int:
        """Games that came to an end."""
        return self.won.total() + self.lost.total()

    def add_game(self, result: GameResult) -> None:
        """Count one finished game by its kind."""
        (self.won if result.points > 0 else self.lost)[result.level] += 1

    def add_sample(self, *values: float) -> None:
        """Add a sample: one value, or one for each side of the same dice."""
        self.samples.append(fmean(values))

    def add_matches(self, *matches: Sequence[int]) -> None:
        """Add a sample: one finished match, or one for each side of the same dice.

        A match is the points of its games; who wins the last one wins the match.
        """
        self.add_sample(*(points[-1] > 0 for points in matches))
        games = sum(len(points) for points in matches)
        self._match_points.append((sum(sum(points) for points in matches), games))

    @property
    def score(self) -> Estimate | None:
        """Points per game, or the share of matches won; None before the first sample."""
        return estimate(self.samples)

    @property
    def points_per_game(self) -> Estimate | None:
        """Points per game, in matches at the scores as they came; None before the first sample."""
        return self.score if self.length is None else ratio_estimate(self._match_points)

    @property
    def seconds_per_decision(self) -> float | None:
        """Median time we took to decide, None if it never came to that."""
        return median(self.decision_seconds) if self.decision_seconds else None
