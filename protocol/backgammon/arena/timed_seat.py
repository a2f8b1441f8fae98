"""A seat to measure: whoever answers GNU Backgammon's board lines at a socket, asked and timed.

Blot is asked as gnubg is, so that both times hold the same: a line there and a line back.
"""

import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    CubeAction,
    Decider,
    Decision,
    DoubleAnswer,
    Request,
)
from protocol import wire
from protocol.backgammon.adapters.gnubg_external import GnubgAdapter
from protocol.backgammon.arena.judged_decisions import MONEY, Answer
from protocol.backgammon.formats.fibs_board import BoardRequest, board_line
from protocol.backgammon.formats.notation import parse_play
from protocol.errors import WireError
from protocol.wire.client import LineClient

LIMIT = 120.0
"""Seconds that starting, one answer, or ending may take."""

_MAX_OFFERS = 3
_ANSWERS: dict[str, Answer] = {
    each.value: each for kind in (CubeAction, DoubleAnswer) for each in kind
}


class Seat:
    """A player at the other end of a connection; its name is for the sentences of errors."""

    def __init__(self, name: str, connection: socket.socket, *, limit: float = LIMIT) -> None:
        self._name = name
        self._client = LineClient(connection, name)
        self._limit = limit
        self._asked = 0

    @property
    def transcript(self) -> Sequence[str]:
        """The last lines to the player, after `> `, and from it, after `< `."""
        return self._client.transcript

    def ask(self, request: Request) -> tuple[float, Answer]:
        """Seconds from the question to the answer, and the answer.

        A resignation is declined, and the same asked again. Raises WireError if there is no answer
        within the limit, or it cannot be read.
        """
        decider = 0 if isinstance(request, AnswerDouble) else 1
        self._asked += 1
        session = (self._asked, 0)  # every question is of a game of its own
        line = board_line(BoardRequest(request, 1, decider, session_points=session))
        seconds, text = self._exchange(line)
        for _ in range(_MAX_OFFERS):
            if not text.startswith("resign"):
                break
            more, text = self._exchange(line)
            seconds += more
        try:
            return seconds, _answer(text, request)
        except ValueError as error:
            raise WireError(f"{self._name} answered {text[:80]!r}: {error}") from None

    def _exchange(self, line: str) -> tuple[float, str]:
        """Seconds, and the line that came back."""
        began = time.perf_counter()
        answer = self._client.ask(line, self._limit)
        return time.perf_counter() - began, answer


class CubelessPlays:
    """A player who leaves the cube out of its checker plays, as judged decisions do."""

    def __init__(self, without_cube: Decider, with_cube: Decider) -> None:
        self._without_cube = without_cube
        self._with_cube = with_cube

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's."""
        if isinstance(request, ChooseCheckerPlay):
            return self._without_cube.decide(request)
        return self._with_cube.decide(request)


@contextmanager
def blot_seat(decider: Decider, *, limit: float = LIMIT) -> Iterator[Seat]:
    """A player of this process, at a socket as `blot serve` would seat it."""
    with tempfile.TemporaryDirectory(prefix="blot-bench-") as folder:
        path = str(Path(folder) / "seat") if hasattr(socket, "AF_UNIX") else None
        listener = wire.listener("127.0.0.1", 0, path)
        with (
            wire.serving(listener, lambda send: GnubgAdapter(decider, send, money=MONEY)),
            socket.socket(listener.family) as connection,
        ):
            connection.settimeout(limit)
            connection.connect(listener.getsockname())
            if path is None:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            yield Seat("blot", connection, limit=limit)


def _answer(text: str, request: Request) -> Answer:
    """The answer that a text means; raises ValueError if it means none."""
    if text.startswith("Error"):
        raise ValueError("that is no decision")
    if isinstance(request, ChooseCheckerPlay):
        return parse_play(text, request.state.position, request.roll).after.points
    if text not in _ANSWERS:
        raise ValueError("that is nothing to do with the cube")
    return _ANSWERS[text]
