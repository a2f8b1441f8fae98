"""A player for tests that uses the cube and resigns as it is told, and notes what it was asked."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.backgammon.engine.engine import Engine
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    CubeEvaluation,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
    ResignationDecision,
)
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.outcome import Chances
from tests.fakes.restless_player import RunningEvaluator

EVEN = Chances(0.5, 0, 0, 0, 0)


def doubled(answer: DoubleAnswer, points: float | None = None) -> DoubleDecision:
    """An answer to a double, and what a take is worth to the doubler, points at the cube now."""
    evaluation = None if points is None else CubeEvaluation(0, points, 1)
    return DoubleDecision(answer, EVEN, evaluation)


@dataclass
class ScriptedPlayer:
    """Plays its checkers by a rule of thumb; everything else is in the script.

    doubles, answers, resigns and accepts see the state as their question has it. asked: every
    request so far.
    """

    doubles: Callable[[GameState], bool] = lambda state: False
    answers: Callable[[GameState], DoubleDecision] = lambda state: doubled(DoubleAnswer.TAKE)
    resigns: Callable[[GameState], int] = lambda state: 0
    accepts: Callable[[GameState, int], bool] = lambda state, points: True
    asked: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._engine = Engine(RunningEvaluator(), candidates=1, cube=False)

    def decide(self, request: Request) -> Decision:
        self.asked.append(request)
        match request:
            case ChooseCheckerPlay(state):
                decision = self._engine.decide(request)
                assert isinstance(decision, PlayDecision)
                return replace(decision, resigns=self.resigns(state))
            case ChooseCubeAction(state):
                action = CubeAction.DOUBLE if self.doubles(state) else CubeAction.ROLL
                return CubeDecision(action, EVEN, resigns=self.resigns(state))
            case AnswerDouble(state):
                return self.answers(state)
            case AnswerResignation(state, points):
                return ResignationDecision(self.accepts(state, points), EVEN)

    def states(self, kind: type[Request]) -> list[GameState]:
        """The states of all requests of that kind."""
        return [request.state for request in self.asked if isinstance(request, kind)]
