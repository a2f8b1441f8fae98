"""GNU Backgammon's external player: one board line in, one answer out.

Source: GNU Backgammon 1.07, external.c and play.c; every answer seen accepted by the program.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.backgammon.rules.answer import answer_by
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    CubeAction,
    Decider,
    DoubleAnswer,
    Request,
    ResignationDecision,
)
from bot.backgammon.rules.game import Answer, Game, Resignation
from bot.backgammon.rules.match import MoneyRules
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import Position, turned
from protocol.backgammon.adapters.gnubg_server import GnubgServer, session_options
from protocol.backgammon.formats.fibs_board import PREFIX, BoardRequest, parse_board
from protocol.backgammon.formats.notation import play_text
from protocol.errors import WireError

MAX_LINE = 1000
"""Characters of a request that are looked at; GNU Backgammon's own have under 256."""

MAX_ANSWER = 200
"""Bytes in an answer with its line end; GNU Backgammon reads 255."""

_log = logging.getLogger("blot.gnubg")


class RejectedPlay(NamedTuple):
    """A play that GNU Backgammon did not accept, and the request that it answered."""

    request: Request
    play: CheckerPlay


class GnubgAdapter:
    """One seat at GNU Backgammon's board; money says which rules its lines do not.

    on_rejected hears of each play that was answered, but that the next board is without.
    server: answers the lines that are no boards; without it they are errors. Options behind a board
    are those of GNU Backgammon's server, where BEAVERS changes nothing either.
    A resignation that was declined is not offered again in the same position: GNU Backgammon asks
    the same question once more, and the turn is played on.
    """

    def __init__(
        self,
        engine: Decider,
        send: Callable[[str], None],
        *,
        money: MoneyRules | None = None,
        on_rejected: Callable[[RejectedPlay], None] = lambda rejected: None,
        server: GnubgServer | None = None,
    ) -> None:
        self._engine = engine
        self._server = server
        self._send = send
        self._on_rejected = on_rejected
        self._money = money or MoneyRules()
        self._seat: int | None = None
        self._played: _Played | None = None
        self._asked: tuple[tuple[object, ...], Game] | None = None

    def receive(self, line: str) -> None:
        """Answer the line; text that is no board goes to the server, or is answered with an error.

        Raises Goodbye if the server's client says that it goes.
        """
        is_board = line.lstrip().lower().startswith(PREFIX)
        if self._server is not None and not is_board and len(line) <= MAX_LINE:
            self._serve(self._server, line)
            return
        board, after = _split(line) if is_board and len(line) <= MAX_LINE else (line, "")
        try:
            options = session_options(after) if after else {}
        except WireError as error:
            self._refuse(line, error)
            return
        try:
            answer = self._answer(board, options)
        except (WireError, ValueError, ChildProcessError) as error:
            _log.warning("refused: %s", error)
            answer = error_text(error)
        self._send(answer)

    def _serve(self, server: GnubgServer, line: str) -> None:
        try:
            answers = server.answers(line)
        except (WireError, ValueError) as error:
            self._refuse(line, error)
            return
        for answer in answers:
            self._send(answer)

    def _refuse(self, line: str, error: Exception) -> None:
        """Tell the client of a server what is wrong, in GNU Backgammon's words."""
        _log.warning("refused: %s in %r", error, line[:80])
        self._send(f"Error: {error}")

    def _answer(self, line: str, options: Mapping[str, float]) -> str:
        if len(line) > MAX_LINE:
            raise WireError(f"a line longer than {MAX_LINE} characters")
        board = parse_board(
            line,
            jacoby=bool(options.get("JACOBYRULE", self._money.jacoby)),
            beavers=self._money.beavers,
            crawford=bool(options.get("CRAWFORDRULE", True)),
            seat=self._seat,
        )
        points = int(options.get("RESIGNATION", 0))
        if points and not isinstance(board.request, AnswerDouble):
            return self._resignation_answer(board, points)
        played, self._played, self._seat = self._played, None, board.decider
        if played is not None and played.is_undone_in(board):
            request, play = played.board.request, played.play
            text = play_text(play, request.state.position)
            _log.warning("rejected play: %s was answered, the board is without it", text)
            self._on_rejected(RejectedPlay(request, play))
        game = self._game_on(board)
        answer = answer_by(self._engine, game)
        text = answer_text(answer, game.state.position)
        if isinstance(answer, Resignation):  # asked the same again, it has been declined
            game = replace(game, declined=answer.points)
        if isinstance(answer, CheckerPlay) and answer.legs:
            self._played = _Played(board, answer)
        self._asked = _standing(board), game
        return text

    def _resignation_answer(self, board: BoardRequest, points: int) -> str:
        """Whether the side that is not on turn accepts the resignation of the one that is."""
        decision = self._engine.decide(AnswerResignation(board.request.state, points))
        assert isinstance(decision, ResignationDecision)
        return "accept" if decision.accepted else "reject"

    def _game_on(self, board: BoardRequest) -> Game:
        """The game that the board shows, with what an earlier board of the same turn told."""
        game = Game.asking(board.request, board.roller)
        before = self._before(board, game)
        if board.is_beaver:
            return replace(game, doubles=_doubles(board, before))
        if before is not None and before.state.cube == game.state.cube:
            return replace(game, declined=before.declined)
        return game

    def _before(self, board: BoardRequest, game: Game) -> Game | None:
        """The game of the last request, if nobody has moved a checker since then."""
        if self._asked is None:
            return None
        standing, before = self._asked
        is_same = before.turn == game.turn and before.state.position == game.state.position
        return before if is_same and standing == _standing(board) else None


