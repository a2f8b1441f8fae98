"""Mutation: a champion, and mutants of it that it plays; it goes towards those that win."""

import numpy as np
from numpy.typing import NDArray

from bot.archive import Arrays
from bot.backgammon.arena.baselines import pubeval_weights
from bot.backgammon.evaluation.inputs import input_set
from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.network import Layers
from bot.backgammon.kernels.network_duel import NETWORK, Duellist, play_pairs
from bot.backgammon.kernels.selfplay import BROKEN_OFF, GAMES, PLIES, START_BOARD
from bot.backgammon.training.game_count import GameCount
from bot.backgammon.training.rate_trials import RateTrials
from bot.backgammon.training.settings import GAMES_BETWEEN_TRIALS, Schedule, Settings
from bot.backgammon.training.temporal_difference import first_network, restore_arrays
from bot.generator import new_generator


class Mutation:
    """A champion that begins with all weights 0, unless it starts from a network.

    Each duel is of pairs of games with the same dice, by points, against a mutant: the champion
    with Gaussian noise on every weight. If the mutant wins the champion goes a step towards it; if
    a weight then leaves [-1, 1] all are scaled back. The schedule by trials lowers the step. What
    it learns depends on nothing but the settings. start: the board of its games, int8[26], with all
    the checkers that each side has in the game.
    Source: Pollack and Blair, Co-evolution in the successful learning of backgammon strategy
    (1998).
    """

    def __init__(self, settings: Settings, start: Boards = START_BOARD) -> None:
        self.settings = settings
        self._start = start
        self.tally = GameCount()
        self._inputs = input_set(settings.inputs)
        self._champion = first_network(settings).layers
        if not settings.start:
            for array in self._champion:
                array[...] = 0.0
        self._generator = new_generator(settings.seed)
        self._duels = np.zeros(1, np.int64)
        self._pubeval = pubeval_weights()
        is_tried = settings.schedule is Schedule.TRIALS
        self._trials = RateTrials(settings, self.network) if is_tried else None

    @property
    def round_games(self) -> int:
        """Games of a round that takes some tenths of a second, in whole duels."""
        size = self.settings.duel_games
        return max(100 // size, 1) * size

    def advance(self, games: int) -> None:
        """Play a round of so many games, a multiple of a duel's; one of none compiles kernels."""
        if games == 0:
            self._points_against(self._champion, 0)
        for _ in range(games // self.settings.duel_games):
            mutant = self._mutant()
            if self._points_against(mutant, self.settings.duel_games // 2) < 0:
                self._go_towards(mutant)
            self._duels += 1
            if self._trials and self.tally.games % GAMES_BETWEEN_TRIALS == 0:
                self._trials.hold(self.network, self.tally.games)

    def _mutant(self) -> Layers:
        """The champion with noise on every weight; the noise comes from the seed and the duel."""
        numbers = np.random.default_rng((self.settings.seed, int(self._duels[0])))
        noise = np.float32(self.settings.noise)
        return Layers(
            *(
                array + noise * numbers.standard_normal(array.shape, np.float32)
                for array in self._champion
            )
        )

    def _points_against(self, mutant: Layers, pairs: int) -> int:
        """Points that the champion wins from a mutant in so many pairs of games, which count."""
        points = np.empty((pairs, 2), np.int8)
        features = self._inputs.features
        plies = play_pairs(
            self.settings.most_plies,
            self._start,
            self._generator,
            Duellist(NETWORK, self._champion, features),
            Duellist(NETWORK, mutant, features),
            self._pubeval,
            points,
        )
        self.tally.counts[GAMES] += points.size
        self.tally.counts[PLIES] += plies
        self.tally.counts[BROKEN_OFF] += np.count_nonzero(points == 0)
        return int(points.sum())

    def _go_towards(self, mutant: Layers) -> None:
        step = np.float32(self._trials.rate if self._trials else self.settings.step)
        for array, other in zip(self._champion, mutant, strict=True):
            array += step * (other - array)
        largest = max(float(np.abs(array).max(initial=0.0)) for array in self._champion)
        if largest > 1.0:
            for array in self._champion:
                array /= np.float32(largest)

    def close(self) -> None:
        """Do nothing: there are no workers."""

    @property
    def network(self) -> Network:
        """The champion as it is now, a copy."""
        return Network(Layers(*(array.copy() for array in self._champion)), self._inputs)

    def state(self) -> Arrays:
        """All that advance changes, as arrays by name."""
        arrays: dict[str, NDArray[np.generic]] = dict(self._champion._asdict())
        counts = {"duels": self._duels, "tally": self.tally.counts}
        trials = self._trials.state() if self._trials else {}
        return {**arrays, "generator": self._generator, **counts, **trials}

    def restore(self, state: Arrays) -> None:
        """Go back to a state; raises ValueError if it is of another network."""
        restore_arrays(self.state(), state)
