"""Player: who Blot is on a server, and what stays from one login to the next."""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol, TypeAlias

from bot.backgammon.rules.decision import Decider
from bot.backgammon.rules.record import MatchRecord
from protocol.backgammon.servers.agenda import Agenda, Clock, Task
from protocol.backgammon.servers.courtesy import Courtesy
from protocol.backgammon.servers.followed_match import FollowedMatch
from protocol.backgammon.servers.match_store import MatchStore, PlayedMatch
from protocol.backgammon.servers.policy import Policy
from protocol.backgammon.servers.seat import Seat, ServerError
from protocol.wire.lines import MAX_LINE

Ratings: TypeAlias = tuple[float | None, float | None]
"""Our rating and the opponent's, before a match."""

FIRST_SECONDS, KEEP_SECONDS, KEEP_SHARE = 1.0, 10.0, 0.02
"""Seconds of a match that are lost at most with the program, at first and then, and the share of
the time that keeping it may take."""

_log = logging.getLogger("blot.servers")


class RefusedLoginError(ServerError):
    """A server that does not know the name, or another password."""


class Send(Protocol):
    """Sends one line; told is what a log may know of it."""

    def __call__(self, line: str, told: str | None = None) -> None:
        """Send the line."""


@dataclass(frozen=True, slots=True)
class Account:
    """A name on a server, and its password, which no text shows."""

    server: str
    name: str
    password: str = field(repr=False)


class Player:
    """Blot on one server: account, policy, what decides, and where matches are kept.

    finished: called whenever a match has been written down that is over. All that reads or writes
    matches raises StoreError if that is not possible; a match that is over is tried again then.
    """

    def __init__(
        self,
        account: Account,
        decider: Decider,
        policy: Policy,
        store: MatchStore,
        clock: Clock = time.monotonic,
        finished: Callable[[], object] = lambda: None,
    ) -> None:
        self.account = account
        self.decider = decider
        self.policy = policy
        self.store = store
        self.clock = clock
        self.courtesy = Courtesy()
        self.rating: float | None = None
        self._unrated: int | None = None
        self._unwritten: list[tuple[PlayedMatch, MatchRecord]] = []
        self._finished = finished

    def refusal(self, name: str, length: int | None, experience: int) -> str | None:
        """Why a match with somebody is declined; None if it is not. See Policy.refusal."""
        left = self.store.departures(self.account.server, name)
        return self.policy.refusal(name, length, left, experience)

    def unfinished(self) -> list[PlayedMatch]:
        """The lines of our matches here that are not over, as far as we know."""
        self._write()
        return self.store.unfinished(self.account.server, self.account.name)

    def saved(self, name: str) -> PlayedMatch | None:
        """The line of a match with somebody that is not over."""
        lines = self.unfinished()
        return next((each for each in lines if each.opponent.lower() == name.lower()), None)

    def resumed(self, line: PlayedMatch) -> FollowedMatch:
        """The match of a line that is not over, as it stood when it was kept."""
        kept = self.store.kept(line.server, line.player, line.opponent)
        return FollowedMatch((line.player, line.opponent), line.length, kept, line.gaps)

    def rate(self, rating: float, *, is_playing: bool) -> None:
        """Our rating, as the server tells it now; the last match gets it too."""
        self.rating = rating
        if self._unrated is not None and not is_playing:
            self.store.rate(self._unrated, rating)
            self._unrated = None

    def keep(self, match: FollowedMatch, ratings: Ratings) -> None:
        """Keep a match that goes on, as far as it went."""
        self.store.keep(self._line(match, match.points, ratings), match.record())

    def finish(self, match: FollowedMatch, points: tuple[int, int], ratings: Ratings) -> None:
        """Write a match down that is over."""
        self._unwritten.append((self._line(match, points, ratings), match.record()))
        self._write()

    def _write(self) -> None:
        while self._unwritten:
            self._unrated = self.store.finish(*self._unwritten[0])
            del self._unwritten[0]
            self._finished()

    def give_up(self, lines: Iterable[PlayedMatch]) -> None:
        """Write matches down that have ended where we could not see it, as far as they went.

        The points are those that were told of; whether they decide the match shows in them.
        """
        for line in lines:
            match = self.resumed(line)
            is_over = match.rules.is_over(match.points)
            points = match.points if is_over else (line.points, line.other_points)
            told = replace(line, points=points[0], other_points=points[1])
            number = self.store.finish(told, match.record())
            if self.rating is not None:
                self.store.rate(number, self.rating)
            if told.is_won is None:
                _log.warning("a match with %s has ended unseen", line.opponent)
            self._finished()

    def _line(self, match: FollowedMatch, points: tuple[int, int], ratings: Ratings) -> PlayedMatch:
        return PlayedMatch(
            self.account.server,
            *match.players,
            match.rules.length,
            *points,
            gaps=match.gaps,
            rating_before=ratings[0],
            other_rating=ratings[1],
        )


