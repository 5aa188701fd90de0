"""Estimates against SciPy, statsmodels, plain floating-point twins and hand-worked values."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import FivesError
from analyzer.stats import (
    Estimate,
    RatioSums,
    mean,
    normal_quantile,
    rate,
    ratio,
    ratio_rate,
    wilson,
    wilson_interval,
)

CONFIDENCES = (0.5, 0.9, 0.95, 0.99)


def sums_of(x, y) -> RatioSums:
    """Return the sums of clusters, plainly; those with x = 0 are no clusters of the ratio."""
    pairs = [(int(a), int(b)) for a, b in zip(x, y, strict=True) if a]
    return RatioSums(
        clusters=len(pairs),
        x=sum(a for a, _ in pairs),
        y=sum(b for _, b in pairs),
        xx=sum(a * a for a, _ in pairs),
        xy=sum(a * b for a, b in pairs),
        yy=sum(b * b for _, b in pairs),
    )


def simulated_clusters(seed: int, clusters: int = 500):
    """Return units and successes of clusters whose own chances differ."""
    rng = np.random.default_rng(seed)
    units = rng.integers(1, 12, clusters)
    return units, rng.binomial(units, rng.beta(2, 3, clusters))


# --- quantile and Wilson ------------------------------------------------------------------------


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_normal_quantile_is_scipys(confidence):
    assert normal_quantile(confidence) == pytest.approx(scipy.stats.norm.ppf((1 + confidence) / 2), rel=1e-12)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, math.nan])
def test_confidence_outside_0_to_1_is_refused(confidence):
    with pytest.raises(FivesError, match="confidence"):
        normal_quantile(confidence)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (0, 100), (3, 7), (99, 100), (12_345, 10**7)])
def test_wilson_is_scipys(k, n, confidence):
    expected = scipy.stats.binomtest(k, n).proportion_ci(confidence, method="wilson")
    found = wilson_interval(k / n, n, confidence)
    assert found == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(("k", "n"), [(0, 5), (3, 7), (50, 100), (100, 100)])
def test_wilson_is_statsmodels(k, n):
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    expected = proportion.proportion_confint(k, n, alpha=0.05, method="wilson")
    assert wilson_interval(k / n, n, 0.95) == pytest.approx(expected, abs=1e-12)


def test_wilson_of_none_in_a_hundred():
    found = wilson(0, 100, 0.95)
    assert (found.estimate, found.std_error, found.low, found.n, found.clusters) == (0.0, 0.0, 0.0, 100, None)
    assert found.high == pytest.approx(0.0370, abs=5e-5)


def test_wilson_of_one_trial_and_of_none():
    assert wilson(1, 1, 0.95).high == 1.0
    assert wilson(1, 1, 0.95).low == pytest.approx(0.2065, abs=5e-5)
    assert wilson(0, 0, 0.95) == Estimate(None, None, None, None, 0)


# --- mean and rate ------------------------------------------------------------------------------


def test_mean_is_the_sample_mean_with_its_sample_variance():
    values = np.random.default_rng(1).integers(-50, 80, 300)
    found = mean(300, int(values.sum()), int((values**2).sum()), 0.95, step=2)
    raw = values / 2
    assert found.estimate == pytest.approx(raw.mean(), rel=1e-12)
    assert found.std_error == pytest.approx(scipy.stats.sem(raw), rel=1e-12)
    low, high = scipy.stats.norm.interval(0.95, raw.mean(), scipy.stats.sem(raw))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12)
    assert (found.n, found.clusters) == (300, None)


def test_mean_does_not_cancel():
    values = [10**9 + (i % 2) for i in range(1000)]
    found = mean(1000, sum(values), sum(v * v for v in values), 0.95)
    assert found.std_error == pytest.approx(math.sqrt(0.25 / 999), rel=1e-12)


def test_mean_of_one_value_and_of_none():
    assert mean(1, 7, 49, 0.95) == Estimate(7.0, None, None, None, 1)
    assert mean(0, 0, 0, 0.95) == Estimate(None, None, None, None, 0)


def test_mean_of_equal_values_has_no_error():
    assert mean(4, 12, 36, 0.95) == Estimate(3.0, 0.0, 3.0, 3.0, 4)


def test_rate_of_whole_outcomes_is_wilsons():
    assert rate(10, 12 * 3, 144 * 3, 0.95, step=12) == wilson(3, 10, 0.95)


def test_rate_of_shared_outcomes_is_the_mean_cut_to_0_and_1():
    values = [12, 12, 6, 12, 12]  # four wins and a tie of two
    found = rate(5, sum(values), sum(v * v for v in values), 0.95, step=12)
    shares = np.array(values) / 12
    assert found.estimate == pytest.approx(0.9)
    assert found.std_error == pytest.approx(scipy.stats.sem(shares))
    assert found.low == pytest.approx(0.9 - 1.959964 * 0.1)
    assert found.high == 1.0


def test_rate_of_equal_ties_still_has_a_width():
    found = rate(8, 8 * 6, 8 * 36, 0.95, step=12)
    assert found.estimate == 0.5
    assert (found.low, found.high) == wilson_interval(0.5, 8, 0.95)


def test_rate_of_none():
    assert rate(0, 0, 0, 0.95) == Estimate(None, None, None, None, 0)


# --- ratios in clusters -------------------------------------------------------------------------


def test_ratio_is_the_linearised_estimator():
    x, y = simulated_clusters(2)
    found = ratio(sums_of(x, y), 0.95)
    r = y.sum() / x.sum()
    std_error = math.sqrt(500 / 499 * ((y - r * x) ** 2).sum()) / x.sum()
    assert found.estimate == pytest.approx(r, rel=1e-12)
    assert found.std_error == pytest.approx(std_error, rel=1e-10)
    reach = 1.959964 * std_error
    assert (found.low, found.high) == pytest.approx((r - reach, r + reach), rel=1e-6)
    assert (found.n, found.clusters) == (x.sum(), 500)


def test_ratio_is_a_weighted_regression_with_a_robust_error():
    """Regressing y on x with weights 1/x gives the ratio; White's error with n/(n-1) is the linearised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api = pytest.importorskip("statsmodels.api")
    x, y = simulated_clusters(3)
    expected = api.WLS(y, x, weights=1 / x).fit(cov_type="HC1")
    found = ratio(sums_of(x, y), 0.95)
    assert found.estimate == pytest.approx(expected.params[0], rel=1e-10)
    assert found.std_error == pytest.approx(expected.bse[0], rel=1e-10)


