"""Answer: what a player's decision means in a game."""

from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    Decider,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    ResignationDecision,
)
from bot.backgammon.rules.game import Answer, Game, Resignation, ResignationAnswer


def answer_of(game: Game, decision: Decision) -> Answer:
    """The answer to the game's request that the decision on it means.

    A player who resigns where as much was declined plays on, and a beaver is a take where none is
    allowed. Raises ValueError if the decision is on another question.
    """
    match game.request, decision:
        case ChooseCheckerPlay(), PlayDecision(play, _, points):
            return _resignation(game, points) or play
        case ChooseCubeAction(), CubeDecision(action=action, resigns=points):
            return _resignation(game, points) or action
        case AnswerDouble(), DoubleDecision():
            is_others = game.is_beavered and not decision.is_for_roller
            answer = answer_of_roller(decision) if is_others else decision.answer
            is_beaver = answer is DoubleAnswer.BEAVER
            return DoubleAnswer.TAKE if is_beaver and not game.may_beaver else answer
        case AnswerResignation(), ResignationDecision(accepted):
            return ResignationAnswer.ACCEPT if accepted else ResignationAnswer.DECLINE
        case request, _:
            raise ValueError(f"a player answered {type(request).__name__} with {decision!r:.80}")


def answer_of_roller(decision: DoubleDecision) -> DoubleAnswer:
    """The answer of the player on roll to a beaver, by the other side's decision on that question.

    A beaver again if the player is better off at a higher stake, a drop if it costs less than to go
    on: the equities are those of the other side's question, the other way round.
    """
    evaluation = decision.evaluation
    points = -2 * decision.chances.equity if evaluation is None else evaluation.double_take
    if points < -1:
        return DoubleAnswer.DROP
    return DoubleAnswer.BEAVER if points > 0 else DoubleAnswer.TAKE


def _resignation(game: Game, points: int) -> Resignation | None:
    """The offer of so many points, None if there is none or as much was declined."""
    return Resignation(points) if points > game.declined else None


def answer_by(decider: Decider, game: Game) -> Answer:
    """The answer of a player to the game: to roll where nothing else can be chosen.

    Raises ValueError if the rules do not allow it.
    """
    if game.request is None:
        return CubeAction.ROLL
    answer = answer_of(game, decider.decide(game.request))
    if refusal := game.refusal(answer):
        raise ValueError(refusal)
    return answer
