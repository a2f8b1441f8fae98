"""Network duel: networks and baselines against each other, in pairs with the same dice."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bot.backgammon.arena.baselines import SIMPLE_PLANS, pubeval_weights
from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.inputs import NO_FEATURES
from bot.backgammon.kernels.network import NO_LAYERS
from bot.backgammon.kernels.network_duel import (
    NETWORK,
    PUBEVAL,
    RANDOM,
    SIMPLE,
    Duellist,
    Points,
    play_pairs,
)
from bot.backgammon.kernels.selfplay import START_BOARD
from bot.estimate import standard_error
from bot.generator import new_generator

MAX_PLIES = 2000
PAIRS_AT_ONCE = 100
"""Pairs between two looks at what the caller wants."""

_BASELINES = {
    "pubeval": PUBEVAL,
    "random": RANDOM,
    **{name: SIMPLE + plan for name, plan in SIMPLE_PLANS.items()},
}


@dataclass(frozen=True, slots=True)
class NetworkDuel:
    """Points the player won, game by game; int8[pairs, 2], 0 for a game broken off."""

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
        """Share of the games won; pairs with a game broken off left out."""
        return float((self._pairs > 0).mean()) if len(self._pairs) else 0.0

    @property
    def points_per_game(self) -> float:
        """Points per game, cubeless, for the player; pairs with a game broken off left out."""
        return float(self._pairs.mean()) if len(self._pairs) else 0.0

    @property
    def points_error(self) -> float | None:
        """Standard error of points_per_game, None if unknown: the pairs are the samples."""
        return standard_error(self._pairs.mean(axis=1))

    @property
    def won_error(self) -> float | None:
        """Standard error of won, None if unknown: the pairs are the samples."""
        return standard_error((self._pairs > 0).mean(axis=1))

    @property
    def _pairs(self) -> Points:
        """The pairs of which both games were finished; int8[n, 2]."""
        pairs: Points = self.points[(self.points != 0).all(axis=1)]
        return pairs


def _duellist(player: Network | str) -> Duellist:
    """The player as the kernel takes it; raises ValueError for an unknown baseline."""
    if isinstance(player, Network):
        return Duellist(NETWORK, player.layers, player.features)
    if player not in _BASELINES:
        raise ValueError(f"no baseline {player!r}; there are {', '.join(_BASELINES)}")
    return Duellist(_BASELINES[player], NO_LAYERS, NO_FEATURES)


def network_duel(
    player: Network | str,
    opponent: Network | str,
    *,
    pairs: int,
    seed: int,
    on_pairs: Callable[[int], None] = lambda pairs: None,
) -> NetworkDuel:
    """Play pairs of money games without cube, each player a network or a baseline by name.

    on_pairs: called now and then with the pairs played so far; it may raise to end the duel.
    Raises ValueError for an unknown baseline or fewer than one pair.
    """
    if pairs < 1:
        raise ValueError(f"a duel needs at least one pair of games, not {pairs}")
    points = np.empty((pairs, 2), np.int8)
    one, other = _duellist(player), _duellist(opponent)
    weights = pubeval_weights()
    generator = new_generator(seed)
    for first in range(0, pairs, PAIRS_AT_ONCE):
        some = points[first : first + PAIRS_AT_ONCE]
        play_pairs(MAX_PLIES, START_BOARD, generator, one, other, weights, some)
        on_pairs(first + len(some))
    return NetworkDuel(points)
