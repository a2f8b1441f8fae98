"""Cubeful rollout: states played out many times by players who double, take and drop."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from bot.backgammon.engine.rollout import (
    Games,
    RolloutPlayer,
    RolloutSettings,
    Seat,
    is_enough,
    seat_of,
    trials_of,
)
from bot.backgammon.engine.rollout_result import CubefulRollout, Rollout
from bot.backgammon.engine.rollout_start import Start, taken
from bot.backgammon.engine.search import Search
from bot.backgammon.evaluation.cube import (
    action,
    answer,
    cube_table,
    may_double,
    rating,
    rolled_values,
    static_values,
)
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.kernels.boards import POINTS, Boards
from bot.backgammon.kernels.cube import CubeTable
from bot.backgammon.kernels.cubeful_rollout import (
    UTILITY,
    fill_cubeful_replies,
    fill_cubeful_trials,
    is_decided,
    luck_of,
    no_cubeful_replies,
)
from bot.backgammon.kernels.dice import ROLL_COUNT, Generator
from bot.backgammon.kernels.rollout import Samples, Throws, add_chances, add_luck, next_roll
from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.match import MAX_CUBE, Cube, GameState, Score
from bot.backgammon.rules.outcome import OUTPUTS
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import ROLLS

COLUMNS = OUTPUTS + 1


def cubeful_rollouts(
    starts: Sequence[Start], player: RolloutPlayer, settings: RolloutSettings
) -> Iterator[tuple[CubefulRollout, ...]]:
    """Play games from each start, all with the same dice; see rollouts.

    Nobody beavers. Raises ValueError if there are no such weights, ChildProcessError if a worker
    dies.
    """

    def is_done(trials: Samples) -> bool:
        errors = (each.equity_error for each in _known(starts, trials))
        return is_enough(trials.shape[2], errors, settings)

    work = piece_of_cubeful_rollout
    for trials in trials_of(work, starts, COLUMNS, player, settings, is_done):
        yield _known(starts, trials)


def _known(starts: Sequence[Start], trials: Samples) -> tuple[CubefulRollout, ...]:
    return tuple(
        CubefulRollout(
            Rollout(results[:, :OUTPUTS], lucks[:, :OUTPUTS]),
            results[:, UTILITY],
            lucks[:, UTILITY],
            start.utility(start.unit),
            start.utility(-start.unit),
            start.met is not None,
        )
        for start, (results, lucks) in zip(starts, trials, strict=True)
    )


def piece_of_cubeful_rollout(
    player: RolloutPlayer, settings: RolloutSettings, start: Start, first: int, end: int
) -> Samples:
    """Results and lucks of trials from the first up to the end; float64[2, end - first, 6]."""
    if start.met is not None:
        start = replace(start, met=_kept(start.met))
    return _games_of(player, settings, start).trials(first, end)


_KEPT: dict[tuple[str, bytes, bytes], MatchEquityTable] = {}


def _kept(met: MatchEquityTable) -> MatchEquityTable:
    """The first table that said the same: every piece brings its own to another process."""
    return _KEPT.setdefault((met.name, met.pre.tobytes(), met.post.tobytes()), met)


class _CubefulGames(Games):
    """Games from one start with the cube, for its utility."""

    def __init__(self, seat: Seat, settings: RolloutSettings, start: Start) -> None:
        super().__init__(seat, settings, start.state.position.board, COLUMNS)
        self._start = start
        self._table = table_of(seat, start.state, start.met)
        self._chances = seat.evaluator.outcomes(self._board[np.newaxis])
        self._replies = no_cubeful_replies()
        self._tables: dict[tuple[Cube, Score | None], CubeTable] = {}
        self._scratch = (
            np.empty((ROLL_COUNT, POINTS), np.int8),
            np.empty((ROLL_COUNT, OUTPUTS), np.float32),
            np.empty(ROLL_COUNT),
        )
        self._unit = 1.0
        if start.met is None:
            self._unit = start.state.cube.value / start.unit

    def trials(self, first: int, end: int) -> Samples:
        """Their results and lucks; float64[2, end - first, 6]."""
        both = super().trials(first, end)
        both[:, :, UTILITY] *= self._unit
        return both

    def _decided(self) -> Samples | None:
        if not is_decided(self._board, 0, self._table.root, self._known, self._table):
            return None
        values = static_values if self._start.may_double else rolled_values
        utility = values(self._board[np.newaxis], self._chances, 0, self._table)[0]
        result: Samples = np.append(self._chances[0], utility[self._table.root])
        return result

    def _fill(
        self, throws: Throws, generators: Generator, results: Samples, lucks: Samples
    ) -> None:
        fill_cubeful_trials(
            self._board,
            self._chances[0],
            self._start.may_double,
            (MAX_CUBE // self._start.state.cube.value).bit_length() - 1,
            self._table,
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
        state, chances, stake = self._start.state, self._chances, 1.0
        for ply in range(self._most_plies):
            is_own = ply % 2 == 0
            board = state.position.board
            if ply > 0 or self._start.may_double:
                table = self._table_at(state)
                double = _double(search, board, table)
                if double is DoubleAnswer.DROP:
                    result[UTILITY] = stake * table.utilities[0, 0, 0]
                    add_chances(chances[0], is_own, result)
                    return
                if double is DoubleAnswer.TAKE:
                    state = taken(state)
                    stake *= table.factor
            table = self._table_at(state)
            roll = next_roll(throws, ply, generator)
            if self._settings.is_reduced:
                self._add_luck(board, table, roll, stake, is_own, lucks)
            after = search.choice(board, ROLLS[roll], cube=table)
            state = replace(state, position=Position.of_board(after)).turned()
            stake = -stake
            boards = state.position.board[np.newaxis]
            chances = self._seat.evaluator.outcomes(boards)
            table = self._table_at(state)
            is_last = ply == self._most_plies - 1
            if is_last or is_decided(boards[0], 0, table.root, self._known, table):
                utilities = static_values(boards, chances, 0, table)[0]
                result[UTILITY] = stake * utilities[table.root]
                add_chances(chances[0], not is_own, result)
                return

    def _add_luck(
        self,
        board: Boards,
        table: CubeTable,
        roll: int,
        stake: float,
        is_own: bool,
        lucks: Samples,
    ) -> None:
        rater, room = self._seat.rater, self._seat.room
        replies, outcomes, worths = self._scratch
        fill_cubeful_replies(board, 0, table.root, table, rater, room, replies, outcomes, worths)
        add_luck(outcomes, roll, not is_own, lucks)
        lucks[UTILITY] += stake * luck_of(worths, roll)

    def _table_at(self, state: GameState) -> CubeTable:
        """What the cube can do from a state of these games on; the same object every time."""
        key = state.cube, state.score
        if key not in self._tables:
            self._tables[key] = table_of(self._seat, state, self._start.met)
        return self._tables[key]


def _double(search: Search, board: Boards, table: CubeTable) -> DoubleAnswer | None:
    """What comes of a double of the player on roll, None if he does not double."""
    if not may_double(table):
        return None
    rated = rating(search.rolled(board, table)[1][0], table)
    return answer(rated) if action(rated, table) is CubeAction.DOUBLE else None


def table_of(seat: Seat, state: GameState, met: MatchEquityTable | None) -> CubeTable:
    """What the cube can do in games of this player, without beavers."""
    state = replace(state, money=replace(state.money, beavers=False))
    return cube_table(state, met, seat.evaluator.tables)


@lru_cache(maxsize=64)
def _games_of(player: RolloutPlayer, settings: RolloutSettings, start: Start) -> _CubefulGames:
    return _CubefulGames(seat_of(player, settings.ply), settings, start)
