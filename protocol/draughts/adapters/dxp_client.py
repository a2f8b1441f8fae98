"""DXP client: a game over DamExchange between a player of ours and the program at the other end.

Whoever is to move when a game is over says so, and is answered; a move by the other side after
a draw that it does not see is answered with the end too. Offers to take back are refused.
"""

import logging
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event

from bot.draughts.rules.decision import Clock, Limits, Player
from bot.draughts.rules.game import Game, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import INTERNATIONAL, Side
from protocol.draughts.adapters.dxp import (
    ACCEPTED,
    DRAWN,
    LOST,
    OTHER_VERSION,
    REFUSED,
    UNKNOWN,
    VERSION,
    WON,
    Accept,
    BackAccept,
    BackRequest,
    Chat,
    GameEnd,
    GameRequest,
    Message,
    MoveMade,
    message_text,
    parse_message,
)
from protocol.draughts.formats.hub_move import hub_move_text
from protocol.errors import MalformedLineError, WireError
from protocol.wire.client import ClientError, connected
from protocol.wire.messages import MessageClient
from protocol.wire.sockets import accepted

ANSWER_SECONDS = 30.0
"""Seconds in which a request and an end must be answered."""

GRACE_SECONDS = 30.0
"""Seconds that the other side may take for a move beyond the time it has left."""

_REFUSED_CODE = 1

_log = logging.getLogger("blot.dxp")


class DxpError(WireError):
    """Something that the other side did against the protocol or the rules: one sentence."""


@dataclass(frozen=True, slots=True)
class DxpSeconds:
    """Seconds for an answer to a request or an end, and for a move beyond the time that is left."""

    answer: float = ANSWER_SECONDS
    grace: float = GRACE_SECONDS


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game played over a line: our side, its moves, and its result, None if nobody knows.

    other: the other side's name. told: its word at the end, None if it had none. is_last: whether
    it goes now.
    """

    side: Side
    other: str
    start: Position
    moves: tuple[Move, ...]
    result: Result | None
    told: GameEnd | None = None
    is_last: bool = False


def dxp_line(address: str) -> MessageClient:
    """A line to the program that listens at the address; raises ClientError if there is none."""
    return MessageClient(connected(address), f"the DXP program at {address}")


def awaited_peer(listener: socket.socket, seconds: float) -> MessageClient:
    """A line to the first program that comes to the bound socket within so many seconds."""
    return MessageClient(accepted(listener, seconds), "the DXP program")


class DxpClient:
    """Plays games on a line, as initiator or as follower.

    limits: of each search of ours, beside the time agreed on. seconds: how long we wait. clock
    tells the time.
    """

    def __init__(
        self,
        line: MessageClient,
        player: Player,
        *,
        name: str = "Blot",
        limits: Limits | None = None,
        seconds: DxpSeconds | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._line = line
        self._player = player
        self._limits = limits or Limits()
        self._seconds = seconds or DxpSeconds()
        self._clock = clock
        self._table: _Table | None = None

    def invite(
        self,
        side: Side,
        *,
        minutes: float,
        moves: int = 0,
        start: Position | None = None,
        is_last: bool = True,
    ) -> PlayedGame:
        """Ask for a game in which we have a side, and play it.

        Raises DxpError if it is refused or the other side breaks the rules, and ClientError if it
        is late or goes.
        """
        request = GameRequest(self.name, side.other, minutes, moves, start)
        self._send(request)
        until = self._clock() + self._seconds.answer
        while True:
            message = self._read(until)
            if isinstance(message, Accept):
                break
            if isinstance(message, GameEnd):
                raise DxpError(f"{self._line.name} ended the game before it began")
            if isinstance(message, GameRequest):
                self._send(Accept(self.name, REFUSED))
                raise DxpError(f"{self._line.name} asks for a game itself: wait for it to ask")
        if message.code != ACCEPTED:
            raise DxpError(f"{self._line.name} refused a game with code {message.code}")
        return self._play(request, side, message.name, is_last)

    def play(self, request: GameRequest, *, is_last: bool = False) -> PlayedGame:
        """Play a game that was agreed on; raises as `invite` does."""
        return self._play(request, request.side, request.name, is_last)

    @property
    def broken_off(self) -> PlayedGame | None:
        """The game that was being played when an error or an interrupt ended it, None if none."""
        return None if self._table is None else self._table.played(None, is_last=True)

    def agreed_request(self, seconds: float) -> GameRequest | None:
        """The next game that the other side asks for, accepted; what cannot be is refused.

        None if it says that it asks for no more, or goes. Raises ClientError if it says nothing for
        so many seconds.
        """
        until = self._clock() + seconds
        while True:
            try:
                message = self._read(until)
            except MalformedLineError:
                self._send(Accept(self.name, REFUSED))
                continue
            except ClientError:
                if self._clock() >= until:
                    raise
                return None
            if isinstance(message, GameEnd):
                self._send_end(GameEnd(UNKNOWN, message.is_last))
                if message.is_last:
                    return None
            if isinstance(message, GameRequest):
                code = _code(message)
                self._send(Accept(self.name, code))
                if code == ACCEPTED:
                    return message

    def _play(self, request: GameRequest, side: Side, other: str, is_last: bool) -> PlayedGame:
        """Play from the start to the end; whatever ends it before is told with an end of ours."""
        start = request.start or Position.start(INTERNATIONAL)
        self._table = _Table(Game.of(start), side, other, request)
        try:
            played = self._played_out(self._table, is_last)
        except BaseException:
            self._send_end(GameEnd(UNKNOWN, True))
            raise
        self._table = None
        return played

    def _played_out(self, table: "_Table", is_last: bool) -> PlayedGame:
        while table.result is None and not table.is_complete:
            if table.turn is table.side:
                self._make_move(table)
            else:
                told = self._hear_move(table)
                if told is not None:
                    return self._answered(table, told, is_last)
        if table.turn is not table.side:  # it is for the other side to say so
            told = self._hear_end()
            if told is not None:
                return self._answered(table, told, is_last)
        self._send_end(GameEnd(table.reason, is_last))
        told = self._hear_end()
        return table.played(told, is_last or told is None or told.is_last)

    def _make_move(self, table: "_Table") -> None:
        """Search and send our move."""
        assert table.game is not None
        began = self._clock()
        limits = replace(self._limits, clock=table.clock)
        found = self._player.search(table.game, limits, Event(), lambda found: None)
        seconds = self._clock() - began
        table.make(found.move, seconds)
        self._send(MoveMade(found.move, round(seconds)))

    def _hear_move(self, table: "_Table") -> GameEnd | None:
        """Hear the other side's move, or its end instead of one."""
        began = self._clock()
        until = began + max(table.seconds_left[table.side.other], 0.0) + self._seconds.grace
        message = self._awaited(until)
        if isinstance(message, GameEnd):
            return message
        assert table.game is not None
        if message.move not in table.game.moves:
            text = hub_move_text(message.move)
            raise DxpError(f"{self._line.name} made the move {text}, which is not legal")
        legal = table.game.moves
        table.make(legal[legal.index(message.move)], self._clock() - began)
        return None

    def _hear_end(self) -> GameEnd | None:
        """Hear the end of a game that is over, or None if a move comes instead or nothing does."""
        until = self._clock() + self._seconds.answer
        try:
            message = self._awaited(until)
        except (MalformedLineError, ClientError) as error:
            _log.warning("%s", error)
            return None
        return message if isinstance(message, GameEnd) else None

    def _answered(self, table: "_Table", told: GameEnd, is_last: bool) -> PlayedGame:
        """The game after the other side's end, which is answered."""
        is_last = is_last or told.is_last
        self._send_end(GameEnd(UNKNOWN, is_last))
        table.end(told)
        return table.played(told, is_last)

    def _awaited(self, until: float) -> MoveMade | GameEnd:
        """The next move or end; other messages on the way are dealt with."""
        while True:
            message = self._read(until)
            if isinstance(message, MoveMade | GameEnd):
                return message
            if isinstance(message, BackRequest):
                self._send(BackAccept(_REFUSED_CODE))
            if isinstance(message, GameRequest):
                self._send(Accept(self.name, REFUSED))

    def _read(self, until: float) -> Message:
        """The next message; raises ClientError if there is none by then, whatever came before."""
        left = until - self._clock()
        if left <= 0:
            raise ClientError(f"{self._line.name} gave no answer in time")
        message = parse_message(self._line.read(left))
        if isinstance(message, Chat):
            _log.info("%s says: %r", self._line.name, message.text)
        return message

    def _send(self, message: Message) -> None:
        self._line.send(message_text(message))

    def _send_end(self, end: GameEnd) -> None:
        """Send it, if there is still somebody to hear it: what is over stays so."""
        try:
            self._send(end)
        except ClientError as error:
            _log.warning("%s", error)


