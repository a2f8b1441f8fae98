"""FIBS client: a player on FIBS or a server like it, from the login to the last match.

Source: FIBS Client Protocol Detailed Specification 1.3 (CLIP 1008); each line seen from BaldLies or
Jibs.
"""

import logging
from dataclasses import replace
from typing import ClassVar

from protocol.backgammon.adapters.fibs_lobby import FibsLobby
from protocol.backgammon.adapters.fibs_match import FibsMatch
from protocol.backgammon.formats.clip import ClipLine, ClipReader, Kind
from protocol.backgammon.formats.server_board import YOU, has_ended, parse_server_board
from protocol.backgammon.servers.agenda import Task
from protocol.backgammon.servers.courtesy import plain
from protocol.backgammon.servers.player import (
    Player,
    RefusedLoginError,
    Send,
    ServerClient,
)
from protocol.backgammon.servers.seat import ServerError
from protocol.errors import MalformedLineError

_log = logging.getLogger("blot.fibs")

CLIENT, CLIP_VERSION = "Blot", 1008

LOGIN_SECONDS, IDLE_SECONDS, PING_SECONDS = 60.0, 600.0, 60.0
"""Seconds that a login may take, that may pass in silence, and that an answer may take then."""

READY_SECONDS = 30.0
"""Seconds that a server may take to see that we are ready."""

SHOW_SECONDS = 2.0
"""Seconds after which a match that has begun is asked for if it does not show itself."""

OVER_SECONDS = 5.0
"""Seconds that a server may take to say that a match is over."""

UNKNOWN = ("Unknown command", "Not yet implemented")
"""Beginnings of the answer to a command that a server has not."""


