"""Estimates with their intervals, from exact integer sums.

Every function takes whole-number sums and divides once, at the end: a sum of squared residuals is formed in
Python's unbounded integers, so nothing cancels however long the run. The formulas are short, and tests hold
them to SciPy and statsmodels, which take longer to import than a run takes to start.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Any

from analyzer.errors import FivesError


@dataclass(frozen=True)
class Estimate:
    """A number, how sure it is, and what it rests on; None where that is undefined.

    Attributes
    ----------
    estimate : the number, in the unit of its metric.
    std_error : its standard error, same unit.
    low, high : bounds of the confidence interval, same unit.
    n : what the denominator counts (games, rounds, plays, events).
    clusters : games or rounds with such units, where the units of one sit together; else None.
    """

    estimate: float | None
    std_error: float | None
    low: float | None
    high: float | None
    n: int
    clusters: int | None = None

    def row(self, metric: str, scope: str, unit: str) -> dict[str, Any]:
        """Return the estimate as a row of a summary."""
        return {
            "metric": metric,
            "scope": scope,
            "estimate": self.estimate,
            "std_error": self.std_error,
            "low": self.low,
            "high": self.high,
            "n": self.n,
            "unit": unit,
        }

    def shifted(self, by: float) -> Estimate:
        """Return the estimate and its bounds moved by a constant."""
        return dataclasses.replace(
            self, estimate=_plus(self.estimate, by), low=_plus(self.low, by), high=_plus(self.high, by)
        )

    def divided(self, by: int) -> Estimate:
        """Return the estimate, its error and bounds divided by a positive constant."""
        return dataclasses.replace(
            self,
            estimate=_over(self.estimate, by),
            std_error=_over(self.std_error, by),
            low=_over(self.low, by),
            high=_over(self.high, by),
        )


def _plus(value: float | None, by: float) -> float | None:
    return None if value is None else value + by


def _over(value: float | None, by: int) -> float | None:
    return None if value is None else value / by


@dataclass(frozen=True)
class RatioSums:
    """Sums over the clusters whose denominator x is not 0; y is a cluster's numerator."""

    clusters: int
    x: int
    y: int
    xx: int
    xy: int
    yy: int

    @classmethod
    def of_singles(cls, n: int, total: int, squares: int) -> RatioSums:
        """Return the sums of n clusters with one unit each: the ratio is then the mean."""
        return cls(clusters=n, x=n, y=total, xx=n, xy=total, yy=squares)


@cache
def normal_quantile(confidence: float) -> float:
    """Return z such that a standard normal lies in [-z, z] with this probability: 1.96 for 0.95.

    Raises
    ------
    FivesError
        Where the confidence does not lie between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise FivesError(f"confidence is {confidence!r}: it must lie between 0 and 1, such as 0.95.")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson_interval(p: float, n: int, confidence: float) -> tuple[float, float]:
    """Return the score interval of a proportion p of n >= 1 independent trials.

    Wilson, *Probable inference, the law of succession, and statistical inference*, JASA 22 (1927):
    the proportions q with (p - q)^2 <= z^2 q (1 - q) / n.
    """
    z2 = normal_quantile(confidence) ** 2
    centre = p + z2 / (2 * n)
    half = math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n)))
    scale = 1 + z2 / n
    low = 0.0 if p <= 0 else (centre - half) / scale
    high = 1.0 if p >= 1 else (centre + half) / scale
    return max(low, 0.0), min(high, 1.0)


def wilson(successes: int, n: int, confidence: float) -> Estimate:
    """Return the proportion p of n independent trials that succeed: se^2 = p(1-p)/n, interval of Wilson."""
    if n == 0:
        return Estimate(None, None, None, None, 0)
    return _wilson(successes / n, n, confidence)


def _wilson(p: float, n: int, confidence: float) -> Estimate:
    return Estimate(p, math.sqrt(p * (1 - p) / n), *wilson_interval(p, n, confidence), n)


def mean(n: int, total: int, squares: int, confidence: float, step: int = 1) -> Estimate:
    """Return the mean of n independent values with its normal interval.

    The variance is the sample's, with n - 1: Student's s^2 / n for the mean.

    Parameters
    ----------
    n, total, squares : number of values, their sum and the sum of their squares, in units of 1/step.
    step : whole-number units in one unit of the metric (2 where sums are in half points).
    """
    found = ratio(RatioSums.of_singles(n, total, squares), confidence, step)
    return dataclasses.replace(found, clusters=None)


def rate(n: int, total: int, squares: int, confidence: float, step: int = 1) -> Estimate:
    """Return the mean of n independent values in [0, 1], given in units of 1/step.

    Where every value is 0 or 1 the interval is Wilson's; where some are fractions (shared wins) it is the
    normal interval of the mean, cut to [0, 1]. Equal fractions, which show no variance, get Wilson's too.
    """
    if n > 0 and squares == step * total:  # v (step - v) >= 0, so the sum is 0 only where each v is 0 or step
        return _wilson(total / (n * step), n, confidence)
    found = ratio_rate(RatioSums.of_singles(n, total, squares), confidence, step)
    return dataclasses.replace(found, clusters=None)


def ratio(sums: RatioSums, confidence: float, step: int = 1) -> Estimate:
    """Return R = sum(y) / sum(x) over clusters, with the linearised standard error and normal interval.

    Cochran, *Sampling Techniques* (3rd ed., 1977), section 6.3, without a finite population:
    se^2 = n / (n - 1) * sum((y - R x)^2) / sum(x)^2 over n clusters. One cluster has no standard error.

    Parameters
    ----------
    sums : sums over clusters; numerators in units of 1/step.
    step : whole-number units in one unit of the metric.

    Raises
    ------
    ValueError
        For sums that no clusters can have, as after an overflow.
    """
    n = sums.clusters
    if n == 0 or sums.x == 0:
        return Estimate(None, None, None, None, sums.x, n)
    estimate = sums.y / (sums.x * step)
    if n == 1:
        return Estimate(estimate, None, None, None, sums.x, n)
    residual = _scaled_residual(sums)
    if residual < 0:
        raise ValueError(f"no clusters have these sums: {sums}")
    std_error = math.sqrt(n * residual / ((n - 1) * sums.x**4)) / step
    reach = normal_quantile(confidence) * std_error
    return Estimate(estimate, std_error, estimate - reach, estimate + reach, sums.x, n)


def ratio_rate(sums: RatioSums, confidence: float, step: int = 1) -> Estimate:
    """Return a proportion of units that sit in clusters: as `ratio`, its interval cut to [0, 1].

    Where the clusters show no variance, as when all units or none succeed, or where there is one cluster,
    the interval is Wilson's with n = clusters, which is wide enough: the variance of a value in [0, 1] with
    mean p is at most p(1-p).
    """
    if sums.clusters > 0 and (sums.clusters == 1 or _scaled_residual(sums) == 0):
        by_cluster = _wilson(sums.y / (sums.x * step), sums.clusters, confidence)
        return dataclasses.replace(by_cluster, n=sums.x, clusters=sums.clusters)
    found = ratio(sums, confidence, step)
    if found.low is None or found.high is None:
        return found
    return dataclasses.replace(found, low=max(found.low, 0.0), high=min(found.high, 1.0))


def _scaled_residual(sums: RatioSums) -> int:
    """Return sum((y - R x)^2) * sum(x)^2, which is a whole number."""
    return sums.x**2 * sums.yy - 2 * sums.x * sums.y * sums.xy + sums.y**2 * sums.xx
