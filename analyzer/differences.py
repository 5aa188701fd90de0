"""The difference of one metric between two cells: over the same games, or over games that share nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

from analyzer.moments import Moments
from analyzer.stats import (
    Estimate,
    RatioSums,
    mean,
    normal_quantile,
    rate,
    ratio,
    ratio_rate,
    wilson_interval,
)


@dataclass(frozen=True)
class Scale:
    """How a quotient of sums becomes a metric's value: sum(y) / sum(x) / `step` - `less`.

    Attributes
    ----------
    step : whole-number units of y in one unit of the metric.
    less : subtracted, such as the share of equal chances.
    is_rate : whether it is a proportion.
    clustered : whether several units of x may sit in one game.
    """

    step: int
    less: float
    is_rate: bool
    clustered: bool


def single(moments: Moments, scale: Scale, confidence: float) -> Estimate:
    """Return the estimate of one cell, as `simulate` gives it.

    Parameters
    ----------
    moments : of the columns y, x over the games whose x is not 0.
    """
    (y, x), ((yy, xy), (_, xx)) = moments.sums, moments.products
    if scale.clustered:
        sums = RatioSums(moments.count, x, y, xx, xy, yy)
        found = (ratio_rate if scale.is_rate else ratio)(sums, confidence, scale.step)
    else:
        found = (rate if scale.is_rate else mean)(x, y, yy, confidence, scale.step)
    return found.shifted(-scale.less)


def paired(moments: Moments, cell: Scale, base: Scale, confidence: float) -> Estimate:
    """Return cell less base where both played the same games.

    The difference of the two ratios R is linearised: game i moves it by
    d_i = (y_i - R x_i) / sum(x) of the cell less the same of the base, and se^2 = n / (n - 1) * sum(d_i^2)
    (Cochran, *Sampling Techniques*, 3rd ed., 1977, section 6.3, for two ratios of one sample). Where both are
    0 or 1 in each game this is the usual error of paired proportions.

    A difference of proportions over games that all agree shows no variance; the interval then reaches as far
    as Wilson's for "0 of n games differ", so that it never has a width of 0.

    Parameters
    ----------
    moments : of the columns y, x of the cell and y, x of the base, over the games whose x is not 0 in both.
    """
    n, (y, x, base_y, base_x) = moments.count, moments.sums
    if x == 0 or base_x == 0:
        return Estimate(None, None, None, None, n)
    ratios = y / (x * cell.step) - base_y / (base_x * base.step)
    squares, divisor = _influence(moments, cell.step, base.step)
    if squares == 0 and cell.is_rate:
        found = _agreeing(ratios, n, confidence)
    elif n == 1:
        found = Estimate(ratios, None, None, None, n)
    else:
        std_error = math.sqrt(n * squares / ((n - 1) * divisor))
        reach = normal_quantile(confidence) * std_error
        found = Estimate(ratios, std_error, ratios - reach, ratios + reach, n)
    return found.shifted(base.less - cell.less)


def _agreeing(difference: float, n: int, confidence: float) -> Estimate:
    """Return a difference of proportions that is the same in each of n >= 1 games."""
    reach = wilson_interval(0.0, n, confidence)[1]
    return Estimate(difference, 0.0, max(difference - reach, -1.0), min(difference + reach, 1.0), n)


def _influence(moments: Moments, step: int, base_step: int) -> tuple[int, int]:
    """Return sum(d_i^2) as numerator and denominator, both whole.

    With a_i = X y_i - Y x_i of the cell and b_i of the base, d_i = a_i / (X^2 step) - b_i / (X_b^2 step_b).
    """
    y, x, base_y, base_x = moments.sums
    a, b = (x, -y, 0, 0), (0, 0, base_x, -base_y)
    over_a, over_b = base_x**2 * base_step, x**2 * step
    weights = [over_a * i - over_b * j for i, j in zip(a, b, strict=True)]
    squares = sum(
        weights[i] * weights[j] * moments.products[i][j] for i in range(4) for j in range(4)
    )  # sum over games of (weights . row)^2
    return squares, (over_a * over_b) ** 2


def unpaired(cell: Estimate, base: Estimate) -> Estimate:
    """Return cell less base where the two share no games: n is the smaller of theirs.

    se^2 is the sum of both. The interval joins those of the two (Newcombe, *Interval estimation for the
    difference between independent proportions*, Statistics in Medicine 17 (1998), method 10): where they are
    normal it is the normal interval of the difference, and where they are Wilson's it never has a width of 0.
    """
    n = min(cell.n, base.n)
    if cell.estimate is None or base.estimate is None:
        return Estimate(None, None, None, None, n)
    difference = cell.estimate - base.estimate
    error = None
    if cell.std_error is not None and base.std_error is not None:
        error = math.hypot(cell.std_error, base.std_error)
    if cell.low is None or cell.high is None or base.low is None or base.high is None:
        return Estimate(difference, error, None, None, n)
    down = math.hypot(cell.estimate - cell.low, base.high - base.estimate)
    up = math.hypot(cell.high - cell.estimate, base.estimate - base.low)
    return Estimate(difference, error, difference - down, difference + up, n)
