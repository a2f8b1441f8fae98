"""Rollout trials: games played out from one start, by one player on both sides, and their luck."""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, TypeVar

import numpy as np

from bot.backgammon.engine.move_filter import FILTERS, MoveFilter
from bot.backgammon.engine.nets import nets_of, pruner_of
from bot.backgammon.engine.rollout_dice import first_throws, generator_of
from bot.backgammon.engine.rollout_result import LEAST_TRIALS
from bot.backgammon.engine.rollout_start import Start, taken
from bot.backgammon.engine.search import NO_SEARCH, Search, SearchSettings
from bot.backgammon.evaluation.bearoff import NO_DATABASES, load_databases
from bot.backgammon.evaluation.cube import (
    Values,
    action,
    answer,
    cube_evaluation,
    cube_table,
    may_double,
    rolled_values,
    static_values,
)
from bot.backgammon.evaluation.evaluator import CompositeEvaluator, load_evaluator
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.cube import CubeTable
from bot.backgammon.kernels.dice import ROLL_COUNT, Generator
from bot.backgammon.kernels.rollout import (
    CHOSEN_THROWS,
    COLUMNS,
    NODES,
    UTILITY,
    Samples,
    Throws,
    TrialLimits,
    TrialStart,
    add_chances,
    add_luck,
    fill_replies_to,
    fill_trials,
    is_decided,
    luck_of,
    next_roll,
    no_replies,
)
from bot.backgammon.kernels.search import MAX_PLIES as DEEPEST
from bot.backgammon.kernels.search import search_tools
from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.match import Cube, GameState, Score
from bot.backgammon.rules.outcome import Outcomes, chances_of, cubeless_equities
from bot.backgammon.rules.position import turned_boards
from bot.backgammon.rules.roll import ROLLS
from bot.weights import DEFAULT

Found = TypeVar("Found")

MAX_PLIES = 1000
"""No game of players who know anything takes so long; then the evaluation counts."""

MAX_TRIALS = 1_000_000
MAX_WORKERS = 256


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """Settings of a rollout: how often, how far and how well positions are played out.

    trials: games from each position; truncate: plies after which the evaluator's chances count,
    None to play to the end; ply: of both players, as GNU Backgammon counts; seed: of the dice;
    error: stop once no position's equity has a larger standard error, in points; workers:
    processes at once; is_reduced: subtract the luck; knows_endings: a game ends where the
    two-sided bear-off database knows the chances; filters: which plays are looked into. Raises
    ValueError for numbers beyond their bounds.
    """

    trials: int = 1296
    truncate: int | None = None
    ply: int = 0
    seed: int = 1
    error: float | None = None
    workers: int = 1
    is_reduced: bool = True
    knows_endings: bool = True
    filters: tuple[MoveFilter, ...] = FILTERS["normal"]

    def __post_init__(self) -> None:
        if not 2 <= self.trials <= MAX_TRIALS:
            raise ValueError(f"a rollout has 2 to {MAX_TRIALS:,} trials, not {self.trials}")
        if self.truncate is not None and not 1 <= self.truncate <= MAX_PLIES:
            raise ValueError(
                f"a rollout is truncated after 1 to {MAX_PLIES:,} plies, not {self.truncate}"
            )
        if not 0 <= self.ply <= DEEPEST:
            raise ValueError(f"a rollout is played 0 to {DEEPEST} plies deep, not {self.ply}")
        if self.seed < 0:
            raise ValueError(f"a seed is 0 or more, not {self.seed}")
        if self.error is not None and not 0 < self.error < math.inf:
            raise ValueError(f"the error to stop at is more than 0 points, not {self.error:g}")
        if self.error is not None and self.trials <= LEAST_TRIALS:
            raise ValueError(
                f"the error to stop at is looked at from {LEAST_TRIALS} trials on: with "
                f"{self.trials} in all it changes nothing"
            )
        if not 1 <= self.workers <= MAX_WORKERS:
            raise ValueError(f"a rollout has 1 to {MAX_WORKERS} workers, not {self.workers}")

    @property
    def search(self) -> SearchSettings:
        """Settings of both players' search."""
        return SearchSettings(self.ply, self.filters)


@dataclass(frozen=True, slots=True)
class RolloutPlayer:
    """The player of both sides: weights by name or file, with or without the bear-off databases."""

    weights: str = DEFAULT
    has_databases: bool = True

    def evaluator(self) -> CompositeEvaluator:
        """The evaluator of positions; raises ValueError if there are no such weights."""
        databases = load_databases(lambda _: None) if self.has_databases else NO_DATABASES
        return load_evaluator(self.weights, databases)


