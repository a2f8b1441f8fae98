"""Search: plays rated some plies deep, within a move filter and a limit of time."""

import itertools
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.bearoff import known_outcomes
from bot.backgammon.evaluator import CompositeEvaluator
from bot.backgammon.kernels.boards import POINTS, Boards
from bot.backgammon.kernels.plays import MAX_PLAYS, Steps
from bot.backgammon.kernels.search import (
    ROLL_COUNT,
    SearchRoom,
    fill_expectations,
    fill_lookahead,
    fill_ratings,
    fill_replies,
    search_room,
)
from bot.backgammon.kernels.siblings import NO_LAYERS, Rater
from bot.backgammon.move_filter import FILTERS, MOST_PLIES, MoveFilter
from bot.backgammon.network import Network
from bot.backgammon.outcome import OUTPUTS, Outcomes, cubeless_equities
from bot.backgammon.position import turned_boards
from bot.backgammon.roll import Roll

Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]
_Found = dict[tuple[int, int], Outcomes]

MOST_THREADS = 256


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How deep, how wide and how long a search looks.

    ply: the deepest; filters: by rising plies, the first after 0; threads: that compute at once;
    seconds: None to finish whatever it takes; else plies are added, then plays, until the time is
    up, and the last complete rating counts.
    """

    ply: int = 0
    filters: tuple[MoveFilter, ...] = FILTERS["normal"]
    threads: int = 1
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.ply <= MOST_PLIES:
            raise ValueError(f"a search looks 0 to {MOST_PLIES} plies ahead, not {self.ply}")
        plies = [each.plies for each in self.filters]
        if plies[:1] != [0] or plies != sorted(set(plies)):
            raise ValueError(
                "move filters stand after rising plies, the first after 0, "
                f"not after {', '.join(map(str, plies)) or 'none'}"
            )
        if not 1 <= self.threads <= MOST_THREADS:
            raise ValueError(f"a search has 1 to {MOST_THREADS} threads, not {self.threads}")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise ValueError(f"a time limit is more than 0 seconds, not {self.seconds:g}")


class Ratings:
    """The legal plays of a roll and what a search has found out about each.

    after: int8[m, 26] seen by the mover; steps: int8[m, 8], as fill_plays leaves them; outcomes:
    float32[m, 5], the other player's chances after each play; plies: int64[m], how deep it was
    rated; is_exact: bool[m], the chances are known whatever the depth.
    """

    def __init__(
        self, after: Boards, steps: Steps, outcomes: Outcomes, is_exact: Flags | None = None
    ) -> None:
        self.after = after
        self.steps = steps
        self.outcomes = outcomes
        self.is_exact = np.zeros(len(after), np.bool_) if is_exact is None else is_exact
        self.plies: Indices = np.zeros(len(after), np.int64)

    def order(self) -> Indices:
        """Plays from the best on, those rated deeper before all others."""
        order: Indices = np.lexsort((cubeless_equities(self.outcomes), -self.plies))
        return order

    def passing(self, move_filter: MoveFilter) -> Indices:
        """The plays that a filter lets through, of those rated deepest."""
        order = self.order()
        order = order[self.plies[order] == self.plies[order[0]]]
        behind = cubeless_equities(self.outcomes[order])
        within = int(np.count_nonzero(behind - behind[0] <= move_filter.margin))
        passing: Indices = order[: min(within, move_filter.most)]
        return passing

    def copy(self) -> "Ratings":
        """The same plays, to be rated deeper."""
        copied = Ratings(self.after, self.steps, self.outcomes.copy(), self.is_exact)
        copied.plies = self.plies.copy()
        return copied


class Search:
    """Looks ahead for one player, with one evaluator; one request at a time.

    pruner: a small network that chooses which replies within the tree the evaluator's rates.
    """

    def __init__(
        self,
        evaluator: CompositeEvaluator,
        settings: SearchSettings,
        *,
        pruner: Network | None = None,
    ) -> None:
        self.settings = settings
        self._evaluator = evaluator
        pruning = NO_LAYERS if pruner is None else pruner.layers
        self._rater = Rater(evaluator.network.layers, pruning, evaluator.tables)
        self._rooms = [search_room(self._rater) for _ in range(settings.threads)]
        self._pool = ThreadPoolExecutor(settings.threads) if settings.threads > 1 else None
        self._outcomes: Outcomes = np.empty((MAX_PLAYS, OUTPUTS), np.float32)
        self._end = math.inf

    def ratings(self, board: Boards, roll: Roll, *, is_choice: bool = False) -> Ratings:
        """Every legal play of the roll, rated; no plays if none is legal.

        board: int8[26] seen by the mover. is_choice: only the best play is wanted, so that one
        which a filter lets through alone need not be rated deeper.
        """
        self._start_clock()
        room = self._rooms[0]
        count = fill_ratings(board, roll.high, roll.low, self._rater, room, self._outcomes)
        ratings = Ratings(
            room.after[:count].copy(),
            room.steps[:count].copy(),
            self._outcomes[:count].copy(),
            room.siblings.is_exact[:count].copy(),
        )
        if count == 0:
            return ratings
        static = ratings
        found: _Found = {}
        for ply, filters in self._depths():
            deeper = self._deepened(static, ply, filters, found, is_choice)
            if deeper is None:
                break
            ratings = deeper
            if (ratings.plies == self.settings.ply).all():
                break
        return ratings

    def outcomes(self, board: Boards) -> Outcomes:
        """Chances of the player on roll before the dice; int8[26] in, float32[1, 5] out."""
        self._start_clock()
        boards = board[np.newaxis]
        outcomes = self._evaluator.outcomes(boards)
        is_open = (board < 0).any() and not known_outcomes(boards, self._rater.tables)[1][0]
        first = self.settings.ply if self.settings.seconds is None else 1
        for ply in range(first, self.settings.ply + 1) if is_open else ():
            deeper = self._lookahead(boards, ply) if ply > 0 else outcomes
            if deeper is None:
                break
            outcomes = deeper
        return outcomes

    def _start_clock(self) -> None:
        seconds = self.settings.seconds
        self._end = math.inf if seconds is None else time.perf_counter() + seconds

    def _depths(self) -> Iterator[tuple[int, tuple[MoveFilter, ...]]]:
        """Plies and filters, one after the other for as long as there is time."""
        settings = self.settings
        if settings.ply == 0:
            return
        if settings.seconds is None:
            yield settings.ply, settings.filters
            return
        for ply in range(1, settings.ply + 1):
            yield ply, settings.filters
        for doubling in itertools.count(1):
            yield settings.ply, tuple(each.widened(2**doubling) for each in settings.filters)

    def _deepened(
        self,
        static: Ratings,
        ply: int,
        filters: tuple[MoveFilter, ...],
        found: _Found,
        is_choice: bool,
    ) -> Ratings | None:
        """Static ratings bettered filter by filter up to a ply; None if the time is up."""
        ratings = static.copy()
        standing = [each for each in filters if each.plies < ply]
        for move_filter, after in itertools.pairwise([*standing, None]):
            assert move_filter is not None
            plays = ratings.passing(move_filter)
            if is_choice and len(plays) == 1:
                break
            deeper = ply if after is None else after.plies
            wanted = [i for i in plays if not ratings.is_exact[i] and (i, deeper) not in found]
            if wanted:
                outcomes = self._lookahead(turned_boards(ratings.after[wanted]), deeper)
                if outcomes is None:
                    return None
                found.update(((i, deeper), row) for i, row in zip(wanted, outcomes, strict=True))
            for i in plays:
                ratings.outcomes[i] = found.get((i, deeper), ratings.outcomes[i])
                ratings.plies[i] = deeper
        return ratings

    def _lookahead(self, boards: Boards, plies: int) -> Outcomes | None:
        """Chances of the player on roll, so many plies deep; None if the time is up.

        The work is shared out by replies, and added up in the same order by any number of threads.
        """
        outcomes = np.empty((len(boards), OUTPUTS), np.float32)
        if plies == 1 or self._is_alone:
            is_done = self._share(
                len(boards),
                lambda room, part: fill_lookahead(
                    boards[part], plies, self._rater, room, outcomes[part]
                ),
            )
            return outcomes if is_done else None
        replies = np.empty((len(boards), ROLL_COUNT, POINTS), np.int8)
        after_rolls = np.empty((len(boards), ROLL_COUNT, OUTPUTS), np.float32)
        is_exact = np.empty((len(boards), ROLL_COUNT), np.bool_)

        def fill_all_replies(room: SearchRoom, part: slice) -> None:
            for i in range(len(boards))[part]:
                fill_replies(boards[i], self._rater, room, replies[i], after_rolls[i], is_exact[i])

        if not self._share(len(boards), fill_all_replies):
            return None
        open_ends = replies[~is_exact]
        deeper = np.empty((len(open_ends), OUTPUTS), np.float32)
        is_done = self._share(
            len(open_ends),
            lambda room, part: fill_lookahead(
                open_ends[part], plies - 1, self._rater, room, deeper[part]
            ),
        )
        if not is_done:
            return None
        after_rolls[~is_exact] = deeper
        fill_expectations(after_rolls, outcomes)
        return outcomes

    @property
    def _is_alone(self) -> bool:
        """Whether one thread has all the time it wants."""
        return self._pool is None and self._end == math.inf

    def _share(self, count: int, task: Callable[[SearchRoom, slice], None]) -> bool:
        """Let the threads do so many parts of a task; whether they were done within the time."""
        if self._is_alone:
            task(self._rooms[0], slice(0, count))
            return True
        parts = itertools.count()

        def work(room: SearchRoom) -> bool:
            while (part := next(parts)) < count:
                if time.perf_counter() > self._end:
                    return False
                task(room, slice(part, part + 1))
            return True

        if self._pool is None:
            return work(self._rooms[0])
        try:
            workers = [self._pool.submit(work, room) for room in self._rooms]
            were_done = [worker.result() for worker in workers]
        except BaseException:
            self._end = -math.inf
            raise
        return all(were_done)
