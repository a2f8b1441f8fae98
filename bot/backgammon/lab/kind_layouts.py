"""Kind layouts: checkers laid out by chance so that a kind of game soon comes of it.

Games from the start seldom come to most kinds, and those that do look alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.backgammon.evaluation.kinds import Kind
from bot.backgammon.kernels.boards import BAR, CHECKERS, POINTS, Boards

Span = tuple[int, int]
"""From the first to the last, both counted."""


@dataclass(frozen=True, slots=True)
class Side:
    """The checkers of one side, its points as it counts them.

    made: points that it holds, each drawn from a span; prime: length and first point of a prime,
    spans too; rest: where its other checkers are; off, bar: so many.
    """

    rest: Span
    made: Sequence[Span] = ()
    prime: tuple[Span, Span] | None = None
    off: Span = (0, 0)
    bar: Span = (0, 0)


_DEVELOPED = Side((2, 15), made=[(4, 8), (4, 8), (5, 8)])
_BORE_OFF = Side((1, 6), off=(1, 11))

LAYOUTS: dict[Kind, Sequence[tuple[Side, Side]]] = {
    Kind.CLOSED_OUT: [
        (
            Side((1, 9), made=[(point, point) for point in range(1, 7)]),
            replace(_BORE_OFF, bar=(1, 3)),
        )
    ],
    Kind.LATE_HIT: [
        (Side((2, 18), made=[(3, 9)] * 4), replace(_BORE_OFF, bar=(1, 2))),
        (Side((2, 14), made=[(3, 9)] * 5), replace(_BORE_OFF, made=[(13, 23)])),
    ],
    Kind.ON_THE_BAR: [
        (Side((2, 24), made=[(4, 8), (4, 8)], bar=(2, 3)), _DEVELOPED),
        (Side((4, 24), bar=(2, 4)), Side((3, 15), made=[(3, 7)] * 3)),
    ],
    Kind.BACK_GAME: [
        (Side((3, 16), made=[(19, 24), (19, 24), (3, 8), (3, 8)]), _DEVELOPED),
        (Side((1, 8), made=[(19, 24), (19, 24), (2, 7)]), Side((1, 10), made=[(3, 8)] * 3)),
        (Side((2, 24), made=[(19, 24)] * 3), Side((2, 13), made=[(4, 8)] * 4)),
    ],
    Kind.PRIMES: [
        (
            Side((3, 20), prime=((4, 6), (3, 7)), made=[(20, 24)]),
            Side((3, 20), prime=((4, 6), (3, 7)), made=[(21, 24)]),
        )
    ],
    Kind.ACE_POINT: [
        (
            Side((1, 8), made=[(24, 24), (3, 7), (3, 7)]),
            Side((1, 10), made=[(2, 7)] * 4, off=(0, 7)),
        )
    ],
    Kind.BEAR_IN: [
        (Side((1, 11), made=[(3, 8)] * 3), Side((1, 14), made=[(20, 23), (3, 7)])),
        (Side((1, 7), off=(0, 6)), Side((1, 8), made=[(20, 24), (2, 6)])),
    ],
    Kind.GAMMON: [(Side((1, 18)), replace(_BORE_OFF, off=(1, 13)))],
}
"""The kind's first side and the other, by the kind that comes of it; see bot.backgammon.evaluation.
kinds. There are none for races and usual positions, which come of themselves."""


def laid_out(kind: Kind, dice: np.random.Generator) -> Boards:
    """A board, int8[26], from which a kind may come, seen by its first side."""
    layouts = LAYOUTS[kind]
    first, other = layouts[int(dice.integers(len(layouts)))]
    board = np.zeros(POINTS, np.int8)
    sides = [(first, 1), (other, -1)]
    if dice.integers(2):  # who lays out first gets the points that both want
        sides.reverse()
    for side, sign in sides:
        _lay_out(side, sign, board, dice)
    return board


def _lay_out(side: Side, sign: int, board: Boards, dice: np.random.Generator) -> None:
    """Add the checkers of a side; sign: 1 for the player on roll, -1 for the other."""
    left = CHECKERS - _drawn(side.off, dice)

    def put(point: int, count: int) -> None:
        nonlocal left
        place = point if sign == 1 else BAR - point
        if board[place] * sign >= 0:
            count = min(count, left)
            board[place] += sign * count
            left -= count

    put(BAR, _drawn(side.bar, dice))
    if side.prime is not None:
        length, start = (_drawn(span, dice) for span in side.prime)
        for point in range(start, start + length):
            put(point, 2)
    for span in side.made:
        put(_drawn(span, dice), 2)
    while left:
        put(_drawn(side.rest, dice), int(dice.integers(1, 3)))


def _drawn(span: Span, dice: np.random.Generator) -> int:
    """A number of the span, all equally likely."""
    return int(dice.integers(span[0], span[1] + 1))
