"""Ballots: openings that matches begin with, so that two players do not play one game again."""

from collections.abc import Iterator
from functools import cache

from bot.draughts.rules.game import Game, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import Variant

MAX_PLIES = 4
"""Longest ballots: those of five moves are more than any match plays."""


@cache
def ballots(variant: Variant, plies: int = 2) -> tuple[tuple[Move, ...], ...]:
    """The openings of so many plies, each to another position in which no side is a man ahead.

    Exchanges that are on are played to their end first. With two plies international draughts has
    79, those of Moby Dam's "2-move ballots". With none the only one is that of no moves. Raises
    ValueError for too many plies.
    """
    if not 0 <= plies <= MAX_PLIES:
        raise ValueError(f"a ballot has 0 to {MAX_PLIES} plies, not {plies}")
    found: dict[Position, tuple[Move, ...]] = {}
    for game, moves in _openings(Game.start(variant), (), plies):
        position, side = game.position, game.position.turn
        own, other = position.pieces(side), position.pieces(side.other)
        if own.bit_count() + _gain(game) == other.bit_count():
            found.setdefault(game.position, moves)
    return tuple(found.values())


def _gain(game: Game | Result) -> int:
    """Pieces that the mover wins by the captures to come, with the best of them."""
    if isinstance(game, Result):
        return 0
    captures = [move for move in game.moves if move.captured]
    if captures:
        return max(len(move.captured) - _gain(game.after(move)) for move in captures)
    return 0


def _openings(
    game: Game, moves: tuple[Move, ...], plies: int
) -> Iterator[tuple[Game, tuple[Move, ...]]]:
    """The games after so many more plies, and all their moves."""
    if plies == 0:
        yield game, moves
        return
    for move in game.moves:
        after = game.after(move)
        if isinstance(after, Game):
            yield from _openings(after, (*moves, move), plies - 1)
