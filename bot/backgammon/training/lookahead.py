"""Lookahead: the network learns what one ply of search with it already knows."""

import json
import logging
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.archive import Arrays
from bot.backgammon.engine.nets import nets_of
from bot.backgammon.evaluation.bearoff import NO_DATABASES, load_databases
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.inputs import input_set
from bot.backgammon.evaluation.network import Network, load_network
from bot.backgammon.kernels.bearoff import BearoffDatabases
from bot.backgammon.kernels.boards import CHECKERS, POINTS, Boards, side_checkers
from bot.backgammon.kernels.dice import Generator
from bot.backgammon.kernels.lookahead import (
    MAX_CANDIDATES,
    Mix,
    example_tools,
    fill_examples,
)
from bot.backgammon.kernels.network import Floats, Layers
from bot.backgammon.kernels.selfplay import START_BOARD
from bot.backgammon.rules.outcome import OUTPUTS
from bot.backgammon.training.game_count import GameCount
from bot.backgammon.training.plays_lost import PlaysLost, plays_lost
from bot.backgammon.training.settings import Settings
from bot.backgammon.training.student import Student
from bot.generator import new_generator
from bot.weights import DEFAULT
from bot.workers import Pool, Published, all_results, result_of, submitted, worker_pool

PLIES_PER_GAME = 80
"""Room a worker's round has for each game, on average, if every ply has all its candidates; more
positions are left out."""

ENOUGH_BATCHES = 800
"""Batches the window holds before the student begins, unless that is more than half of it.

With fewer a network that knows much already forgets half of it over the same few positions.
"""

GAMES_OF_PIECE = 20
"""Games of one share of a test, so that a test is the same whatever the number of workers."""

COMPARED = 4
"""Plays of a roll that a test compares at most."""

TEST_STREAMS = 1_000_000
"""Streams of dice from here on are those of tests; every worker has one of the first."""

_LOG = logging.getLogger("blot.training")

Examples = tuple[Boards, Floats, NDArray[np.int8], Generator, NDArray[np.int64]]


