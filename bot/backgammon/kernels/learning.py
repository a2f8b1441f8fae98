"""Learning from one finished game: TD(lambda), by two ways, and backpropagation of the outcome.

The networks have one hidden layer. The gradient is that of the cross-entropy, so that rare gammons
are learnt as fast as wins, or that of half the squared error, as in the theses.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards, fill_copy
from bot.backgammon.kernels.network import (
    Floats,
    Layers,
    NetworkWorkspace,
    fill_own_outputs,
    fill_sums,
    has_logistic_units,
)
from bot.backgammon.kernels.outputs import fill_lost, turn_outputs, turned_output
from bot.kernels import inner, kernel

BACKWARD, TRACES, OUTCOME = range(3)
"""Ways to learn a game: each position's lambda return, from the last to the first; eligibility
traces, from the first to the last; the outcome for every position, from the last to the first."""


CROSS_ENTROPY, SQUARES = range(2)
"""Losses whose gradient is gone down."""


class Method(NamedTuple):
    """A way to learn a game: update, one of the above; rate of learning; trace: lambda, 0 to 1.

    loss: one of the above.
    """

    update: int
    rate: float
    trace: float
    loss: int = CROSS_ENTROPY


@inner
def _slope_of_unit(unit: np.float32, layers: Layers) -> np.float32:
    """The slope of a hidden unit in its sum."""
    if has_logistic_units(layers):
        return unit * (np.float32(1.0) - unit)
    return np.float32(1.0) if unit > 0.0 else np.float32(0.0)


@inner
def _slope_of_output(output: np.float32, loss: int) -> np.float32:
    """The slope that a step takes for an output's in its sum: the cross-entropy cancels it."""
    return output * (np.float32(1.0) - output) if loss == SQUARES else np.float32(1.0)


@kernel(fastmath=True)
def learn(
    board: Boards,
    target: Floats,
    rate: float,
    layers: Layers,
    workspace: NetworkWorkspace,
    loss: int = CROSS_ENTROPY,
) -> None:
    """Move the outputs of a board, int8[26], towards the target by one gradient step.

    target: float32[outputs]. Leaves the outputs as they were before the step in workspace.outputs.
    """
    active = fill_sums(board, layers, workspace, workspace.sums)
    fill_own_outputs(layers, workspace, workspace.sums, workspace.outputs)
    units = workspace.sums.shape[0]
    back = workspace.sums
    for unit in range(units):
        back[unit] = 0.0
    for output in range(target.shape[0]):
        now = workspace.outputs[output]
        step = np.float32(rate * (target[output] - now)) * _slope_of_output(now, loss)
        for unit in range(units):
            back[unit] += step * layers.last[output, unit]
            layers.last[output, unit] += step * workspace.hidden[unit]
        layers.last_biases[output] += step
    for unit in range(units):
        back[unit] *= _slope_of_unit(workspace.hidden[unit], layers)
        layers.biases[unit] += back[unit]
    for i in range(active):
        row = workspace.rows[i]
        value = workspace.factors[i]
        for unit in range(units):
            layers.first[row, unit] += value * back[unit]


@kernel
def learn_from_game(
    positions: Boards,
    plies: int,
    points: int,
    method: Method,
    layers: Layers,
    workspace: NetworkWorkspace,
) -> None:
    """Learn from every position of a game but the last, as play_game leaves them.

    A game broken off ends with the outputs of its last position as they are evaluated; for
    the method OUTCOME it has none, and nothing is learnt from it.
    """
    if method.update == OUTCOME:
        if points > 0:
            _learn_backward(positions, plies, points, method, 1.0, layers, workspace)
    elif method.update == TRACES:
        learn_by_traces(positions, plies, points, method, layers, layers, workspace)
    else:
        _learn_backward(positions, plies, points, method, method.trace, layers, workspace)


@kernel
def _fill_end(
    position: Boards, points: int, layers: Layers, workspace: NetworkWorkspace, outputs: Floats
) -> None:
    """Set the outputs at a game's end, by its outcome, or by the network if there is none."""
    if points > 0:
        fill_lost(points, outputs)
    else:
        fill_sums(position, layers, workspace, workspace.sums)
        fill_own_outputs(layers, workspace, workspace.sums, workspace.outputs)
        fill_copy(workspace.outputs[: outputs.shape[0]], outputs)


@kernel
def _learn_backward(
    positions: Boards,
    plies: int,
    points: int,
    method: Method,
    trace: float,
    layers: Layers,
    workspace: NetworkWorkspace,
) -> None:
    """One step for each position of a game, from its last to its first, towards its lambda return.

    What the next position was evaluated at is asked after the steps of those behind it.
    """
    later = np.empty(layers.last_biases.shape[0], np.float32)
    _fill_end(positions[plies], points, layers, workspace, later)
    fill_copy(later, workspace.outputs[: later.shape[0]])
    for ply in range(plies - 1, -1, -1):
        for output in range(later.shape[0]):
            later[output] = trace * later[output] + (1.0 - trace) * workspace.outputs[output]
        turn_outputs(later)
        learn(positions[ply], later, method.rate, layers, workspace, method.loss)


