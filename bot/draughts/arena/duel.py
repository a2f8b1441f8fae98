"""Duel: pairs of games between two players, each from one ballot with colours swapped."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from threading import Event

from bot.draughts.arena.ballots import ballots
from bot.draughts.arena.played_game import PlayedGame, played_game
from bot.draughts.rules.decision import Limits, Player
from bot.draughts.rules.variant import Variant
from bot.workers import results_as_done, shared_with_workers, worker_pool, works_alone

Entrant = Callable[[int], AbstractContextManager[Player]]
"""Makes a player from a seed, for one game; it can be sent to another process."""

PIECES_AHEAD = 2
"""Pairs handed out for each worker, so that none waits for the next."""

SECONDS_FOR_A_PAIR = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Duel:
    """The terms of a duel: who plays, what, how long a move may take, and from which ballots.

    The ballots are dealt in an order that comes from the seed, and dealt again once all are used.
    A pair depends on its number alone, not on who plays it or what was played before.
    """

    variant: Variant
    entrants: tuple[Entrant, Entrant]
    limits: tuple[Limits, Limits]
    ballot_plies: int = 2
    seed: int = 1


@dataclass(frozen=True, slots=True)
class PlayedPair:
    """Two games from one ballot, in the first of which the first player has White."""

    number: int
    games: tuple[PlayedGame, PlayedGame]


def played_pair(duel: Duel, number: int, stop: Event) -> PlayedPair:
    """The pair of that number, from 0 on. Raises InterruptedError if the stop is set."""
    openings = ballots(duel.variant, duel.ballot_plies)
    order = random.Random(f"{duel.seed} {number // len(openings)}")
    ballot = order.sample(openings, len(openings))[number % len(openings)]
    games = []
    for game in range(2):
        seed = (duel.seed * 1_000_003 + number) * 2 + game
        with ExitStack() as seats:
            one, other = (seats.enter_context(entrant(seed)) for entrant in duel.entrants)
            players, limits = (one, other), duel.limits
            if game == 1:
                players, limits = (other, one), (limits[1], limits[0])
            games.append(played_game(players, duel.variant, ballot, limits, stop))
    return PlayedPair(number, (games[0], games[1]))


def played_pairs(
    duel: Duel, numbers: Sequence[int], workers: int, stop: Event
) -> Iterator[PlayedPair]:
    """The pairs of these numbers, each as soon as it is played, by so many processes.

    One process plays in this one. Raises InterruptedError if the stop is set, ChildProcessError if
    a worker dies.
    """
    if works_alone(workers):
        for number in numbers:
            yield played_pair(duel, number, stop)
        return
    with worker_pool(workers, duel) as pool:
        pieces = ((number,) for number in numbers)
        for pair in results_as_done(pool, _piece, pieces, PIECES_AHEAD, SECONDS_FOR_A_PAIR):
            yield pair
            if stop.is_set():
                raise InterruptedError("the duel was stopped")


def _piece(number: int) -> PlayedPair:
    """Work of a worker: the pair of that number."""
    duel = shared_with_workers()
    assert isinstance(duel, Duel)
    return played_pair(duel, number, Event())
