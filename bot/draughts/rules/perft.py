"""Perft: the number of positions a few plies on, which proves and times the move generator."""

import numpy as np

from bot.draughts.kernels.perft import leaf_count
from bot.draughts.rules.board import boards_of, rules_of
from bot.draughts.rules.position import Position


def perft(position: Position, depth: int, distinct: bool = True) -> tuple[int, int]:
    """Number of leaves at a depth of 1 or more, and of the positions whose moves were looked for.

    distinct: whether captures of the same pieces are one move, as in play; otherwise those that
    take them in another order count again. Raises ValueError for a depth below 1.
    """
    if depth < 1:
        raise ValueError(f"a depth is 1 or more, not {depth}")
    nodes = np.zeros(1, np.int64)
    rules = rules_of(position.variant)._replace(distinct=distinct)
    return int(leaf_count(boards_of([position]), rules, depth, nodes)), int(nodes[0])