class _Traces(NamedTuple):
    """Eligibility traces: for each output, as the first player sees it, a slope of every weight.

    first: float32[outputs, inputs + 1, units], the biases' after the inputs'; last:
    float32[outputs, outputs, units + 1], by the output's place for the player on roll; is_used:
    bool[inputs + 1], whether any slope of a row is not zero.
    """

    first: NDArray[np.float32]
    last: NDArray[np.float32]
    is_used: NDArray[np.bool_]


@kernel
def _new_traces(layers: Layers) -> _Traces:
    rows = layers.first.shape[0] + 1
    outputs, units = layers.last.shape
    traces = _Traces(
        np.zeros((outputs, rows, units), np.float32),
        np.zeros((outputs, outputs, units + 1), np.float32),
        np.zeros(rows, np.bool_),
    )
    traces.is_used[rows - 1] = True
    return traces


@kernel(fastmath=True)
def _add_slopes(
    active: int,
    is_turned: bool,
    loss: int,
    layers: Layers,
    workspace: NetworkWorkspace,
    traces: _Traces,
) -> None:
    """Add the slopes of the position just evaluated, whose player on roll may be the second."""
    outputs, units = layers.last.shape
    biases = traces.first.shape[1] - 1
    back = workspace.sums
    for i in range(active):
        traces.is_used[workspace.rows[i]] = True
    for output in range(outputs):
        seen = turned_output(outputs, output) if is_turned else output
        # the second player's win is the first's loss where that has no output of its own
        sign = np.float32(-1.0) if is_turned and seen == output else np.float32(1.0)
        sign *= _slope_of_output(workspace.outputs[output], loss)
        for unit in range(units):
            slope = sign * _slope_of_unit(workspace.hidden[unit], layers)
            back[unit] = slope * layers.last[output, unit]
            traces.first[seen, biases, unit] += back[unit]
            traces.last[seen, output, unit] += sign * workspace.hidden[unit]
        traces.last[seen, output, units] += sign
        for i in range(active):
            row = workspace.rows[i]
            value = workspace.factors[i]
            for unit in range(units):
                traces.first[seen, row, unit] += value * back[unit]


@kernel(fastmath=True)
def _follow(
    traces: _Traces, output: int, step: np.float32, decay: np.float32, layers: Layers
) -> None:
    """Change every weight by a step along an output's trace, and let the trace decay."""
    outputs, units = layers.last.shape
    inputs = layers.first.shape[0]
    for row in range(inputs):
        if traces.is_used[row]:
            for unit in range(units):
                layers.first[row, unit] += step * traces.first[output, row, unit]
                traces.first[output, row, unit] *= decay
    for unit in range(units):
        layers.biases[unit] += step * traces.first[output, inputs, unit]
        traces.first[output, inputs, unit] *= decay
    for place in range(outputs):
        for unit in range(units):
            layers.last[place, unit] += step * traces.last[output, place, unit]
            traces.last[output, place, unit] *= decay
        layers.last_biases[place] += step * traces.last[output, place, units]
        traces.last[output, place, units] *= decay


@kernel
def learn_by_traces(
    positions: Boards,
    plies: int,
    points: int,
    method: Method,
    held: Layers,
    layers: Layers,
    workspace: NetworkWorkspace,
) -> None:
    """Learn a game from its first ply to its last by eligibility traces, see learn_from_game.

    held: the layers that evaluate positions, which may be the layers learnt. All differences are
    taken as the first player sees the outputs. Source: Sutton, Learning to predict by the methods
    of temporal differences (1988).
    """
    outputs = layers.last_biases.shape[0]
    traces = _new_traces(layers)
    now = np.empty(outputs, np.float32)
    later = np.empty(outputs, np.float32)
    decay = np.float32(method.trace)
    for ply in range(plies):
        active = fill_sums(positions[ply], held, workspace, workspace.sums)
        fill_own_outputs(held, workspace, workspace.sums, workspace.outputs)
        fill_copy(workspace.outputs[:outputs], now)
        _add_slopes(active, ply % 2 == 1, method.loss, held, workspace, traces)
        is_last = ply + 1 == plies
        _fill_end(positions[ply + 1], points if is_last else 0, held, workspace, later)
        if ply % 2 == 1:
            turn_outputs(now)
        else:
            turn_outputs(later)
        for output in range(outputs):
            step = np.float32(method.rate * (later[output] - now[output]))
            _follow(traces, output, step, decay, layers)
