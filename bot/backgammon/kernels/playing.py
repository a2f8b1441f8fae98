"""The first layer of a network that plays: sums in whole numbers, the same however they are told.

A board's sums are made of all its inputs, or of the sums of a board that differs little and of what
differs. In whole numbers, of which what is beyond 16 bits is lost on the way, both are the same.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.inputs import (
    CLASSIC_INPUTS,
    Features,
    fill_classic,
    fill_features_at,
    note_changes,
)
from bot.backgammon.kernels.logistic import fill_logistic
from bot.backgammon.kernels.network import Floats, Rows
from bot.backgammon.kernels.upper import NO_UPPER, Upper, Wholes
from bot.kernels import inlined, inner
from bot.kernels.vectors import WIDTH, add_steps, note_unequal

PARTS = 32760
"""Parts of a feature's limit that it is told in: sixths, sevenths, 24ths and 36ths are whole.

One more is always told, so that what a feature adds is rounded down even if it is 0.
"""

_NEAREST = 0.51
"""A little more than a half, added to parts before they are cut off to whole ones.

Features come to whole parts, or to twentieths or 36ths of one more, none so near to where it is cut
that another processor might cut otherwise.
"""


class PlayingLayers(NamedTuple):
    """A network as it plays, see evaluation/playing.py.

    first: int16[inputs, h1 and some more], of each classic input what one step of it adds to the
    sums, of each feature what it adds at its limit, times 65,536 / PARTS; biases: int16[h1]; steps:
    of each classic input how many make 1, and parts: of each feature how many, float32[inputs]
    together; logistic: float32[h1, 1], of logistic units what a sum is to be multiplied by, else
    float32[0, 0]; upper: the layers above, for these sums.
    """

    first: Any
    biases: Wholes
    steps: Floats
    parts: Floats
    logistic: Floats
    upper: Upper


NO_PLAYING_LAYERS = PlayingLayers(
    np.empty((0, 0), np.int16),
    np.empty(0, np.int16),
    np.empty(0, np.float32),
    np.empty(0, np.float32),
    np.empty((0, 0), np.float32),
    NO_UPPER,
)
"""No network at all."""


class FirstWorkspace(NamedTuple):
    """Workspace of one board's sums after another's.

    rows, factors, before: int64[most] and int16[most], rows to be added, see add_steps; held_rows:
    int64[most], those whose sums are held; values: float32[most], of inputs; root, sums, units:
    int16[h1] and float32[h1]; features: float32[features]; parts, root_parts: int16[features], they
    in PARTS, and the root's; changed: int32[most], those that differ; fill_features, coding: see
    Features.
    """

    rows: Rows
    factors: Wholes
    before: Wholes
    held_rows: Rows
    values: Floats
    root: Wholes
    sums: Wholes
    units: Floats
    features: Floats
    parts: Wholes
    root_parts: Wholes
    changed: NDArray[np.int32]
    fill_features: Any
    coding: int


def first_workspace(layers: PlayingLayers, features: Features) -> FirstWorkspace:
    """A new workspace for a network of this size that sees these features."""
    most = CLASSIC_INPUTS + features.size
    units = layers.biases.shape[0]
    return FirstWorkspace(
        np.empty(most, np.int64),
        np.empty(most, np.int16),
        np.zeros(most, np.int16),
        np.empty(most, np.int64),
        np.empty(most, np.float32),
        np.empty(units, np.int16),
        np.empty(units, np.int16),
        np.empty(units, np.float32),
        np.empty(features.size, np.float32),
        np.empty(features.size, np.int16),
        np.zeros(features.size, np.int16),
        np.empty(features.size + WIDTH, np.int32),
        features.fill,
        features.coding,
    )


@inlined
def _count_steps(count: int, layers: PlayingLayers, workspace: FirstWorkspace) -> None:
    """Turn the values of so many classic inputs into steps."""
    for i in range(count):
        # np.round, for so little, would have every start load a quarter of numba
        steps = np.floor(workspace.values[i] * layers.steps[workspace.rows[i]] + np.float32(0.5))
        workspace.factors[i] = np.int16(steps)


@inlined
def note_features(
    board: Boards, layers: PlayingLayers, workspace: FirstWorkspace, count: int
) -> tuple[int, int]:
    """Note, after so many rows, features that are not the root's; how many there are, the phase."""
    phase = fill_features_at(workspace.fill_features, board, workspace.features)
    for feature in range(workspace.features.shape[0]):
        part = workspace.features[feature] * layers.parts[feature] + np.float32(1 + _NEAREST)
        part = min(max(np.floor(part), np.float32(-PARTS)), np.float32(PARTS + 1))
        workspace.parts[feature] = np.int16(part)
    changes = note_unequal(workspace.parts, workspace.root_parts, workspace.changed)
    for i in range(changes):
        feature = workspace.changed[i]
        workspace.rows[count + i] = CLASSIC_INPUTS + feature
        workspace.factors[count + i] = workspace.parts[feature]
        workspace.before[count + i] = workspace.root_parts[feature]
    return count + changes, phase