def test_ratio_of_equal_clusters_is_the_mean():
    y = np.random.default_rng(4).integers(0, 30, 200)
    by_ratio = ratio(sums_of(np.full(200, 7), y), 0.95)
    by_mean = mean(200, int(y.sum()), int((y**2).sum()), 0.95, step=7)
    assert by_ratio.std_error == pytest.approx(by_mean.std_error, rel=1e-12)
    assert by_ratio.low == pytest.approx(by_mean.low, rel=1e-12)


def test_ratio_of_sums_beyond_64_bits_is_exact():
    x = [10**12 + i for i in range(50)]
    y = [3 * a + (-1) ** i for i, a in enumerate(x)]
    found = ratio(sums_of(x, y), 0.95)
    r = Fraction(sum(y), sum(x))
    squared = Fraction(50, 49) * sum((b - r * a) ** 2 for a, b in zip(x, y, strict=True)) / sum(x) ** 2
    assert found.std_error == pytest.approx(math.sqrt(squared), rel=1e-12)
    assert found.std_error > 0


def test_ratio_of_one_cluster_and_of_none():
    assert ratio(RatioSums(1, 4, 6, 16, 24, 36), 0.95) == Estimate(1.5, None, None, None, 4, 1)
    assert ratio(RatioSums(0, 0, 0, 0, 0, 0), 0.95) == Estimate(None, None, None, None, 0, 0)


def test_sums_that_no_clusters_have_are_refused():
    with pytest.raises(ValueError, match="no clusters"):
        ratio(RatioSums(clusters=2, x=2, y=2, xx=2, xy=2, yy=0), 0.95)


@pytest.mark.parametrize("p", [0, 1])
def test_ratio_rate_at_0_or_1_is_wilsons_of_the_clusters(p):
    x = np.array([3, 1, 4, 1, 5])
    found = ratio_rate(sums_of(x, p * x), 0.95)
    assert (found.low, found.high) == wilson_interval(p, 5, 0.95)
    assert (found.estimate, found.n, found.clusters) == (p, 14, 5)


def test_ratio_rate_of_one_cluster_and_of_none():
    found = ratio_rate(RatioSums(1, 4, 1, 16, 4, 1), 0.95)
    assert (found.low, found.high) == wilson_interval(0.25, 1, 0.95)
    assert ratio_rate(RatioSums(0, 0, 0, 0, 0, 0), 0.95) == Estimate(None, None, None, None, 0, 0)


def test_ratio_rate_covers_the_true_rate():
    """Beta(2, 3) chances in clusters of any size: the rate is 0.4, and 95 % intervals hold it so often."""
    held = 0
    for seed in range(1000):
        found = ratio_rate(sums_of(*simulated_clusters(seed, clusters=80)), 0.95)
        held += found.low <= 0.4 <= found.high
    assert 0.925 <= held / 1000 <= 0.97


units_and_successes = st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


@given(st.lists(units_and_successes, max_size=9), st.sampled_from(CONFIDENCES))
def test_ratio_rate_lies_in_its_interval_inside_0_and_1(clusters, confidence):
    found = ratio_rate(sums_of([n for n, _ in clusters], [k for _, k in clusters]), confidence)
    if not clusters:
        assert found.estimate is None
        return
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert found.low < found.high


def test_shifted_and_divided_leave_none_alone():
    found = Estimate(0.5, 0.1, 0.25, 0.75, 10)
    assert found.shifted(-0.5) == Estimate(0.0, 0.1, -0.25, 0.25, 10)
    assert found.divided(2) == Estimate(0.25, 0.05, 0.125, 0.375, 10)
    nothing = Estimate(None, None, None, None, 0)
    assert nothing.shifted(1) == nothing.divided(2) == nothing
