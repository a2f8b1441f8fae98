"""Estimate: a mean and how far it can be trusted."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error, None for a single sample, which tells nothing of it."""

    mean: float
    error: float | None

    def __str__(self) -> str:
        error = "unknown" if self.error is None else f"{self.error:.3f}"
        return f"{self.mean:+.3f} ± {error}"


def estimate(samples: Sequence[float]) -> Estimate | None:
    """The mean of independent samples and its standard error; None if there are none."""
    if not samples:
        return None
    return Estimate(fmean(samples), standard_error(samples))


def standard_error(samples: Sequence[float] | NDArray[np.float64]) -> float | None:
    """Standard error of the mean of independent samples; None if there are fewer than two."""
    if len(samples) < 2:
        return None
    return float(np.std(samples, ddof=1) / len(samples) ** 0.5)


def ratio_estimate(sums: Sequence[tuple[float, int]]) -> Estimate | None:
    """Points per game of samples that have several games each: points and games of each sample.

    The samples are independent, the games within one are not. Returns None if there are none.
    Source: Cochran, Sampling Techniques (1977), 6.4, the ratio estimate and its standard error.
    """
    if not sums:
        return None
    games = sum(count for _, count in sums)
    mean = sum(points for points, _ in sums) / games
    number = len(sums)
    if number == 1:
        return Estimate(mean, None)
    squares = sum((points - mean * count) ** 2 for points, count in sums)
    return Estimate(mean, sqrt(squares * number / (number - 1)) / games)
