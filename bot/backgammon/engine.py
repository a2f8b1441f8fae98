"""Engine: every question a game asks, answered from one evaluator."""

import numpy as np

from bot.backgammon.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    RatedPlay,
    Request,
    ResignationDecision,
)
from bot.backgammon.evaluator import CompositeEvaluator, Evaluator
from bot.backgammon.network import Network
from bot.backgammon.outcome import Chances, chances_of, cubeless_equities
from bot.backgammon.play import CheckerPlay, PlayBuffers, boards_after, legs_of_steps
from bot.backgammon.position import Position, turned_boards
from bot.backgammon.roll import Roll
from bot.backgammon.search import Ratings, Search, SearchSettings

NO_SEARCH = SearchSettings()

TAKE_POINT = -0.5
"""Cubeless equity from which a double is taken: a drop costs 1, a take costs twice the equity."""


class Engine:
    """Decides for one player; several games at once may share it, one request at a time.

    Until the cube is understood it never doubles, takes by cubeless equity and plays cubeless.
    search: how far it looks ahead. candidates: how many plays a decision lists at most; None for
    all. pruner: see Search. Raises ValueError if it cannot look ahead with this evaluator.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        search: SearchSettings = NO_SEARCH,
        *,
        candidates: int | None = None,
        pruner: Network | None = None,
    ) -> None:
        self._evaluator = evaluator
        self._candidates = candidates
        self._buffers = PlayBuffers()
        self._search = None
        if isinstance(evaluator, CompositeEvaluator):
            self._search = Search(evaluator, search, pruner=pruner)
        elif search != NO_SEARCH:
            raise ValueError(f"{type(evaluator).__name__} rates positions, it cannot look ahead")

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's."""
        match request:
            case ChooseCheckerPlay(state, roll):
                return self._best_play(state.position, roll)
            case ChooseCubeAction(state):
                return CubeDecision(CubeAction.ROLL, self.chances(state.position))
            case AnswerDouble(state):
                chances = self.chances(state.position).turned()
                takes = chances.equity > TAKE_POINT
                return DoubleDecision(DoubleAnswer.TAKE if takes else DoubleAnswer.DROP, chances)
            case AnswerResignation(state, points):
                chances = self.chances(state.position).turned()
                return ResignationDecision(points >= chances.equity, chances)

    def chances(self, position: Position) -> Chances:
        """Chances of the player on roll before the dice are thrown."""
        if self._search is not None:
            return chances_of(self._search.outcomes(position.board)[0])
        return chances_of(self._evaluator.outcomes(position.board[np.newaxis])[0])

    def _best_play(self, position: Position, roll: Roll) -> PlayDecision:
        ratings = self._ratings(position, roll)
        if len(ratings.after) == 0:
            return PlayDecision(CheckerPlay((), position), ())
        equities = -cubeless_equities(ratings.outcomes)
        rated = tuple(
            RatedPlay(
                CheckerPlay(legs_of_steps(ratings.steps[i]), Position.of_board(ratings.after[i])),
                chances_of(ratings.outcomes[i]).turned(),
                float(equities[i]),
                int(ratings.plies[i]),
            )
            for i in ratings.order()[: self._candidates]
        )
        return PlayDecision(rated[0].play, rated)

    def _ratings(self, position: Position, roll: Roll) -> Ratings:
        if self._search is not None:
            return self._search.ratings(position.board, roll, is_choice=self._candidates == 1)
        after, steps = boards_after(position.board, roll, self._buffers)
        return Ratings(after, steps, self._evaluator.outcomes(turned_boards(after)))