@inner
def fill_root(board: Boards, layers: PlayingLayers, workspace: FirstWorkspace) -> None:
    """Set workspace.root to the sums of a board, int8[26], and its features as the root's."""
    classic = fill_classic(board, workspace.coding, workspace.rows, workspace.values)
    _count_steps(classic, layers, workspace)
    count = classic
    if workspace.features.shape[0] > 0:
        for feature in range(workspace.features.shape[0]):
            workspace.root_parts[feature] = 0
        count, _ = note_features(board, layers, workspace, classic)
        for feature in range(workspace.features.shape[0]):
            workspace.root_parts[feature] = workspace.parts[feature]
    add_noted(layers.biases, 0, classic, count, layers, workspace, workspace.root)


@inner
def fill_sums(
    root: Boards, board: Boards, layers: PlayingLayers, workspace: FirstWorkspace, sums: Wholes
) -> None:
    """Set the sums of a board that resembles the root, of fill_root's last call."""
    classic = note_classic(root, board, layers, workspace)
    count = classic
    if workspace.features.shape[0] > 0:
        count, _ = note_features(board, layers, workspace, classic)
    add_noted(workspace.root, 0, classic, count, layers, workspace, sums)


@inlined
def note_classic(
    root: Boards, board: Boards, layers: PlayingLayers, workspace: FirstWorkspace
) -> int:
    """Note the classic inputs in which a board differs from the root; how many."""
    count = note_changes(root, board, workspace.coding, workspace.rows, workspace.values)
    _count_steps(count, layers, workspace)
    return count


@inlined
def add_noted(
    start: Wholes,
    paired: int,
    classic: int,
    count: int,
    layers: PlayingLayers,
    workspace: FirstWorkspace,
    sums: Wholes,
) -> None:
    """Set sums to start and all rows that are noted.

    First those in pairs, see note_play, then other classic ones up to classic, then the features.
    """
    rows, factors, before = workspace.rows, workspace.factors, workspace.before
    add_steps(start, layers.first, rows, factors, before, paired, classic, count, sums)


@inner
def fill_logits_of(layers: PlayingLayers, workspace: FirstWorkspace, logits: Floats) -> None:
    """Set as many logits, float32[5], as a network of one hidden layer has outputs, the rest 0.

    They are those of workspace.sums.
    """
    upper, sums, units = layers.upper, workspace.sums, workspace.units
    if layers.logistic.shape[0] > 0:
        for unit in range(sums.shape[0]):
            units[unit] = np.float32(sums[unit]) * layers.logistic[unit, 0]
        fill_logistic(units, sums.shape[0])
    else:
        for unit in range(sums.shape[0]):
            units[unit] = max(np.float32(sums[unit]), np.float32(0.0))
    for output in range(5):
        logits[output] = 0.0
    for output in range(upper.last_biases.shape[0]):
        total = upper.last_biases[output]
        for unit in range(sums.shape[0]):
            total += upper.last[output, unit] * units[unit]
        logits[output] = total
