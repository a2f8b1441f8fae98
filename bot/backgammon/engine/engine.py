"""Engine: every question a game asks, answered from one evaluator."""

import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Self, overload

import numpy as np

from bot.backgammon.engine.candidates import CUBELESS, Candidates, best_boards
from bot.backgammon.engine.roller import RankedPlay, Roller
from bot.backgammon.engine.rollout_result import RolledOutCube, Rollout
from bot.backgammon.engine.rollout_start import play_start
from bot.backgammon.engine.search import NO_SEARCH, Margin, Search, SearchSettings
from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.evaluation.cube import (
    Values,
    action,
    answer,
    cube_evaluation,
    cube_table,
    equity_of,
    may_double,
    mwc_of,
    rolled_values,
    utility_of,
    worth_of,
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
    CubeEvaluation,
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
from bot.backgammon.rules.play import CheckerPlay, RollWorkspace, boards_after, legs_of_steps
from bot.backgammon.rules.position import START, Position, checked_boards, turned_boards
from bot.backgammon.rules.roll import Roll

TAKE_POINT = -0.5
"""Cubeless equity from which a double is taken: a drop costs 1, a take costs twice the equity."""

_HOPELESS = 1e-3
_TABLES_KEPT = 64


class Engine:
    """Decides for one player; several games at once may share it, one request at a time.

    search: how far it looks ahead. candidates: how many plays a decision lists at most; None for
    all. pruner: a small network that chooses the replies to be evaluated; without it all are. cube:
    without it plays and answers follow cubeless equity, and it never doubles or resigns. met: match
    equities, Blot's own if None. roller: decides what the search leaves close, by rollouts of a
    player of its own. stop: once another thread sets it, searches end as if their time were up.
    Raises ValueError if it cannot look ahead with this evaluator, and for fewer candidates than
    one. An engine with a roller is used in a `with`, or closed.
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
        roller: Roller | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        if candidates is not None and candidates < 1:
            raise ValueError(f"a decision lists one play or more, not {candidates}")
        self._evaluator = evaluator
        self._candidates = candidates
        self._workspace = RollWorkspace()
        self._has_cube = cube
        self._met = met
        self._roller = roller
        self._databases = NO_DATABASES
        self._search = None
        self._table_of = lru_cache(_TABLES_KEPT)(self._new_table)
        if isinstance(evaluator, CompositeEvaluator):
            self._databases = evaluator.databases
            self._search = Search(evaluator, search, pruner=pruner, stop=stop)
        elif search != NO_SEARCH:
            raise ValueError(
                f"{type(evaluator).__name__} evaluates positions, it cannot look ahead"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes that roll out, if there are any; another decision starts others."""
        if self._roller is not None:
            self._roller.close()

    def prepare(self) -> None:
        """Start the processes that roll out, if there are any, so that no decision waits."""
        if self._roller is not None:
            self._roller.prepare()

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
            case ChooseCheckerPlay():
                return self._best_play(request, (), self._candidates)
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
        """Number of games that are played at once: fewer the deeper it looks."""
        ply = 0 if self._search is None else self._search.settings.ply
        return max(2, GAMES_AT_ONCE >> 3 * ply)

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the best cubeless play on each board.

        boards: int8[n, 26], in and out, seen by the mover; dice: int8[n, 2], the higher first.
        Raises ValueError for what are no positions, and dice that are not a roll for each.
        """
        boards = checked_boards(boards)
        if dice.shape != (len(boards), 2):
            raise ValueError(f"{len(boards)} boards have as many rolls, not {dice.shape}")
        if self._search is None or (self._search.settings.ply == 0 and self._roller is None):
            return best_boards(boards, dice, self._evaluator, self._workspace)
        chosen = np.empty_like(boards)
        for i, (high, low) in enumerate(dice.tolist()):
            chosen[i] = self._cubeless_choice(boards[i], Roll(high, low))
        return chosen

    def all_candidates(
        self, request: ChooseCheckerPlay, wanted: Sequence[CheckerPlay] = ()
    ) -> tuple[Candidate, ...]:
        """Every legal play of the roll, the best first and the others by equity, however deep.

        wanted: plays that are evaluated as deep as the best, whatever the move filters say.
        """
        candidates = self._best_play(request, wanted).candidates
        return tuple(sorted(candidates, key=lambda row: -min(row.equity, candidates[0].equity)))

    def chances(self, position: Position) -> Chances:
        """Chances of the player on roll before the dice are rolled."""
        return self._rolled(position, CUBELESS)[0]

    def worth(self, state: GameState) -> tuple[Chances, float]:
        """Chances of the player on roll, and what they are worth before he doubles or rolls.

        Points at the present cube in money games, match-winning chance in a match; without looking
        at the cube if the engine plays without it.
        """
        cube, met = self._table(state), self._met_at(state.score)
        chances, rolled = self._rolled(state.position, cube)
        if self._has_cube:
            return chances, worth_of(rolled, cube)
        if state.score is None or met is None:
            return chances, chances.equity
        return chances, met.mwc_of_chances(state.score, state.cube.value, chances)

    def _best_play(
        self, request: ChooseCheckerPlay, wanted: Sequence[CheckerPlay], count: int | None = None
    ) -> PlayDecision:
        state, roll = request.state, request.roll
        until, cube = self._deadline(), self._table(state)
        candidates = self._evaluated_plays(state.position, roll, cube, wanted)
        if len(candidates.after) == 0:
            return PlayDecision(CheckerPlay((), state.position), ())
        ranked = self._ranked(state, candidates, until)
        order, utilities = (found.tolist() for found in candidates.ranked())
        margin = ranked[1].loss if ranked else candidates.margin(order, utilities)
        rolled_out = [play.number for play in ranked]
        order = rolled_out + [i for i in order if i not in rolled_out]
        rows = tuple(_row(candidates, i, utilities[i], ranked) for i in order[:count])
        resigns = self._resigns(state, rows[0].chances, cube)
        return PlayDecision(rows[0].play, rows, resigns, margin)

    def _cubeless_choice(self, board: Boards, roll: Roll) -> Boards:
        """The board after the best cubeless play, the same if there is none; int8[26]."""
        assert self._search is not None
        until = self._deadline()
        candidates = self._search.candidates(board, roll, is_choice=True)
        if len(candidates.after) == 0:
            return board
        ranked = self._ranked(GameState(Position.of_board(board)), candidates, until)
        best: Boards = candidates.after[ranked[0].number if ranked else candidates.ranked()[0][0]]
        return best

    def _ranked(self, state: GameState, candidates: Candidates, until: float) -> list[RankedPlay]:
        """The plays that the search leaves close, rolled out, by their numbers; none if none are.

        Played with the cube if the candidates are; until: see Roller.ranked.
        """
        if self._roller is None:
            return []
        close = candidates.passing(self._roller.settings.move_filter)
        if len(close) < 2 or candidates.is_exact[close].all():
            return []
        has_cube = candidates.cube is not CUBELESS
        met = self._met_at(state.score) if has_cube else None
        afters = [Position.of_board(candidates.after[i]) for i in close]
        starts = [play_start(state, after, met, has_cube=has_cube) for after in afters]
        most = 1.0 if state.position.other_off else math.inf  # then no gammon can be won
        ranked = self._roller.ranked(starts, until, most)
        return [replace(play, number=int(close[play.number])) for play in ranked]

    def _deadline(self) -> float:
        return math.inf if self._roller is None else self._roller.deadline()

    def _cube_action(self, state: GameState) -> CubeDecision:
        until, cube = self._deadline(), self._table(state)
        chances, rolled = self._rolled(state.position, cube, _action_margin)
        resigns = self._resigns(state, chances, cube)
        mwc = mwc_of(float(rolled[cube.root]), cube) if self._has_cube else None
        if not self._has_cube or not may_double(cube):
            return CubeDecision(CubeAction.ROLL, chances, None, resigns, mwc)
        evaluation, trials = cube_evaluation(rolled, cube, chances), 0
        if self._roller is not None and self._roller.settings.is_close(evaluation.action_margin):
            found = self._roller.double(state, self._met_at(state.score), until)
            if found is not None:
                evaluation, trials = _with_rollout(evaluation, found), found.no_double.trials
                mwc = found.no_double.mwc
        return CubeDecision(action(evaluation, cube), chances, evaluation, resigns, mwc, trials)

    def _double_answer(self, state: GameState) -> DoubleDecision:
        until, cube = self._deadline(), self._table(state)
        chances, rolled = self._rolled(state.position, cube, _answer_margin)
        if not self._has_cube:
            takes = chances.turned().equity >= TAKE_POINT
            return DoubleDecision(
                DoubleAnswer.TAKE if takes else DoubleAnswer.DROP, chances.turned()
            )
        evaluation, trials = cube_evaluation(rolled, cube, chances), 0
        roller = self._roller if state.doubling_refusal is None else None  # a dead cube is taken
        if roller is not None and roller.settings.is_close(evaluation.answer_margin):
            found = roller.take(state, self._met_at(state.score), until)
            if found is not None:
                evaluation, trials = _with_take(evaluation, found), found.trials
        return DoubleDecision(answer(evaluation), chances.turned(), evaluation, trials)

    def _resignation_answer(self, state: GameState, points: int) -> ResignationDecision:
        cube = self._table(state)
        chances, rolled = self._rolled(state.position, cube)
        if not self._has_cube:
            if state.score is not None and points * state.cube.value >= state.score.other_away:
                return ResignationDecision(True, chances.turned())  # no game brings more
            more = points - chances.turned().equity
            return ResignationDecision(more >= 0, chances.turned(), abs(more))
        more = gain_of_accepting(points, rolled, cube)
        mwc = None if state.score is None else 1.0 - worth_of(rolled, cube)
        return ResignationDecision(more >= -NEVER, chances.turned(), abs(more), mwc)

    def _resigns(self, state: GameState, chances: Chances, cube: CubeTable) -> int:
        """Points that the player on roll offers, times the cube; looked into if all seems lost."""
        if not self._has_cube or chances.win > _HOPELESS:
            return 0
        return points_to_offer(state.position.board, cube, self._databases)

    def _table(self, state: GameState) -> CubeTable:
        if not self._has_cube:
            return CUBELESS
        return self._table_of(state.cube, state.score, state.money)

    def _new_table(self, cube: Cube, score: Score | None, money: MoneyRules) -> CubeTable:
        return cube_table(
            GameState(START, cube, score, money), self._met_at(score), self._databases
        )

    def _met_at(self, score: Score | None) -> MatchEquityTable | None:
        """The match equity table at a score; None in money games if none was given."""
        return blot_table() if self._met is None and score is not None else self._met

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

    def _evaluated_plays(
        self, position: Position, roll: Roll, cube: CubeTable, wanted: Sequence[CheckerPlay]
    ) -> Candidates:
        if self._search is not None:
            boards = [play.after.board for play in wanted]
            return self._search.candidates(
                position.board,
                roll,
                cube=cube,
                is_choice=self._candidates == 1,
                wanted=boards,
            )
        after, steps = boards_after(position.board, roll, self._workspace)
        return Candidates(after, steps, self._evaluator.outcomes(turned_boards(after)), cube=cube)


def _row(
    candidates: Candidates, number: int, utility: float, ranked: Sequence[RankedPlay]
) -> Candidate:
    """The candidate of that number, by its rollout if it was rolled out."""
    cube = candidates.cube
    play = CheckerPlay(
        legs_of_steps(candidates.steps[number]), Position.of_board(candidates.after[number])
    )
    chances = chances_of(candidates.outcomes[number]).turned()
    trials, error = 0, 0.0
    for each in ranked:
        if each.number == number:
            trials, error = each.rollout.trials, each.rollout.equity_error
            chances = each.rollout.chances
            utility = utility_of(each.equity, cube)
    equity, mwc = equity_of(utility, cube), mwc_of(utility, cube)
    return Candidate(play, chances, equity, int(candidates.plies[number]), mwc, trials, error)


def _with_rollout(evaluation: CubeEvaluation, found: RolledOutCube) -> CubeEvaluation:
    """Evaluation of a double by rollouts, with the rules of the search's evaluation."""
    by_rollout = found.evaluation
    return replace(
        evaluation,
        no_double=by_rollout.no_double,
        double_take=by_rollout.double_take,
        mwc=by_rollout.mwc,
    )


def _with_take(evaluation: CubeEvaluation, taken: Rollout) -> CubeEvaluation:
    """The evaluation with what a rollout says of a double that is taken."""
    mwc = None
    if evaluation.mwc is not None and taken.mwc is not None:
        mwc = (evaluation.mwc[0], taken.mwc, evaluation.mwc[2])
    return replace(evaluation, double_take=taken.equity, mwc=mwc)


def _action_margin(rolled: Values, cube: CubeTable) -> float:
    return cube_evaluation(rolled, cube).action_margin if may_double(cube) else math.inf


def _answer_margin(rolled: Values, cube: CubeTable) -> float:
    return cube_evaluation(rolled, cube).answer_margin
