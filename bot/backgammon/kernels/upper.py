"""The layers above the first, for four boards at a time.

A network's second layer is large and a board's own arithmetic with it small, so that reading the
weights takes longer than multiplying. Four boards of one roll share the reading, of the units only
that are not zero for all of them: two or three in ten.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.network import Floats, Rows
from bot.kernels import inlined, inner
from bot.kernels.vectors import WIDTH, fill_units_of_four, fill_units_of_sums, note_active

Wholes = NDArray[np.int16]

FOUR = 4
"""Boards whose units are made at once."""


class Upper(NamedTuple):
    """The layers above the first, of a network that plays; no rows for a layer it has not.

    second: int16[units below, units], of which a unit's sum is what they add up to, times its
    scale, see fill_units_of_sums; third: float32[units below, units]; both of as many units as the
    network has or some more, up to whole blocks, which stay zero. last: float32[5, units], or of a
    network of one hidden layer a row for each output; scales and biases: float32 each. Those of a
    network by phases stand one after the other.
    """

    second: Wholes
    second_scales: Floats
    second_biases: Floats
    third: Floats
    third_biases: Floats
    last: Floats
    last_biases: Floats


NO_UPPER = Upper(
    np.zeros((0, 0), np.int16),
    np.zeros(0, np.float32),
    np.zeros(0, np.float32),
    np.zeros((0, 0), np.float32),
    np.zeros(0, np.float32),
    np.zeros((0, 0), np.float32),
    np.zeros(0, np.float32),
)
"""No layers at all."""


class FourWorkspace(NamedTuple):
    """Workspace: for each phase, boards that wait until they are four.

    hidden: int16[phases, 4, units], the sums of the first layer; rows: int64[phases, 4], where
    their logits belong; counts: int64[phases], how many wait. above, top: float32[4, units], of the
    upper layers. active: int32[most], of the units of a layer; pairs, packed: int32[most, 4] and
    float32[most, 4], those of the first and of the second layer that are active.
    """

    hidden: Wholes
    rows: Rows
    counts: Rows
    above: Floats
    top: Floats
    active: NDArray[np.int32]
    pairs: NDArray[np.int32]
    packed: Floats


def four_workspace(upper: Upper) -> FourWorkspace:
    """A new workspace for these layers."""
    phases = max(upper.last_biases.shape[0] // 5, 1)
    units = upper.second.shape[0] // phases
    above = upper.second.shape[1]
    return FourWorkspace(
        np.zeros((phases, FOUR, units), np.int16),
        np.zeros((phases, FOUR), np.int64),
        np.zeros(phases, np.int64),
        np.zeros((FOUR, above), np.float32),
        np.zeros((FOUR, upper.third.shape[1]), np.float32),
        np.zeros(max(units, above) + WIDTH, np.int32),
        np.zeros((units // 2 + 1, FOUR), np.int32),
        np.zeros((above, FOUR), np.float32),
    )


@inlined
def wait_for_four(
    upper: Upper, workspace: FourWorkspace, phase: int, row: int, logits: Floats
) -> None:
    """Take in a board, whose sums are in workspace.hidden[phase, workspace.counts[phase]].

    phase: 0 if the network has the same layers for all. Sets the rows of logits, float32[n, 5], of
    the phase's boards as soon as they are four; call finish_fours for the others.
    """
    count = workspace.counts[phase]
    workspace.rows[phase, count] = row
    workspace.counts[phase] = count + 1
    if count + 1 == FOUR:
        _fill_logits(upper, workspace, phase, logits)


@inner
def finish_fours(upper: Upper, workspace: FourWorkspace, logits: Floats) -> None:
    """Set the rows of logits, float32[n, 5], of all boards that still wait."""
    for phase in range(workspace.counts.shape[0]):
        if workspace.counts[phase] > 0:
            _fill_logits(upper, workspace, phase, logits)


@inner
def _fill_logits(upper: Upper, workspace: FourWorkspace, phase: int, logits: Floats) -> None:
    """Set the logits of a phase's boards; where they are not four, something stands in."""
    hidden, active = workspace.hidden[phase], workspace.active
    top = workspace.above
    count = note_active(hidden, active)
    weights, scales, biases = upper.second, upper.second_scales, upper.second_biases
    fill_units_of_sums(hidden, active, count, workspace.pairs, weights, scales, biases, phase, top)
    if upper.third.shape[0] > 0:
        below, top = top, workspace.top
        count = note_active(below, active)
        packed, biases = workspace.packed, upper.third_biases
        fill_units_of_four(below, active, count, packed, upper.third, biases, phase, top)
    for board in range(workspace.counts[phase]):
        for chance in range(5):
            logit = upper.last_biases[5 * phase + chance]
            for unit in range(top.shape[1]):
                logit += upper.last[5 * phase + chance, unit] * top[board, unit]
            logits[workspace.rows[phase, board], chance] = logit
    workspace.counts[phase] = 0
