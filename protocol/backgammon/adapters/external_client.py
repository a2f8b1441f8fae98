"""External client: a program that plays as GNU Backgammon's external player, as a player of ours.

It is asked as GNU Backgammon asks, a board line at a time, and answers in the same words. GNU
Backgammon itself is one after its command `external HOST:PORT`.
Source: GNU Backgammon 1.07, external.c and play.c; every answer seen accepted by the program.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    CubeAction,
    DoubleAnswer,
    Request,
)
from bot.backgammon.rules.game import Game, Resignation
from protocol.backgammon.adapters.outside_player import (
    IllegalAnswerError,
    OutsideAnswer,
    OutsideError,
    OutsidePlayer,
)
from protocol.backgammon.formats.fibs_board import BoardRequest, board_line
from protocol.backgammon.formats.notation import parse_play
from protocol.wire.client import CONNECT_SECONDS, ClientError, LineClient, connected

ANSWER_SECONDS = 120.0
"""Seconds that a program may think."""

NAMES = ("blot", "external")
"""The players' names by seat in board lines; the program sits on seat 1."""

_TO_A_DOUBLE = (
    (re.compile("a|t", re.I), DoubleAnswer.TAKE),
    (re.compile("d|p|rej", re.I), DoubleAnswer.DROP),
    (re.compile("b|red", re.I), DoubleAnswer.BEAVER),
)
_BEFORE_THE_ROLL = (
    (re.compile("r", re.I), CubeAction.ROLL),
    (re.compile("d", re.I), CubeAction.DOUBLE),
)
_RESIGNATION = re.compile(r"re\w*(?:\s+(\w+))?", re.I)
_POINTS = {1: ("1", "normal", "single"), 2: ("2", "gammon"), 3: ("3", "backgammon")}


class ExternalPlayer(OutsidePlayer):
    """The program that listens at an address, `HOST:PORT` or the path of a Unix socket.

    seconds: how long connecting and answering may take. Raises OutsideError if nobody listens.
    """

    def __init__(
        self, address: str, *, seconds: tuple[float, float] = (CONNECT_SECONDS, ANSWER_SECONDS)
    ) -> None:
        super().__init__()
        self._address = address
        self._connect_seconds, self._answer_seconds = seconds
        self._begin()

    def __str__(self) -> str:
        return f"the external player {self._address}"

    def close(self) -> None:
        """Hang up; it sees the end of the connection, as when GNU Backgammon ends."""
        self._client.close()

    @property
    def transcript(self) -> Sequence[str]:
        """The last lines between the program and us; see Transcript."""
        return self._client.transcript

    def _start(self) -> None:
        if not (set(":/") & set(self._address) or Path(self._address).is_socket()):
            wanted = "external:HOST:PORT or external: and the path of a socket is wanted"
            raise OutsideError(f"{self}: {wanted}")
        try:
            connection = connected(self._address, self._connect_seconds)
        except ClientError as error:
            raise OutsideError(f"{self}: {error}") from None
        self._client = LineClient(connection, str(self), end="\n\0")

    def _answer(self, game: Game) -> OutsideAnswer:
        request = game.request
        assert request is not None
        board = BoardRequest(request, 1 if game.asked == game.turn else 0, 1, NAMES)
        if game.doubles:  # its cube as it stands, where a request's is that of a first double
            board = BoardRequest(AnswerDouble(game.state), board.roller, 1, NAMES)
        try:
            text = self._client.ask(board_line(board), self._answer_seconds)
        except ClientError as error:
            raise OutsideError(str(error)) from None
        try:
            answer = parse_answer(text, request)
        except ValueError as error:
            raise IllegalAnswerError(f"{self} answered {text[:80]!r}: {error}") from None
        if answer is DoubleAnswer.BEAVER and game.state.score is None and not game.may_beaver:
            return DoubleAnswer.TAKE  # no line tells whether, and how often, beavers are allowed
        return answer


def parse_answer(text: str, request: Request) -> OutsideAnswer:
    """The answer of an external player, read as GNU Backgammon reads it.

    Raises ValueError, with the end of a sentence, for what it would not understand.
    """
    if text.startswith(("Error: ", "Error (")):
        raise ValueError("that is no decision")
    if isinstance(request, AnswerDouble):
        return _word(text, _TO_A_DOUBLE, "take, drop or beaver")
    if resignation := _RESIGNATION.fullmatch(text):
        return _resignation(resignation[1])
    if isinstance(request, ChooseCheckerPlay):
        return parse_play(text, request.state.position, request.roll)
    return _word(text, _BEFORE_THE_ROLL, "roll, double or resign")


def _word(
    text: str, words: tuple[tuple[re.Pattern[str], OutsideAnswer], ...], wanted: str
) -> OutsideAnswer:
    """The answer whose first letters these are."""
    for pattern, answer in words:
        if pattern.match(text):
            return answer
    raise ValueError(f"{wanted} is wanted")


def _resignation(word: str | None) -> Resignation:
    """The points offered; a single game if nothing is said."""
    for points, names in _POINTS.items():
        if word is None or any(name.startswith(word.lower()) for name in names):
            return Resignation(points)
    raise ValueError("single, gammon or backgammon can be resigned")
