"""GNU Backgammon's external player: one board line in, one answer out.

Source: GNU Backgammon 1.07, external.c and play.c; every answer seen accepted by the program.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bot.backgammon.decision import (
    CubeDecision,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
    ResignationDecision,
)
from bot.backgammon.match import GameState, MoneyRules
from bot.backgammon.position import Position, turned
from protocol.backgammon.fibs_board import BoardRequest, parse_board
from protocol.backgammon.notation import play_text
from protocol.errors import WireError

MAX_LINE = 1000
"""Characters of a request that are looked at; GNU Backgammon's own have under 256."""

MAX_ANSWER = 200
"""Bytes in an answer with its line end; GNU Backgammon reads 255."""

_log = logging.getLogger("blot.gnubg")


class Decider(Protocol):
    """Whatever decides: an Engine, or a player in its place."""

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's."""
        ...


class GnubgAdapter:
    """One seat at GNU Backgammon's board; money says which rules its lines do not."""

    def __init__(
        self, engine: Decider, send: Callable[[str], None], *, money: MoneyRules | None = None
    ) -> None:
        self._engine = engine
        self._send = send
        self._money = money or MoneyRules()
        self._seat: int | None = None
        self._played: _Played | None = None

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
        state = board.request.state
        decision = self._engine.decide(board.request)
        text = decision_text(decision, state)
        if isinstance(decision, PlayDecision) and decision.play.legs:
            self._played = _Played(board, decision.play.after, text)
        return text


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
