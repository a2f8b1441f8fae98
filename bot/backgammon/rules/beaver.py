"""Beaver: a double answered with a double, and what the side says whose double it was.

Whoever doubles in such a chain, the opponent of the player on roll keeps the cube: each further
double only raises the stake. So the chain asks what a redouble asks, and the player on roll
answers with the same equities the other way round.
"""

from dataclasses import replace

from bot.backgammon.rules.decision import AnswerDouble, DoubleAnswer, DoubleDecision
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState

MOST_BEAVERS = 3
"""Beavers and raccoons after one double: as many as GNU Backgammon allows if not told otherwise."""


def chain_question(state: GameState, *, first_value: int) -> AnswerDouble:
    """What the opponent of the player on roll is asked when the chain comes back to it.

    state: of the player on roll, the cube owned by the other side, as it was before the latest
    double; first_value: the cube before the first. Beavers are allowed in the question as long as
    the chain may grow.
    """
    value = state.cube.value
    grows = value < first_value << MOST_BEAVERS and 4 * value <= MAX_CUBE
    money = replace(state.money, beavers=state.money.beavers and grows)
    return AnswerDouble(replace(state, cube=Cube(value, CubeOwner.ON_ROLL), money=money))


def answer_of_roller(question: AnswerDouble, decision: DoubleDecision) -> DoubleDecision:
    """What the player on roll says to a beaver, by the other side's decision on that question.

    A raccoon if the player is better off at a higher stake, a drop if it costs less than to go on.
    """
    chances = decision.chances.turned()
    rating = decision.rating
    points = 2 * chances.equity if rating is None else rating.double_take
    if points < -1:
        answer = DoubleAnswer.DROP
    elif points > 0 and question.state.money.beavers:
        answer = DoubleAnswer.BEAVER
    else:
        answer = DoubleAnswer.TAKE
    return DoubleDecision(answer, chances, rating)
