"""The boards after the plays of one roll, evaluated together: each costs what its play changes.

This is all the search knows of evaluation. Boards and plays are the mover's; chances are those of
the other player, who is on roll after the play.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import BearoffDatabases
from bot.backgammon.kernels.boards import CHECKERS, Boards, fill_copy, turn_board
from bot.backgammon.kernels.corrections import Evaluations, correct, is_calm, new_evaluations
from bot.backgammon.kernels.dice import NO_DICE
from bot.backgammon.kernels.increments import (
    ROWS_AT_ONCE,
    fill_logits,
    holds_rows,
    note_play,
    pad_rows,
)
from bot.backgammon.kernels.inputs import CLASSIC_INPUTS, CUMULATIVE, Features
from bot.backgammon.kernels.logistic import fill_logistic
from bot.backgammon.kernels.network import Floats, Rows
from bot.backgammon.kernels.outcomes import Weights, worth_at
from bot.backgammon.kernels.outputs import spread_outputs
from bot.backgammon.kernels.phases import phase_of
from bot.backgammon.kernels.playing import (
    FirstWorkspace,
    PlayingLayers,
    add_noted,
    fill_logits_of,
    fill_root,
    first_workspace,
    note_classic,
    note_features,
)
from bot.backgammon.kernels.plays import MAX_PLAYS, Steps
from bot.backgammon.kernels.pruning import move_known_back, pick_best
from bot.backgammon.kernels.upper import (
    FourWorkspace,
    finish_fours,
    four_workspace,
    wait_for_four,
)
from bot.kernels import inner

_MOST_ROWS = 6 * MAX_PLAYS + 15 * 2 * CHECKERS**2
"""Plays of all 21 rolls together are no more: two dice move one of the checkers each, either die
first."""


class Nets(NamedTuple):
    """Evaluation of boards by a network, a small one that prunes for it, and exact endings.

    features, pruner_features: what each network sees beside the classic inputs; pruner: no hidden
    units if there is none; databases: no positions if there are none; checkers: of each side in the
    game.
    """

    layers: PlayingLayers
    features: Features
    pruner: PlayingLayers
    pruner_features: Features
    databases: BearoffDatabases
    checkers: int = CHECKERS


class NetworkPart(NamedTuple):
    """One network's part: the workspaces of its first layer and of those above it."""

    first: FirstWorkspace
    four: FourWorkspace


class SiblingWorkspace(NamedTuple):
    """Workspace and results of evaluating the plays of rolls after one another.

    main, pruning: of the two networks; work, turned: int8[26]; picked: int64[MAX_PLAYS], the plays
    of one roll to evaluate; guessed and worths: float64[MAX_PLAYS], what the pruning network says
    of that roll's plays.

    evaluated: the plays of one roll, or all that were taken in; of those boards: int8[most, 26], as
    the mover sees them, and spans: int64[22, 2], of each roll the first row and the one after its
    last; a last span is of no dice.
    """

    main: NetworkPart
    pruning: NetworkPart
    work: Boards
    turned: Boards
    picked: Rows
    guessed: Evaluations
    worths: NDArray[np.float64]
    evaluated: Evaluations
    boards: Boards
    spans: Rows


def sibling_workspace(nets: Nets) -> SiblingWorkspace:
    """A new workspace for these networks, which must not change as long as it is used.

    Raises ValueError if a first layer has not a row for each input.
    """
    return SiblingWorkspace(
        _network_part(nets.layers, nets.features),
        _network_part(nets.pruner, nets.pruner_features),
        np.empty(26, np.int8),
        np.empty(26, np.int8),
        np.empty(MAX_PLAYS, np.int64),
        new_evaluations(MAX_PLAYS),
        np.empty(MAX_PLAYS, np.float64),
        new_evaluations(_MOST_ROWS),
        np.empty((_MOST_ROWS, 26), np.int8),
        np.empty((NO_DICE + 1, 2), np.int64),
    )


def _network_part(layers: PlayingLayers, features: Features) -> NetworkPart:
    inputs = CLASSIC_INPUTS + features.size
    if len(layers.biases) and len(layers.first) != inputs:
        raise ValueError(f"a first layer of {len(layers.first)} rows is not for {inputs} inputs")
    return NetworkPart(first_workspace(layers, features), four_workspace(layers.upper))


