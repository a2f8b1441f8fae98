"""Player: who Blot is on a server, and what stays from one login to the next."""

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from bot.backgammon.rules.decision import Decider
from protocol.backgammon.servers.agenda import Agenda, Clock
from protocol.backgammon.servers.courtesy import Courtesy
from protocol.backgammon.servers.followed_match import FollowedMatch
from protocol.backgammon.servers.match_store import MatchStore, PlayedMatch
from protocol.backgammon.servers.policy import Policy
from protocol.backgammon.servers.seat import Seat, ServerError


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
    """Blot on one server: account, policy, what decides, and where matches are kept."""

    def __init__(
        self,
        account: Account,
        decider: Decider,
        policy: Policy,
        store: MatchStore,
        clock: Clock = time.monotonic,
    ) -> None:
        self.account = account
        self.decider = decider
        self.policy = policy
        self.store = store
        self.clock = clock
        self.courtesy = Courtesy()
        self.rating: float | None = None
        self._unrated: int | None = None

    def refusal(self, name: str, length: int | None, experience: int) -> str | None:
        """Why a match with somebody is declined; None if it is not. See Policy.refusal."""
        left = self.store.departures(self.account.server, name)
        return self.policy.refusal(name, length, left, experience)

    def kept(self, name: str, length: int | None) -> FollowedMatch:
        """The match with somebody that was saved; the server's length counts if nothing is kept."""
        kept = self.store.kept(self.account.server, name)
        length = kept.rules.length if kept is not None else length
        return FollowedMatch((self.account.name, name), length, kept)

    def rate(self, rating: float, *, is_playing: bool) -> None:
        """Our rating, as the server tells it now; the last match gets it too."""
        self.rating = rating
        if self._unrated is not None and not is_playing:
            self.store.rate(self._unrated, rating)
            self._unrated = None

    def finish(
        self,
        match: FollowedMatch,
        points: tuple[int, int],
        ratings: tuple[float | None, float | None],
    ) -> None:
        """Write a match down that is over; ratings: ours and the opponent's before it."""
        record = match.record()
        played = PlayedMatch(
            self.account.server,
            *match.players,
            match.rules.length,
            *points,
            gaps=match.gaps,
            rating_before=ratings[0],
            other_rating=ratings[1],
        )
        self._unrated = self.store.finish(played, record)


class ServerClient(ABC):
    """One login of a player: lines in, lines out, and an agenda.

    is_in: whether the server has let us in; is_done: whether we have said goodbye.
    """

    prompts: ClassVar[tuple[str, ...]] = ()
    """Ends of lines that have no end."""
    longest: ClassVar[int] = 1024
    """Bytes of a line that are kept."""

    def __init__(self, player: Player, send: Send) -> None:
        self.player = player
        self.agenda = Agenda(player.clock)
        self.seat: Seat | None = None
        self.other_rating: float | None = None
        self.is_in = self.is_done = False
        self._has_tried = self._is_stopping = False
        self._send = send
        self._rating_before: float | None = None

    @abstractmethod
    def receive(self, line: str) -> None:
        """Take one line of the server; raises ServerError if nothing can come of it any more."""

    @abstractmethod
    def act(self) -> None:
        """Do what is due; raises ServerError if the server has fallen silent."""

    @abstractmethod
    def stop(self) -> None:
        """Play no other match after this one, and say goodbye."""

    def lost(self) -> None:
        """The connection is lost: keep what is known of the match."""
        if self.seat is not None:
            self.interrupt(by_opponent=False)

    def sit_down(self, name: str, length: int | None, *, is_resumed: bool) -> None:
        """A match with somebody begins, or goes on; raises ServerError for one that cannot be."""
        player = self.player
        try:
            if is_resumed:
                match = player.kept(name, length)
                match.resume()
            else:
                match = FollowedMatch((player.account.name, name), length)
        except ValueError as error:
            raise ServerError(f"the match that the server begins cannot be: {error}") from None
        self.seat = Seat(match, player.decider, player.policy, self.agenda)
        self.other_rating = None
        self._rating_before = player.rating

    def stand_up(self, winner: int, points: tuple[int, int]) -> None:
        """The match is over with these points, ours first."""
        assert self.seat is not None
        match, self.seat = self.seat.match, None
        if match.game is not None:
            match.won(winner, abs(points[winner] - match.points[winner]))
        self.player.finish(match, points, (self._rating_before, self.other_rating))

    def interrupt(self, *, by_opponent: bool) -> None:
        """The match was broken off, and saved by the server."""
        assert self.seat is not None
        match, self.seat = self.seat.match, None
        server = self.player.account.server
        self.player.store.keep(server, match.record())
        if by_opponent:
            self.player.store.left(server, match.players[1])
