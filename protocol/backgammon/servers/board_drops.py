"""Board drops: cube decisions where a dropped double costs what the board would.

So it is on bgammon.org since December 2025.
Source: tslocum/bgammon, pkg/server/server_command.go and game.go.
"""

from dataclasses import replace

from bot.backgammon.evaluation.cube import cube_table, equity_of
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.kernels.boards import CHECKERS
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    CubeEvaluation,
    Decider,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    Request,
)
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import Position

HOME = range(1, 7)


def points_of_drop(position: Position) -> int:
    """Times the cube that a drop costs, in a position seen by the doubler.

    3 if a checker of the other side is on the bar or in the doubler's home board, else 2 if it has
    borne none off, else 1.
    """
    others = [max(-count, 0) for count in position.points]
    if others[0] or any(others[point] for point in HOME):
        return 3
    return 2 if sum(others) == CHECKERS else 1


class BoardDrops:
    """A decider who knows what drops cost here; rolling and takes are worth what it says.

    That doubles to come may cost more is not looked at.
    """

    def __init__(self, decider: Decider) -> None:
        self._decider = decider

    def decide(self, request: Request) -> Decision:
        """Answer the request; a dearer drop changes what is said of doubles worth a drop."""
        decision = self._decider.decide(request)
        match request, decision:
            case ChooseCubeAction(state), CubeDecision(evaluation=CubeEvaluation() as usual):
                found = with_drop(state, usual)
                if usual.double_take > usual.double_drop:
                    doubles = found.doubled > found.no_double
                    action = CubeAction.DOUBLE if doubles else CubeAction.ROLL
                    return replace(decision, evaluation=found, action=action)
                return replace(decision, evaluation=found)
            case AnswerDouble(state), DoubleDecision(evaluation=CubeEvaluation() as usual):
                found = with_drop(state, usual)
                drops = decision.answer is DoubleAnswer.DROP
                if drops and found.double_take <= found.double_drop:
                    return replace(decision, evaluation=found, answer=DoubleAnswer.TAKE)
                return replace(decision, evaluation=found)
        return decision


def with_drop(state: GameState, evaluation: CubeEvaluation) -> CubeEvaluation:
    """The evaluation with a drop that costs what the board would; state: the doubler's."""
    cube = cube_table(state, blot_table())
    utility = float(cube.utilities[0, 0, points_of_drop(state.position) - 1])
    mwc = evaluation.mwc and (*evaluation.mwc[:2], 0.5 + 0.5 * utility)
    return replace(evaluation, double_drop=equity_of(utility, cube), mwc=mwc)
