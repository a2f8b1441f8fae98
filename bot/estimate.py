"""Estimate: a mean and how far it can be trusted, and a test that ends once it can."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NORMAL_95 = 1.96
"""Standard errors that a normal mean is off by at most, 95 times of 100."""

ERROR = 0.05
"""Chance to end on the wrong side when either hypothesis is exactly true."""

LIMIT = math.log((1 - ERROR) / ERROR)
"""Logarithm of the likelihood ratio that ends a test, above or below 0. Source: A. Wald, 1945."""

LEAST_SAMPLES = 64
"""Samples before a test may end: it takes their mean as normal, which that of few pairs with the
cube is not. With bounds 0 and 0.1 no test ends sooner anyway; see tests/bench/check_sprt.py.
"""

Numbers = NDArray[np.float64]

_WALKS = 2000
_STEPS = 200
_HALVINGS = 16


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error, None for a single sample, which tells nothing of it."""

    mean: float
    error: float | None

    def __str__(self) -> str:
        return self.text(3)

    def text(self, digits: int) -> str:
        """The mean and its standard error, to so many digits behind the point."""
        error = "unknown" if self.error is None else f"{self.error:.{digits}f}"
        return f"{self.mean:+.{digits}f} ± {error}"

    @property
    def text_95(self) -> str:
        """The mean and how far off it is at most in 95 of 100 cases."""
        return str(Estimate(self.mean, self.error and NORMAL_95 * self.error))

    @property
    def percent_95(self) -> str:
        """A share as per cent, and how far off it is at most in 95 of 100 cases."""
        error = "unknown" if self.error is None else f"{100 * NORMAL_95 * self.error:.1f}"
        return f"{100 * self.mean:.1f} ± {error} %"


def estimate(samples: Sequence[float]) -> Estimate | None:
    """The mean of independent samples and its standard error; None if there are none."""
    if not samples:
        return None
    return Estimate(math.fsum(samples) / len(samples), standard_error(samples))


def share_estimate(samples: Sequence[float]) -> Estimate | None:
    """The mean of independent shares, 0 to 1, and its standard error; None if there are none.

    While all of them are 0, or all 1, nobody knows how far off that is.
    """
    found = estimate(samples)
    return Estimate(found.mean, None) if found and found.mean in (0, 1) else found


def standard_error(samples: Sequence[float] | NDArray[np.float64]) -> float | None:
    """Standard error of the mean of independent samples; None if there are fewer than two."""
    if len(samples) < 2:
        return None
    return float(np.std(samples, ddof=1) / len(samples) ** 0.5)


def two_sided_p(mean: float, error: float) -> float:
    """Chance that samples of mean 0 have a mean as far from 0 as this one; error: its own."""
    if error == 0:
        return float(mean == 0)
    return math.erfc(abs(mean) / error / math.sqrt(2))


def ratio_estimate(sums: Sequence[tuple[float, int]]) -> Estimate | None:
    """Points per game of samples that have several games each: points and games of each sample.

    The samples are independent, the games within one are not. Returns None if there are no games.
    Source: Cochran, Sampling Techniques (1977), 6.4, the ratio estimate and its standard error.
    """
    games = sum(count for _, count in sums)
    if not games:
        return None
    mean = sum(points for points, _ in sums) / games
    number = len(sums)
    if number == 1:
        return Estimate(mean, None)
    squares = sum((points - mean * count) ** 2 for points, count in sums)
    return Estimate(mean, math.sqrt(squares * number / (number - 1)) / games)