_SEATS_KEPT = 2
"""Rollouts and what tells the luck of the games around them may have one each."""

_ONE_AT_A_TIME = threading.Lock()
"""Held by the thread that plays in this process: there is one workspace."""


class Seat:
    """A player ready to play: evaluator, search and workspace, for one thread at a time.

    games: from a start, those of the last starts kept; table: see `cube_table`, kept as well. Both
    go with the seat.
    """

    def __init__(self, player: RolloutPlayer, search: SearchSettings) -> None:
        self.evaluator = player.evaluator().tree
        pruner = pruner_of(self.evaluator.network)
        self.tools = search_tools(nets_of(self.evaluator, pruner))
        self.search = None
        if search.ply > 0:
            self.search = Search(self.evaluator, search, pruner=pruner, keeps_replies=True)
        self.games = lru_cache(64)(partial(_Games, self))
        self.table = lru_cache(512)(partial(cube_table, databases=self.evaluator.databases))


@lru_cache(_SEATS_KEPT)
def seat_of(player: RolloutPlayer, search: SearchSettings = NO_SEARCH) -> Seat:
    """A seat for the player with such a search; kept for the next piece of work."""
    return Seat(player, search)


def piece_of_rollout(
    player: RolloutPlayer, settings: RolloutSettings, start: Start, first: int, end: int
) -> Samples:
    """Results and lucks of trials from the first up to the end; float64[2, end - first, 6].

    Threads that ask at once are answered one after the other.
    """
    if start.met is not None:
        start = replace(start, met=first_alike(start.met))
    with _ONE_AT_A_TIME:
        return seat_of(player, settings.search).games(settings, start).trials(first, end)


_FIRST_TABLES: dict[tuple[str, bytes, bytes], MatchEquityTable] = {}


def first_alike(met: MatchEquityTable) -> MatchEquityTable:
    """The first table with the same chances that this process has met.

    Each piece of work brings a copy of its table, and caches know a table by its identity.
    """
    return _FIRST_TABLES.setdefault((met.name, met.pre.tobytes(), met.post.tobytes()), met)


