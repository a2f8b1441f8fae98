"""Adam: one step of a minibatch's gradient, weight by weight."""

import numpy as np

from bot.backgammon.kernels.network import Floats
from bot.kernels import kernel

DECAY_OF_MEAN = 0.9
DECAY_OF_SQUARE = 0.999
_SMALL = np.float32(1e-8)


@kernel(fastmath=True)
def step_by_adam(
    gradient: Floats,
    scale: float,
    averaging: float,
    weights: Floats,
    means: Floats,
    squares: Floats,
    averages: Floats,
) -> None:
    """Step against the gradient; all arrays float32[n], the last four change.

    scale: the rate, corrected for how young the moments are; averaging: share of the old average
    kept. Source: Kingma and Ba, Adam: a method for stochastic optimization (2015).
    """
    to_mean = np.float32(1 - DECAY_OF_MEAN)
    to_square = np.float32(1 - DECAY_OF_SQUARE)
    to_average = np.float32(1 - averaging)
    rate = np.float32(scale)
    for i in range(gradient.shape[0]):
        slope = gradient[i]
        mean = means[i] + to_mean * (slope - means[i])
        square = squares[i] + to_square * (slope * slope - squares[i])
        weight = weights[i] - rate * mean / (np.sqrt(square) + _SMALL)
        means[i] = mean
        squares[i] = square
        weights[i] = weight
        averages[i] += to_average * (weight - averages[i])