class Lookahead:
    """A teacher that plays itself and looks one ply ahead, and the student that learns from it.

    Each round the workers make examples with the teacher's weights while the student learns from
    the window of earlier ones; every promote_every games the student's averaged weights become the
    teacher. Close it when done. start: the board of its games, int8[26], with all the checkers that
    each side has in the game; with other than fifteen there are no layouts.
    """

    def __init__(self, settings: Settings, start: Boards = START_BOARD) -> None:
        if settings.layouts and side_checkers(start) != CHECKERS:
            raise ValueError(f"the layouts are for games of {CHECKERS} checkers a side")
        self.settings = settings
        self._start = start
        self.tally = GameCount()
        self._student = Student(
            input_set(settings.inputs), settings.units, settings.seed, settings.phases
        )
        if settings.start:
            self._student.start_from(load_network(settings.start))
        self._teacher = load_network(settings.teacher or settings.start or DEFAULT)
        _pruner(settings.pruner)
        streams = range(settings.workers)
        self._generators = np.stack([new_generator(settings.seed, stream) for stream in streams])
        self._numbers = np.random.Generator(np.random.PCG64(settings.seed))
        self._window = Window(settings.window, settings.candidates)
        self._promoted = np.zeros(1, np.int64)
        self._pool: Pool | None = None
        self._published: Published[Network] | None = None

    @property
    def round_games(self) -> int:
        """Games of a round, which takes some seconds."""
        return 100 * self.settings.workers

    def advance(self, games: int) -> None:
        """One round: examples from about so many games, and steps of learning in the meantime.

        A round of none makes ready. Raises ChildProcessError if a worker dies.
        """
        if self._pool is None:
            self._pool = worker_pool(self.settings.workers)
            all_results(self._pool, _examples, self._pieces(self._pool, 0))
        if games == 0:
            return
        self._promote()
        making = submitted(self._pool, _examples, self._pieces(self._pool, games))
        self._learn(games)
        made = [result_of(self._pool, future) for future in making]
        for worker, (boards, targets, places, generator, counts) in enumerate(made):
            self._window.add(boards, targets, places)
            self._generators[worker] = generator
            self.tally.counts += counts

    def _promote(self) -> None:
        """Make the student the teacher if that is due.

        Not before the next round: the teacher is to judge a test whose student learnt from it.
        """
        if self.tally.games - self._promoted[0] >= self.settings.promote_every:
            self._promoted[0] = self.tally.games
            self._teacher = self.network
            self._published = None

    def _pieces(self, pool: Pool, games: int) -> list[tuple[object, ...]]:
        workers = self.settings.workers
        published, mix = self._published_by(pool), self._mix
        shares = [games // workers + (worker < games % workers) for worker in range(workers)]
        return [
            (published, self.settings.pruner, mix, generator, share)
            for generator, share in zip(self._generators, shares, strict=True)
        ]

    def _published_by(self, pool: Pool) -> Published[Network]:
        """The teacher, sent to the workers once."""
        if self._published is None:
            self._published = pool.publish(self._teacher)
        return self._published

    @property
    def _mix(self) -> Mix:
        return mix_of(self.settings)._replace(start=self._start)

    def _learn(self, games: int) -> None:
        """The steps due for a round of so many games, once the window has enough to choose from."""
        settings = self.settings
        if self._window.filled < min(settings.batch * ENOUGH_BATCHES, settings.window // 2):
            return
        examples = games * self._window.added / max(self.tally.games, 1)
        rate = settings.rate_at(self.tally.games)
        for _ in range(round(settings.passes * examples / settings.batch)):
            boards, targets, firsts = self._window.batch(settings.batch, self._numbers)
            self._student.learn(
                boards, targets, rate, settings.averaging, firsts, settings.contrast
            )

    def plays_lost(self, games: int) -> PlaysLost | None:
        """The mean loss of student and teacher in new games of the teacher's, about so many.

        Nobody learns from them. Neither layouts nor a trace have a part in it. The dice depend on
        the settings' seed alone. Needs the workers, see advance. Raises ChildProcessError if one
        of them dies.
        """
        pool = self._pool
        assert pool is not None, "a round of no games has started the workers"
        teacher, pruner = self._published_by(pool), self.settings.pruner
        mix = self._mix._replace(layouts=0.0, candidates=COMPARED, trace=0.0)
        streams = range(TEST_STREAMS, TEST_STREAMS + max(games // GAMES_OF_PIECE, 1))
        dice = [new_generator(self.settings.seed, stream) for stream in streams]
        pieces = [(teacher, pruner, mix, generator, GAMES_OF_PIECE) for generator in dice]
        found = [each[:3] for each in all_results(pool, _examples, pieces)]
        return plays_lost(self.network, self._teacher, found)

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = self._published = None

    @property
    def network(self) -> Network:
        """The student's averaged weights, a copy."""
        return Network(self._student.layers, self._student.inputs)

    def state(self) -> Arrays:
        """All that advance changes, as arrays by name."""
        teacher = {
            f"teacher_{name}": array for name, array in self._teacher.layers._asdict().items()
        }
        numbers = np.array(json.dumps(self._numbers.bit_generator.state))
        return {
            **self._student.state(),
            **self._window.state(),
            **teacher,
            "teacher_inputs": np.array(str(self._teacher.inputs)),
            "pruner": np.array(_mark_of_pruner(self.settings.pruner)),
            "numbers": numbers,
            "generators": self._generators,
            "tally": self.tally.counts,
            "promoted": self._promoted,
        }

    def restore(self, state: Arrays) -> None:
        """Go back to a state; raises ValueError if it is of another network."""
        pruner = self.settings.pruner
        if "pruner" in state and str(state["pruner"]) != _mark_of_pruner(pruner):
            raise ValueError(f"the pruner {pruner} is another network than it began with")
        try:
            own = {
                **self._student.state(),
                "generators": self._generators,
                "tally": self.tally.counts,
                "promoted": self._promoted,
            }
            for name, array in own.items():
                if state[name].shape != array.shape:
                    raise ValueError(f"{name} in the checkpoint does not fit these settings")
                array[...] = state[name]
            self._window.restore(state)
            # from before hidden units could be logistic and a teacher could see less than its pupil
            saved = {
                "teacher_logistic": np.zeros((0, 0), np.float32),
                "teacher_inputs": np.array(str(self._student.inputs)),
                **state,
            }
            layers = Layers(
                *(np.ascontiguousarray(saved[f"teacher_{name}"]) for name in Layers._fields)
            )
            self._teacher = Network(layers, input_set(str(saved["teacher_inputs"])))
            self._published = None
            self._numbers.bit_generator.state = json.loads(str(state["numbers"]))
        except KeyError as error:
            raise ValueError(f"the checkpoint has no {error}") from None


class Window:
    """The latest examples, as many as it has room for, to draw batches from.

    Examples that stand side by side, as fill_examples says by their places, are drawn together:
    candidates at most.
    """

    def __init__(self, room: int, candidates: int) -> None:
        self._boards: Boards = np.zeros((room, POINTS), np.int8)
        self._targets: Floats = np.zeros((room, OUTPUTS), np.float32)
        self._places: NDArray[np.int8] = np.zeros(room, np.int8)
        self._candidates = np.arange(candidates)
        self.added = 0

    @property
    def filled(self) -> int:
        """Examples there are."""
        return min(self.added, len(self._boards))

    def add(self, boards: Boards, targets: Floats, places: NDArray[np.int8]) -> None:
        """Put examples in the stead of the oldest; int8[n, 26], float32[n, 5] and int8[n]."""
        rows = (self.added + np.arange(len(boards))) % len(self._boards)
        self._boards[rows] = boards
        self._targets[rows] = targets
        self._places[rows] = places
        self.added += len(boards)
        if self.added >= len(self._boards):
            self._places[self.added % len(self._boards)] = 0  # its first ones are overwritten

    def batch(
        self, size: int, numbers: np.random.Generator
    ) -> tuple[Boards, Floats, NDArray[np.int64]]:
        """A batch of about so many examples, drawn with replacement, and the first of each group.

        A group is what stands side by side; each is as likely as any other to be drawn.
        """
        drawn = numbers.integers(0, self.filled, size)
        firsts = drawn[self._places[drawn] == 0]
        if not len(firsts):
            firsts = np.flatnonzero(self._places[: self.filled] == 0)[:1]
        rows = (firsts[:, np.newaxis] + self._candidates) % self.filled
        is_of_group = np.logical_and.accumulate(self._places[rows] == self._candidates, axis=1)
        sizes = is_of_group.sum(axis=1)
        rows = rows[is_of_group]
        return self._boards[rows], self._targets[rows], np.cumsum(sizes) - sizes

    def state(self) -> dict[str, NDArray[Any]]:
        """The examples there are, and how many there have been."""
        filled = self.filled
        return {
            "window_boards": self._boards[:filled],
            "window_targets": self._targets[:filled],
            "window_places": self._places[:filled],
            "window_added": np.array([self.added]),
        }

    def restore(self, state: Arrays) -> None:
        """Go back to a state."""
        filled = len(state["window_boards"])
        self._boards[:filled] = state["window_boards"]
        self._targets[:filled] = state["window_targets"]
        self._places[:filled] = state["window_places"]
        self.added = int(state["window_added"][0])


@cache
def _databases() -> BearoffDatabases:
    return load_databases(_LOG.info)


@cache
def _pruner(name: str) -> Network | None:
    return load_network(name) if name else None


@cache
def _mark_of_pruner(name: str) -> str:
    """A mark of the network, another for any other; empty for none."""
    network = _pruner(name)
    if network is None:
        return ""
    return sha256(b"".join(layer.tobytes() for layer in network.layers)).hexdigest()


def mix_of(settings: Settings) -> Mix:
    """The games that the settings ask for."""
    return Mix(
        float(settings.layouts),
        settings.candidates,
        float(settings.trace),
        float(settings.layout_trace),
    )


def _examples(
    teacher: Published[Network], pruner: str, mix: Mix, generator: Generator, games: int
) -> Examples:
    """A worker's share of a round; see examples_of."""
    return examples_of(teacher.get(), pruner, mix, generator, games)


def examples_of(
    teacher: Network,
    pruner: str,
    mix: Mix,
    generator: Generator,
    games: int,
    starts: Sequence[Boards] = (),
) -> Examples:
    """Examples of so many games: positions, targets, places, the dice afterwards and counts.

    As fill_examples makes them. pruner: name or file of its network, empty for none. starts: boards
    that the first games begin with in the mix's stead, int8[26] each, one a game: layouts.
    """
    most = max(games * PLIES_PER_GAME, 1) * mix.candidates + MAX_CANDIDATES
    boards = np.empty((most, POINTS), np.int8)
    targets = np.empty((most, OUTPUTS), np.float32)
    places = np.empty(most, np.int8)
    counts = np.zeros(3, np.int64)
    checkers = int(side_checkers(mix.start))
    databases = _databases() if checkers == CHECKERS else NO_DATABASES
    nets = nets_of(CompositeEvaluator(teacher, databases), _pruner(pruner))
    tools = example_tools(nets._replace(checkers=checkers))
    rounds = [(1, mix._replace(start=start, is_layout=True)) for start in starts]
    filled = 0
    for count, each in [*rounds, (games - len(rounds), mix)]:
        if most - filled <= MAX_CANDIDATES:
            break
        left = boards[filled:], targets[filled:], places[filled:]
        filled += fill_examples(count, each, tools, generator, *left, counts)
    return boards[:filled], targets[:filled], places[:filled], generator, counts
