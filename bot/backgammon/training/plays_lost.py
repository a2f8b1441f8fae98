"""Plays lost: what a network's choice of plays costs, by one ply of search with its teacher."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.network import Floats
from bot.backgammon.rules.outcome import cubeless_equities
from bot.estimate import Estimate, estimate

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


def plays_lost(
    student: Network, teacher: Network, boards: Boards, targets: Floats, places: NDArray[np.int8]
) -> PlaysLost | None:
    """The losses of two networks in examples that the teacher made; None if there are no examples.

    boards, targets, places: as fill_examples fills them, without a trace; a roll with one play
    costs nothing.
    """
    found = [mean_loss(network, boards, targets, places) for network in (student, teacher)]
    if found[0] is None or found[1] is None:
        return None
    return PlaysLost(found[0], found[1])


def mean_loss(
    network: Network, boards: Boards, targets: Floats, places: NDArray[np.int8]
) -> Estimate | None:
    """The mean loss of a play that a network chooses 0 plies deep, in points; see `plays_lost`."""
    # boards are seen by the other player, who is to be left as little as can be
    firsts = np.flatnonzero(places == 0)
    if not len(firsts):
        return None
    said = cubeless_equities(network.outcomes(boards).astype(np.float64))
    left = cubeless_equities(targets.astype(np.float64))
    groups = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(boards)))
    chosen = np.lexsort((said, groups))[firsts]
    return estimate((left[chosen] - np.minimum.reduceat(left, firsts)).tolist())
