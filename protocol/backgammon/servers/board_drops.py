"""Board drops: cube decisions where a dropped double costs what the board would.

So it is on bgammon.org since December 2025. The place of a match tells it in Blot's own records
from there; other files do not tell, and their drops count as everywhere else.
Source: tslocum/bgammon, pkg/server/server_command.go and game.go.
"""

from dataclasses import replace

from bot.backgammon.engine.analysis import CubeVerdict, Verdict
from bot.backgammon.evaluation.cube import cube_table, equity_of
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.kernels.boards import CHECKERS
from bot.backgammon.rules.choice import Choice
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
from bot.backgammon.rules.record import MatchRecord

HOME = range(1, 7)

_PLACE = "bgammon "
"""The beginning of the place of a match in which drops cost what the board would."""


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


def with_drop(
    state: GameState, evaluation: CubeEvaluation, met: MatchEquityTable | None = None
) -> CubeEvaluation:
    """The evaluation with a drop that costs what the board would.

    state: the doubler's; met: match equities, Blot's own if None.
    """
    cube = cube_table(state, met or blot_table())
    utility = float(cube.utilities[0, 0, points_of_drop(state.position) - 1])
    mwc = evaluation.mwc and (*evaluation.mwc[:2], 0.5 + 0.5 * utility)
    return replace(evaluation, double_drop=equity_of(utility, cube), mwc=mwc)


def place_with_board_drops(server: str) -> str:
    """The place by which the record of a match on such a server tells what drops cost there."""
    return f"{_PLACE}{server}"


def has_board_drops(match: MatchRecord) -> bool:
    """Whether the record tells that drops cost what the board would."""
    return match.occasion.place.startswith(_PLACE)


def verdict_there(
    match: MatchRecord, choice: Choice, verdict: Verdict, met: MatchEquityTable | None = None
) -> Verdict:
    """The verdict on a choice of the match, by what drops cost where it was played.

    met: match equities that the verdict was found with, Blot's own if None.
    """
    if not (isinstance(verdict, CubeVerdict) and has_board_drops(match)):
        return verdict
    evaluation = with_drop(choice.request.state, verdict.evaluation, met)
    return replace(verdict, evaluation=evaluation)
