"""Players: who can sit at the board, many games at once or one question at a time."""

import time
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.arena.baselines import Player
from bot.backgammon.engine.search import Search
from bot.backgammon.evaluation.evaluator import Evaluator
from bot.backgammon.kernels.boards import Boards
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
    Request,
    ResignationDecision,
    refused,
)
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.outcome import Chances, cubeless_equities
from bot.backgammon.rules.play import PlayBuffers, boards_after
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.backgammon.rules.roll import Roll

Dice = NDArray[np.int8]

_EVEN = Chances(0.5, 0.0, 0.0, 0.0, 0.0)
"""What a player says who knows no chances."""


class DuelPlayer(Protocol):
    """Whoever plays many games at once, blind to score and cube."""

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board, as its mover sees it.

        boards: int8[n, 26] seen by the player on roll; dice: int8[n, 2], the higher die first.
        Returns int8[n, 26], a new array; the same board where the roll allows no play.
        """


class EvaluatingPlayer:
    """Takes the play of most cubeless equity; the evaluator is asked for all games at once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._buffers = PlayBuffers()

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board; see DuelPlayer."""
        chosen = boards.copy()
        asked: list[int] = []
        candidates: list[Boards] = []
        for i, (high, low) in enumerate(dice.tolist()):
            after, _ = boards_after(boards[i], Roll(high, low), self._buffers)
            if len(after) == 1:
                chosen[i] = after[0]
            elif len(after) > 1:
                asked.append(i)
                candidates.append(after.copy())
        if not asked:
            return chosen
        every = np.concatenate(candidates)
        losses = cubeless_equities(self._evaluator.outcomes(turned_boards(every)))
        first = 0
        for i, after in zip(asked, candidates, strict=True):
            chosen[i] = after[np.argmin(losses[first : first + len(after)])]
            first += len(after)
        return chosen


class SearchingPlayer:
    """Takes the best play of a search, game by game."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board; see DuelPlayer."""
        chosen = np.empty_like(boards)
        for i, (high, low) in enumerate(dice.tolist()):
            chosen[i] = self._search.choice(boards[i], Roll(high, low))
        return chosen


class BaselinePlayer:
    """A baseline asked game by game."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board; see DuelPlayer."""
        chosen = np.empty_like(boards)
        for i, (high, low) in enumerate(dice.tolist()):
            play = self._player.choose(Position.of_board(boards[i]), Roll(high, low))
            chosen[i] = play.after.points
        return chosen


class BaselineEngine:
    """A baseline in the engine's chair; it never doubles, always takes, accepts resignations."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's."""
        match request:
            case ChooseCheckerPlay(state, roll):
                return PlayDecision(self._player.choose(state.position, roll), ())
            case ChooseCubeAction():
                return CubeDecision(CubeAction.ROLL, _EVEN)
            case AnswerDouble():
                return DoubleDecision(DoubleAnswer.TAKE, _EVEN)
            case AnswerResignation():
                return ResignationDecision(True, _EVEN)
            case _:
                raise refused(request)


class TimedDecider:
    """A decider, and the seconds each of its decisions took, added to the list given."""

    def __init__(self, decider: Decider, seconds: list[float]) -> None:
        self._decider = decider
        self._seconds = seconds

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's."""
        started = time.perf_counter()
        decision = self._decider.decide(request)
        self._seconds.append(time.perf_counter() - started)
        return decision

    def decisions(self) -> int:
        """How many were made."""
        return len(self._seconds)


def ask_everything(player: Decider) -> None:
    """Ask every kind of question once, so that all later answers come from compiled kernels."""
    last_checkers = Position.of({1: 1}, {1: 1})
    for position in (START, last_checkers):
        for state in (GameState(position), GameState(position, score=Score(5, 0, 0))):
            player.decide(ChooseCheckerPlay(state, Roll(3, 1)))
            player.decide(ChooseCubeAction(state))
            player.decide(AnswerDouble(state))
            player.decide(AnswerResignation(state, 1))
