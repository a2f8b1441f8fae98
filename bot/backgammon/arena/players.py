"""Players: what can be done with any of them."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from bot.backgammon.engine.engine import Engine
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    Decider,
    Decision,
    Request,
)
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll


class ForfeitError(Exception):
    """A player has failed or answered against the rules, and loses the game by it; one sentence.

    transcript: the last lines between the player and us, if it is a program. resigns: times the
    cube that it had offered to lose before, 0 for none; it fails only if that is declined.
    """

    def __init__(self, sentence: str, transcript: Sequence[str] = (), resigns: int = 0) -> None:
        super().__init__(sentence)
        self.transcript = tuple(transcript)
        self.resigns = resigns


class TimedDecider:
    """A decider, and the seconds each of its decisions took, added to the list given."""

    def __init__(
        self,
        decider: Decider,
        seconds: list[float],
        on_decision: Callable[[], None] = lambda: None,
    ) -> None:
        self._decider = decider
        self._seconds = seconds
        self._on_decision = on_decision

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's."""
        started = time.perf_counter()
        decision = self._decider.decide(request)
        self._seconds.append(time.perf_counter() - started)
        self._on_decision()
        return decision

    def decisions(self) -> int:
        """Number of decisions made."""
        return len(self._seconds)


@contextmanager
def seated(*players: Decider) -> Iterator[None]:
    """Have the players ready as long as the block lasts: those who roll out have processes."""
    engines = [player for player in players if isinstance(player, Engine)]
    try:
        for engine in engines:
            engine.prepare()
        yield
    finally:
        for engine in engines:
            engine.close()


def ask_everything(player: Decider) -> None:
    """Ask every kind of question once, so that all later answers come from compiled kernels."""
    last_checkers = Position.of({1: 1}, {1: 1})
    for position in (START, last_checkers):
        for state in (GameState(position), GameState(position, score=Score(5, 0, 0))):
            player.decide(ChooseCheckerPlay(state, Roll(3, 1)))
            player.decide(ChooseCubeAction(state))
            player.decide(AnswerDouble(state))
            player.decide(AnswerResignation(state, 1))
