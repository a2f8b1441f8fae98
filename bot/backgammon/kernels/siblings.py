"""The boards after the plays of one roll, evaluated together: each costs what its play changes.

This is all the search knows of evaluation. Boards and plays are the mover's; chances are those of
the other player, who is on roll after the play.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import BearoffDatabases, bearoff_outcomes
from bot.backgammon.kernels.boards import CHECKERS, Boards, points_lost_of
from bot.backgammon.kernels.increments import (
    fill_few_logits,
    fill_logits,
    max_changes,
    note_features,
    note_play,
    pad_rows,
)
from bot.backgammon.kernels.inputs import (
    CLASSIC_INPUTS,
    CUMULATIVE,
    Features,
    fill_features_at,
    note_changes,
)
from bot.backgammon.kernels.logistic import fill_logistic
from bot.backgammon.kernels.network import (
    Floats,
    Layers,
    NetworkWorkspace,
    Rows,
    fill_root,
    has_logistic_units,
    network_workspace,
    phase_count,
)
from bot.backgammon.kernels.outcomes import clamp_outcomes
from bot.backgammon.kernels.outputs import spread_outputs
from bot.backgammon.kernels.phases import phase_of
from bot.backgammon.kernels.plays import MAX_LEGS, MAX_PLAYS, Steps
from bot.backgammon.kernels.upper import (
    FourWorkspace,
    Upper,
    finish_fours,
    four_workspace,
    upper_of,
    wait_for_four,
)
from bot.kernels import inner, kernel
from bot.kernels.vectors import add_rows

MAX_PICKED = 8
"""So many plays of a roll the network evaluates at most, chosen by a pruning network."""

Weights = tuple[float, float, float, float, float, float]
"""Worth of a game to the player on roll: a constant, then what each of the chances adds."""

MONEY: Weights = (-1.0, 2.0, 1.0, 1.0, -1.0, -1.0)
"""Points per game without a cube."""


class Nets(NamedTuple):
    """Evaluation of boards by a network, a small one that prunes for it, and exact endings.

    features, pruner_features: what each network sees beside the classic inputs; pruner: no hidden
    units if there is none; databases: no positions if there are none; worth: what the game is worth
    to the player on roll, and the best play leaves the other side the least; checkers: of each
    side in the game.
    """

    layers: Layers
    features: Features
    pruner: Layers
    pruner_features: Features
    databases: BearoffDatabases
    worth: Weights = MONEY
    checkers: int = CHECKERS


@kernel
def with_worth(nets: Nets, worth: Weights) -> Nets:
    """Nets of the same networks that choose replies by other weights of the chances.

    A kernel and no inner function: it hands arrays back, whose references must be counted.
    """
    return Nets(
        nets.layers,
        nets.features,
        nets.pruner,
        nets.pruner_features,
        nets.databases,
        worth,
        nets.checkers,
    )


class NetworkPart(NamedTuple):
    """One network's part: its workspace, its upper layers and their workspace."""

    network: NetworkWorkspace
    upper: Upper
    four: FourWorkspace


class SiblingWorkspace(NamedTuple):
    """Workspace and results of evaluating the plays of one roll after another.

    main, pruning: of the two networks; work, turned: int8[26]; rows, factors: int64[most] and
    float32[most], see max_changes; picked: int64[MAX_PLAYS], the plays to evaluate; outcomes:
    float32[MAX_PLAYS, 5], and flat the same memory in one row; is_exact: bool[MAX_PLAYS], chances
    that no search can better.
    """

    main: NetworkPart
    pruning: NetworkPart
    work: Boards
    turned: Boards
    rows: Rows
    factors: Floats
    picked: Rows
    outcomes: Floats
    flat: Floats
    is_exact: NDArray[np.bool_]


NO_LAYERS = Layers(
    np.empty((0, 0), np.int16),
    *(np.empty(shape, np.float32) for shape in (0, (0, 0), 0, (0, 0), 0, (0, 0), (5, 0), 0)),
)
"""No network at all."""


def sibling_workspace(nets: Nets) -> SiblingWorkspace:
    """A new workspace for these networks, which must not change as long as it is used.

    Raises ValueError if a first layer has not a row for each input.
    """
    changes = max_changes(max(nets.features.size, nets.pruner_features.size))
    flat = np.empty(5 * MAX_PLAYS, np.float32)
    return SiblingWorkspace(
        _network_part(nets.layers, nets.features),
        _network_part(nets.pruner, nets.pruner_features),
        np.empty(26, np.int8),
        np.empty(26, np.int8),
        np.empty(changes, np.int64),
        np.empty(changes, np.float32),
        np.empty(MAX_PLAYS, np.int64),
        flat.reshape(MAX_PLAYS, 5),
        flat,
        np.empty(MAX_PLAYS, np.bool_),
    )


