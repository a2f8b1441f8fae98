"""Student: a network that learns from examples, by minibatches with Adam."""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.inputs import InputSet, inputs_of
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.network import Floats, Layers
from bot.backgammon.network import Network, layers_of
from bot.backgammon.outcome import OUTPUTS

_DECAY_OF_MEAN = 0.9
_DECAY_OF_SQUARE = 0.999
_SMALL = 1e-8
_NOISE = 0.05


class Student:
    """Weights, Adam's two moments of each, and the running average that plays.

    Source: Kingma and Ba, Adam: a method for stochastic optimization (2015).
    """

    def __init__(self, inputs: InputSet, units: tuple[int, ...], seed: int) -> None:
        numbers = np.random.default_rng(seed)
        self._numbers = numbers
        self.inputs = inputs
        self._steps = np.zeros(1, np.int64)
        self.weights: list[Floats] = []
        below = inputs.size
        for layer in (*units, OUTPUTS):
            spread = (2 / below) ** 0.5 if layer != OUTPUTS else 0.1 / below**0.5
            self.weights.append(numbers.normal(0, spread, (below, layer)).astype(np.float32))
            self.weights.append(np.zeros(layer, np.float32))
            below = layer
        self.means = [np.zeros_like(array) for array in self.weights]
        self.squares = [np.zeros_like(array) for array in self.weights]
        self.averages = [array.copy() for array in self.weights]

    def learn(self, boards: Boards, targets: Floats, rate: float, averaging: float) -> float:
        """One step down the cross-entropy of a batch; its mean before the step, per example.

        boards: int8[n, 26]; targets: float32[n, 5]; averaging: share of the old average kept.
        """
        activations = [inputs_of(boards, self.inputs)]
        for weights, biases in zip(self.weights[:-2:2], self.weights[1:-2:2], strict=True):
            activations.append(np.maximum(activations[-1] @ weights + biases, 0))
        totals = activations[-1] @ self.weights[-2] + self.weights[-1]
        chances = np.exp(-np.logaddexp(0, -totals))
        loss = float((np.logaddexp(0, totals) - targets * totals).sum() / len(boards))
        back = (chances - targets) / np.float32(len(boards))
        gradients: list[Floats] = []
        for layer in range(len(activations) - 1, -1, -1):
            gradients[:0] = [activations[layer].T @ back, back.sum(axis=0)]
            if layer:
                back = (back @ self.weights[2 * layer].T) * (activations[layer] > 0)
        self._step(gradients, rate, averaging)
        return loss

    def _step(self, gradients: list[Floats], rate: float, averaging: float) -> None:
        self._steps += 1
        steps = int(self._steps[0])
        scale = rate * (1 - _DECAY_OF_SQUARE**steps) ** 0.5 / (1 - _DECAY_OF_MEAN**steps)
        for weights, mean, square, average, gradient in zip(
            self.weights, self.means, self.squares, self.averages, gradients, strict=True
        ):
            mean += (1 - _DECAY_OF_MEAN) * (gradient - mean)
            square += (1 - _DECAY_OF_SQUARE) * (gradient * gradient - square)
            weights -= (scale * mean / (np.sqrt(square) + _SMALL)).astype(np.float32)
            average += np.float32(1 - averaging) * (weights - average)

    @property
    def layers(self) -> Layers:
        """The averaged weights, a copy, as they play."""
        *hidden, last, last_biases = [array.copy() for array in self.averages]
        return layers_of(*hidden, last=np.ascontiguousarray(last.T), last_biases=last_biases)

    def start_from(self, network: Network) -> None:
        """Take over the weights of a network of the same inputs and layers, none of them wider.

        Narrower layers grow: units are copied and share what their first gave to the next layer,
        with a little noise so that they part. Raises ValueError if it cannot be.
        Source: Chen, Goodfellow and Shlens, Net2Net (2016).
        """
        layers = network.layers
        arrays = [array for array in layers[:-2] if array.size]
        arrays += [np.ascontiguousarray(layers.last.T), layers.last_biases]
        wanted = [biases.size for biases in self.weights[1:-2:2]]
        units = [biases.size for biases in arrays[1:-2:2]]
        if (
            network.inputs != self.inputs
            or len(units) != len(wanted)
            or any(more < some for more, some in zip(wanted, units, strict=True))
        ):
            raise ValueError(f"a network {network.shape} cannot start one of other units")
        for layer, more in enumerate(wanted):
            _widen(arrays, layer, more, self._numbers)
        for weights, average, array in zip(self.weights, self.averages, arrays, strict=True):
            weights[...] = array
            average[...] = array

    def state(self) -> dict[str, NDArray[np.generic]]:
        """All that learning changes, as arrays by name; they are the student's own, no copies."""
        arrays: dict[str, NDArray[np.generic]] = {"steps": self._steps}
        for name in ("weights", "means", "squares", "averages"):
            for i, array in enumerate(getattr(self, name)):
                arrays[f"{name}_{i}"] = array
        return arrays


def _widen(arrays: list[Floats], layer: int, units: int, numbers: np.random.Generator) -> None:
    """Replace three of a network's arrays so that the hidden layer has so many units, at least
    as many as before, and the network means nearly the same.
    """
    into, biases, out = arrays[2 * layer : 2 * layer + 3]
    first = np.arange(units) % biases.size
    if units == biases.size:
        return
    into = into[:, first]
    into[:, biases.size :] *= 1 + _NOISE * numbers.standard_normal(
        (len(into), units - biases.size), np.float32
    )
    shares = numbers.uniform(0.3, 0.7, units).astype(np.float32)
    totals = np.zeros(biases.size, np.float32)
    np.add.at(totals, first, shares)
    out = out[first] * (shares / totals[first])[:, np.newaxis]
    arrays[2 * layer : 2 * layer + 3] = [into, biases[first], out]
