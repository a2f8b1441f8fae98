"""Tally: results of games and matches added up."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, median

from bot.backgammon.arena.played_pair import GameResult, PlayedPair
from bot.backgammon.rules.decision import Request
from bot.backgammon.rules.play import CheckerPlay
from bot.estimate import Estimate, estimate, ratio_estimate, share_estimate


class Tally:
    """Money games, or matches if there is a length, added up as we see them.

    A sample is what one set of dice gave: a game's points, a match won (1) or lost (0), or the
    mean of two that were played with the same dice and sides swapped. contests: money games, or
    matches, that were added. forfeits: why games were lost by players that failed.
    """

    def __init__(self, length: int | None = None) -> None:
        self.length = length
        self.won: Counter[int] = Counter()
        self.lost: Counter[int] = Counter()
        self.samples: list[float] = []
        self.contests = 0
        self._points_and_games: list[tuple[int, int]] = []
        self.unfinished = 0
        self.forfeits: list[str] = []
        self.rejected_plays: list[tuple[Request, CheckerPlay]] = []
        self.decision_seconds: list[float] = []

    @property
    def games(self) -> int:
        """Games that were added."""
        return self.won.total() + self.lost.total()

    def add(self, *contests: Sequence[GameResult]) -> None:
        """Add a sample: a money game or the games of a match, or one for each side of the dice.

        Who wins the last game of a match wins the match.
        """
        self.contests += len(contests)
        games = [game for contest in contests for game in contest]
        for game in games:
            (self.won if game.points > 0 else self.lost)[game.kind] += 1
        ends = (contest[-1].points for contest in contests)
        self.samples.append(fmean(ends if self.length is None else (end > 0 for end in ends)))
        self._points_and_games.append((sum(game.points for game in games), len(games)))

    def add_pair(self, pair: PlayedPair) -> None:
        """Add a pair that was played with the same dice; one that came to no end only counts so."""
        self.forfeits += [fault.reason for fault in pair.faults]
        if pair.unfinished:
            self.unfinished += pair.unfinished
        else:
            self.add(*([game.result for game in contest] for contest in pair.contests))

    @property
    def score(self) -> Estimate | None:
        """Points per game, or the share of matches won; None before the first sample.

        While a player has won all matches nobody knows how far off that is.
        """
        return estimate(self.samples) if self.length is None else share_estimate(self.samples)

    @property
    def points_per_game(self) -> Estimate | None:
        """Points per game, in matches at the scores as they came; None before the first sample."""
        return self.score if self.length is None else ratio_estimate(self._points_and_games)

    @property
    def seconds_per_decision(self) -> float | None:
        """Median time we took to decide, None if it never came to that."""
        return median(self.decision_seconds) if self.decision_seconds else None