def _network_part(layers: Layers, features: Features) -> NetworkPart:
    inputs = CLASSIC_INPUTS + features.size
    if len(layers.biases) and len(layers.first) != inputs:
        raise ValueError(f"a first layer of {len(layers.first)} rows is not for {inputs} inputs")
    upper = upper_of(layers)
    return NetworkPart(network_workspace(layers, features), upper, four_workspace(upper))


@inner
def _fill_network_outcomes(
    root: Boards,
    after: Boards,
    steps: Steps,
    count: int,
    layers: Layers,
    evaluation: NetworkPart,
    workspace: SiblingWorkspace,
) -> None:
    """Set the outcomes of the first picked plays by one network, whose root sums are ready."""
    network, upper, four = evaluation
    rows = workspace.rows
    factors = workspace.factors
    is_shallow = layers.second_biases.shape[0] == 0
    has_features = network.features.shape[0] > 0
    is_cumulative = network.coding == CUMULATIVE
    for point in range(26):
        workspace.work[point] = root[point] if is_cumulative else -int(root[25 - point])
    has_phases = phase_count(layers) > 1
    is_general = layers.last_biases.shape[0] < 5 or has_logistic_units(layers)
    phase = 0
    for i in range(count):
        play = workspace.picked[i]
        # the sums of the root plus what the play changes, instead of all its inputs
        changes = 0
        if is_cumulative:
            changes = note_play(root, steps, play, workspace.work, rows, factors)
        if has_features or has_phases or not is_cumulative:
            for point in range(26):
                workspace.turned[point] = -int(after[play, 25 - point])
        if not is_cumulative:
            changes = note_changes(workspace.work, workspace.turned, network.coding, rows, factors)
        if has_features:
            phase = fill_features_at(network.fill_features, workspace.turned, network.features)
            changes = note_features(network, rows, factors, changes)
        elif has_phases:
            phase = phase_of(workspace.turned)
        if not is_shallow:
            phase = phase if has_phases else 0
            sums = four.hidden[phase, four.counts[phase]]
            add_rows(network.root, layers.first, rows, factors, 0, changes, sums)
            wait_for_four(upper, four, phase, i, workspace.outcomes)
            continue
        changes = pad_rows(rows, factors, changes)
        if is_general:
            add_rows(network.root, layers.first, rows, factors, 0, changes, network.sums)
            fill_few_logits(network.sums, layers, workspace.outcomes[i])
        elif changes == 4:
            fill_logits(network.root, layers, rows, factors, workspace.outcomes, i)
        else:
            add_rows(network.root, layers.first, rows, factors, 4, changes, network.sums)
            fill_logits(network.sums, layers, rows, factors, workspace.outcomes, i)
    if not is_shallow:
        finish_fours(upper, four, workspace.outcomes)
    fill_logistic(workspace.flat, 5 * count)
    if layers.last_biases.shape[0] < 5:
        for i in range(count):
            spread_outputs(layers.last_biases.shape[0], workspace.outcomes[i])


@inner
def equity_at(outcomes: Floats, i: int) -> float:
    """Cubeless equity of the chances in a row of float32[n, 5], for the player they are of."""
    won = 2.0 * outcomes[i, 0] - 1.0 + outcomes[i, 1] + outcomes[i, 2]
    return float(won - outcomes[i, 3] - outcomes[i, 4])


@inner
def _worth_at(outcomes: Floats, i: int, worth: Weights) -> float:
    """Worth of the chances in a row of float32[n, 5] to the player they are of."""
    good = worth[0] + worth[1] * outcomes[i, 0] + worth[2] * outcomes[i, 1]
    good += worth[3] * outcomes[i, 2]
    return float(good + worth[4] * outcomes[i, 3] + worth[5] * outcomes[i, 4])


@inner
def _pick_least(workspace: SiblingWorkspace, count: int, wanted: int, worth: Weights) -> None:
    """Move the wanted number of plays worth least to the other player to the front."""
    for i in range(wanted):
        least = i
        for k in range(i + 1, count):
            if _worth_at(workspace.outcomes, k, worth) < _worth_at(
                workspace.outcomes, least, worth
            ):
                least = k
        for chance in range(5):
            kept = workspace.outcomes[i, chance]
            workspace.outcomes[i, chance] = workspace.outcomes[least, chance]
            workspace.outcomes[least, chance] = kept
        play = workspace.picked[i]
        workspace.picked[i] = workspace.picked[least]
        workspace.picked[least] = play


