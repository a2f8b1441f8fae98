"""Trial: how a network does against a baseline or another network, in pairs with the same dice."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bot.backgammon.arena.baselines import pubeval_weights
from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.trial import BLOCKERS, NETWORK, PUBEVAL, RANDOM, Points, play_pairs
from bot.backgammon.rules.dice import new_generator

MOST_PLIES = 2000
PAIRS_AT_ONCE = 100
"""Pairs between two looks at what the caller wants."""

_BASELINES = {"pubeval": PUBEVAL, "random": RANDOM, "blockers": BLOCKERS}


@dataclass(frozen=True, slots=True)
class Trial:
    """Points the network won, game by game; int8[pairs, 2], 0 for a game broken off."""

    points: Points

    @property
    def games(self) -> int:
        """Games that were finished."""
        return int((self.points != 0).sum())

    @property
    def broken_off(self) -> int:
        """Games that reached the ply limit."""
        return int((self.points == 0).sum())

    @property
    def won(self) -> float:
        """Share of the finished games won."""
        return float((self.points > 0).sum() / max(self.games, 1))

    @property
    def points_per_game(self) -> float:
        """Points per game, cubeless, for the network; pairs with a game broken off left out."""
        return float(self._pairs().mean()) if len(self._pairs()) else 0.0

    @property
    def standard_error(self) -> float:
        """Standard error of points_per_game: the pairs are the samples."""
        pairs = self._pairs()
        return float(pairs.std(ddof=1) / len(pairs) ** 0.5) if len(pairs) > 1 else 0.0

    @property
    def won_error(self) -> float:
        """Standard error of won: the pairs are the samples."""
        whole = self.points[(self.points != 0).all(axis=1)]
        shares = (whole > 0).mean(axis=1)
        return float(shares.std(ddof=1) / len(shares) ** 0.5) if len(shares) > 1 else 0.0

    def _pairs(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        whole = self.points[(self.points != 0).all(axis=1)]
        means: np.ndarray[tuple[int], np.dtype[np.float64]] = whole.mean(axis=1)
        return means


def _unwatched(pairs: int) -> None:
    """Nobody wants to know how many pairs are played."""


def trial(
    network: Network,
    opponent: Network | str,
    *,
    pairs: int,
    seed: int,
    on_pairs: Callable[[int], None] = _unwatched,
) -> Trial:
    """Play pairs of money games without cube against another network or a baseline by name.

    on_pairs: called now and then with the pairs played so far; it may raise to end the trial.
    Raises ValueError for an unknown baseline or fewer than one pair.
    """
    if pairs < 1:
        raise ValueError(f"a trial needs at least one pair of games, not {pairs}")
    other = opponent if isinstance(opponent, Network) else network
    if isinstance(opponent, str) and opponent not in _BASELINES:
        raise ValueError(f"no baseline {opponent!r}; there are {', '.join(_BASELINES)}")
    code = _BASELINES[opponent] if isinstance(opponent, str) else NETWORK
    points = np.empty((pairs, 2), np.int8)
    weights = pubeval_weights()
    generator = new_generator(seed)
    for first in range(0, pairs, PAIRS_AT_ONCE):
        some = points[first : first + PAIRS_AT_ONCE]
        play_pairs(MOST_PLIES, generator, network.layers, code, other.layers, *weights, some)
        on_pairs(first + len(some))
    return Trial(points)