def _split(line: str) -> tuple[str, str]:
    """A board, and what stands behind a blank after its last field; a name may have blanks.

    GNU Backgammon's server reads BOARD: as well, and blanks before it.
    """
    before, colon, last = (PREFIX + line.lstrip()[len(PREFIX) :]).rpartition(":")
    field, *after = last.split(maxsplit=1) or [""]
    return f"{before}{colon}{field}", after[0] if after else ""


def _doubles(board: BoardRequest, before: Game | None) -> int:
    """Number of doubles in a beaver chain; the player on roll is asked after an even number.

    Where no request before it tells the cube before the chain, that is taken for the least, so that
    no beaver is answered that GNU Backgammon might not allow.
    """
    if board.decider != board.roller:
        return 3
    value = board.request.state.cube.value
    first_value = before.state.cube.value >> max(before.doubles - 1, 0) if before else 0
    return 2 if value < 8 or value == 2 * first_value else 4


def answer_text(answer: Answer, position: Position) -> str:
    """The answer that GNU Backgammon understands; empty if the roll allows no play."""
    match answer:
        case CheckerPlay():
            return play_text(answer, position)
        case Resignation(points):
            return f"resign {points}"
        case CubeAction() | DoubleAnswer():
            return str(answer.value)
        case _:
            raise ValueError(f"GNU Backgammon does not ask for {answer!r:.80}")


def error_text(error: Exception) -> str:
    """An answer that GNU Backgammon prints before it hands control back to the person."""
    sentence = "".join(c if c.isascii() and c.isprintable() else "?" for c in str(error))
    return f"Error ({sentence[: MAX_ANSWER - len('Error ()') - 1]})"


@dataclass(frozen=True, slots=True)
class _Played:
    """A play that was answered, and the board on which it was asked."""

    board: BoardRequest
    play: CheckerPlay

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
            position, self.play.after
        )


def _standing(board: BoardRequest) -> tuple[object, ...]:
    """The fields that stay within a game: the players, the match and its score by seat."""
    score = board.request.state.score
    if score is None:
        return board.names, board.session_points
    points = (score.own, score.other) if board.roller == 0 else (score.other, score.own)
    return board.names, score.length, points


def _may_follow(position: Position, earlier: Position) -> bool:
    """Whether the player on roll has in position the checkers of earlier, save for blots hit."""
    seen = zip(earlier.points[1:25], position.points[1:25], strict=True)
    moved = [(before, now) for before, now in seen if before != now and max(before, now) > 0]
    return position.points[25] == earlier.points[25] + len(moved) and all(
        before == 1 and now <= 0 for before, now in moved
    )