@inner
def _is_calm(root: Boards, checkers: int) -> bool:
    """Whether no play of one roll can bear a checker off or end the contact, and none is off."""
    own = 0
    other = 0
    other_rearmost = 25
    for point in range(26):
        own += max(int(root[point]), 0)
        other += max(-int(root[point]), 0)
        if root[point] < 0:
            other_rearmost = min(other_rearmost, point)
    # checkers outside home and still in contact, less as many as one roll can move
    staying = -MAX_LEGS
    for point in range(max(other_rearmost, 6) + 1, 26):
        staying += max(int(root[point]), 0)
    return own == checkers and other == checkers and staying > 0


@inner
def _correct(
    root: Boards,
    after: Boards,
    count: int,
    nets: Nets,
    workspace: SiblingWorkspace,
) -> None:
    """Overrule the networks where the rules or a table know better; sets workspace.is_exact."""
    outcomes = workspace.outcomes
    if _is_calm(root, nets.checkers):
        for i in range(count):
            workspace.is_exact[i] = False
            outcomes[i, 1] = min(outcomes[i, 1], outcomes[i, 0])
            outcomes[i, 2] = min(outcomes[i, 2], outcomes[i, 1])
            outcomes[i, 3] = min(outcomes[i, 3], np.float32(1.0) - outcomes[i, 0])
            outcomes[i, 4] = min(outcomes[i, 4], outcomes[i, 3])
        return
    own = 0
    other_is_home = True
    for point in range(26):
        own += max(int(root[point]), 0)
        other_is_home = other_is_home and (point >= 19 or root[point] >= 0)
    for i in range(count):
        play = workspace.picked[i]
        for point in range(26):
            workspace.turned[point] = -int(after[play, 25 - point])
        points = points_lost_of(workspace.turned, nets.checkers) if own <= MAX_LEGS else 0
        workspace.is_exact[i] = points > 0
        if points > 0:
            for chance in range(5):
                outcomes[i, chance] = 0.0
            outcomes[i, 3] = 1.0 if points >= 2 else 0.0
            outcomes[i, 4] = 1.0 if points >= 3 else 0.0
        elif other_is_home and bearoff_outcomes(workspace.turned, nets.databases, outcomes[i]):
            workspace.is_exact[i] = True
        else:
            clamp_outcomes(workspace.turned, nets.checkers, outcomes[i])


@inner
def prepare_root(root: Boards, nets: Nets, workspace: SiblingWorkspace) -> None:
    """Get ready to evaluate plays of any roll from this board, int8[26]."""
    for point in range(26):
        workspace.turned[point] = -int(root[25 - point])
    fill_root(workspace.turned, nets.layers, workspace.main.network)
    if nets.pruner.biases.shape[0] > 0:
        fill_root(workspace.turned, nets.pruner, workspace.pruning.network)


@inner
def evaluate_siblings(
    root: Boards,
    after: Boards,
    steps: Steps,
    count: int,
    may_prune: bool,
    nets: Nets,
    workspace: SiblingWorkspace,
) -> int:
    """Evaluate the plays of one roll; how many were evaluated, all but those pruned.

    root: int8[26], for which prepare_root was called; after, steps: as fill_plays leaves them.
    Evaluated play i is workspace.picked[i], its chances are workspace.outcomes[i].
    """
    for play in range(count):
        workspace.picked[play] = play
    if may_prune and count > MAX_PICKED and nets.pruner.biases.shape[0] > 0:
        _fill_network_outcomes(root, after, steps, count, nets.pruner, workspace.pruning, workspace)
        _correct(root, after, count, nets, workspace)
        _pick_least(workspace, count, MAX_PICKED, nets.worth)
        count = MAX_PICKED
    _fill_network_outcomes(root, after, steps, count, nets.layers, workspace.main, workspace)
    _correct(root, after, count, nets, workspace)
    return count


@inner
def best_sibling(count: int, nets: Nets, workspace: SiblingWorkspace) -> int:
    """Index of the evaluated play that leaves the other player least, as he counts."""
    best = 0
    least = np.inf
    for i in range(count):
        worth = _worth_at(workspace.outcomes, i, nets.worth)
        if worth < least:
            least = worth
            best = i
    return best
