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
from bot.backgammon.evaluator import Evaluator
from bot.backgammon.outcome import Chances, chances_of, cubeless_equities
from bot.backgammon.play import CheckerPlay, PlayBuffers, boards_after, legs_of_steps
from bot.backgammon.position import Position, turned_boards
from bot.backgammon.roll import Roll

TAKE_POINT = -0.5
"""Cubeless equity from which a double is taken: a drop costs 1, a take costs twice the equity."""


class Engine:
    """Decides for one player; several games at once may share it, one request at a time.

    Until the cube is understood it never doubles, takes by cubeless equity and plays cubeless.
    candidates: how many plays a decision lists at most; None for all.
    """

    def __init__(self, evaluator: Evaluator, *, candidates: int | None = None) -> None:
        self._evaluator = evaluator
        self._candidates = candidates
        self._buffers = PlayBuffers()

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
        return chances_of(self._evaluator.outcomes(position.board[np.newaxis])[0])

    def _best_play(self, position: Position, roll: Roll) -> PlayDecision:
        after, steps = boards_after(position.board, roll, self._buffers)
        if len(after) == 0:
            return PlayDecision(CheckerPlay((), position), ())
        outcomes = self._evaluator.outcomes(turned_boards(after))
        equities = -cubeless_equities(outcomes)
        order = np.argsort(-equities, kind="stable")[: self._candidates]
        rated = tuple(
            RatedPlay(
                CheckerPlay(legs_of_steps(steps[i]), Position.of_board(after[i])),
                chances_of(outcomes[i]).turned(),
                float(equities[i]),
            )
            for i in order
        )
        return PlayDecision(rated[0].play, rated)
