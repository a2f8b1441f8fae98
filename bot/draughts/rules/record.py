"""Record: a game of draughts as values, with what is said about it, and how it is played again.

Draws that nobody claimed do not end it: who plays by hand may go on after a third repetition.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.draughts.rules.legality import illegality, position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import Variant

Score = tuple[int, int]
"""Points of White and of Black: 2 for a win, 1 for a draw."""

SCORES: tuple[Score, ...] = ((2, 0), (1, 1), (0, 2), (0, 0))
"""The scores of a game; both sides may lose it by forfeit."""


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move that was made, with what is said about it.

    glyphs: judgements by their numbers in PGN, 1 for a good move. comments: what stands behind the
    move. variations: other lines from the position before it, each with comments before its moves.
    """

    move: Move
    glyphs: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    variations: tuple["Line", ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """Moves one after the other; comments: what is said before the first of them."""

    moves: tuple[RecordedMove, ...] = ()
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game: where it began, its moves and its score, None if it was not finished.

    tags: names and values of what else is known, as the players, in order.
    """

    start: Position
    line: Line = Line()
    score: Score | None = None
    tags: tuple[tuple[str, str], ...] = ()

    @property
    def variant(self) -> Variant:
        """The kind of draughts."""
        return self.start.variant

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that were made."""
        return tuple(each.move for each in self.line.moves)


def replay(record: GameRecord) -> Iterator[tuple[Position, Move]]:
    """Each move of the game with the position before it.

    Raises ValueError with one sentence at the first that the rules do not allow.
    """
    position = record.start
    for number, move in enumerate(record.moves, 1):
        if refusal := illegality(move, position):
            raise ValueError(f"move {number} is against the rules: {refusal}")
        yield position, move
        position = position_after(position, move)