@inner
def _take_in(
    root: Boards,
    after: Boards,
    steps: Steps,
    count: int,
    layers: PlayingLayers,
    part: NetworkPart,
    workspace: SiblingWorkspace,
    begin: int,
    logits: Floats,
) -> None:
    """Give the first picked plays to one network, whose root is ready, for rows from begin on.

    Some may wait there until there are four, see _finish.
    """
    first, four = part.first, part.four
    upper = layers.upper
    rows = first.rows
    is_shallow = upper.second_biases.shape[0] == 0
    has_features = first.features.shape[0] > 0
    is_cumulative = first.coding == CUMULATIVE
    if is_cumulative:
        fill_copy(root, workspace.work)
    else:
        turn_board(root, workspace.work)
    has_phases = four.counts.shape[0] > 1
    is_general = has_features or not is_cumulative or upper.last_biases.shape[0] < 5
    is_general = is_general or layers.logistic.shape[0] > 0
    phase = 0
    held = 0  # rows of first.held_rows whose sums are in first.sums
    for i in range(count):
        play = workspace.picked[i]
        # the sums of the root plus what the play changes, instead of all its inputs
        if has_features or has_phases or not is_cumulative:
            turn_board(after[play], workspace.turned)
        paired = 0
        if is_cumulative:
            classic = paired = note_play(root, steps, play, workspace.work, rows)
        else:
            classic = note_classic(workspace.work, workspace.turned, layers, first)
        changes = classic
        if has_features:
            changes, phase = note_features(workspace.turned, layers, first, classic)
        elif has_phases:
            phase = phase_of(workspace.turned)
        if not is_shallow:
            phase = phase if has_phases else 0
            sums = four.hidden[phase, four.counts[phase]]
            add_noted(first.root, paired, classic, changes, layers, first, sums)
            wait_for_four(upper, four, phase, begin + i, logits)
        elif is_general:
            add_noted(first.root, paired, classic, changes, layers, first, first.sums)
            fill_logits_of(layers, first, logits[begin + i])
        else:
            changes = pad_rows(rows, changes)
            shared, start = changes - ROWS_AT_ONCE, first.root
            if shared > 0:
                # plays that begin alike, as those of a double do, have the sums of that in common
                is_held = holds_rows(first.held_rows, rows, shared)
                if not (is_held and held == shared):
                    add_noted(first.root, shared, shared, shared, layers, first, first.sums)
                    held = shared
                start = first.sums
            fill_logits(start, layers, rows, shared, logits, begin + i)


@inner
def _finish(count: int, layers: PlayingLayers, part: NetworkPart, evaluated: Evaluations) -> None:
    """Turn the logits of all plays that a network was given into chances."""
    upper = layers.upper
    if upper.second_biases.shape[0] > 0:
        finish_fours(upper, part.four, evaluated.outcomes)
    fill_logistic(evaluated.flat, 5 * count)
    if upper.last_biases.shape[0] < 5:
        for i in range(count):
            spread_outputs(upper.last_biases.shape[0], evaluated.outcomes[i])


@inner
def prepare_root(root: Boards, prunes: bool, nets: Nets, workspace: SiblingWorkspace) -> bool:
    """Get ready to evaluate plays of any roll from this board, int8[26]; whether it is calm.

    prunes: whether plays are to be pruned.
    """
    turn_board(root, workspace.turned)
    fill_root(workspace.turned, nets.layers, workspace.main.first)
    if prunes and nets.pruner.biases.shape[0] > 0:
        fill_root(workspace.turned, nets.pruner, workspace.pruning.first)
    return bool(is_calm(root, nets.checkers))


@inner
def _correct(
    root: Boards,
    is_root_calm: bool,
    boards: Boards,
    count: int,
    nets: Nets,
    workspace: SiblingWorkspace,
    evaluated: Evaluations,
) -> None:
    """Correct what a network says of so many boards by rules and databases, see `correct`."""
    databases, turned = nets.databases, workspace.turned
    correct(root, is_root_calm, boards, count, databases, nets.checkers, turned, evaluated)


@inner
def take_in_replies(
    root: Boards,
    is_root_calm: bool,
    after: Boards,
    steps: Steps,
    count: int,
    first: int,
    worth: Weights,
    prunes: bool,
    nets: Nets,
    workspace: SiblingWorkspace,
) -> int:
    """Take in the plays of a roll as rows from first on, in their order; the row after them.

    root: int8[26], for which prepare_root was called; is_root_calm: its answer; after, steps: as
    fill_plays leaves them; worth: of the game to the player on roll after them; prunes: without the
    plays that are pruned, and in any order. The plays of all rolls are evaluated together, by
    evaluate_replies: the more wait, the more are four at a time.
    """
    unknown = count
    for play in range(count):
        workspace.picked[play] = play
    if prunes and count > 1 and nets.pruner.biases.shape[0] > 0:
        part, guessed = workspace.pruning, workspace.guessed
        _take_in(root, after, steps, count, nets.pruner, part, workspace, 0, guessed.outcomes)
        _finish(count, nets.pruner, part, guessed)
        _correct(root, is_root_calm, after, count, nets, workspace, guessed)
        count = pick_best(guessed, count, worth, workspace.worths, workspace.picked)
        unknown = move_known_back(guessed, count, workspace.picked)
    for i in range(count):
        fill_copy(after[workspace.picked[i]], workspace.boards[first + i])
    logits = workspace.evaluated.outcomes
    _take_in(root, after, steps, unknown, nets.layers, workspace.main, workspace, first, logits)
    return first + count


@inner
def evaluate_replies(
    root: Boards, is_root_calm: bool, count: int, nets: Nets, workspace: SiblingWorkspace
) -> None:
    """Evaluate all plays that were taken in; they are the rows of workspace.evaluated."""
    _finish(count, nets.layers, workspace.main, workspace.evaluated)
    _correct(root, is_root_calm, workspace.boards, count, nets, workspace, workspace.evaluated)


@inner
def best_sibling(begin: int, end: int, worth: Weights, workspace: SiblingWorkspace) -> int:
    """The row, of those evaluated from begin to end, that leaves the other player least.

    worth: of the game to that player.
    """
    best = begin
    least = np.inf
    for i in range(begin, end):
        left = worth_at(workspace.evaluated.outcomes, i, worth)
        if left < least:
            least = left
            best = i
    return best
