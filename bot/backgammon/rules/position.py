"""Position: where the checkers stand, seen by the player on roll."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bot.backgammon.kernels.boards import (
    BAR,
    CHECKERS,
    POINTS,
    Boards,
    Counts,
    fill_pip_counts,
    fill_turned,
    first_refused,
)


@dataclass(frozen=True, slots=True)
class Position:
    """26 points seen by the player on roll: own checkers count up, the other side's down.

    Index 1-24 are that player's points, 25 that player's bar, 0 the other side's bar; what is
    missing from 15 is off. Raises ValueError for a position that no game can reach by its counts.
    """

    points: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.points) != POINTS:
            raise ValueError(f"a position has 26 points, not {len(self.points)}")
        if self.points[0] > 0 or self.points[BAR] < 0:
            raise ValueError("a checker on the other side's bar")
        own = self.checkers
        other = own - sum(self.points)
        if not (isinstance(self.points, tuple) and isinstance(other, (int, np.integer))):
            raise ValueError(f"points are a tuple of whole numbers, not {self.points!r:.120}")
        if own > CHECKERS or other > CHECKERS:
            side, most = ("player on roll", own) if own > CHECKERS else ("other", other)
            raise ValueError(f"the {side} has {most} checkers, more than {CHECKERS}")

    @classmethod
    def of(cls, own: Mapping[int, int], other: Mapping[int, int]) -> "Position":
        """The position with so many checkers on each point, each side's points as it counts them.

        own is the side of the player on roll; 25 is a side's own bar, what is missing from 15 is
        off. So Position.of(a, b) turned is Position.of(b, a). Raises ValueError for other points
        than 1 to 25, fewer checkers than none, both sides on one point, and what Position refuses.
        """
        points = [0] * POINTS
        for side, sign in ((own, 1), (other, -1)):
            for point, checkers in side.items():
                if not 1 <= point <= BAR:
                    raise ValueError(f"a side's points are 1 to 24 and its bar 25, not {point}")
                if checkers < 0:
                    raise ValueError(f"point {point} has no {checkers} checkers")
                seen = point if sign == 1 else BAR - point
                if checkers and points[seen]:
                    raise ValueError(f"both sides are on point {seen}, the other's {BAR - seen}")
                points[seen] += sign * checkers
        return cls(tuple(points))

    @classmethod
    def of_board(cls, board: Boards) -> "Position":
        """The position on a board, int8[26] seen by the player on roll."""
        return cls(tuple(board.tolist()))

    @property
    def board(self) -> Boards:
        """The points as int8[26], a new array."""
        return np.array(self.points, np.int8)

    @property
    def checkers(self) -> int:
        """Checkers of the player on roll that are not off."""
        return sum([count for count in self.points if count > 0])

    @property
    def other_checkers(self) -> int:
        """Checkers of the other side that are not off."""
        return -sum([count for count in self.points if count < 0])

    @property
    def off(self) -> int:
        """Checkers the player on roll has borne off."""
        return CHECKERS - self.checkers

    @property
    def other_off(self) -> int:
        """Checkers the other side has borne off."""
        return CHECKERS - self.other_checkers

    @property
    def pip_count(self) -> int:
        """Pips the player on roll still has to go."""
        return sum(point * count for point, count in enumerate(self.points) if count > 0)

    @property
    def is_race(self) -> bool:
        """Whether no checker has to pass one of the other side any more."""
        own = [point for point, count in enumerate(self.points) if count > 0]
        other = [point for point, count in enumerate(self.points) if count < 0]
        return not (own and other and min(other) < max(own))


START = Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
"""The starting position, the same for both sides."""


def turned(position: Position) -> Position:
    """The position as the other player sees it."""
    return Position(tuple([-count for count in reversed(position.points)]))


def turned_boards(boards: Boards) -> Boards:
    """The boards as the other player sees them; int8[n, 26] in, int8[n, 26] out."""
    _check_shape(boards)
    seen_by_other = np.empty(boards.shape, np.int8)
    fill_turned(boards, seen_by_other)
    return seen_by_other


def pip_counts(boards: Boards) -> Counts:
    """Pips the player on roll still has to go, on each board; int8[n, 26] in, int16[n] out."""
    _check_shape(boards)
    counts = np.empty(len(boards), np.int16)
    fill_pip_counts(boards, counts)
    return counts


def checked_boards(boards: Boards) -> Boards:
    """The boards in one piece of memory, int8[n, 26], after a look whether all are positions.

    Raises ValueError for another shape, for other than whole numbers, and what Position refuses.
    """
    given = np.asarray(boards)
    _check_shape(given)
    if given.dtype.kind not in "iu":
        raise ValueError(f"boards are whole numbers, int8[n, {POINTS}], not {given.dtype}")
    checked: Boards = np.ascontiguousarray(given, np.int8)
    refused = int(first_refused(checked))
    if given.dtype != np.int8 and not np.array_equal(given, checked):
        refused = int((given != checked).any(axis=1).argmax())
    if refused >= 0:
        Position.of_board(given[refused])  # says why
    return checked


def _check_shape(boards: Boards) -> None:
    if boards.ndim != 2 or boards.shape[1] != POINTS:
        raise ValueError(f"boards have shape (n, {POINTS}), not {boards.shape}")
