"""Referee: one game between two players here, with doubling cube, score and resignations."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from bot.backgammon.arena.tally import GameResult
from bot.backgammon.rules.beaver import answer_of_roller, chain_question
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    Decider,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
    ResignationDecision,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import points_won
from bot.backgammon.rules.position import START, turned
from bot.backgammon.rules.roll import Roll

_Kind = TypeVar("_Kind", CubeDecision, DoubleDecision, PlayDecision, ResignationDecision)


def play_game(
    deciders: tuple[Decider, Decider],
    rolls: Iterable[Roll],
    *,
    first: int,
    score: Score | None = None,
    money: MoneyRules | None = None,
) -> GameResult | None:
    """Play a game with the cube; its result for seat 0, None if the rolls run out.

    rolls: one for each turn. first: seat, 0 or 1, that begins, without a double. score: seen by
    seat 0, None in money games, where the money rules count. Raises ValueError if a player answers
    another question than was asked.
    """
    game = _Game(deciders, first, score, money or MoneyRules())
    for number, roll in enumerate(rolls):
        result = (game.cube_turn() if number else None) or game.play_turn(roll)
        if result is not None:
            return result
    return None


class _Game:
    """A game in progress: who is on roll, where the checkers stand, and whose the cube is."""

    def __init__(
        self, deciders: tuple[Decider, Decider], first: int, score: Score | None, money: MoneyRules
    ) -> None:
        self._deciders = deciders
        self._roller = first
        self._scores = score, score and score.turned()
        self._money = money
        self._position = START
        self._value = 1
        self._owner: int | None = None
        self._offered: set[object] = set()

    def cube_turn(self) -> GameResult | None:
        """Let the player on roll double; the result if that ends the game."""
        state = self._state()
        if state.doubling_bar is not None:
            return None
        decision = self._answer(self._roller, ChooseCubeAction(state), CubeDecision)
        resigned = self._resignation(state, decision.resigns)
        if resigned is not None or decision.action is CubeAction.ROLL:
            return resigned
        return self._double(state)

    def play_turn(self, roll: Roll) -> GameResult | None:
        """Let the player on roll play the roll and turn the board; the result if the game is over.

        A resignation that is accepted ends it before the play.
        """
        state = self._state()
        decision = self._answer(self._roller, ChooseCheckerPlay(state, roll), PlayDecision)
        resigned = self._resignation(state, decision.resigns)
        if resigned is not None:
            return resigned
        self._position = turned(decision.play.after)
        self._roller = 1 - self._roller
        lost = -points_won(self._position)
        return self._result(1 - self._roller, lost) if lost else None

    def _double(self, state: GameState) -> GameResult | None:
        """Ask the other side, and on from side to side as long as they beaver."""
        value, seat = self._value, 1 - self._roller
        question = AnswerDouble(state)
        while True:
            decision = self._answer(seat, question, DoubleDecision)
            if seat == self._roller:
                decision = answer_of_roller(question, decision)
            if decision.answer is DoubleAnswer.DROP:
                self._value = value
                return self._result(1 - seat, 1)
            value *= 2
            may_beaver = state.score is None and question.state.money.beavers
            if decision.answer is DoubleAnswer.TAKE or not may_beaver:
                self._value, self._owner = value, 1 - self._roller
                return None
            chain = replace(state, cube=Cube(value, CubeOwner.OTHER))
            question = chain_question(chain, first_value=self._value)
            seat = 1 - seat

    def _resignation(self, state: GameState, points: int) -> GameResult | None:
        """The result if points are offered, not for the second time, and accepted."""
        offer = state.position, state.cube, points
        if points == 0 or offer in self._offered:
            return None
        self._offered.add(offer)
        question = AnswerResignation(state, points)
        answer = self._answer(1 - self._roller, question, ResignationDecision)
        return self._result(1 - self._roller, points) if answer.accepted else None

    def _result(self, winner: int, level: int) -> GameResult:
        if self._scores[0] is None and self._money.jacoby and self._owner is None:
            level = 1
        points = level * self._value
        return GameResult(-points if winner else points, level)

    def _state(self) -> GameState:
        owner = CubeOwner.CENTRED
        if self._owner is not None:
            owner = CubeOwner.ON_ROLL if self._owner == self._roller else CubeOwner.OTHER
        cube = Cube(self._value, owner)
        return GameState(self._position, cube, self._scores[self._roller], self._money)

    def _answer(self, seat: int, request: Request, kind: type[_Kind]) -> _Kind:
        decision = self._deciders[seat].decide(request)
        if not isinstance(decision, kind):
            raise ValueError(f"a player answered {type(request).__name__} with {decision!r:.80}")
        return decision
