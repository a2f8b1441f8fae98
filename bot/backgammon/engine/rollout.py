"""Rollout: positions played out many times, without the cube or by way of cubeful_rollout."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bot.backgammon.engine.level import pruner_of
from bot.backgammon.engine.rollout_dice import first_throws, generator_of
from bot.backgammon.engine.rollout_result import LEAST_TRIALS, Rollout
from bot.backgammon.engine.search import Search, SearchSettings, rater_of
from bot.backgammon.evaluation.bearoff import NO_TABLES, load_tables
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import load_network
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.dice import ROLL_COUNT, Generator
from bot.backgammon.kernels.rollout import (
    Samples,
    Throws,
    add_chances,
    add_luck,
    fill_trials,
    is_settled,
    next_roll,
    no_replies,
)
from bot.backgammon.kernels.search import MAX_PLIES as DEEPEST
from bot.backgammon.kernels.search import fill_replies, search_workspace
from bot.backgammon.rules.outcome import OUTPUTS
from bot.backgammon.rules.position import Position, turned_boards
from bot.backgammon.rules.roll import ROLLS
from bot.weights import DEFAULT
from bot.workers import all_results, worker_pool

MOST_PLIES = 1000
"""No game of players who know anything takes so long; then the rating counts."""

MOST_TRIALS = 1_000_000
MOST_WORKERS = 256

TRIALS_AT_ONCE = (36, 12, 4, 2)
"""Trials between two looks at the error, for 0 to 3 plies."""


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """How often, how far and how well positions are played out.

    trials: games from each position; truncate: plies after which the evaluator's chances count,
    None to play to the end; ply: of both players, as GNU Backgammon counts; seed: of the dice;
    error: stop once no position's equity has a larger standard error, in points; workers:
    processes at once; is_reduced: subtract the luck; knows_endings: a game ends where the
    two-sided bear-off table knows the chances.
    """

    trials: int = 1296
    truncate: int | None = None
    ply: int = 0
    seed: int = 1
    error: float | None = None
    workers: int = 1
    is_reduced: bool = True
    knows_endings: bool = True

    def __post_init__(self) -> None:
        if not 2 <= self.trials <= MOST_TRIALS:
            raise ValueError(f"a rollout has 2 to {MOST_TRIALS:,} trials, not {self.trials}")
        if self.truncate is not None and not 1 <= self.truncate <= MOST_PLIES:
            raise ValueError(
                f"a rollout is truncated after 1 to {MOST_PLIES:,} plies, not {self.truncate}"
            )
        if not 0 <= self.ply <= DEEPEST:
            raise ValueError(f"a rollout is played 0 to {DEEPEST} plies deep, not {self.ply}")
        if self.seed < 0:
            raise ValueError(f"a seed is 0 or more, not {self.seed}")
        if self.error is not None and not 0 < self.error < math.inf:
            raise ValueError(f"the error to stop at is more than 0 points, not {self.error:g}")
        if not 1 <= self.workers <= MOST_WORKERS:
            raise ValueError(f"a rollout has 1 to {MOST_WORKERS} workers, not {self.workers}")


@dataclass(frozen=True, slots=True)
class RolloutPlayer:
    """Who plays both sides: weights by name or file, with or without the bear-off tables."""

    weights: str = DEFAULT
    has_tables: bool = True

    def evaluator(self) -> CompositeEvaluator:
        """What it rates positions by; raises ValueError if there are no such weights."""
        tables = load_tables(_tell_nobody) if self.has_tables else NO_TABLES
        return CompositeEvaluator(load_network(self.weights), tables)


def rollouts(
    positions: Sequence[Position], player: RolloutPlayer, settings: RolloutSettings
) -> Iterator[tuple[Rollout, ...]]:
    """Roll out positions, all with the same dice: what is known, again and again up to the end.

    Each position is seen by the player on roll, before the roll. Trial t depends on the seed and t
    alone, and the answer not on the number of workers. Raises ValueError if there are no such
    weights, ChildProcessError if a worker dies.
    """
    boards = [tuple(position.points) for position in positions]

    def is_done(trials: Samples) -> bool:
        errors = (Rollout(*each).equity_error for each in trials)
        return is_enough(trials.shape[2], errors, settings)

    for trials in trials_of(piece_of_rollout, boards, OUTPUTS, player, settings, is_done):
        yield tuple(Rollout(*each) for each in trials)


def trials_of(
    work: Callable[..., Samples],
    starts: Sequence[Hashable],
    columns: int,
    player: RolloutPlayer,
    settings: RolloutSettings,
    is_done: Callable[[Samples], bool],
) -> Iterator[Samples]:
    """Results and lucks of each start's trials, as they grow; float64[starts, 2, n, columns].

    work(player, settings, start, first, end) plays a piece of them, float64[2, end - first,
    columns]; is_done is asked in the same places whatever the number of workers.
    """
    trials = np.empty((len(starts), 2, settings.trials, columns))
    at_once = TRIALS_AT_ONCE[settings.ply]
    firsts = range(0, settings.trials, at_once)
    if settings.workers == 1:
        per_round = 1
    else:
        per_round = math.ceil(2 * settings.workers / max(len(starts), 1))
    pool = nullcontext() if settings.workers == 1 else worker_pool(settings.workers)
    with pool as workers:
        for number in range(0, len(firsts), per_round):
            pieces = [
                (player, settings, start, first, min(first + at_once, settings.trials))
                for first in firsts[number : number + per_round]
                for start in starts
            ]
            if workers is None:
                found = [work(*piece) for piece in pieces]
            else:
                found = all_results(workers, work, pieces)
            for i, (_, _, _, first, end) in enumerate(pieces):
                trials[i % len(starts), :, first:end] = found[i]
            for first in firsts[number : number + per_round]:
                end = min(first + at_once, settings.trials)
                if is_done(trials[:, :, :end]):
                    yield trials[:, :, :end]
                    return
            yield trials[:, :, :end]


def is_enough(trials: int, errors: Iterable[float], settings: RolloutSettings) -> bool:
    """Whether so many trials with such errors of the equities, in points, are enough."""
    if settings.error is None or trials < LEAST_TRIALS:
        return False
    return all(error <= settings.error for error in errors)


class Seat:
    """A player ready to play: evaluator, search and scratch memory."""

    def __init__(self, player: RolloutPlayer, ply: int) -> None:
        self.evaluator = player.evaluator()
        pruner = pruner_of(self.evaluator.network)
        self.rater = rater_of(self.evaluator, pruner)
        self.room = search_workspace(self.rater)
        self.search = None
        if ply > 0:
            self.search = Search(self.evaluator, SearchSettings(ply), pruner=pruner)


@lru_cache(maxsize=1)
def seat_of(player: RolloutPlayer, ply: int) -> Seat:
    """The player at his place; kept for the next piece."""
    return Seat(player, ply)


class Games(ABC):
    """The games from one start, with what they have in common.

    columns: what is counted of each; the first five are the chances of the start's player on roll.
    """

    def __init__(self, seat: Seat, settings: RolloutSettings, board: Boards, columns: int) -> None:
        self._seat = seat
        self._settings = settings
        self._board = board
        self._columns = columns
        self._known = len(seat.rater.tables.wins) if settings.knows_endings else 0
        self._most_plies = settings.truncate or MOST_PLIES

    def trials(self, first: int, end: int) -> Samples:
        """Their results and lucks; float64[2, end - first, columns]."""
        both: Samples = np.zeros((2, end - first, self._columns))
        results, lucks = both
        decided = self._decided()
        if decided is not None:
            results[:] = decided
            return both
        throws = first_throws(self._settings.seed, first, end)
        generators = np.stack([generator_of(self._settings.seed, t) for t in range(first, end)])
        if self._seat.search is None:
            self._fill(throws, generators, results, lucks)
            return both
        for i in range(end - first):
            self._play(self._seat.search, throws[i], generators[i], results[i], lucks[i])
        return both

    @abstractmethod
    def _decided(self) -> Samples | None:
        """The result of every game if none has to be played, float64[columns]; else None."""

    @abstractmethod
    def _fill(
        self, throws: Throws, generators: Generator, results: Samples, lucks: Samples
    ) -> None:
        """All trials, both sides 0 plies deep."""

    @abstractmethod
    def _play(
        self,
        search: Search,
        throws: Throws,
        generator: Generator,
        result: Samples,
        lucks: Samples,
    ) -> None:
        """One trial in which plays are searched for; the luck is as it is seen 0 plies deep."""


def piece_of_rollout(
    player: RolloutPlayer, settings: RolloutSettings, points: tuple[int, ...], first: int, end: int
) -> Samples:
    """Results and lucks of trials from the first up to the end; float64[2, end - first, 5]."""
    return _games_of(player, settings, points).trials(first, end)


class _CubelessGames(Games):
    """Games from a position without the cube."""

    def __init__(self, seat: Seat, settings: RolloutSettings, board: Boards) -> None:
        super().__init__(seat, settings, board, OUTPUTS)
        self._replies = no_replies()

    def _decided(self) -> Samples | None:
        if not is_settled(self._board, self._known):
            return None
        outcomes = self._seat.evaluator.outcomes(self._board[np.newaxis])
        chances: Samples = outcomes[0].astype(np.float64)
        return chances

    def _fill(
        self, throws: Throws, generators: Generator, results: Samples, lucks: Samples
    ) -> None:
        fill_trials(
            self._board,
            throws,
            generators,
            self._most_plies,
            self._known,
            self._settings.is_reduced,
            self._seat.rater,
            self._seat.room,
            self._replies,
            results,
            lucks,
        )

    def _play(
        self,
        search: Search,
        throws: Throws,
        generator: Generator,
        result: Samples,
        lucks: Samples,
    ) -> None:
        seat, board = self._seat, self._board
        replies = np.empty((ROLL_COUNT, len(board)), np.int8)
        outcomes = np.empty((ROLL_COUNT, OUTPUTS), np.float32)
        is_exact = np.empty(ROLL_COUNT, np.bool_)
        for ply in range(self._most_plies):
            is_own = ply % 2 == 1
            roll = next_roll(throws, ply, generator)
            if self._settings.is_reduced:
                fill_replies(board, seat.rater, seat.room, replies, outcomes, is_exact)
                add_luck(outcomes, roll, is_own, lucks)
            board = turned_boards(search.choice(board, ROLLS[roll])[np.newaxis])[0]
            if ply == self._most_plies - 1 or is_settled(board, self._known):
                add_chances(seat.evaluator.outcomes(board[np.newaxis])[0], is_own, result)
                return


@lru_cache(maxsize=64)
def _games_of(
    player: RolloutPlayer, settings: RolloutSettings, points: tuple[int, ...]
) -> _CubelessGames:
    return _CubelessGames(seat_of(player, settings.ply), settings, np.array(points, np.int8))


def _tell_nobody(text: str) -> None:
    """Tables are built in silence; who wants to hear of it loads them first."""
