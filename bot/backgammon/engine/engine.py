"""Engine: every question a game asks, answered from one evaluator."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import overload

import numpy as np

from bot.backgammon.engine.candidates import CUBELESS, Candidates, best_boards
from bot.backgammon.engine.search import Margin, Search, SearchSettings
from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.evaluation.cube import (
    Values,
    action,
    answer,
    cube_table,
    equity_of,
    may_double,
    mwc_of,
    rating,
    rolled_values,
)
from bot.backgammon.evaluation.evaluator import CompositeEvaluator, Evaluator
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.evaluation.network import Network
from bot.backgammon.evaluation.resignation import NEVER, gain_of_accepting, points_to_offer
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.cube import CubeTable
from bot.backgammon.rules.decision import (
    GAMES_AT_ONCE,
    AnswerDouble,
    AnswerResignation,
    Candidate,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    Decision,
    Dice,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
    ResignationDecision,
    refused,
)
from bot.backgammon.rules.match import Cube, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import Chances, chances_of
from bot.backgammon.rules.play import CheckerPlay, PlayBuffers, boards_after, legs_of_steps
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.backgammon.rules.roll import Roll

NO_SEARCH = SearchSettings()

TAKE_POINT = -0.5
"""Cubeless equity from which a double is taken: a drop costs 1, a take costs twice the equity."""

_HOPELESS = 1e-3
_TABLES_KEPT = 64


class Engine:
    """Decides for one player; several games at once may share it, one request at a time.

    search: how far it looks ahead. candidates: how many plays a decision lists at most; None for
    all. pruner: see Search. cube: without it plays and answers follow cubeless equity, and it never
    doubles or resigns. met: match equities, Blot's own if None. Raises ValueError if it cannot look
    ahead with this evaluator.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        search: SearchSettings = NO_SEARCH,
        *,
        candidates: int | None = None,
        pruner: Network | None = None,
        cube: bool = True,
        met: MatchEquityTable | None = None,
    ) -> None:
        self._evaluator = evaluator
        self._candidates = candidates
        self._buffers = PlayBuffers()
        self._has_cube = cube
        self._met = met
        self._tables = NO_DATABASES
        self._search = None
        self._table_of = lru_cache(_TABLES_KEPT)(self._new_table)
        if isinstance(evaluator, CompositeEvaluator):
            self._tables = evaluator.databases
            self._search = Search(evaluator, search, pruner=pruner)
        elif search != NO_SEARCH:
            raise ValueError(f"{type(evaluator).__name__} rates positions, it cannot look ahead")

    @overload
    def decide(self, request: ChooseCheckerPlay) -> PlayDecision: ...
    @overload
    def decide(self, request: ChooseCubeAction) -> CubeDecision: ...
    @overload
    def decide(self, request: AnswerDouble) -> DoubleDecision: ...
    @overload
    def decide(self, request: AnswerResignation) -> ResignationDecision: ...
    @overload
    def decide(self, request: Request) -> Decision: ...
    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's.

        Raises ValueError if it is none.
        """
        match request:
            case ChooseCheckerPlay(state, roll):
                return self._best_play(state, roll)
            case ChooseCubeAction(state):
                return self._cube_action(state)
            case AnswerDouble(state):
                return self._double_answer(state)
            case AnswerResignation(state, points):
                return self._resignation_answer(state, points)
            case _:
                raise refused(request)

    @property
    def games_at_once(self) -> int:
        """How many games are played at once: fewer the deeper it looks."""
        ply = 0 if self._search is None else self._search.settings.ply
        return max(2, GAMES_AT_ONCE >> 3 * ply)

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the best cubeless play on each board; see BatchDecider."""
        if self._search is None or self._search.settings.ply == 0:
            return best_boards(boards, dice, self._evaluator, self._buffers)
        chosen = np.empty_like(boards)
        for i, (high, low) in enumerate(dice.tolist()):
            chosen[i] = self._search.choice(boards[i], Roll(high, low))
        return chosen

    def all_candidates(
        self, request: ChooseCheckerPlay, wanted: Sequence[CheckerPlay] = ()
    ) -> tuple[Candidate, ...]:
        """Every legal play of the roll, the best first and the others by equity, however deep.

        wanted: plays that are rated as deep as the best, whatever the move filters say.
        """
        rated = self._best_play(request.state, request.roll, wanted).candidates
        return tuple(sorted(rated, key=lambda row: -min(row.equity, rated[0].equity)))

    def chances(self, position: Position) -> Chances:
        """Chances of the player on roll before the dice are rolled."""
        return self._rolled(position, CUBELESS)[0]

    def _best_play(
        self, state: GameState, roll: Roll, wanted: Sequence[CheckerPlay] = ()
    ) -> PlayDecision:
        cube = self._table(state)
        ratings = self._ratings(state.position, roll, cube, wanted)
        if len(ratings.after) == 0:
            return PlayDecision(CheckerPlay((), state.position), ())
        utilities = ratings.utilities
        rated = tuple(
            Candidate(
                CheckerPlay(legs_of_steps(ratings.steps[i]), Position.of_board(ratings.after[i])),
                chances_of(ratings.outcomes[i]).turned(),
                equity_of(float(utilities[i]), cube),
                int(ratings.plies[i]),
                mwc_of(float(utilities[i]), cube),
            )
            for i in ratings.order()[: self._candidates]
        )
        resigns = self._resigns(state, rated[0].chances, cube)
        return PlayDecision(rated[0].play, rated, resigns, _play_margin(ratings, cube))

    def _cube_action(self, state: GameState) -> CubeDecision:
        cube = self._table(state)
        chances, rolled = self._rolled(state.position, cube, _action_margin)
        resigns = self._resigns(state, chances, cube)
        mwc = mwc_of(float(rolled[cube.root]), cube) if self._has_cube else None
        if not self._has_cube or not may_double(cube):
            return CubeDecision(CubeAction.ROLL, chances, None, resigns, mwc)
        rated = rating(rolled, cube, chances)
        return CubeDecision(action(rated, cube), chances, rated, resigns, mwc)

    def _double_answer(self, state: GameState) -> DoubleDecision:
        cube = self._table(state)
        chances, rolled = self._rolled(state.position, cube, _answer_margin)
        if not self._has_cube:
            takes = chances.turned().equity > TAKE_POINT
            return DoubleDecision(
                DoubleAnswer.TAKE if takes else DoubleAnswer.DROP, chances.turned()
            )
        rated = rating(rolled, cube, chances)
        return DoubleDecision(answer(rated), chances.turned(), rated)

    def _resignation_answer(self, state: GameState, points: int) -> ResignationDecision:
        cube = self._table(state)
        chances, rolled = self._rolled(state.position, cube)
        if not self._has_cube:
            more = points - chances.turned().equity
            return ResignationDecision(more >= 0, chances.turned(), abs(more))
        more = gain_of_accepting(points, rolled, cube)
        mwc = mwc_of(-float(rolled[cube.root]), cube)
        return ResignationDecision(more >= -NEVER, chances.turned(), abs(more), mwc)

    def _resigns(self, state: GameState, chances: Chances, cube: CubeTable) -> int:
        """Points that the player on roll offers, times the cube; looked into if all seems lost."""
        if not self._has_cube or chances.win > _HOPELESS:
            return 0
        return points_to_offer(state.position.board, cube, self._tables)

    def _table(self, state: GameState) -> CubeTable:
        if not self._has_cube:
            return CUBELESS
        return self._table_of(state.cube, state.score, state.money)

    def _new_table(self, cube: Cube, score: Score | None, money: MoneyRules) -> CubeTable:
        met = self._met
        if met is None and score is not None:
            met = blot_table()
        return cube_table(GameState(START, cube, score, money), met, self._tables)

    def _rolled(
        self,
        position: Position,
        cube: CubeTable,
        margin: Margin | None = None,
    ) -> tuple[Chances, Values]:
        """Chances before the dice, and what rolling now is worth in every state, float64[K].

        margin: see Search.rolled, used if the decision alone matters.
        """
        if self._search is not None:
            if self._candidates != 1 or cube is CUBELESS:
                margin = None
            outcomes, rolled = self._search.rolled(position.board, cube, margin=margin)
            return chances_of(outcomes[0]), rolled[0]
        boards = position.board[np.newaxis]
        outcomes = self._evaluator.outcomes(boards)
        if cube is CUBELESS:
            return chances_of(outcomes[0]), np.empty(0)
        return chances_of(outcomes[0]), rolled_values(boards, outcomes, 0, cube)[0]

    def _ratings(
        self, position: Position, roll: Roll, cube: CubeTable, wanted: Sequence[CheckerPlay]
    ) -> Candidates:
        if self._search is not None:
            boards = [play.after.board for play in wanted]
            return self._search.candidates(
                position.board,
                roll,
                cube=cube,
                is_choice=self._candidates == 1 and not boards,
                wanted=boards,
            )
        after, steps = boards_after(position.board, roll, self._buffers)
        return Candidates(after, steps, self._evaluator.outcomes(turned_boards(after)), cube=cube)


def _play_margin(ratings: Candidates, cube: CubeTable) -> float:
    """By how much equity the best play is better than the next one rated as deep."""
    order = ratings.order()
    if len(order) < 2 or ratings.plies[order[0]] != ratings.plies[order[1]]:
        return math.inf
    best, following = (float(utility) for utility in ratings.utilities[order[:2]])
    return equity_of(best, cube) - equity_of(following, cube)


def _action_margin(rolled: Values, cube: CubeTable) -> float:
    return rating(rolled, cube).action_margin if may_double(cube) else math.inf


def _answer_margin(rolled: Values, cube: CubeTable) -> float:
    return rating(rolled, cube).answer_margin
