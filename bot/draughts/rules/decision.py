"""Decision: what a player may be asked, and what it answers."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Protocol

from bot.draughts.rules.game import Game
from bot.draughts.rules.move import Move

MOVES_AHEAD = 30
"""Moves for which a clock must last where nobody says how many."""

MIN_SECONDS = 0.001
"""Seconds that a move gets even if the clock has run out."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time on a player's clock: seconds left, added before each move, and moves to make in them.

    moves: None if the time is for the whole game. Raises ValueError for what no clock shows.
    """

    seconds: float
    increment: float = 0.0
    moves: int | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.seconds) and math.isfinite(self.increment)):
            raise ValueError(f"a clock has no {self.seconds:g} seconds and {self.increment:g} more")
        if not (self.increment >= 0 and (self.moves is None or self.moves >= 1)):
            raise ValueError("a clock adds 0 seconds or more, for 1 move or more")

    @property
    def share(self) -> float:
        """Seconds for the next move, if all the moves to come and one more get as many."""
        moves = MOVES_AHEAD if self.moves is None else min(self.moves, MOVES_AHEAD)
        return max(self.seconds / (moves + 1) + self.increment, MIN_SECONDS)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one search, of which the first that is reached ends it.

    depth: plies. nodes: positions met. seconds: for this move. clock: the player's, a share of
    whose seconds is for this move. is_infinite: whether only a stop ends the search. Without any
    limit the player has its own.
    Raises ValueError for limits that are none, or contradict each other.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    clock: Clock | None = None
    is_infinite: bool = False

    def __post_init__(self) -> None:
        limits = (self.depth, self.nodes, self.seconds, self.clock)
        if self.is_infinite and any(limit is not None for limit in limits):
            raise ValueError("an infinite search has no other limit")
        if any(limit is not None and limit < 1 for limit in (self.depth, self.nodes)):
            raise ValueError("a search has 1 ply or more, and 1 node or more")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise ValueError(f"a move takes more than 0 seconds, not {self.seconds:g}")

    @property
    def move_seconds(self) -> float | None:
        """Seconds for the move, by the clock if there is one; None without a limit of time."""
        shares = (self.seconds, None if self.clock is None else self.clock.share)
        return min((share for share in shares if share is not None), default=None)


@dataclass(frozen=True, slots=True)
class Found:
    """A move that was found, and the search behind it.

    score: in men, for the side to move; None if the player has none. line: the moves expected,
    the found one first.
    """

    move: Move
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    seconds: float = 0.0
    line: tuple[Move, ...] = ()


Tell = Callable[[Found], object]
"""Hears the best move so far, as often as the player likes."""


class Player(Protocol):
    """A player that finds moves: an engine, or a program or a person in its place."""

    def search(self, game: Game, limits: Limits, stop: Event, tell: Tell) -> Found:
        """The move to play in a game that is not over, within the limits, or soon after the stop.

        Raises ValueError if the game is over.
        """
