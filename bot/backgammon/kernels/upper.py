"""The layers above the first, for four boards at a time.

A network's second layer is large and a board's own arithmetic with it small, so that reading the
weights takes longer than multiplying. Four boards share the reading, which is worth more than
leaving out the units that are zero.
"""

from typing import NamedTuple

import numpy as np

from bot.backgammon.kernels.network import Floats, Layers, Rows
from bot.kernels import inlined, inner, kernel

FOUR = 4
"""Boards, and units, whose sums are kept in registers at once."""


class Upper(NamedTuple):
    """The layers above the first, of a network that has more than one.

    second, third: float32[units, units below], a row for each unit, of as many units as the network
    has or up to three more, which stay zero; no rows for a layer it has not. last: float32[5,
    units]; biases: float32 each. Those of a network by phases stand one after the other.
    """

    second: Floats
    second_biases: Floats
    third: Floats
    third_biases: Floats
    last: Floats
    last_biases: Floats


class FourWorkspace(NamedTuple):
    """Workspace: for each phase, boards that wait until they are four.

    hidden: float32[phases, 4, units], the sums of the first layer; rows: int64[phases, 4], where
    their logits belong; counts: int64[phases], how many wait. above, top: float32[4, units], of the
    upper layers.
    """

    hidden: Floats
    rows: Rows
    counts: Rows
    above: Floats
    top: Floats


def upper_of(layers: Layers) -> Upper:
    """A copy of a network's upper layers, as they are now."""
    phases = max(len(layers.last_biases) // 5, 1)
    second, second_biases = _in_fours(
        layers.second, layers.second_biases, phases, len(layers.biases)
    )
    third, third_biases = _in_fours(
        layers.third, layers.third_biases, phases, len(second) // phases
    )
    last = np.zeros((len(layers.last), (len(third) or len(second)) // phases), np.float32)
    if len(second):
        last[:, : layers.last.shape[1]] = layers.last
    return Upper(second, second_biases, third, third_biases, last, layers.last_biases.copy())


def _in_fours(weights: Floats, biases: Floats, phases: int, below: int) -> tuple[Floats, Floats]:
    """Each phase's layer with a row for each unit, and its biases, filled up with zeros."""
    units = len(biases) // phases
    filled = -(-units // FOUR) * FOUR
    rows = np.zeros((phases, filled, below), np.float32)
    given = len(weights) // phases
    rows[:, :units, :given] = weights.reshape(phases, given, units).transpose(0, 2, 1)
    all_biases = np.zeros((phases, filled), np.float32)
    all_biases[:, :units] = biases.reshape(phases, units)
    return rows.reshape(phases * filled, below), all_biases.reshape(-1)


@kernel
def four_workspace(upper: Upper) -> FourWorkspace:
    """A new workspace for these layers."""
    phases = max(upper.last_biases.shape[0] // 5, 1)
    return FourWorkspace(
        np.zeros((phases, FOUR, upper.second.shape[1]), np.float32),
        np.zeros((phases, FOUR), np.int64),
        np.zeros(phases, np.int64),
        np.zeros((FOUR, upper.second.shape[0] // phases), np.float32),
        np.zeros((FOUR, upper.third.shape[0] // phases), np.float32),
    )


@inner
def _fill_layer(below: Floats, weights: Floats, biases: Floats, phase: int, units: Floats) -> None:
    """Set the units of a phase's rectified layer for four boards, float32[4, n], from those below.

    Written out for four boards and four units, as only then the sixteen sums stay in registers.
    """
    first = phase * units.shape[1]
    weights = weights[first : first + units.shape[1]]
    biases = biases[first : first + units.shape[1]]
    for unit in range(0, weights.shape[0], FOUR):
        sum00 = sum01 = sum02 = sum03 = np.float32(0.0)
        sum10 = sum11 = sum12 = sum13 = np.float32(0.0)
        sum20 = sum21 = sum22 = sum23 = np.float32(0.0)
        sum30 = sum31 = sum32 = sum33 = np.float32(0.0)
        for i in range(weights.shape[1]):
            weight0, weight1 = weights[unit, i], weights[unit + 1, i]
            weight2, weight3 = weights[unit + 2, i], weights[unit + 3, i]
            value = below[0, i]
            sum00 += value * weight0
            sum01 += value * weight1
            sum02 += value * weight2
            sum03 += value * weight3
            value = below[1, i]
            sum10 += value * weight0
            sum11 += value * weight1
            sum12 += value * weight2
            sum13 += value * weight3
            value = below[2, i]
            sum20 += value * weight0
            sum21 += value * weight1
            sum22 += value * weight2
            sum23 += value * weight3
            value = below[3, i]
            sum30 += value * weight0
            sum31 += value * weight1
            sum32 += value * weight2
            sum33 += value * weight3
        units[0, unit], units[0, unit + 1], units[0, unit + 2] = sum00, sum01, sum02
        units[1, unit], units[1, unit + 1], units[1, unit + 2] = sum10, sum11, sum12
        units[2, unit], units[2, unit + 1], units[2, unit + 2] = sum20, sum21, sum22
        units[3, unit], units[3, unit + 1], units[3, unit + 2] = sum30, sum31, sum32
        units[0, unit + 3], units[1, unit + 3] = sum03, sum13
        units[2, unit + 3], units[3, unit + 3] = sum23, sum33
    for board in range(FOUR):
        for unit in range(units.shape[1]):
            units[board, unit] = max(units[board, unit] + biases[unit], np.float32(0.0))


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
    hidden = workspace.hidden[phase]
    for board in range(FOUR):
        for unit in range(hidden.shape[1]):
            hidden[board, unit] = max(hidden[board, unit], np.float32(0.0))
    _fill_layer(hidden, upper.second, upper.second_biases, phase, workspace.above)
    top = workspace.above
    if upper.third.shape[0] > 0:
        _fill_layer(top, upper.third, upper.third_biases, phase, workspace.top)
        top = workspace.top
    for board in range(workspace.counts[phase]):
        for chance in range(5):
            logit = upper.last_biases[5 * phase + chance]
            for unit in range(top.shape[1]):
                logit += upper.last[5 * phase + chance, unit] * top[board, unit]
            logits[workspace.rows[phase, board], chance] = logit
    workspace.counts[phase] = 0
