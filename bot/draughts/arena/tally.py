"""Tally: the results of a duel's games added up, as its first player sees them."""

import math
from collections import Counter
from statistics import fmean

from bot.draughts.arena.duel import PlayedPair
from bot.draughts.rules.game import Ending
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import Side
from bot.estimate import Bounds, Estimate, SequentialTest, share_estimate

_SEATS = (Side.WHITE, Side.BLACK)
"""Colours of the first player in the two games of a pair."""


class Tally:
    """Games won, drawn and lost, and points per game: 1 for a win, a half for a draw.

    A sample is a pair, the mean of its two games: they began alike. repeated: pairs that went move
    for move as one before, which tell nothing new and are no samples. seconds, decisions: of the
    first player and of the second. faults: why games were forfeited, and by which player. test: a
    sequential test with these bounds of how far a sample lies above an even result, None without.
    """

    def __init__(self, bounds: Bounds | None = None) -> None:
        self.test = None if bounds is None else SequentialTest(bounds)
        self.won = self.drawn = self.lost = 0
        self.samples: list[float] = []
        self.endings: Counter[Ending | None] = Counter()
        self.seconds = [0.0, 0.0]
        self.decisions = [0, 0]
        self.faults: list[str] = []
        self.repeated = 0
        self._seen: set[tuple[tuple[Move, ...], ...]] = set()

    @property
    def games(self) -> int:
        """Games that were added."""
        return self.won + self.drawn + self.lost

    def add(self, pair: PlayedPair) -> None:
        """Add a pair."""
        points = [game.points(side) for game, side in zip(pair.games, _SEATS, strict=True)]
        self.won += points.count(1)
        self.drawn += points.count(0.5)
        self.lost += points.count(0)
        for game, side in zip(pair.games, _SEATS, strict=True):
            self.endings[game.result.ending if game.result else None] += 1
            self.faults += [game.fault] if game.fault else []
            for player in range(2):
                colour = player if side is Side.WHITE else 1 - player
                self.seconds[player] += game.seconds[colour]
                self.decisions[player] += game.decisions[colour]
        moves = tuple(game.moves for game in pair.games)
        if moves in self._seen:
            self.repeated += 1
            return
        self._seen.add(moves)
        self.samples.append(fmean(points))
        if self.test is not None:
            self.test.add(self.samples[-1] - 0.5)

    @property
    def is_decided(self) -> bool:
        """Whether the sequential test is over."""
        return self.test is not None and self.test.is_over

    @property
    def score(self) -> Estimate | None:
        """Points per game and their standard error; None before the first pair.

        While a player has won all games nobody knows how far off that is.
        """
        return share_estimate(self.samples)

    @property
    def elo(self) -> float | None:
        """The difference in rating that explains the score; None without a finite one."""
        score = self.score
        if score is None or not 0 < score.mean < 1:
            return None
        return 400 * math.log10(score.mean / (1 - score.mean))
