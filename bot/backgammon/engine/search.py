"""Search: plays evaluated some plies deep, within a move filter and a limit of time."""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from bot.backgammon.engine.candidates import CUBELESS, Candidates
from bot.backgammon.engine.move_filter import FILTERS, MoveFilter, leads_at
from bot.backgammon.engine.nets import nets_of
from bot.backgammon.engine.team import Team
from bot.backgammon.evaluation.cube import Values, rolled_values, states_of
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.kinds import have_two_anchors
from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.boards import POINTS, Boards
from bot.backgammon.kernels.cube import CubeTable, fill_utility_weights
from bot.backgammon.kernels.dice import ROLL_COUNT
from bot.backgammon.kernels.expectations import fill_expectations, fill_rolled
from bot.backgammon.kernels.outcomes import MONEY, Weights
from bot.backgammon.kernels.search import (
    MAX_PLIES,
    Tools,
    evaluate_roll,
    fill_leaves,
    fill_lookahead,
    fill_nodes,
    fill_replies_of,
    search_tools,
)
from bot.backgammon.kernels.siblings import Nets
from bot.backgammon.rules.outcome import OUTPUTS, Outcomes
from bot.backgammon.rules.position import turned_boards
from bot.backgammon.rules.roll import Roll
from bot.kernels.held import Held

_Found = dict[tuple[int, int], tuple[Outcomes, Values]]

_ThreadsTools = list[Held[Tools]]

Margin = Callable[[Values, CubeTable], float]
"""By how much the best that can be done before the dice is better than anything else, in points,
where float64[K] is what rolling is worth."""

TIE_BREAK = 1e-5
"""Weight of money equity beside the utility by which replies are chosen at a score.

It decides between replies that are worth the same there. So where a gammon counts for nothing the
chances that come out are those of a player who still prefers to win one.
"""

MAX_THREADS = 256

WIDENINGS = 12
"""Times that filters let twice as much through while there is time; then nothing is kept out."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Settings of a search: how deep, how wide and how long it looks.

    ply: the deepest; filters: by rising plies, the first after 0; threads: that compute at once;
    seconds: None to finish whatever it takes; else plies are added, then plays, until the time is
    up, and the last complete evaluation counts. Raises ValueError for numbers beyond their bounds,
    and filters that do not follow each other.
    """

    ply: int = 0
    filters: tuple[MoveFilter, ...] = FILTERS["normal"]
    threads: int = 1
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.ply <= MAX_PLIES:
            raise ValueError(f"a search looks 0 to {MAX_PLIES} plies ahead, not {self.ply}")
        plies = [each.plies for each in self.filters]
        if plies[:1] != [0] or plies != sorted(set(plies)):
            raise ValueError(
                "move filters stand after rising plies, the first after 0, "
                f"not after {', '.join(map(str, plies)) or 'none'}"
            )
        if not 1 <= self.threads <= MAX_THREADS:
            raise ValueError(f"a search has 1 to {MAX_THREADS} threads, not {self.threads}")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise ValueError(f"a time limit is more than 0 seconds, not {self.seconds:g}")


NO_SEARCH = SearchSettings()


def _tools(nets: Nets, threads: int) -> _ThreadsTools:
    return [search_tools(nets) for _ in range(threads)]


