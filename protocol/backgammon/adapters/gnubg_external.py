"""GNU Backgammon's external player: one board line in, one answer out.

Source: GNU Backgammon 1.07, external.c and play.c; every answer seen accepted by the program.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from bot.backgammon.rules.beaver import answer_of_roller, chain_question
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCubeAction,
    CubeDecision,
    Decider,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    ResignationDecision,
)
from bot.backgammon.rules.match import MAX_CUBE, GameState, MoneyRules
from bot.backgammon.rules.position import Position, turned
from protocol.backgammon.formats.fibs_board import BoardRequest, parse_board
from protocol.backgammon.formats.notation import play_text
from protocol.errors import WireError

MAX_LINE = 1000
"""Characters of a request that are looked at; GNU Backgammon's own have under 256."""

MAX_ANSWER = 200
"""Bytes in an answer with its line end; GNU Backgammon reads 255."""

_log = logging.getLogger("blot.gnubg")


class GnubgAdapter:
    """One seat at GNU Backgammon's board; money says which rules its lines do not.

    A resignation that was declined is not offered again in the same position: GNU Backgammon asks
    the same question once more, and the turn is played on.
    """

    def __init__(
        self, engine: Decider, send: Callable[[str], None], *, money: MoneyRules | None = None
    ) -> None:
        self._engine = engine
        self._send = send
        self._money = money or MoneyRules()
        self._seat: int | None = None
        self._played: _Played | None = None
        self._doubled = _Doubled()
        self._offered: tuple[object, set[int]] = (None, set())

    def receive(self, line: str) -> None:
        """Answer the line; text that is no board is answered with an error."""
        try:
            answer = self._answer(line)
        except (WireError, ValueError) as error:
            _log.warning("refused: %s", error)
            answer = error_text(error)
        self._send(answer)

    def _answer(self, line: str) -> str:
        if len(line) > MAX_LINE:
            raise WireError(f"a line longer than {MAX_LINE} characters")
        board = parse_board(
            line, jacoby=self._money.jacoby, beavers=self._money.beavers, seat=self._seat
        )
        played, self._played, self._seat = self._played, None, board.decider
        if played is not None and played.is_undone_in(board):
            _log.warning("rejected play: %s was answered, the board is without it", played.text)
        decision, state = self._decided(board)
        if isinstance(decision, PlayDecision | CubeDecision) and self._offers(board, decision):
            return f"resign {decision.resigns}"
        text = decision_text(decision, state)
        if isinstance(decision, PlayDecision) and decision.play.legs:
            self._played = _Played(board, decision.play.after, text)
        return text

    def _decided(self, board: BoardRequest) -> tuple[Decision, GameState]:
        """The decision, and the state in which it counts: in a beaver chain not the board's."""
        request = board.request
        if not board.is_beaver:
            if isinstance(request, AnswerDouble | ChooseCubeAction):
                self._doubled = _Doubled(request.state.position, request.state.cube.value)
            return self._engine.decide(request), request.state
        question = chain_question(request.state, first_value=self._doubled.value_in(request.state))
        decision = self._engine.decide(question)
        if board.decider == board.roller and isinstance(decision, DoubleDecision):
            decision = answer_of_roller(question, decision)
        return decision, question.state

    def _offers(self, board: BoardRequest, decision: PlayDecision | CubeDecision) -> bool:
        """Whether the player resigns now; the same offer has not been made in this position."""
        state = board.request.state
        place = (*_standing(board), board.roller, state.position, state.cube)
        if self._offered[0] != place:
            self._offered = place, set()
        is_new = decision.resigns not in {0, *self._offered[1]}
        self._offered[1].add(decision.resigns)
        return is_new


def decision_text(decision: Decision, state: GameState) -> str:
    """The answer that GNU Backgammon understands, in the state that was decided on.

    Empty if the roll allows no play. A beaver becomes a take where none is allowed. Raises
    ValueError for a resignation, which GNU Backgammon answers itself.
    """
    match decision:
        case PlayDecision(play):
            return play_text(play, state.position)
        case CubeDecision(action):
            return action.value
        case DoubleDecision(answer):
            may_beaver = state.score is None and state.money.beavers
            may_beaver = may_beaver and 4 * state.cube.value <= MAX_CUBE
            if answer is DoubleAnswer.BEAVER and not may_beaver:
                return DoubleAnswer.TAKE.value
            return answer.value
        case ResignationDecision():
            raise ValueError("GNU Backgammon does not ask about resignations")


def error_text(error: Exception) -> str:
    """An answer that GNU Backgammon prints before it hands control back to the person."""
    sentence = "".join(c if c.isascii() and c.isprintable() else "?" for c in str(error))
    return f"Error ({sentence[: MAX_ANSWER - len('Error ()') - 1]})"


@dataclass(frozen=True, slots=True)
class _Doubled:
    """Where a double was possible last, and the cube before it; nowhere if position is None."""

    position: Position | None = None
    value: int = 1

    def value_in(self, state: GameState) -> int:
        """The cube before the first double of the chain in state; the least there could be."""
        return self.value if self.position == state.position else 1


@dataclass(frozen=True, slots=True)
class _Played:
    """A play that was answered: where it was asked, and where it leads as its mover sees it."""

    board: BoardRequest
    after: Position
    text: str

    def is_undone_in(self, later: BoardRequest) -> bool:
        """Whether the next board shows the mover's checkers as if the play had not been made.

        The other side has moved since then and may have hit. A board that could follow the play
        proves nothing, nor does one of another game.
        """
        if _standing(later) != _standing(self.board):
            return False
        position = later.request.state.position
        if later.roller != self.board.roller:
            position = turned(position)
        return _may_follow(position, self.board.request.state.position) and not _may_follow(
            position, self.after
        )


def _standing(board: BoardRequest) -> tuple[object, ...]:
    """What stays the same within a game: the players, the match and its score by seat."""
    score = board.request.state.score
    if score is None:
        return board.names, board.session_points
    points = (score.own, score.other) if board.roller == 0 else (score.other, score.own)
    return board.names, score.length, points


def _may_follow(position: Position, earlier: Position) -> bool:
    """Whether the player on roll has in position the checkers of earlier, save for blots hit."""
    own = [max(count, 0) for count in position.points]
    before = [max(count, 0) for count in earlier.points]
    hits = [point for point in range(1, 25) if own[point] != before[point]]
    return own[25] == before[25] + len(hits) and all(
        before[point] == 1 and own[point] == 0 for point in hits
    )
