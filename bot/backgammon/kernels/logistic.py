"""The logistic function of many values at once."""

import numpy as np
from numpy.typing import NDArray

from bot.kernels import inlined, kernel

Floats = NDArray[np.float32]


def _fill_logistic(values: Floats, count: int) -> None:
    """Change each of the first values x into 1 / (1 + exp(-x)), to 2e-7.

    Without exp it vectorises: a rational function stands for tanh(x / 2). Source of its
    coefficients: Eigen, MathFunctionsImpl.h, generic_fast_tanh_float.
    """
    most = np.float32(7.90531110763549805)
    for i in range(count):
        x = min(max(np.float32(0.5) * values[i], -most), most)
        square = x * x
        above = np.float32(-2.76076847742355e-16)
        above = above * square + np.float32(2.00018790482477e-13)
        above = above * square + np.float32(-8.60467152213735e-11)
        above = above * square + np.float32(5.12229709037114e-08)
        above = above * square + np.float32(1.48572235717979e-05)
        above = above * square + np.float32(6.37261928875436e-04)
        above = above * square + np.float32(4.89352455891786e-03)
        below = np.float32(1.19825839466702e-06)
        below = below * square + np.float32(1.18534705686654e-04)
        below = below * square + np.float32(2.26843463243900e-03)
        below = below * square + np.float32(4.89352518554385e-03)
        values[i] = np.float32(0.5) + np.float32(0.5) * x * above / below


fill_logistic = inlined(_fill_logistic)
fill_logistic_as_written = kernel(_fill_logistic)
"""Rounds every step as it stands there; the last digit can decide which of two plays is made."""
