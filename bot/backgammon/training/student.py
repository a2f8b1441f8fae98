"""Student: a network that learns from examples, by minibatches with Adam."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.inputs import InputSet, inputs_of
from bot.backgammon.evaluation.network import LOGISTIC, RECTIFIED, Network, layers_of
from bot.backgammon.kernels.adam import DECAY_OF_MEAN, DECAY_OF_SQUARE, step_by_adam
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.network import Floats, Layers
from bot.backgammon.kernels.phases import PHASES, fill_phases
from bot.backgammon.rules.outcome import OUTPUTS

_NOISE = 0.05


class Student:
    """Weights, Adam's two moments of each, and the running average that plays.

    weights: of the first layer, float32[inputs, h1] and float32[h1]; of each one above, for every
    phase, float32[phases, below, units] and float32[phases, units].
    """

    def __init__(
        self,
        inputs: InputSet,
        units: tuple[int, ...],
        seed: int,
        phases: int = 1,
        outputs: int = OUTPUTS,
        is_logistic: bool = False,
    ) -> None:
        if phases not in (1, PHASES):
            raise ValueError(f"a network tells 1 or {PHASES} phases apart, not {phases}")
        if phases > 1 and len(units) == 1:
            raise ValueError("a network by phases needs a second layer, for each phase")
        numbers = np.random.default_rng(seed)
        self._numbers = numbers
        self.inputs = inputs
        self.phases = phases
        self.outputs = outputs
        self.is_logistic = is_logistic
        self._steps = np.zeros(1, np.int64)
        self.weights: list[Floats] = []
        below = inputs.size
        for place, layer in enumerate((*units, outputs)):
            spread = (2 / below) ** 0.5 if place < len(units) else 0.1 / below**0.5
            times = (phases,) if self.weights else ()
            self.weights.append(
                numbers.normal(0, spread, (*times, below, layer)).astype(np.float32)
            )
            self.weights.append(np.zeros((*times, layer), np.float32))
            below = layer
        self.means = [np.zeros_like(array) for array in self.weights]
        self.squares = [np.zeros_like(array) for array in self.weights]
        self.averages = [array.copy() for array in self.weights]

    def learn(
        self,
        boards: Boards,
        targets: Floats,
        rate: float,
        averaging: float,
        firsts: NDArray[np.int64] | None = None,
        contrast: float = 0.0,
    ) -> float:
        """One step down the cross-entropy of a batch; its mean before the step, per example.

        boards: int8[n, 26]; targets: float32[n, 5]; averaging: share of the old average kept.
        firsts: int64[groups], rising from 0, where groups of examples begin; contrast: weight of a
        second loss, twice the square of what an error differs by from the mean of its group.
        """
        phases = np.zeros(len(boards), np.int64)
        order = np.arange(len(boards))
        if self.phases > 1:
            fill_phases(boards, phases)
            order = np.argsort(phases, kind="stable")
        first, first_biases = self.weights[:2]
        inputs = inputs_of(boards[order], self.inputs)
        hidden = _rectified(inputs, first, first_biases)
        parts = list(_parts(phases[order]))
        activations = [self._activations(phase, hidden[part]) for phase, part in parts]
        totals = np.empty_like(targets)
        totals[order] = np.concatenate([totals_of_phase for *_, totals_of_phase in activations])
        chances = np.exp(-np.logaddexp(0, -totals))
        errors = chances - targets
        if firsts is not None and contrast > 0:
            # with the slope of a chance in its sum: else those near 0 and 1 are torn from there
            slopes = np.float32(4 * contrast) * chances * (1 - chances)
            errors += slopes * (errors - _group_means(errors, firsts))
        errors = errors[order] / np.float32(len(boards))
        back = np.empty_like(hidden)
        gradients = [np.zeros_like(array) for array in self.weights]
        for (phase, part), (*units, _) in zip(parts, activations, strict=True):
            back[part] = self._go_back(phase, units, errors[part], gradients)
        back *= hidden > 0
        gradients[:2] = [inputs.T @ back, back.sum(axis=0)]
        self._step(gradients, rate, averaging)
        return float((np.logaddexp(0, totals) - targets * totals).sum()) / len(boards)

    def _activations(self, phase: int, hidden: Floats) -> list[Floats]:
        """The units of each hidden layer for a phase's examples, and the sums of the outputs.

        hidden: float32[n, h1], the first layer's units, which are the first answer.
        """
        layers = [array[phase] for array in self.weights[2:]]
        activations = [hidden]
        for weights, biases in zip(layers[:-2:2], layers[1:-2:2], strict=True):
            activations.append(_rectified(activations[-1], weights, biases))
        return [*activations, activations[-1] @ layers[-2] + layers[-1]]

    def _go_back(
        self, phase: int, activations: list[Floats], back: Floats, gradients: list[Floats]
    ) -> Floats:
        """The slopes in the first layer's units; sets a phase's gradients above that layer.

        activations: of each hidden layer; back: float32[n, outputs], the slopes in the sums.
        """
        layers = [array[phase] for array in self.weights[2:]]
        for place in range(len(activations) - 1, -1, -1):
            gradients[2 + 2 * place][phase] = activations[place].T @ back
            gradients[3 + 2 * place][phase] = back.sum(axis=0)
            back = back @ layers[2 * place].T
            if place:
                back *= activations[place] > 0
        return back

    def _step(self, gradients: list[Floats], rate: float, averaging: float) -> None:
        self._steps += 1
        steps = int(self._steps[0])
        scale = rate * (1 - DECAY_OF_SQUARE**steps) ** 0.5 / (1 - DECAY_OF_MEAN**steps)
        for gradient, *changed in zip(
            gradients, self.weights, self.means, self.squares, self.averages, strict=True
        ):
            flat = [array.reshape(-1) for array in changed]
            step_by_adam(gradient.reshape(-1), scale, averaging, *flat)

    @property
    def layers(self) -> Layers:
        """The averaged weights, a copy, as they play."""
        first, first_biases, *upper = [array.copy() for array in self.averages]
        *hidden, last, last_biases = upper
        last = last.transpose(0, 2, 1)
        return layers_of(
            first,
            first_biases,
            *(_stacked(array) for array in hidden),
            last=_stacked(last),
            last_biases=_stacked(last_biases),
            is_logistic=self.is_logistic,
        )

    def start_from(self, network: Network) -> None:
        """Take over the weights of a network of the same inputs and layers, none of them wider.

        Narrower layers grow: units are copied and share what their first gave to the next layer,
        with a little noise so that they part. Layers that served all phases are copied for each.
        Layers that it has not, above its own, begin by handing on what they get.
        Raises ValueError if it cannot be.
        Source: Chen, Goodfellow and Shlens, Net2Net (2016).
        """
        wanted = [biases.shape[-1] for biases in self.weights[1:-2:2]]
        reason = self._reason_against(network, wanted)
        if reason:
            raise ValueError(f"a network {network.shape} cannot start this run: {reason}")
        arrays = arrays_of(network, self.phases)
        while len(arrays) < len(self.weights):
            _deepen(arrays)
        for layer, more in enumerate(wanted):
            _widen(arrays, layer, more, self._numbers)
        for weights, average, array in zip(self.weights, self.averages, arrays, strict=True):
            weights[...] = array
            average[...] = array

    def _reason_against(self, network: Network, wanted: list[int]) -> str:
        """Why a network cannot grow to so many units in each layer, in words; empty if it can."""
        units = [each for each in network.units if each]
        if network.inputs != self.inputs:
            return f"its inputs are {network.inputs}, and this run's {self.inputs}"
        if network.outputs != self.outputs:
            return f"it has {network.outputs} outputs, and this run {self.outputs}"
        if network.has_logistic_units != self.is_logistic:
            kinds = (RECTIFIED, LOGISTIC) if self.is_logistic else (LOGISTIC, RECTIFIED)
            return f"its hidden units are {kinds[0]}, and this run's {kinds[1]}"
        if len(units) > len(wanted):
            return f"it has {len(units)} hidden layers, and this run {len(wanted)}"
        deepened = units + units[-1:] * (len(wanted) - len(units))
        if any(more < some for more, some in zip(wanted, deepened, strict=True)):
            sizes = [" ".join(map(str, each)) for each in (units, wanted)]
            return f"it has {sizes[0]} hidden units, which may grow and not become {sizes[1]}"
        if network.phases not in (1, self.phases):
            return f"it tells {network.phases} phases apart, and this run {self.phases}"
        return ""

    def state(self) -> dict[str, NDArray[np.generic]]:
        """All that learning changes, as arrays by name; they are the student's own, no copies."""
        arrays: dict[str, NDArray[np.generic]] = {"steps": self._steps}
        for name in ("weights", "means", "squares", "averages"):
            for i, array in enumerate(getattr(self, name)):
                arrays[f"{name}_{i}"] = array
        return arrays


