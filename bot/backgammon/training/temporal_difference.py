"""TD(lambda): the network learns after each game, by what it evaluated each position at."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.archive import Arrays
from bot.backgammon.evaluation.inputs import input_set
from bot.backgammon.evaluation.network import Network, load_network, random_network
from bot.backgammon.kernels.boards import POINTS, Boards
from bot.backgammon.kernels.dice import Generator
from bot.backgammon.kernels.learning import (
    BACKWARD,
    CROSS_ENTROPY,
    OUTCOME,
    SQUARES,
    TRACES,
    Method,
)
from bot.backgammon.kernels.network import Layers
from bot.backgammon.kernels.selfplay import (
    START_BOARD,
    learn_by_selfplay,
    learn_from_games,
    play_games,
)
from bot.backgammon.training.game_count import GameCount
from bot.backgammon.training.rate_trials import RateTrials
from bot.backgammon.training.settings import (
    GAMES_BETWEEN_TRIALS,
    Activation,
    LearnerName,
    Loss,
    Schedule,
    Settings,
    Update,
)
from bot.backgammon.training.shared_weights import SharedWeights, copy_layers
from bot.backgammon.training.student import Student
from bot.generator import new_generator
from bot.workers import ProcessPool, joint_results, shared_with_workers

PIECE = 20
"""Games that a worker plays between two turns to learn: few enough that no turn is waited for."""

GAMES_OF_ROUND = 1000
"""Games of each worker in a round, at the end of which they wait for each other."""

SECONDS_OF_ROUND = 24 * 3600.0
"""Longest time of a round: only one worker learns at a time, and with 4,096 units by traces a game
takes 0.4 s. Who waits in vain for its turn says so much earlier."""


class TemporalDifference:
    """A network playing itself; what it learns depends on nothing but the settings.

    By backpropagation it learns each game, once it is over, by its outcome alone, from the last
    position to the first; nothing is learnt from a game broken off.

    One worker learns from each game before the next. Several play a piece each, a few games, with
    copies of the weights, and learn from it one after another in a fixed order, each step made on
    the newest weights; only plays are chosen by weights that some pieces have not changed yet.
    Close it when done. start: the board that its games begin with, int8[26], with all the checkers
    that each side has in the game.
    """

    def __init__(self, settings: Settings, start: Boards = START_BOARD) -> None:
        self.settings = settings
        self._start = start
        self.tally = GameCount()
        network = first_network(settings)
        self._layers, self._inputs = network.layers, network.inputs
        self._generators = np.stack(
            [new_generator(settings.seed, stream) for stream in range(settings.workers)]
        )
        is_tried = settings.schedule is Schedule.TRIALS
        self._trials = RateTrials(settings, network) if is_tried else None
        self._shared: SharedWeights | None = None
        self._pool: ProcessPool | None = None

    @property
    def round_games(self) -> int:
        """Games of a round: some tenths of a second, with several workers some seconds."""
        workers = self.settings.workers
        return 100 if workers == 1 else GAMES_OF_ROUND * workers

    def advance(self, games: int) -> None:
        """Play a round of so many games and learn from each.

        A round of none makes ready: kernels are compiled and workers started. Raises
        ChildProcessError if a worker dies; nothing has changed then since the last trial of the
        rate, if there are any in the round.
        """
        if self._trials is None:
            self._advance(games)
            return
        end = self.tally.games + games
        while True:
            until_trial = GAMES_BETWEEN_TRIALS - self.tally.games % GAMES_BETWEEN_TRIALS
            part = min(end - self.tally.games, until_trial)
            self._advance(part, self._trials.rate)
            if part == until_trial:
                self._trials.hold(self.network, self.tally.games)
            if self.tally.games == end:
                break

    def _advance(self, games: int, rate: float | None = None) -> None:
        """Play so many games and learn from each; rate: that of the schedule if None."""
        if self.settings.workers > 1:
            self._advance_together(games, rate)
        else:
            learn_by_selfplay(
                games,
                self.settings.most_plies,
                method_at(self.settings, self.tally.games, rate),
                self._generators[0],
                self._start,
                self._layers,
                self._inputs.features,
                self.tally.counts,
            )

    def _advance_together(self, games: int, rate: float | None) -> None:
        """A round whose pieces are shared out: one after another to each worker in turn."""
        settings = self.settings
        if self._pool is None or self._shared is None:
            self._shared = SharedWeights(self._layers)
            self._pool = ProcessPool(settings.workers, self._shared)
        self._shared.begin(self._layers)
        done = self.tally.games
        shares = [
            (settings, rate, done, games, worker, self._start, self._layers, generator)
            for worker, generator in enumerate(self._generators)
        ]
        learnt = joint_results(self._pool, _learnt, shares, SECONDS_OF_ROUND)
        for worker, (generator, counts) in enumerate(learnt):
            self._generators[worker] = generator
            self.tally.counts += counts
        copy_layers(self._shared.layers, self._layers)

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    @property
    def network(self) -> Network:
        """The network as it is now, a copy."""
        return Network(Layers(*(array.copy() for array in self._layers)), self._inputs)

    def state(self) -> Arrays:
        """All that advance changes, as arrays by name."""
        arrays: dict[str, NDArray[Any]] = dict(self._layers._asdict())
        generators = self._generators.reshape(-1)
        trials = self._trials.state() if self._trials else {}
        return {**arrays, "generator": generators, "tally": self.tally.counts, **trials}

    def restore(self, state: Arrays) -> None:
        """Go back to a state; raises ValueError if it is of another network."""
        restore_arrays(self.state(), state)


def restore_arrays(arrays: Arrays, saved: Arrays) -> None:
    """Give a learner's own arrays the values saved; raises ValueError if they do not fit."""
    for name, array in arrays.items():
        if array.size == 0:
            continue
        value = saved.get(name)
        if value is None or value.shape != array.shape or value.dtype != array.dtype:
            raise ValueError(f"{name} in the checkpoint does not fit these settings")
        array[...] = value