class FibsClient(ServerClient):
    """One login on a FIBS-like server.

    player: who plays there, from one login to the next. send: sends a line. It receives each line
    of the server, and acts when something on its agenda is due.
    """

    prompts: ClassVar[tuple[str, ...]] = ("login:",)

    def __init__(self, player: Player, send: Send) -> None:
        super().__init__(player, send)
        self._reader = ClipReader()
        self._fibs: FibsMatch | None = None
        self._lobby = FibsLobby(player, self.agenda, send)
        self._board_word = "board"
        self._has_toggled_double = False
        self.agenda.put(Task.LOGIN, LOGIN_SECONDS)

    def receive(self, line: str) -> None:
        """Take one line; raises ServerError if the server does not let us in or sends us away."""
        self.agenda.put(Task.IDLE, IDLE_SECONDS)
        for told in self._reader.read(plain(line)):
            if self._is_own_state(told):
                self.agenda.drop(Task.DEAF, Task.SILENT)
            if told.kind is Kind.PROMPT:
                self._log_in()
            elif told.kind is Kind.KICKED:
                raise ServerError("the server ended the connection")
            elif told.kind is Kind.BOARD:
                self._show(told["board"])
            elif self._fibs is None or not self._hear_match(told):
                self._hear(told)

    def _do(self, task: Task) -> None:
        match task:
            case Task.ANSWER:
                self._answer()
            case Task.SERVER:
                assert self.seat is not None
                self.seat.ask_again()
                self._send(self._board_word)
            case Task.OPPONENT:
                self._send("leave")
            case Task.SHOW:
                self._send(self._board_word)
            case Task.NEXT:
                self._go_on()
            case Task.OVER:
                self._finish()
            case Task.SETTLE:
                self._lobby.settle(self.seat.match.players[1] if self.seat else None)
            case Task.JOIN:
                if self.seat is None:
                    self._lobby.answer()
            case Task.JOINING:
                self._lobby.forget()
                self._ask_own_state()
            case Task.READY:
                pass  # it may be toggled again
            case Task.IDLE:
                self._send(f"rawwho {self.player.account.name}")
                self.agenda.put(Task.SILENT, PING_SECONDS)
            case Task.DEAF:
                raise ServerError("the server does not answer us, whatever else it says")
            case _:
                raise AssertionError(f"nobody here does {task}")

    def stop(self) -> None:
        """Play no other match, and go."""
        self._is_stopping = True
        if self._fibs is None:
            self._say_goodbye()

    def _log_in(self) -> None:
        if self.is_in:
            raise ServerError("the server has logged us out")
        if self._has_tried:
            raise RefusedLoginError("the server refuses name or password")
        self._has_tried = True
        account = self.player.account
        line = f"login {CLIENT} {CLIP_VERSION} {account.name}"
        self._send(f"{line} {account.password}", told=f"{line} ********")

    def _hear(self, told: ClipLine) -> None:
        """Take in a line that belongs to no match that is played."""
        name = told["who"]
        self.agenda.drop(Task.SILENT)
        match told.kind:
            case Kind.WELCOME:
                self.agenda.drop(Task.LOGIN)
                self.is_in = True
                self._send("set boardstyle 3")
                self._send("show saved")
                self._ask_own_state()
            case Kind.WHO:
                self._see(told)
            case Kind.GONE if self.seat is not None and name == self.seat.match.players[1]:
                self.agenda.put(Task.SHOW, SHOW_SECONDS)  # not all servers tell more
            case Kind.BEGUN | Kind.RESUMED | Kind.GAME:
                self._begin(name, told)
            case Kind.MATCH_WON:
                self._end_unseen(told)
            case _:
                self._lobby.hear(told, is_busy=self._fibs is not None or self._is_stopping)

    def _ask_own_state(self) -> None:
        """Ask what only an answer to us tells; without one nothing we say is heard."""
        self._send(f"rawwho {self.player.account.name}")
        self.agenda.put(Task.DEAF, PING_SECONDS)

    def _is_own_state(self, told: ClipLine) -> bool:
        """Whether a line tells our state, or that this server does not know the question."""
        if told.kind is Kind.REFUSED:
            return "'rawwho" in told["text"]
        return told.kind is Kind.WHO and told["who"] == self.player.account.name

    def _see(self, told: ClipLine) -> None:
        """Somebody's state: ours tells the rating, an opponent's that they are there."""
        name, is_playing = told["who"], self._fibs is not None
        if name != self.player.account.name:
            if self.seat is not None and name == self.seat.match.players[1]:
                self.other_rating = float(told["rating"])
            self._lobby.see(told, is_busy=is_playing or self._is_stopping)
            return
        self.player.rate(float(told["rating"]), is_playing=is_playing)
        if is_playing and told["opponent"] == "-":
            self.agenda.put(Task.SHOW, SHOW_SECONDS)
        if told["ready"] == "0" and not self._is_stopping and Task.READY not in self.agenda:
            self._send("toggle ready")
            self.agenda.put(Task.READY, READY_SECONDS)

    def _hear_match(self, told: ClipLine) -> bool:
        """Take in a line about our match; False if it is about something else."""
        assert self._fibs is not None
        assert self.seat is not None
        seat = self.seat
        match told.kind:
            case Kind.MATCH_WON:
                return self._end(told)
            case Kind.LEFT:
                if told["who"] not in ("", seat.match.players[1]):
                    return True
                self._leave(by_opponent=bool(told["who"]))
                return True
            case Kind.NEXT_GAME:
                seat.match.goes_on()
                self.agenda.drop(Task.OVER)
                self.agenda.put(Task.NEXT, self.player.policy.delay)
                return True
            case Kind.NOT_PLAYING:
                self._leave(by_opponent=True)
                if not self.is_done:
                    self._send("show saved")
                return True
            case Kind.BEGUN if told["who"] and seat.match.has_begun:
                self._leave(by_opponent=False)
                return self.is_done
            case Kind.REFUSED:
                self._be_refused(told["text"])
                return True
            case Kind.WHO | Kind.TOLD | Kind.KIBITZED | Kind.GONE | Kind.WONT_LISTEN:
                return False
            case Kind.INVITED | Kind.INVITED_BACK | Kind.SAVED_WARNING | Kind.SAVED_MATCH:
                return False
        self._fibs.receive(told)
        if told.kind is Kind.GAME:
            self.agenda.put(Task.SHOW, SHOW_SECONDS)
        if self._fibs.was_rolled_for and not self._has_toggled_double:
            self._has_toggled_double = True
            self._send("toggle double")
        seat.look(is_prompted=told.kind in (Kind.CAN_DOUBLE, Kind.MUST_MOVE))
        if seat.match.is_over:
            self.agenda.put(Task.OVER, OVER_SECONDS)
        return True

    def _show(self, line: str) -> None:
        """Follow a board; one that cannot be is asked for again."""
        self.agenda.drop(Task.SHOW, Task.SILENT)
        try:
            board = parse_server_board(line)
            if self._fibs is None:
                if board.turn is None or not self.is_in:
                    return
                self._take_seat(board.opponent, board.length, is_resumed=True)
            assert self._fibs is not None
            assert self.seat is not None
            self._fibs.show(board)
        except (MalformedLineError, ValueError) as error:
            if not line.startswith(f"board:{YOU}:") or has_ended(line):
                return
            _log.warning("a board of the server cannot be: %s", error)
            if self.seat is not None:
                self.agenda.put(Task.SERVER, SHOW_SECONDS)
            return
        self.seat.look()

    def _answer(self) -> None:
        assert self._fibs is not None
        assert self.seat is not None
        answer = self.seat.answer()
        if answer is not None:
            self._send(self._fibs.command(answer))

    def _be_refused(self, text: str) -> None:
        """A command was refused; one that this server has not is no fault of our answer."""
        assert self.seat is not None
        if text.startswith(UNKNOWN):
            if self._board_word in text:
                self._board_word = "b"
                self.agenda.put(Task.SHOW, SHOW_SECONDS)
            return
        self.agenda.drop(Task.SHOW)
        if self.seat.has_answered:
            self._send(self._board_word if self.seat.refused() else "leave")

    def _begin(self, name: str, told: ClipLine) -> None:
        """A match with somebody begins or goes on."""
        if not name:
            return
        is_resumed, length = told.kind is not Kind.BEGUN, told.number("length") or None
        invitation = self._lobby.invitation
        if told.kind is Kind.GAME and invitation is not None and invitation.name == name:
            is_resumed, length = invitation.length == 0, invitation.length  # Jibs says no more
        self._take_seat(name, length or None, is_resumed=is_resumed)
        if told.kind is Kind.GAME:
            assert self._fibs is not None
            self._fibs.receive(told)
        self._lobby.speak(name, "greeting", self.player.policy.greeting)

    def _take_seat(self, name: str, length: int | None, *, is_resumed: bool) -> None:
        self.agenda.drop(Task.JOIN, Task.JOINING, Task.NEXT)
        self.sit_down(name, length, is_resumed=is_resumed)
        assert self.seat is not None
        self._fibs = FibsMatch(self.seat.match)
        if self._lobby.invitation is not None and self._lobby.invitation.name == name:
            self.other_rating = self._lobby.invitation.rating
        self._lobby.forget()
        self.agenda.put(Task.SHOW, SHOW_SECONDS)

    def _end(self, told: ClipLine) -> bool:
        """The match is over, if it is ours that is told of."""
        assert self.seat is not None
        if told["who"] not in ("", self.seat.match.players[1]):
            return True
        self._lobby.finished(self.seat.match.players[1])
        self.stand_up(int(bool(told["who"])), _points(told))
        self._be_free()
        return True

    def _end_unseen(self, told: ClipLine) -> None:
        """A match that we were cut off from is over, if it is clear which."""
        points = _points(told)
        lines = [
            replace(line, points=points[0], other_points=points[1])
            for line in self.player.unfinished()
            if line.length == told.number("length")
            and told["who"].lower() in ("", line.opponent.lower())
        ]
        if len(lines) == 1:
            self._lobby.finished(lines[0].opponent)
            self.player.give_up(lines)

    def _finish(self) -> None:
        """The match is over by its points, and the server has said nothing about it."""
        if self.seat is not None and self.seat.match.is_over:
            points = self.seat.match.points
            self.stand_up(int(points[1] > points[0]), points)
            self._be_free()

    def _go_on(self) -> None:
        """Play the next game, or leave an unlimited match, which has no end, if we are to stop."""
        is_unlimited = self.seat is not None and self.seat.match.rules.length is None
        self._send("leave" if self._is_stopping and is_unlimited else "join")

    def _leave(self, *, by_opponent: bool) -> None:
        """The match was saved by the server; who goes between two games of an unlimited one may."""
        assert self.seat is not None
        match = self.seat.match
        self._lobby.saved.add(match.players[1])
        may_go = match.rules.length is None and (match.game is None or match.game.turn is None)
        self.interrupt(by_opponent=by_opponent and not may_go)
        self._be_free()

    def _be_free(self) -> None:
        self._fibs = None
        self.agenda.drop(Task.ANSWER, Task.SERVER, Task.OPPONENT, Task.SHOW, Task.NEXT, Task.OVER)
        if self._is_stopping:
            self._say_goodbye()
        else:
            self._send(f"rawwho {self.player.account.name}")

    def _say_goodbye(self) -> None:
        self._send("bye")
        self.is_done = True


def _points(told: ClipLine) -> tuple[int, int]:
    """Our points and the opponent's at the end of a match; the winner's are told first."""
    points = told.number("first"), told.number("second")
    return (points[1], points[0]) if told["who"] else points
