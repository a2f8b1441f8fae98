"""Plays lost: what a network's choice of plays costs, by one ply of search with its teacher."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.network import Floats
from bot.backgammon.rules.outcome import cubeless_equities
from bot.estimate import Estimate, ratio_estimate

Played = tuple[Boards, Floats, NDArray[np.int8]]
"""Boards, targets and places of some games, see `losses`."""

SHARE_OF_TEST_GAMES = 10
"""One in so many games of a test is played for this: each has some fifty plays to compare."""


@dataclass(frozen=True, slots=True)
class PlaysLost:
    """Mean loss of a play that a student chooses 0 plies deep, and that its teacher so chooses.

    Both in points and in the same rolls, of games that nobody learnt from. The judge is the teacher
    one ply deep, and they choose among the plays that it has looked at so: the loss tells how much
    of that search is learnt. Losses by one teacher can be compared, those by two cannot.
    """

    student: Estimate
    teacher: Estimate


def plays_lost(student: Network, teacher: Network, pieces: Sequence[Played]) -> PlaysLost | None:
    """The losses of two networks in examples that the teacher made; None if there are no examples.

    A piece is one sample, as plays of a game have something in common; a roll with one play costs
    nothing.
    """
    found, by_teacher = (
        _mean_of([losses(network, *piece) for piece in pieces]) for network in (student, teacher)
    )
    return None if found is None or by_teacher is None else PlaysLost(found, by_teacher)


def _mean_of(pieces: Sequence[NDArray[np.float64]]) -> Estimate | None:
    return ratio_estimate([(float(lost.sum()), len(lost)) for lost in pieces if len(lost)])


def losses(
    network: Network, boards: Boards, targets: Floats, places: NDArray[np.int8]
) -> NDArray[np.float64]:
    """Points that a network's choice of play costs, 0 plies deep, roll by roll; float64[rolls].

    boards, targets, places: as fill_examples fills them, without a trace.
    """
    # boards are seen by the other player, who is to be left as little as can be
    firsts = np.flatnonzero(places == 0)
    if not len(firsts):
        return np.zeros(0)
    said = cubeless_equities(network.outcomes(boards).astype(np.float64))
    left = cubeless_equities(targets.astype(np.float64))
    groups = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(boards)))
    chosen = np.lexsort((said, groups))[firsts]
    lost: NDArray[np.float64] = left[chosen] - np.minimum.reduceat(left, firsts)
    return lost