MAX_BOUND = 100
"""Standard deviations; nothing that is played comes near."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The two hypotheses of a test: the mean is so many standard deviations of a sample.

    Raises ValueError for bounds that do not rise, or lie beyond 100 standard deviations.
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"the bounds of a test rise, not {self.low:g} and {self.high:g}")
        if max(-self.low, self.high) > MAX_BOUND:
            raise ValueError(
                f"the bounds of a test are -{MAX_BOUND} to {MAX_BOUND} standard deviations, "
                f"not {self.low:g} and {self.high:g}"
            )

    def llr(self, count: int, mean: float, deviation: float) -> float:
        """Logarithm of the likelihood of the high bound over that of the low one.

        deviation: the standard deviation of the samples, the sum of squares divided by their
        number, not by one less.
        """
        if deviation <= 0 and mean == 0:
            return 0.0
        t = mean / deviation if deviation > 0 else mean * math.inf
        return float(self.llrs(np.array([count]), np.array([t]))[0])

    def llrs(self, counts: Numbers, means: Numbers) -> Numbers:
        """Logarithms of the ratio that `llr` tells, of tests by their samples; float64[..., n].

        means: of the samples, in their standard deviations, float64[n].

        Far beyond both bounds neither is likely, and their ratio falls back to 1, as if samples
        that are all alike told nothing. From where it is greatest it is taken to stay.
        """
        middle = (self.low + self.high) / 2
        most = math.sqrt(1 + (self.high - middle) ** 2)
        t = np.clip(means, middle - most, middle + most)
        return counts / 2 * np.log((1 + (t - self.low) ** 2) / (1 + (t - self.high) ** 2))


class SequentialTest:
    """A test of the mean of samples, which are added until they show which of two bounds holds.

    The bounds are in standard deviations of a sample, so that the length of a test depends neither
    on the cube nor on the length of matches.
    Source: M. Van den Bergh, The generalized sequential probability ratio test for normal
    distributions; fishtest, stats/LLRcalc.py.
    """

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.count = 0
        self._sum = 0.0
        self._squares = 0.0

    def add(self, sample: float) -> None:
        """Look at the next sample; raises ValueError if the test is over."""
        if self.is_over:
            raise ValueError("the test is over")
        self.count += 1
        self._sum += sample
        self._squares += sample * sample

    @property
    def mean(self) -> float:
        """The mean of the samples, as it stands; see unbiased_mean once the test is over."""
        return self._sum / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        """Standard deviation of the samples, as a likelihood has it."""
        if not self.count:
            return 0.0
        return math.sqrt(max(self._squares / self.count - self.mean**2, 0.0))

    @property
    def llr(self) -> float:
        """Logarithm of the likelihood ratio, as it stands."""
        return self.bounds.llr(self.count, self.mean, self.deviation)

    @property
    def likelier(self) -> float | None:
        """The bound that is the likelier so far; None if neither is."""
        if self.llr == 0:
            return None
        return self.bounds.high if self.llr > 0 else self.bounds.low

    @property
    def likelier_text(self) -> str:
        """The bound that is the likelier so far, as a clause."""
        if self.likelier is None:
            return "neither bound is the likelier"
        return f"{self.likelier:g} standard deviations of a pair is the likelier"

    @property
    def is_over(self) -> bool:
        """True once the test has shown which bound holds."""
        return self.count >= LEAST_SAMPLES and abs(self.llr) >= LIMIT

    @property
    def unbiased_mean(self) -> float:
        """The mean with which half of all tests would end higher than this one, and half lower.

        A test ends higher if it ends above the bounds sooner, or below them later. The mean of the
        samples lies too far out, as a test ends when chance has carried it there. Samples are taken
        to be normal. While there are too few for a test to end, it is their mean.
        """
        if self.count < LEAST_SAMPLES or self.deviation == 0:
            return self.mean
        t = _median_unbiased(self.bounds, self.count, self.mean / self.deviation)
        return t * self.deviation


def _median_unbiased(bounds: Bounds, count: int, t: float) -> float:
    """The mean, in standard deviations, whose tests end as often above as below this one.

    Found by walks with the same steps for every mean that is tried.
    """
    steps = min(count, _STEPS)
    ends = np.linspace(count / steps, count, steps)
    generator = np.random.Generator(np.random.PCG64(0))
    noise = np.cumsum(generator.standard_normal((_WALKS, steps)) * math.sqrt(count / steps), axis=1)
    near, far = t - 10 / math.sqrt(count), t + 10 / math.sqrt(count)
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        if _share_above(bounds, ends, noise + middle * ends, t) < 0.5:
            near = middle
        else:
            far = middle
    return (near + far) / 2


def _share_above(
    bounds: Bounds, counts: NDArray[np.float64], sums: NDArray[np.float64], t: float
) -> float:
    """Share of walks that end above one that came to the last count with a mean of t.

    counts: float64[s], samples after each step; sums: float64[walks, s], theirs in standard
    deviations. A walk ends at the first step at which the ratio is beyond a limit; of those that
    come to the last count the ratio there tells.
    """
    means = sums / counts
    ratios = bounds.llrs(counts, means)
    ratio = bounds.llr(int(counts[-1]), t, 1.0)
    ended = (np.abs(ratios) >= LIMIT) & (counts >= LEAST_SAMPLES)
    ended[:, -1] = False
    has_ended, rows = ended.any(axis=1), np.arange(len(sums))
    at = np.where(has_ended, ended.argmax(axis=1), len(counts) - 1)
    last = ratios[rows, at]
    above = np.where(has_ended, last > 0, last > ratio)
    return float(above.mean())