class Search:
    """Looks ahead for one player, with one evaluator; one request at a time.

    The evaluator evaluates up to one ply deep. Whatever is looked at deeper is evaluated by the
    evaluator's tree, a quicker one; where a side holds two anchors, by the evaluator itself.
    pruner: a small network that chooses which replies are evaluated. keeps_replies: whether
    `replies` tells what the last search saw one roll behind the plays. stop: when another thread
    sets it, a search ends as if its time were up; whoever set it clears it.
    """

    def __init__(
        self,
        evaluator: CompositeEvaluator,
        settings: SearchSettings,
        *,
        pruner: Network | None = None,
        keeps_replies: bool = False,
        stop: threading.Event | None = None,
    ) -> None:
        self.settings = settings
        self._keeps_replies = keeps_replies
        self._replies: dict[bytes, tuple[Outcomes, Values]] = {}
        self._stop = stop
        self._near = _tools(nets_of(evaluator, pruner), settings.threads)
        self._trees = self._far = self._near
        if settings.ply > 1 and evaluator.tree is not evaluator:
            self._trees = _tools(nets_of(evaluator.tree, pruner), settings.threads)
        self._cube = CUBELESS
        self._worths = (MONEY, MONEY)
        self._team = Team(settings.threads)
        self._end = math.inf

    def candidates(
        self,
        board: Boards,
        roll: Roll,
        *,
        cube: CubeTable = CUBELESS,
        is_choice: bool = False,
        wanted: Sequence[Boards] = (),
    ) -> Candidates:
        """Every legal play of the roll, evaluated; no plays if none is legal.

        board: int8[26] seen by the mover. is_choice: only the best play is wanted, so that one
        which a filter lets through alone need not be evaluated deeper. wanted: int8[26] after plays
        that every filter lets through.
        """
        self._start(board, cube)
        tools = self._near[0]
        _, workspace, _ = tools.values
        count = evaluate_roll(board, roll.high, roll.low, tools)
        evaluated = workspace.siblings.evaluated
        candidates = Candidates(
            workspace.after[:count].copy(),
            workspace.steps[:count].copy(),
            evaluated.outcomes[:count].copy(),
            evaluated.is_exact[:count].copy(),
            cube,
        )
        if count == 0:
            return candidates
        for after in wanted:
            candidates.is_wanted |= (candidates.after == after).all(axis=1)
        static = candidates
        found: _Found = {}
        for ply, filters in self._depths():
            deeper = self._deepened(static, ply, filters, found, is_choice)
            if deeper is None:
                break
            candidates = deeper
        return candidates

    def choice(self, board: Boards, roll: Roll, *, cube: CubeTable = CUBELESS) -> Boards:
        """The board after the best play of the roll; the same board if the roll allows none.

        int8[26] in and out, seen by the mover.
        """
        candidates = self.candidates(board, roll, cube=cube, is_choice=True)
        return candidates.after[candidates.ranked()[0][0]] if len(candidates.after) else board

    def replies(self, board: Boards) -> tuple[Outcomes, Values] | None:
        """The chances seen by the last search after the best reply to each roll, and their worth.

        board: int8[26] after a play, seen by who is to reply. Returns chances of the other player,
        whose search it was, float32[21, 5], and their worth to him in every state of the cube,
        float64[21, K], a ply less deep than the play was looked into; None if it was not.
        """
        return self._replies.get(board.tobytes())

    def outcomes(self, board: Boards) -> Outcomes:
        """Chances of the player on roll before the dice; int8[26] in, float32[1, 5] out."""
        return self.rolled(board, CUBELESS)[0]

    def rolled(
        self, board: Boards, cube: CubeTable, *, margin: Margin | None = None
    ) -> tuple[Outcomes, Values]:
        """Chances before the dice, and what rolling now is worth in every state of the cube.

        board: int8[26] seen by the player on roll, who is the root's. margin: if given, nothing is
        looked into any deeper where it is more than a filter's lead. Returns float32[1, 5] and
        float64[1, K].
        """
        self._start(board, cube)
        boards = board[np.newaxis]
        tools = self._near[0]
        # what the other side has left, who has thrown no dice and moved nothing
        evaluate_roll(turned_boards(boards)[0], 0, 0, tools)
        evaluated = tools.values[1].siblings.evaluated
        outcomes, is_known = evaluated.outcomes[:1].copy(), evaluated.is_exact[:1].copy()
        rolled = np.empty((1, states_of(cube)))
        # for is_known, which stays true only where what the cube is worth is known too
        fill_leaves(boards, outcomes, 0, cube, is_known, rolled)
        if states_of(cube) > 0:
            rolled = rolled_values(boards, outcomes, 0, cube)
        leads = leads_at(board, self.settings.filters)
        reached = 0
        for ply in self._plies(margin is not None) if not is_known[0] else ():
            if margin is not None and margin(rolled[0], cube) > leads.get(reached, math.inf):
                break
            deeper = self._lookahead(boards, ply, 0)
            if deeper is None:
                break
            outcomes, rolled = deeper
            reached = ply
        return outcomes, rolled

    def _plies(self, is_filtered: bool) -> Iterator[int]:
        """The depths to look to, in their order: filters stand on the way, time may run out."""
        settings = self.settings
        filtered = {each.plies for each in settings.filters} if is_filtered else set()
        for ply in range(1, settings.ply + 1):
            if settings.seconds is not None or ply in filtered or ply == settings.ply:
                yield ply

    def _start(self, board: Boards, cube: CubeTable) -> None:
        """Start the clock; forget the last search's replies, and what another cube led to."""
        self._team.rest()
        self._replies.clear()
        if self._trees is not self._near:
            # in back games the tree's evaluator is worse by more than it is quicker
            is_own = have_two_anchors(board[np.newaxis])[0]
            self._far = self._near if is_own else self._trees
        if cube is not self._cube:
            self._cube = cube
            self._worths = (self._worth(0), self._worth(1))
            for tools in (*self._near, *self._trees):
                _, workspace, _ = tools.values
                workspace.memo.keys.fill(0)
        seconds = self.settings.seconds
        self._end = math.inf if seconds is None else time.perf_counter() + seconds

    def _worth(self, side: int) -> Weights:
        """Weights that turn chances into utility for a side on roll, with the present cube."""
        weights = np.empty(6, np.float32)
        fill_utility_weights(side, self._cube, weights)
        if not self._cube.is_money:
            weights += TIE_BREAK * np.array(MONEY, np.float32)
        return cast(Weights, tuple(map(float, weights)))

    def _depths(self) -> Iterator[tuple[int, tuple[MoveFilter, ...]]]:
        """Plies and filters, one after the other for as long as there is time."""
        settings = self.settings
        for ply in self._plies(is_filtered=self._stop is not None):
            yield ply, settings.filters
        if settings.ply == 0 or settings.seconds is None:
            return
        for doubling in range(1, WIDENINGS + 1):
            yield settings.ply, tuple(each.widened(2**doubling) for each in settings.filters)

    def _deepened(
        self,
        static: Candidates,
        ply: int,
        filters: tuple[MoveFilter, ...],
        found: _Found,
        is_choice: bool,
    ) -> Candidates | None:
        """Static candidates bettered filter by filter up to a ply; None if the time is up."""
        candidates = static.copy()
        standing = [each for each in filters if each.plies < ply]
        depths = [*(each.plies for each in standing[1:]), ply]
        for move_filter, deeper in zip(standing, depths, strict=True):
            plays = candidates.passing(move_filter)
            if is_choice and len(plays) == 1:
                break
            wanted = [i for i in plays if not candidates.is_exact[i] and (i, deeper) not in found]
            if wanted:
                deepened = self._lookahead(turned_boards(candidates.after[wanted]), deeper, 1)
                if deepened is None:
                    return None
                outcomes, rolled = deepened
                values = np.empty_like(rolled)
                fill_nodes(rolled, 1, self._cube, values)
                for row, i in enumerate(wanted):
                    found[i, deeper] = outcomes[row], values[row]
            for i in plays:
                if (i, deeper) in found:
                    candidates.outcomes[i], candidates.values[i] = found[i, deeper]
                candidates.plies[i] = deeper
        return candidates

    def _lookahead(self, boards: Boards, plies: int, side: int) -> tuple[Outcomes, Values] | None:
        """Chances of the side, on roll at all boards, and what rolling is worth, so deep.

        None if the time is up. The work is shared out by replies, and added up in the same order by
        any number of threads.
        """
        tools = self._near if plies == 1 else self._far
        if not self._keeps_replies and (plies == 1 or self._is_alone):
            return self._walked(boards, plies, side, tools)
        size = (len(boards), ROLL_COUNT)
        replies = np.empty((*size, POINTS), np.int8)
        after_rolls = np.empty((*size, OUTPUTS), np.float32)
        is_exact = np.empty(size, np.bool_)
        values = np.empty((*size, states_of(self._cube)))

        is_done = self._share(
            len(boards),
            tools,
            lambda own, part: fill_replies_of(
                boards[part],
                side,
                self._worths[1 - side],
                self._cube,
                own,
                replies[part],
                after_rolls[part],
                is_exact[part],
                values[part],
            ),
        )
        if not is_done:
            return None
        if plies > 1:
            deeper = self._walked(replies[~is_exact], plies - 1, 1 - side, tools)
            if deeper is None:
                return None
            after_rolls[~is_exact], rolled_later = deeper
            later = np.empty_like(rolled_later)
            fill_nodes(rolled_later, 1 - side, self._cube, later)
            values[~is_exact] = later
        if self._keeps_replies:
            for i, board in enumerate(boards):
                self._replies[board.tobytes()] = after_rolls[i], values[i]
        outcomes, rolled = self._new_results(len(boards))
        fill_expectations(after_rolls, outcomes)
        fill_rolled(values, self._cube, rolled)
        return outcomes, rolled

    def _walked(
        self, boards: Boards, plies: int, side: int, tools: _ThreadsTools
    ) -> tuple[Outcomes, Values] | None:
        """Chances and utilities of boards by one walk of the tree from each; None if time is up."""
        outcomes, rolled = self._new_results(len(boards))
        is_done = self._share(
            len(boards),
            tools,
            lambda own, part: fill_lookahead(
                boards[part],
                plies,
                side,
                self._worths,
                self._cube,
                own,
                outcomes[part],
                rolled[part],
            ),
        )
        return (outcomes, rolled) if is_done else None

    def _new_results(self, count: int) -> tuple[Outcomes, Values]:
        """Arrays for the chances and utilities of so many boards, nothing filled yet."""
        return np.empty((count, OUTPUTS), np.float32), np.empty((count, states_of(self._cube)))

    @property
    def _is_alone(self) -> bool:
        """Whether one thread has all the time it wants."""
        return self._team.is_one and self._end == math.inf and self._stop is None

    @property
    def _is_over(self) -> bool:
        """Whether the time is up."""
        is_stopped = self._stop is not None and self._stop.is_set()
        return is_stopped or time.perf_counter() > self._end

    def _share(
        self, count: int, tools: _ThreadsTools, task: Callable[[Held[Tools], slice], None]
    ) -> bool:
        """Let the threads do so many parts of a task; whether they were done within the time."""
        if self._is_alone:
            task(tools[0], slice(0, count))
            return True
        return self._team.share(count, tools, task, lambda: self._is_over)