class _Table:
    """The game as it stands, and the time left to each side."""

    def __init__(self, game: Game, side: Side, other: str, request: GameRequest) -> None:
        self.game: Game | None = game
        self.side = side
        self.other = other
        self.turn = game.position.turn
        self.result = game.result
        self.moves: list[Move] = []
        self.seconds_left = dict.fromkeys(Side, 60.0 * request.minutes)
        self._request = request
        self._start = game.position

    @property
    def is_complete(self) -> bool:
        """Whether both sides have made the moves agreed on."""
        return 0 < 2 * self._request.moves <= len(self.moves)

    @property
    def clock(self) -> Clock:
        """Our clock, by the time agreed on."""
        agreed = self._request.moves
        left = max(agreed - len(self.moves) // 2, 1) if agreed else None
        return Clock(self.seconds_left[self.side], moves=left)

    @property
    def reason(self) -> int:
        """The reason for the end as we see it."""
        if self.result is None:
            return UNKNOWN
        if self.result.winner is None:
            return DRAWN
        return WON if self.result.winner is self.side else LOST

    def make(self, move: Move, seconds: float) -> None:
        """Make a legal move of the side to move, which took so long."""
        assert self.game is not None
        after = self.game.after(move)
        self.moves.append(move)
        self.seconds_left[self.turn] -= seconds
        self.turn = self.turn.other
        self.game, self.result = (after, None) if isinstance(after, Game) else (None, after)

    def end(self, told: GameEnd) -> None:
        """Believe the other side that it has lost, or take its draw; a win it must show."""
        if self.game is None or self.result is not None:
            return
        if told.reason == LOST:
            self.result = self.game.resigned(self.side.other)
        elif told.reason == DRAWN:
            self.result = self.game.agreed()

    def played(self, told: GameEnd | None, is_last: bool) -> PlayedGame:
        """The game as it was played."""
        moves = tuple(self.moves)
        return PlayedGame(self.side, self.other, self._start, moves, self.result, told, is_last)


def _code(request: GameRequest) -> int:
    """The code that answers a request."""
    if request.version != VERSION:
        return OTHER_VERSION
    return ACCEPTED if request.minutes > 0 else REFUSED