class ServerClient(ABC):
    """One login of a player: lines in, lines out, and an agenda.

    is_in: whether the server has let us in; is_done: whether we have said goodbye.
    """

    prompts: ClassVar[tuple[str, ...]] = ()
    """Ends of lines that have no end."""
    longest: ClassVar[int] = MAX_LINE
    """Bytes of a line that are kept."""
    place = ""
    """The place that records of matches here tell."""

    def __init__(self, player: Player, send: Send) -> None:
        self.player = player
        self.agenda = Agenda(player.clock)
        self.seat: Seat | None = None
        self.other_rating: float | None = None
        self.is_in = self.is_done = False
        self._has_tried = self._is_stopping = False
        self._send = send
        self._rating_before: float | None = None
        self._kept: tuple[object, ...] | None = None

    @abstractmethod
    def receive(self, line: str) -> None:
        """Take one line of the server; raises ServerError if nothing can come of it any more."""

    def act(self) -> None:
        """Do what is due; raises ServerError if the server has fallen silent."""
        while (task := self.agenda.take()) is not None:
            match task:
                case Task.KEEP:
                    self.keep()
                case Task.LOGIN:
                    raise ServerError("the server did not let us in in time")
                case Task.SILENT:
                    raise ServerError("the server has fallen silent")
                case _:
                    self._do(task)

    @abstractmethod
    def _do(self, task: Task) -> None:
        """Do a task that is due, one of those that `act` leaves to each client."""

    @abstractmethod
    def stop(self) -> None:
        """Play no other match after this one, and say goodbye."""

    @property
    def decider(self) -> Decider:
        """Who decides for us on this server."""
        return self.player.decider

    def lost(self) -> None:
        """The connection is lost: keep what is known of the match."""
        if self.seat is not None:
            self.interrupt(by_opponent=False)

    def sit_down(self, name: str, length: int | None, *, is_resumed: bool) -> None:
        """A match with somebody begins, or goes on; raises ServerError for one that cannot be.

        length: None for an unlimited match; that of a match which goes on is the one we know.
        """
        player = self.player
        line = player.saved(name)
        self._rating_before = player.rating
        if line is not None and not is_resumed:
            player.give_up([line])
            line = None
        try:
            if line is not None:
                match = player.resumed(line)
                self._rating_before = line.rating_before
            else:
                match = FollowedMatch((player.account.name, name), length, place=self.place)
        except ValueError as error:
            raise ServerError(f"the match that the server begins cannot be: {error}") from None
        if is_resumed:
            match.resume()
        self.seat = Seat(match, self.decider, player.policy, self.agenda)
        self.other_rating = line.other_rating if line is not None else None
        self._kept = None
        self.agenda.put(Task.KEEP, FIRST_SECONDS)

    def stand_up(self, winner: int, points: tuple[int, int]) -> None:
        """The match is over with these points, ours first."""
        assert self.seat is not None
        match, self.seat = self.seat.match, None
        if match.game is not None:
            match.won(winner, abs(points[winner] - match.points[winner]))
        self.agenda.drop(Task.KEEP)
        self.player.finish(match, points, self._ratings)

    def interrupt(self, *, by_opponent: bool) -> None:
        """The match was broken off, and saved by the server."""
        assert self.seat is not None
        match, self.seat = self.seat.match, None
        self.agenda.drop(Task.KEEP)
        try:
            self.player.keep(match, self._ratings)
            if by_opponent:
                self.player.store.left(self.player.account.server, match.players[1])
        except ValueError as error:
            _log.warning("%s", error)

    def keep(self) -> None:
        """Keep the match that goes on, if it has gone on; the longer that takes the more seldom."""
        if self.seat is None:
            return
        match, began = self.seat.match, self.player.clock()
        if match.moment != self._kept:
            try:
                self.player.keep(match, self._ratings)
                self._kept = match.moment
            except ValueError as error:  # tried again when it is kept next
                _log.warning("%s", error)
        took = self.player.clock() - began
        self.agenda.put(Task.KEEP, max(KEEP_SECONDS, took / KEEP_SHARE))

    @property
    def _ratings(self) -> Ratings:
        return self._rating_before, self.other_rating
