"""Plays lost: what a network's choice of plays costs, by one ply of search with its teacher."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.network import Floats
from bot.backgammon.rules.outcome import cubeless_equities
from bot.estimate import Estimate, estimate


@dataclass(frozen=True, slots=True)
class PlaysLost:
    """What plays chosen 0 plies deep cost on average, in points, in rolls that taught nobody.

    student: by the network that learns; teacher: by its teacher, 0 plies deep as well, in the same
    rolls. The judge is the teacher one ply deep: it tells how much of that search is learnt, and
    what two networks lose by one teacher can be compared, but not by two.
    """

    student: Estimate
    teacher: Estimate


def plays_lost(
    student: Network, teacher: Network, boards: Boards, targets: Floats, places: NDArray[np.int8]
) -> PlaysLost | None:
    """What both lose in these examples of the teacher's, without a trace; None if there are none.

    boards, targets, places: as fill_examples fills them; a roll with one play costs nothing.
    """
    firsts = np.flatnonzero(places == 0)
    found = [
        estimate(_losses(network, boards, targets, firsts).tolist())
        for network in (student, teacher)
    ]
    if found[0] is None or found[1] is None:
        return None
    return PlaysLost(found[0], found[1])


def _losses(
    network: Network, boards: Boards, targets: Floats, firsts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """For each group the points that the play chosen costs; firsts: int64[groups], where it begins.

    Boards are seen by the other player, who is to be left as little as can be.
    """
    if not len(firsts):
        return np.zeros(0)
    said = cubeless_equities(network.outcomes(boards).astype(np.float64))
    left = cubeless_equities(targets.astype(np.float64))
    groups = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(boards)))
    chosen = np.lexsort((said, groups))[firsts]
    losses: NDArray[np.float64] = left[chosen] - np.minimum.reduceat(left, firsts)
    return losses
