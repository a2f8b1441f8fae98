"""Standing: how a duel of many pairs stands, raw and less the luck of the dice."""

import math
from statistics import fmean

from bot.backgammon.arena.played_pair import Contest, Fault, PlayedPair
from bot.backgammon.arena.tally import Tally
from bot.estimate import Bounds, Estimate, SequentialTest, estimate


class Standing:
    """The pairs of a duel added up in their order, as the first player sees them.

    bounds: of the sequential test of the raw results, None without one; has_luck: whether the luck
    of the games is known. The sample is a pair's points per game, or in matches its share of
    matches won; the test's is how far that lies above an even result.
    """

    def __init__(
        self, length: int | None, bounds: Bounds | None = None, *, has_luck: bool = False
    ) -> None:
        self.tally = Tally(length)
        self.test = None if bounds is None else SequentialTest(bounds)
        self.pairs = 0
        self.faults: list[Fault] = []
        self.adjusted_samples: list[float] = []
        self._has_luck = has_luck
        self._shares_won: list[float] = []

    @property
    def even(self) -> float:
        """The sample of two players alike."""
        return 0.0 if self.tally.length is None else 0.5

    @property
    def is_decided(self) -> bool:
        """Whether the sequential test is over."""
        return self.test is not None and self.test.is_over

    def add(self, pair: PlayedPair) -> None:
        """Add the next pair; one that was not finished tells of its faults alone."""
        self.pairs += 1
        self.faults += pair.faults
        self.tally.add_pair(pair)
        if pair.unfinished:
            return
        self._shares_won.append(fmean(c[-1].result.points > 0 for c in pair.contests))
        if self.test is not None:
            self.test.add(self.tally.samples[-1] - self.even)
        if self._has_luck:
            self.adjusted_samples.append(fmean(map(self._adjusted, pair.contests)))

    def _adjusted(self, contest: Contest) -> float:
        """Points of a money game, or a match won, less the luck."""
        points = contest[-1].result.points
        worth = points if self.tally.length is None else float(points > 0)
        return worth - sum(game.luck or 0.0 for game in contest)

    @property
    def adjusted(self) -> Estimate | None:
        """The tally's score less the luck; None if that is not known."""
        return estimate(self.adjusted_samples)

    @property
    def unbiased(self) -> Estimate | None:
        """The raw score that the sequential test leaves; None without a test or samples."""
        score = self.tally.score
        if self.test is None or score is None:
            return None
        return Estimate(self.even + self.test.unbiased_mean, score.error)

    @property
    def rating_difference(self) -> Estimate | None:
        """Points of rating by which the first player is better, as FIBS rates.

        From the matches won, at their length; of money games from the games won, as matches to 1.
        None while a player has won all. Source: FIBS, "The FIBS rating formula".
        """
        won = estimate(self._shares_won)
        if won is None or not 0 < won.mean < 1:
            return None
        scale = 2000 / math.sqrt(self.tally.length or 1)
        slope = scale / (math.log(10) * won.mean * (1 - won.mean))
        error = None if won.error is None else slope * won.error
        return Estimate(-scale * math.log10(1 / won.mean - 1), error)
