"""Move filter: which plays a search looks at deeper than others."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.backgammon.kernels.boards import Boards, has_contact
from bot.backgammon.kernels.search import MAX_PLIES

LATE_CHECKERS = 10
"""At most so many checkers of both sides together are left in a late contact."""


@dataclass(frozen=True, slots=True)
class MoveFilter:
    """Which of the plays evaluated so many plies deep are evaluated deeper.

    most: so many at most, the best one counted; margin: no more than this behind the best one, in
    points of equity. Raises ValueError for plies beyond those of a search, no play, or a margin
    below 0.
    """

    plies: int = 0
    most: int = 8
    margin: float = 0.16

    def __post_init__(self) -> None:
        if not 0 <= self.plies < MAX_PLIES:
            raise ValueError(
                f"a move filter stands after 0 to {MAX_PLIES - 1} plies, not {self.plies}"
            )
        if self.most < 1:
            raise ValueError(f"a move filter lets at least one play through, not {self.most}")
        if not 0 <= self.margin < math.inf:
            raise ValueError(f"a move filter's margin is 0 points or more, not {self.margin:g}")

    @property
    def lead(self) -> float:
        """By how much a cube decision has to lead not to be looked into deeper, if it alone counts.

        Without looking ahead what a double is worth is off by more than plays are from each other,
        whose errors are alike, and it is worth twice as much as what it is compared with.
        """
        return 2 * self.margin if self.plies == 0 else self.margin

    def widened(self, times: int) -> "MoveFilter":
        """A filter that lets so many times as much through."""
        return replace(self, most=times * self.most, margin=times * self.margin)


def leads_at(board: Boards, filters: Sequence[MoveFilter]) -> dict[int, float]:
    """Leads from which on a cube decision is looked into no deeper, by plies; see MoveFilter.lead.

    board: int8[26]. In a late contact one roll decides, and what a double is worth is off by up to
    0.85 without looking ahead: no lead after 0 plies is enough there.
    """
    is_late = int(np.abs(board).sum()) <= LATE_CHECKERS and has_contact(board)
    return {each.plies: each.lead for each in filters if each.plies > 0 or not is_late}


FILTERS = {
    "tiny": (MoveFilter(0, 5, 0.08), MoveFilter(2, 2, 0.02)),
    "narrow": (MoveFilter(0, 8, 0.12), MoveFilter(2, 2, 0.03)),
    "normal": (MoveFilter(0, 8, 0.16), MoveFilter(2, 2, 0.04)),
    "large": (MoveFilter(0, 16, 0.32), MoveFilter(2, 4, 0.08)),
    "huge": (MoveFilter(0, 20, 0.44), MoveFilter(2, 6, 0.11)),
}
"""Move filters by profile. Source: GNU Backgammon, eval.c, aaamfMoveFilterSettings."""
