"""Learning of patterns: the weights of an evaluation moved towards what a game came to.

The chance to win is the logistic function of the score in men. Whoever is turned round with his
colours has the other's score: each weight of a region has a twin on the turned board with the
opposite value, and both are moved together.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import Board, Rules, count
from bot.draughts.kernels.endings import piece_count
from bot.draughts.kernels.patterns import (
    CONTENTS,
    HEIGHT,
    MOVE,
    TERMS,
    UNIT,
    Patterns,
    digit_pair,
    full_board,
    kings_ahead,
)
from bot.kernels import inlined, inner

_MOST = 32_000


class Learning(NamedTuple):
    """Weights in men while they are learnt, and the sums of the squares of what moved them.

    regions, region_sums: float64[regions, 6561, 2]; terms, term_sums: float64[5, 2], like those of
    Patterns. twins: int64[6561], contents on the turned board.
    """

    regions: NDArray[np.float64]
    region_sums: NDArray[np.float64]
    terms: NDArray[np.float64]
    term_sums: NDArray[np.float64]
    twins: NDArray[np.int64]


@inlined
def chance(score: float) -> float:
    """Chance to win at a score in men; a draw is half a win."""
    return 1 / (1 + math.exp(-score))


@inlined
def _step(error: float, sums: float, rate: float) -> float:
    """How far a weight moves: the less, the more it was moved before. Source: AdaGrad (2011)."""
    return rate * error / math.sqrt(1 + sums)


@inlined
def _move_term(
    term: int, amount: int, error: float, share: float, rate: float, learning: Learning
) -> None:
    for phase in range(2):
        part = amount * error * (share if phase == 0 else 1 - share)
        learning.terms[term, phase] += _step(part, learning.term_sums[term, phase], rate)
        learning.term_sums[term, phase] += part * part


@inlined
def _whole(weight: float) -> int:
    """A weight as Patterns keep it."""
    return round(min(max(weight * UNIT, -_MOST), _MOST))


@inner
def learn_board(
    board: Board, error: float, rate: float, rules: Rules, patterns: Patterns, learning: Learning
) -> None:
    """Move all weights that make a board's score by its error, the chance it should have had less.

    The patterns are set to the new weights.
    """
    whole = full_board(rules)
    share = min(piece_count(board), whole) / whole
    rows = 2 * rules.short
    places = rows - HEIGHT + 1
    last = places * (rules.short - 1) - 1
    for column in range(rules.short - 1):
        content = 0
        for row in range(rows):
            content = (content * 9 + digit_pair(board, row, column, rules)) % CONTENTS
            if row < HEIGHT - 1 or content == 0:
                continue
            place = column * places + row - HEIGHT + 1
            twin = int(learning.twins[content])
            if place == last - place and content == twin:
                continue
            for phase in range(2):
                part = error * (share if phase == 0 else 1 - share)
                step = _step(part, learning.region_sums[place, content, phase], rate)
                weight = learning.regions[place, content, phase] + step
                learning.regions[place, content, phase] = weight
                learning.regions[last - place, twin, phase] = -weight
                sums = learning.region_sums[place, content, phase] + part * part
                learning.region_sums[place, content, phase] = sums
                learning.region_sums[last - place, twin, phase] = sums
                patterns.regions[place, content, phase] = _whole(weight)
                patterns.regions[last - place, twin, phase] = -_whole(weight)
    first = kings_ahead(board)
    along = count(board.own_kings & patterns.diagonal)
    along -= count(board.other_kings & patterns.diagonal)
    kings = count(board.own_kings) - count(board.other_kings) - first
    amounts = (count(board.own_men) - count(board.other_men), first, kings, along, 1)
    for term in range(MOVE + 1):
        _move_term(term, amounts[term], error, share, rate, learning)
    for term in range(TERMS):
        for phase in range(2):
            patterns.terms[term, phase] = _whole(learning.terms[term, phase])