def first_network(settings: Settings) -> Network:
    """Random weights, or those of the network to start from, made as wide as the settings say."""
    inputs = input_set(settings.inputs)
    is_logistic = settings.activation is Activation.LOGISTIC
    if not settings.start:
        return random_network(
            settings.hidden_units,
            settings.seed,
            inputs,
            settings.outputs,
            is_logistic=is_logistic,
        )
    units = (settings.hidden_units,)
    student = Student(
        inputs, units, settings.seed, outputs=settings.outputs, is_logistic=is_logistic
    )
    student.start_from(load_network(settings.start))
    return Network(student.layers, inputs)


_UPDATES = {Update.BACKWARD: BACKWARD, Update.TRACES: TRACES}
_LOSSES = {Loss.CROSS_ENTROPY: CROSS_ENTROPY, Loss.SQUARES: SQUARES}


def method_at(settings: Settings, games: int, rate: float | None) -> Method:
    """The way to learn a game once so many have been played; rate: the schedule's if None."""
    is_outcome = settings.learner is LearnerName.BACKPROPAGATION
    update = OUTCOME if is_outcome else _UPDATES[settings.update]
    loss = _LOSSES[settings.loss]
    if rate is None:
        rate = settings.rate_at(games)
    return Method(update, rate, float(settings.trace), loss)


def _learnt(
    settings: Settings,
    rate: float | None,
    done: int,
    games: int,
    worker: int,
    start: Boards,
    layers: Layers,
    generator: Generator,
) -> tuple[Generator, NDArray[np.int64]]:
    """A worker's share of a round; its dice afterwards, and what it counted.

    rate: the schedule's if None; done: games of earlier rounds; games: of this one; start: the
    board that its games begin with; layers: at its beginning.
    """
    shared = shared_with_workers()
    assert isinstance(shared, SharedWeights)
    counts = np.zeros(3, np.int64)
    positions = np.empty((PIECE * (settings.most_plies + 1), POINTS), np.int8)
    features = input_set(settings.inputs).features
    pieces = max(-(-games // PIECE), settings.workers)
    for piece in range(worker, pieces, settings.workers):
        size = min(max(games - piece * PIECE, 0), PIECE)
        plies, points = np.empty((2, size), np.int32)
        room = positions[: size * (settings.most_plies + 1)]
        play_games(generator, start, layers, features, room, plies, points)
        method = method_at(settings, done + piece * PIECE, rate)
        with shared.turn(piece) as newest:
            learn_from_games(positions, plies, points, method, newest, features, counts)
            copy_layers(newest, layers)
    return generator, counts
