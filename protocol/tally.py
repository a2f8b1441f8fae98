"""Tally: results added up, with the standard error of what they say."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median, stdev
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error, None for a single sample, which tells nothing of it."""

    mean: float
    error: float | None

    def __str__(self) -> str:
        error = "unknown" if self.error is None else f"{self.error:.3f}"
        return f"{self.mean:+.3f} ± {error}"


def estimate(samples: Sequence[float]) -> Estimate | None:
    """The mean of independent samples and its standard error; None if there are none."""
    if not samples:
        return None
    if len(samples) == 1:
        return Estimate(samples[0], None)
    return Estimate(fmean(samples), stdev(samples) / sqrt(len(samples)))


def rate_estimate(sums: Sequence[tuple[float, int]]) -> Estimate | None:
    """Points per game of samples that have several games each: points and games of each sample.

    The samples are independent, the games within one are not. Returns None if there are none.
    Source: Cochran, Sampling Techniques (1977), 6.4, the ratio estimate and its standard error.
    """
    if not sums:
        return None
    games = sum(count for _, count in sums)
    mean = sum(points for points, _ in sums) / games
    number = len(sums)
    if number == 1:
        return Estimate(mean, None)
    squares = sum((points - mean * count) ** 2 for points, count in sums)
    return Estimate(mean, sqrt(squares * number / (number - 1)) / games)


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
        return self.score if self.length is None else rate_estimate(self._match_points)

    @property
    def seconds_per_decision(self) -> float | None:
        """Median time we took to decide, None if it never came to that."""
        return median(self.decision_seconds) if self.decision_seconds else None

    def table(self) -> dict[str, Any]:
        """All figures by name, for programs."""
        seconds = self.seconds_per_decision
        matches = {} if self.length is None else {"matches_won": _figures(self.score)}
        return {
            "games": self.games,
            "won": {kind: self.won[level] for level, kind in LEVELS.items()},
            "lost": {kind: self.lost[level] for level, kind in LEVELS.items()},
            **matches,
            "points_per_game": _figures(self.points_per_game),
            "samples": len(self.samples),
            "unfinished": self.unfinished,
            "rejected_plays": self.rejected_plays,
            "seconds_per_decision": seconds,
            "decisions_timed": len(self.decision_seconds),
        }

    def text(self) -> str:
        """All figures in a few lines, for people."""
        lines = [f"{'':14}{'single':>9}{'gammon':>9}{'backgammon':>12}{'games':>9}"]
        for name, counts in (("won", self.won), ("lost", self.lost)):
            singles, gammons, backgammons = (counts[level] for level in LEVELS)
            lines.append(f"{name:14}{singles:9}{gammons:9}{backgammons:12}{counts.total():9}")
        if self.length is not None:
            won = _estimate_text(self.score).lstrip("+")
            lines.append(f"{self.length}-point matches won: {won}{self._standing()}")
        points = _estimate_text(self.points_per_game)
        lines.append(f"points per game: {points}{self._standing() * (self.length is None)}")
        if self.unfinished:
            lines.append(f"unfinished: {self.unfinished}, not in these figures")
        lines.extend(self.rejected_plays)
        seconds = self.seconds_per_decision
        if seconds is not None:
            lines.append(f"our time per decision: {1000 * seconds:.3g} ms (median)")
        return "\n".join(lines)

    def _standing(self) -> str:
        """How many samples the figures stand on."""
        number = len(self.samples)
        return f" (standard error, {number} sample{'s' * (number != 1)})" if number else ""


def _figures(found: Estimate | None) -> dict[str, float | None] | None:
    return None if found is None else {"mean": found.mean, "standard_error": found.error}


def _estimate_text(found: Estimate | None) -> str:
    return "none finished" if found is None else str(found)
