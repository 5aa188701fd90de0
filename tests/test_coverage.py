"""How often the intervals hold the truth: by simulation, and for few counts by summing the binomial."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from analyzer.stats import RatioSums, mean, rate, ratio, ratio_rate, wilson_interval

RUNS = 20_000
LOWEST, HIGHEST = 0.935, 0.965
Z = 1.959963984540054


def wilson_held(n: int, p: float) -> np.ndarray:
    """Return whether the interval of k successes in n holds p, for each k."""
    bounds = [wilson_interval(k / n, n, 0.95) for k in range(n + 1)]
    return np.array([low <= p <= high for low, high in bounds])


def share_held(found, truth: float) -> float:
    return float(np.mean([each.low <= truth <= each.high for each in found]))


# --- trials -------------------------------------------------------------------------------------


def exact_wilson_coverage(n: int, p: float) -> float:
    """Return the chance that (k/n - p)^2 <= z^2 p (1 - p) / n, summed over the binomial."""
    k = np.arange(n + 1)
    held = np.abs(k / n - p) <= Z * math.sqrt(p * (1 - p) / n)
    return float(scipy.stats.binom.pmf(k, n, p)[held].sum())


@pytest.mark.parametrize("n", [1, 5, 10, 30, 100])
@pytest.mark.parametrize("p", [0.003, 0.02, 0.11, 0.3, 0.47, 0.95])
def test_wilsons_coverage_of_few_trials_is_the_exact_one(n, p):
    found = scipy.stats.binom.pmf(np.arange(n + 1), n, p)[wilson_held(n, p)].sum()
    assert found == pytest.approx(exact_wilson_coverage(n, p), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p"), [(10, 0.02), (10, 0.3), (40, 0.1), (100, 0.02)])
def test_wilsons_coverage_by_simulation_is_the_exact_one(n, p):
    held = wilson_held(n, p)[np.random.default_rng(40).binomial(n, p, 100_000)].mean()
    exact = exact_wilson_coverage(n, p)
    assert abs(held - exact) <= 4 * math.sqrt(exact * (1 - exact) / 100_000) + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p"), [(60, 0.5), (100, 0.3), (300, 0.1), (3000, 0.01), (20_000, 0.73)])
def test_wilson_covers_where_successes_and_failures_are_many(n, p):
    assert min(n * p, n * (1 - p)) >= 30 - 1e-9
    held = wilson_held(n, p)[np.random.default_rng(41).binomial(n, p, RUNS)].mean()
    assert LOWEST <= held <= HIGHEST


# --- means --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("n", [200, 1000])
def test_the_mean_of_points_is_covered(n):
    """Points of a round: a multiple of five, skewed, most of them low."""
    points = 5 * np.random.default_rng(42).geometric(0.2, (RUNS, n)) - 5
    totals, squares = points.sum(axis=1).tolist(), np.square(points).sum(axis=1).tolist()
    found = [mean(n, *each, 0.95) for each in zip(totals, squares, strict=True)]
    assert LOWEST <= share_held(found, 20.0) <= HIGHEST


@pytest.mark.slow
@pytest.mark.parametrize("chances", [(0.5, 0.1, 0.4), (0.8, 0.05, 0.15)])
def test_the_rate_of_shared_outcomes_is_covered(chances):
    lost, tied, won = np.random.default_rng(43).multinomial(300, chances, RUNS).T
    totals, squares = (6 * tied + 12 * won).tolist(), (36 * tied + 144 * won).tolist()
    found = [rate(300, *each, 0.95, step=12) for each in zip(totals, squares, strict=True)]
    assert lost.min() > 0
    assert LOWEST <= share_held(found, chances[2] + chances[1] / 2) <= HIGHEST


# --- ratios in clusters -------------------------------------------------------------------------


def cluster_sums(x: np.ndarray, y: np.ndarray) -> list[RatioSums]:
    """Return the sums of each run, a row of x and y."""
    columns = [x, y, x * x, x * y, y * y]
    rows = zip(*(column.sum(axis=1).tolist() for column in columns), strict=True)
    return [RatioSums(x.shape[1], *row) for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize(("clusters", "alike", "p"), [(300, 4, 0.3), (300, 40, 0.5), (1000, 10, 0.1)])
def test_the_rate_of_units_in_clusters_is_covered(clusters, alike, p):
    """Games of 1 to 12 rounds, of which a share that differs from game to game succeeds."""
    rng = np.random.default_rng(44)
    units = rng.integers(1, 13, (RUNS, clusters))
    successes = rng.binomial(units, rng.beta(alike * p, alike * (1 - p), units.shape))
    found = [ratio_rate(sums, 0.95) for sums in cluster_sums(units, successes)]
    assert LOWEST <= share_held(found, p) <= HIGHEST


@pytest.mark.slow
def test_the_ratio_of_sums_is_covered():
    """Points a play, where longer games score more a play: the ratio of the two expected sums."""
    rng = np.random.default_rng(45)
    plays = rng.integers(5, 26, (RUNS, 400))
    points = rng.poisson(plays * (1 + plays / 25))
    truth = float((np.arange(5, 26) * (1 + np.arange(5, 26) / 25)).mean() / 15)
    found = [ratio(sums, 0.95) for sums in cluster_sums(plays, points)]
    assert LOWEST <= share_held(found, truth) <= HIGHEST