def _rectified(below: Floats, weights: Floats, biases: Floats) -> Floats:
    """Rectified units of a layer; in one array, as new ones of this size cost time."""
    units: Floats = below @ weights
    units += biases
    np.maximum(units, 0, out=units)
    return units


def _group_means(errors: Floats, firsts: NDArray[np.int64]) -> Floats:
    """For each example the mean of its group's errors; float32[n, k] in and out."""
    sizes = np.diff(firsts, append=len(errors))
    sums = np.add.reduceat(errors, firsts, axis=0)
    means: Floats = np.repeat(sums / sizes[:, np.newaxis].astype(np.float32), sizes, axis=0)
    return means


def _parts(phases: NDArray[np.int64]) -> Iterator[tuple[int, slice]]:
    """Each phase there is, and where its examples are; phases: int64[n], rising."""
    starts = np.flatnonzero(np.diff(phases, prepend=-1)).tolist()
    for start, end in zip(starts, [*starts[1:], len(phases)], strict=True):
        yield int(phases[start]), slice(start, end)


def _stacked(array: Floats) -> Floats:
    """Every phase's rows below those of the one before, as Layers has them."""
    return np.ascontiguousarray(array).reshape(-1, *array.shape[2:])


def arrays_of(network: Network, phases: int) -> list[Floats]:
    """A network's arrays as a student has them, with so many phases."""
    layers = network.layers

    def apart(array: Floats) -> Floats:
        each = array.reshape(network.phases, -1, *array.shape[1:])
        return np.repeat(each, phases // network.phases, axis=0)

    hidden = [array for array in layers[2:-2] if array.size]
    last = apart(layers.last).transpose(0, 2, 1)
    upper = [*map(apart, hidden), last, apart(layers.last_biases)]
    return [layers.first, layers.biases, *upper]


def _deepen(arrays: list[Floats]) -> None:
    """Add a hidden layer of a network's arrays above the others, which hands on what it gets.

    What it gets is rectified, so that rectifying changes nothing of it.
    """
    times, units = arrays[-2].shape[:2]
    same = np.broadcast_to(np.eye(units, dtype=np.float32), (times, units, units))
    arrays[-2:-2] = [same.copy(), np.zeros((times, units), np.float32)]


def _widen(arrays: list[Floats], layer: int, units: int, numbers: np.random.Generator) -> None:
    """Replace three of a network's arrays so that the hidden layer has so many units, at least
    as many as before, and the network means nearly the same.
    """
    into, biases, out = arrays[2 * layer : 2 * layer + 3]
    before = biases.shape[-1]
    if units == before:
        return
    first = np.arange(units) % before
    into = into[..., first]
    into[..., before:] *= 1 + _NOISE * numbers.standard_normal(
        (*into.shape[:-1], units - before), np.float32
    )
    shares = numbers.uniform(0.3, 0.7, units).astype(np.float32)
    totals = np.zeros(before, np.float32)
    np.add.at(totals, first, shares)
    out = out[..., first, :] * (shares / totals[first])[:, np.newaxis]
    arrays[2 * layer : 2 * layer + 3] = [into, biases[..., first], out]
