"""A player for tests that decides oddly but always alike, and uses the cube often."""

from dataclasses import replace

import numpy as np

from bot.backgammon.engine.engine import Engine
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
)
from bot.backgammon.rules.outcome import Outcomes
from bot.backgammon.rules.position import Position

WORTH = np.sin(np.arange(1, 27) ** 2)


class RunningEvaluator:
    """Likes few pips and no blots; the small rest of the sum keeps plays from being equal."""

    def outcomes(self, boards: Boards) -> Outcomes:
        board = boards.astype(np.float64)
        lead = -(board * np.arange(26)).sum(1) - (board.clip(max=0) * 25).sum(1)
        lead += 6 * (board == -1).sum(1) - 6 * (board == 1).sum(1)
        outcomes = np.zeros((len(boards), 5), np.float32)
        outcomes[:, 0] = 1 / (1 + np.exp(-lead / 30 - board @ WORTH / 60))
        return outcomes


class RestlessPlayer:
    """Doubles, beavers and resigns by the position's checksum, drops now and then."""

    def __init__(self) -> None:
        self._engine = Engine(RunningEvaluator(), candidates=1, cube=False)

    def decide(self, request: Request) -> Decision:
        decision = self._engine.decide(request)
        match request, decision:
            case ChooseCheckerPlay(state), PlayDecision():
                return replace(decision, resigns=int(_checksum(state.position) % 37 == 5))
            case ChooseCubeAction(state), CubeDecision(_, chances):
                checksum = _checksum(state.position)
                action = CubeAction.ROLL if checksum % 6 else CubeAction.DOUBLE
                return CubeDecision(action, chances, resigns=2 * int(checksum % 37 == 7))
            case AnswerDouble(state), DoubleDecision(_, chances):
                answers = [DoubleAnswer.TAKE, DoubleAnswer.BEAVER, DoubleAnswer.DROP]
                return DoubleDecision(answers[_checksum(state.position) // 6 % 3], chances)
        return decision


def _checksum(position: Position) -> int:
    return sum(point * count for point, count in enumerate(position.points, 1))