class _Games:
    """The games from one start, for its utility."""

    def __init__(self, seat: Seat, settings: RolloutSettings, start: Start) -> None:
        self._seat = seat
        self._settings = settings
        self._start = start
        self._tables: dict[tuple[Cube, Score | None], CubeTable] = {}
        board = start.state.position.board
        self._root = TrialStart(
            board,
            self._outcomes(board),
            start.may_double,
            start.doubles_left,
            self._table_at(start.state),
        )
        self._limits = TrialLimits(
            settings.truncate or MAX_PLIES,
            len(seat.evaluator.databases.wins) if settings.knows_endings else 0,
            settings.is_reduced,
        )
        self._replies = no_replies(NODES)
        self._kept: dict[tuple[object, ...], Any] = {}

    def trials(self, first: int, end: int) -> Samples:
        """Their results and lucks; float64[2, end - first, 6]."""
        trials: Samples = np.zeros((2, end - first, COLUMNS))
        seat, root = self._seat, self._root
        throws = first_throws(self._settings.seed, first, end)
        generators = np.stack([generator_of(self._settings.seed, t) for t in range(first, end)])
        if is_decided(root.board, 0, root.cube.root, self._limits.known, root.cube):
            values = static_values if root.may_double else rolled_values
            trials[0, :, :UTILITY] = root.chances
            trials[0, :, UTILITY] = self._utility(root.board, root.chances, root.cube, values)
        elif seat.search is None:
            limits, replies = self._limits, self._replies
            fill_trials(root, limits, throws, generators, seat.tools, replies, trials)
        else:
            for i in range(end - first):
                self._play(seat.search, throws[i], generators[i], trials[:, i])
        trials[:, :, UTILITY] *= self._start.scale
        return trials

    def _play(self, search: Search, throws: Throws, generator: Generator, trial: Samples) -> None:
        """Play one trial, float64[2, 6], by searching for plays; its luck is as seen 0-ply."""
        state, stake = self._start.state, 1.0  # the state's cube and score, whatever its position
        board = self._root.board
        seen = None  # what the search for the last play saw behind it
        result, lucks = trial
        for ply in range(self._limits.most_plies):
            is_own = ply % 2 == 0
            table = self._table_at(state)
            if self._start.has_cube and (ply > 0 or self._start.may_double):
                double = self._once(ply, ("double", state), board, _double, search, board, table)
                if double is DoubleAnswer.DROP:
                    result[UTILITY] = stake * table.utilities[0, 0, 0]
                    add_chances(self._outcomes(board), is_own, result)
                    return
                if double is DoubleAnswer.TAKE:
                    state = taken(state)
                    stake *= table.factor
                    table = self._table_at(state)
                    seen = None
            roll = next_roll(throws, ply, generator)
            if self._limits.is_reduced:
                question = "replies", state
                outcomes, worths = seen or self._once(
                    ply, question, board, self._replies_to, board, table
                )
                add_luck(outcomes, roll, not is_own, lucks)
                lucks[UTILITY] += stake * luck_of(worths, roll)
            after = self._once(ply, (roll, state), board, _choice, search, board, roll, table)
            board = turned_boards(after[np.newaxis])[0]
            # earlier choices may be kept ones: what is told must not depend on the trials before
            seen = _seen(search, board, table) if ply >= CHOSEN_THROWS else None
            state = _turned(state)
            stake = -stake
            table = self._table_at(state)
            is_last = ply == self._limits.most_plies - 1
            if is_last or is_decided(board, 0, table.root, self._limits.known, table):
                outcomes = self._outcomes(board)
                result[UTILITY] = stake * self._utility(board, outcomes, table, static_values)
                add_chances(outcomes, not is_own, result)
                return

    def _once(
        self,
        ply: int,
        question: tuple[object, ...],
        board: Boards,
        find: Callable[..., Found],
        *arguments: object,
    ) -> Found:
        """The value found, kept in the first plies: many trials ask the same there."""
        if ply >= CHOSEN_THROWS:
            return find(*arguments)
        key = (*question, board.tobytes())
        if key not in self._kept:
            self._kept[key] = find(*arguments)
        found: Found = self._kept[key]
        return found

    def _replies_to(self, board: Boards, table: CubeTable) -> tuple[Outcomes, Values]:
        """Chances of the other player after the best reply to each roll, as seen 0-ply.

        float32[21, 5]; and the utilities left to who replied, float64[21].
        """
        replies = no_replies()
        tools = self._seat.tools
        fill_replies_to((0, ROLL_COUNT), board, 0, table.root, table, tools, replies)
        return replies.outcomes, replies.values

    def _outcomes(self, board: Boards) -> Outcomes:
        """Chances of the player on roll, float32[5]."""
        outcomes: Outcomes = self._seat.evaluator.outcomes(board[np.newaxis])[0]
        return outcomes

    def _utility(
        self,
        board: Boards,
        outcomes: Outcomes,
        table: CubeTable,
        values: Callable[[Boards, Outcomes, int, CubeTable], Values],
    ) -> float:
        """Utility of who is on roll; values: rolled_values, or static_values if he may double."""
        if not self._start.has_cube:
            return chances_of(outcomes).equity
        found = values(board[np.newaxis], outcomes[np.newaxis], 0, table)
        return float(found[0, table.root])

    def _table_at(self, state: GameState) -> CubeTable:
        """The cube table from a state of these games on; the same object every time."""
        key = state.cube, state.score
        if key not in self._tables:
            self._tables[key] = self._start.cube_table(state, self._seat.evaluator.databases)
        return self._tables[key]


_turned = lru_cache(maxsize=256)(GameState.turned)


def _choice(search: Search, board: Boards, roll: int, table: CubeTable) -> Boards:
    return search.choice(board, ROLLS[roll], cube=table)


def _seen(search: Search, board: Boards, table: CubeTable) -> tuple[Outcomes, Values] | None:
    """Replies to each roll as the last search saw them, see `_Games._replies_to`; None if not.

    board: after a play that it chose; table: the searcher's.
    """
    replies = search.replies(board)
    if replies is None:
        return None
    outcomes, values = replies
    if not values.shape[1]:
        return outcomes, -np.asarray(cubeless_equities(outcomes), np.float64)
    return outcomes, -values[:, table.root]


def _double(search: Search, board: Boards, table: CubeTable) -> DoubleAnswer | None:
    """Outcome of a double of the player on roll, None if he does not double."""
    if not may_double(table):
        return None
    rolled = search.rolled(board, table, margin=double_margin)[1][0]
    evaluation = cube_evaluation(rolled, table)
    return answer(evaluation) if action(evaluation, table) is CubeAction.DOUBLE else None


def double_margin(rolled: Values, table: CubeTable) -> float:
    """Equity between the two best choices, in points at the cube, where that is least.

    The choices are those whether to double and, if the player on roll does, how to answer. rolled:
    as in `cube_evaluation`.
    """
    evaluation = cube_evaluation(rolled, table)
    if action(evaluation, table) is CubeAction.ROLL:
        return evaluation.action_margin
    return min(evaluation.action_margin, evaluation.answer_margin)
