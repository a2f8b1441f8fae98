"""Outside player: a program as a player of ours, whatever protocol it speaks, and its failures.

A wrong, late or missing answer loses it the game, and it is met anew if it failed otherwise.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.rules.decision import (
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
    Request,
    ResignationDecision,
)
from bot.backgammon.rules.game import Game, Resignation
from bot.backgammon.rules.match import CubeOwner, GameState
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay
from protocol.errors import WireError
from protocol.progress import SECONDS_BETWEEN_LINES, SECONDS_UNTOLD, waiting_told

MAX_STARTS = 10
"""Times that a program is met before it has failed for good."""

MAX_OFFERS = 3
"""Resignations in one position, each of more points."""

OutsideAnswer = CheckerPlay | CubeAction | DoubleAnswer | Resignation
UNKNOWN = Chances(0.5, 0.0, 0.0, 0.0, 0.0)
"""Chances that no line tells."""


class OutsideError(WireError):
    """A program that died, was late or answered wrongly: one sentence with its name."""


class IllegalAnswerError(OutsideError):
    """An answer that is none, or not legal; the program is well else.

    resigns: times the cube that it had offered to lose in the same position, 0 for none.
    """

    resigns = 0


class OutsideForfeitError(ForfeitError, OutsideError):
    """A failure that loses the game in a match, and that a person at a table is told of."""


class OutsidePlayer(ABC):
    """A program that decides; one that dies or is late is met again, MAX_STARTS times in all.

    It is not asked about resignations: one is accepted if no more can be won.
    """

    def __init__(self) -> None:
        self._starts = 0
        self._raised: GameState | None = None
        self._is_roller = False

    def __enter__(self) -> "OutsidePlayer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Part from the program."""

    @property
    @abstractmethod
    def transcript(self) -> Sequence[str]:
        """The last lines to the program, after `> `, and from it, after `< `."""

    @abstractmethod
    def _start(self) -> None:
        """Meet the program; raises OutsideError if it cannot be met."""

    @abstractmethod
    def _answer(self, game: Game) -> OutsideAnswer:
        """The program's answer to the game's request, the player on roll on seat 0.

        Raises OutsideError if there is none, IllegalAnswerError if it cannot be read.
        """

    def _begin(self) -> None:
        self._starts += 1
        with waiting_told(str(self), SECONDS_UNTOLD):
            self._start()

    def decide(self, request: Request) -> Decision:
        """The program's decision, checked against the rules.

        Raises OutsideForfeitError if there is none in time or it is not legal, and another
        OutsideError if the program fails for good.
        """
        if isinstance(request, AnswerResignation):
            return ResignationDecision(is_most(request), UNKNOWN)
        try:
            return self._decision(request)
        except IllegalAnswerError as error:
            raise OutsideForfeitError(str(error), resigns=error.resigns) from None
        except OutsideError as error:
            self.close()
            if self._starts >= MAX_STARTS:
                raise OutsideError(f"{error}; it has failed {self._starts} time(s)") from None
            self._begin()
            raise OutsideForfeitError(str(error)) from None

    def _decision(self, request: Request) -> Decision:
        """The decision that its answer means; after a resignation it is asked once more.

        Who resigns again tells no play in case of a refusal: the error has what was offered.
        """
        game, resigns = self._game(request), 0
        for _ in range(MAX_OFFERS + 1):
            try:
                answer = self._legal(game)
            except IllegalAnswerError as error:
                error.resigns = resigns
                raise
            if isinstance(answer, Resignation):
                resigns = answer.points
                game = replace(game, declined=resigns)
                continue
            is_raise = answer in (CubeAction.DOUBLE, DoubleAnswer.BEAVER)
            self._raised = game.state if is_raise else None
            match answer:
                case CheckerPlay():
                    return PlayDecision(answer, (), resigns)
                case CubeAction():
                    return CubeDecision(answer, UNKNOWN, resigns=resigns)
                case DoubleAnswer():
                    return DoubleDecision(answer, UNKNOWN, is_for_roller=True)
        raise IllegalAnswerError(f"{self} resigned again and again, and told no play besides")

    def _legal(self, game: Game) -> OutsideAnswer:
        """The program's answer; raises IllegalAnswerError if it is against the rules."""
        with waiting_told(str(self), SECONDS_BETWEEN_LINES):
            answer = self._answer(game)
        if refusal := game.refusal(answer):
            raise IllegalAnswerError(f"{self} answered {_text(answer)}: {refusal}")
        return answer

    def _game(self, request: Request) -> Game:
        """The game around the request: after a double or beaver of the program's own, the chain.

        No other double is asked about at a higher cube in the same position.
        """
        match request:
            case ChooseCheckerPlay() | ChooseCubeAction():
                self._is_roller = True
            case AnswerDouble(state) if self._is_chain(state):
                state = replace(state, cube=replace(state.cube, owner=CubeOwner.OTHER))
                return Game(state, 0, doubles=2 if self._is_roller else 3)
            case _:
                self._is_roller = False
        return Game.asking(request, 0)

    def _is_chain(self, state: GameState) -> bool:
        """Whether its own double or beaver was answered with another."""
        raised = self._raised
        return (
            raised is not None
            and raised.position == state.position
            and raised.cube.value < state.cube.value
        )


def is_most(offer: AnswerResignation) -> bool:
    """Whether a game that is played on can bring no more than the offer."""
    state = offer.state
    wins_match = state.score and offer.points * state.cube.value >= state.score.other_away
    is_single = state.position.off > 0 or not Game.asking(offer, 0).counts_gammons
    return offer.points == 3 or is_single or bool(wins_match)


def _text(answer: OutsideAnswer) -> str:
    if isinstance(answer, Resignation):
        return f"a resignation of {answer.points} point(s)"
    return "a play" if isinstance(answer, CheckerPlay) else repr(answer.value)
