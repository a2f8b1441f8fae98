"""Rate trials: a network plays younger copies of itself, to see when to lower its rate.

The rate is that of learning, for the learner by mutation the champion's step.
"""

import numpy as np

from bot.archive import Arrays
from bot.backgammon.arena.network_duel import network_duel
from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.network import Floats, Layers
from bot.backgammon.training.settings import GAMES_BETWEEN_TRIALS, Settings

TRIALS = 25
"""Trials in a row whose points are added up; the opponent is so many of them younger."""

GAMES_OF_TRIAL = 200


class RateTrials:
    """The place among a run's rates, lowered when it no longer gains on what it was.

    Every 1,000 games the network plays 200 against its copy of 25,000 games before; when 25 such
    trials in a row come to fewer than 0 points the next rate's turn comes, and the adding up begins
    anew. Source: the PulverGammon report (2007).
    """

    def __init__(self, settings: Settings, network: Network) -> None:
        self._settings = settings
        self._copies = np.zeros((TRIALS, sum(array.size for array in network.layers)), np.float32)
        self._points = np.zeros(TRIALS, np.int64)
        self._counts = np.zeros(2, np.int64)
        self._copies[0] = _in_a_row(network)

    @property
    def place(self) -> int:
        """The place of the rate, 0 for the first."""
        return int(self._counts[0])

    @property
    def rate(self) -> float:
        """The rate whose turn it is."""
        return self._settings.rates[self.place]

    def hold(self, network: Network, games: int) -> None:
        """Hold the trial due after so many games, a multiple of 1,000, if a copy is old enough."""
        number = games // GAMES_BETWEEN_TRIALS
        copy = self._copies[number % TRIALS]
        if number >= TRIALS:
            younger = _with_weights(network, copy)
            pairs = GAMES_OF_TRIAL // 2
            duel = network_duel(network, younger, pairs=pairs, seed=self._settings.seed + games)
            self._note(int(duel.points.sum(dtype=np.int64)))
        copy[...] = _in_a_row(network)

    def _note(self, points: int) -> None:
        """Note what a trial brought; 25 of them that come to fewer than 0 lower the rate."""
        self._points[self._counts[1] % TRIALS] = points
        self._counts[1] += 1
        is_last = self.place + 1 == len(self._settings.rates)
        if self._counts[1] >= TRIALS and self._points.sum() < 0 and not is_last:
            self._counts[:] = self.place + 1, 0

    def state(self) -> Arrays:
        """All that trials change, as arrays by name."""
        return {
            "trial_copies": self._copies,
            "trial_points": self._points,
            "trial_counts": self._counts,
        }


def _in_a_row(network: Network) -> Floats:
    return np.concatenate([array.ravel() for array in network.layers])


def _with_weights(network: Network, row: Floats) -> Network:
    """A network of the same shape with other weights, given in a row."""
    ends = np.cumsum([array.size for array in network.layers])[:-1]
    parts = zip(np.split(row, ends), network.layers, strict=True)
    layers = Layers(*(part.reshape(array.shape).copy() for part, array in parts))
    return Network(layers, network.inputs)
