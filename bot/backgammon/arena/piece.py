"""Piece: some pairs of a duel, played and measured in one go, in this process or another."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from bot.backgammon.arena.duel import played_pairs
from bot.backgammon.arena.luck import LuckMeter
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.played_pair import PlayedPair
from bot.backgammon.rules.decision import Decider
from bot.workers import leave_with

MAX_GAMES = 64
"""Games of a piece at most: so many may be lost when a run is broken off."""

GAMES_OF_ENGINE = 16
"""A pair that is refereed game by game takes about as long as so many of those played at once."""


class Entrant(Protocol):
    """A player who can be sat down in any process; a value that can be pickled and be a key."""

    @property
    def name(self) -> str:
        """The name that results are told under."""

    @property
    def plays_by_chance(self) -> bool:
        """True if the player has dice of its own, from the seed it sits down with."""

    @property
    def games_at_once(self) -> int:
        """Number of games to play at once; see BatchDecider."""

    def sit_down(self, match_format: MatchFormat, seed: int) -> Decider:
        """A player for such games; raises ValueError, or an error of its own, if it cannot."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Pairs of a duel, from the first up to the end."""

    duel: int
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class PlayedPiece:
    """The pairs of a piece as they were played.

    seconds: of the clock, in all; thought: decisions and seconds of each player.
    """

    piece: Piece
    pairs: tuple[PlayedPair, ...]
    seconds: float
    thought: tuple[tuple[int, float], tuple[int, float]]


def pairs_in_piece(entrants: tuple[Entrant, Entrant], match_format: MatchFormat) -> int:
    """Number of pairs in a piece, which depends on these alone.

    Players' own dice begin anew with each piece, so other pieces would be other games.
    """
    pairs = min(MAX_GAMES, *(entrant.games_at_once for entrant in entrants)) // 2
    games = match_format.length or 1
    if match_format.cube:
        games *= GAMES_OF_ENGINE
    return max(1, pairs // games)


_seated: dict[tuple[Entrant, int, MatchFormat], Decider] = {}


def play_piece(
    entrants: tuple[Entrant, Entrant],
    match_format: MatchFormat,
    meter: LuckMeter | None,
    piece: Piece,
) -> PlayedPiece:
    """Play the pairs of a piece; meter: tells their luck, if that is wanted.

    The players stay seated for the next piece, until leave_seats or this process ends.
    """
    leave_with(leave_seats)
    players = tuple(_player(entrants, seat, match_format, piece) for seat in (0, 1))
    seconds: tuple[list[float], list[float]] = [], []
    began = time.perf_counter()
    numbers = range(piece.first, piece.end)
    pairs = played_pairs((players[0], players[1]), match_format, numbers, seconds=seconds)
    passed = time.perf_counter() - began
    if meter is not None:
        pairs = [with_luck(pair, meter, match_format) for pair in pairs]
    ours, theirs = ((len(each), sum(each)) for each in seconds)
    return PlayedPiece(piece, tuple(pairs), passed, (ours, theirs))


def leave_seats() -> None:
    """Part from all players that were seated in this process."""
    while _seated:
        _, player = _seated.popitem()
        close: Callable[[], None] | None = getattr(player, "close", None)
        if close is not None:
            with suppress(OSError):
                close()


def _player(
    entrants: tuple[Entrant, Entrant], seat: int, match_format: MatchFormat, piece: Piece
) -> Decider:
    entrant = entrants[seat]
    if entrant.plays_by_chance:
        numbers = np.random.SeedSequence([match_format.seed, piece.duel, piece.first, seat])
        return entrant.sit_down(match_format, int(numbers.generate_state(1)[0]))
    # a program may hear one connection at a time: it is met twice only to play itself
    key = entrant, seat if entrants[0] == entrants[1] else 0, match_format
    if key not in _seated:
        _seated[key] = entrant.sit_down(match_format, match_format.seed)
    return _seated[key]


def with_luck(pair: PlayedPair, meter: LuckMeter, match_format: MatchFormat) -> PlayedPair:
    """The pair with the luck of each game; raises ValueError if the rules do not allow one."""
    one, other = (meter.measured(contest, match_format.rules) for contest in pair.contests)
    return replace(pair, contests=(one, other))
