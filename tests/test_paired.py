"""Paired estimates against NumPy and SciPy, and what scores come to."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import FivesError
from analyzer.paired import (
    PAIR_STEP,
    elo_difference,
    elo_of_score,
    excludes_zero,
    games_saved,
    likelihood_of_superiority,
    paired_difference,
    paired_mean,
    paired_score,
    pentanomial,
    score_of_difference,
    score_of_elo,
    std_error,
    trinomial,
    win_rate_difference,
)
from analyzer.stats import Estimate, wilson_interval

NOTHING = Estimate(None, None, None, None, 0)
Z = 1.959963984540054


def sums(values) -> tuple[int, int, int]:
    """Return n, the sum and the sum of squares."""
    return len(values), int(np.sum(values)), int(np.sum(np.square(values)))


# --- means --------------------------------------------------------------------------------------


def test_paired_mean_is_numpys_with_divisor_n():
    values = np.random.default_rng(1).integers(-70, 90, 400)
    found = paired_mean(*sums(values), 0.95, step=4)
    error = np.std(values / 4) / 20
    assert found.estimate == pytest.approx(values.mean() / 4, rel=1e-12)
    assert found.std_error == pytest.approx(error, rel=1e-12)
    assert (found.low, found.high) == pytest.approx((found.estimate - Z * error, found.estimate + Z * error))
    assert (found.n, found.clusters) == (400, None)


def test_std_error_of_large_sums_does_not_cancel():
    values = [10**12 + (i % 2) for i in range(1000)]
    assert std_error(1000, sum(values), sum(v * v for v in values)) == pytest.approx(math.sqrt(0.25 / 1000))


def test_sums_that_no_values_have_are_refused():
    with pytest.raises(ValueError, match="no 2 values"):
        std_error(2, 2, 1)


def test_of_one_deal_and_of_none():
    assert paired_mean(1, 7, 49, 0.95) == Estimate(7.0, None, None, None, 1)
    assert std_error(0, 0, 0) is None
    for function in (paired_mean, paired_score, paired_difference):
        assert function(0, 0, 0, 0.95) == NOTHING


# --- scores -------------------------------------------------------------------------------------


def test_pentanomial_of_a_short_match():
    found = pentanomial([1, 3, 4, 7, 2], 0.95)
    assert found.n == 17
    assert found.estimate == pytest.approx(0.588235, abs=5e-7)
    assert found.std_error == pytest.approx(0.065573, abs=5e-7)


def test_trinomial_counts_a_tie_as_half():
    values = np.repeat([0.0, 0.5, 1.0], [30, 20, 50])
    found = trinomial(50, 20, 30, 0.95)
    assert found.estimate == pytest.approx(values.mean(), rel=1e-12)
    assert found.std_error == pytest.approx(values.std() / 10, rel=1e-12)
    assert found.high == pytest.approx(found.estimate + Z * found.std_error)


@pytest.mark.parametrize("counts", [(7, 0, 0, 0, 3), (0, 0, 0, 0, 9), (4, 0, 0, 0, 0), (0, 0, 8, 0, 0)])
def test_deals_that_are_all_or_nothing_or_equal_get_wilsons(counts):
    found = pentanomial(counts, 0.95)
    assert (found.low, found.high) == wilson_interval(found.estimate, found.n, 0.95)


def test_equal_deals_have_no_error_and_a_width():
    found = pentanomial([0, 0, 8, 0, 0], 0.95)
    assert found.std_error == 0
    assert found.high - found.low > 0.4


@pytest.mark.parametrize("counts", [[1, 2, 3, 4], [1, 2, 3, 4, 5, 6], [1, -1, 3, 4, 5]])
def test_pairs_must_be_five_counts(counts):
    with pytest.raises(FivesError, match="five numbers"):
        pentanomial(counts, 0.95)


@given(st.lists(st.integers(0, 60), min_size=5, max_size=5).filter(any), st.sampled_from([0.5, 0.95, 0.99]))
def test_a_score_lies_in_its_interval_and_reverses_with_the_pair(counts, confidence):
    found, other = pentanomial(counts, confidence), pentanomial(counts[::-1], confidence)
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert found.low < found.high
    assert found.estimate + other.estimate == pytest.approx(1)
    assert found.std_error == pytest.approx(other.std_error)
    assert found.low + other.high == pytest.approx(1)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=30))
def test_paired_difference_is_that_of_the_scores(values):
    found = paired_difference(*sums(values), 0.95, step=4)
    assert found.estimate == pytest.approx(np.mean(values) / 4)
    assert found.std_error == pytest.approx(np.std(values) / 4 / math.sqrt(len(values)), abs=1e-9)
    assert -1 <= found.low <= found.high <= 1
    score = score_of_difference(found)
    assert win_rate_difference(score).estimate == pytest.approx(found.estimate)
    assert score.std_error == pytest.approx(found.std_error / 2)


def test_a_policy_against_itself_differs_by_exactly_0():
    """Every pair is even, whatever the games: one seating's result is the other's, the sides swapped."""
    found = paired_difference(50, 0, 0, 0.95, step=24)
    assert (found.estimate, found.std_error) == (0.0, 0.0)
    assert win_rate_difference(pentanomial([0, 0, 50, 0, 0], 0.95)) == found


# --- Elo ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("score", "elo"), [(0.5, 0), (0.64, 99.95), (0.75, 190.85), (10 / 11, 400)])
def test_elo_of_a_score_and_back(score, elo):
    assert elo_of_score(score) == pytest.approx(elo, abs=0.01)
    assert elo_of_score(1 - score) == pytest.approx(-elo, abs=0.01)
    assert score_of_elo(elo_of_score(score)) == pytest.approx(score, rel=1e-12)
    assert elo_of_score(score) == pytest.approx(-400 * math.log10(1 / score - 1), abs=1e-9)


def test_elo_difference_has_the_bounds_of_the_score():
    score = pentanomial([10, 30, 40, 70, 20], 0.95)
    found = elo_difference(score)
    assert (found.low, found.high) == (elo_of_score(score.low), elo_of_score(score.high))
    step = 1e-6
    slope = (elo_of_score(score.estimate + step) - elo_of_score(score.estimate - step)) / (2 * step)
    assert found.std_error == pytest.approx(slope * score.std_error, rel=1e-6)


@pytest.mark.parametrize("counts", [(5, 0, 0, 0, 0), (0, 0, 0, 0, 5)])
def test_elo_difference_is_null_where_all_is_won_or_lost(counts):
    assert elo_difference(pentanomial(counts, 0.95)) == Estimate(None, None, None, None, 5)


def test_a_bound_of_the_score_at_1_is_no_elo():
    found = elo_difference(pentanomial([0, 0, 0, 1, 3], 0.95))
    assert found.high is None
    assert found.low is not None


# --- superiority and what pairing saves ---------------------------------------------------------


def test_likelihood_of_superiority_is_scipys():
    assert likelihood_of_superiority(0.03, 0.02) == pytest.approx(scipy.stats.norm.cdf(1.5), rel=1e-12)
    assert likelihood_of_superiority(0.0, 0.02) == 0.5


@pytest.mark.parametrize(("difference", "chance"), [(0.1, 1.0), (0.0, 0.5), (-0.1, 0.0)])
def test_likelihood_of_superiority_without_an_error_is_the_limit(difference, chance):
    assert likelihood_of_superiority(difference, 0.0) == chance
    assert likelihood_of_superiority(difference, None) is None


def test_games_saved():
    assert games_saved(0.01, 0.02) == 4.0
    assert games_saved(0.0, 0.02) is None
    assert games_saved(None, 0.02) is None
    assert games_saved(0.01, None) is None


def test_pairs_that_cancel_luck_save_games():
    """Luck decides half of the games alike in both seatings: pairs are surer than the same games apart."""
    rng = np.random.default_rng(3)
    luck = rng.random(4000) < 0.5
    first = np.where(luck, 1, rng.integers(0, 2, 4000))
    second = np.where(luck, 0, rng.integers(0, 2, 4000))
    paired = std_error(*sums(first + second), step=2)
    unpaired = std_error(*sums(np.concatenate([first, second])))
    assert games_saved(paired, unpaired) == pytest.approx(2, rel=0.1)


def test_excludes_zero():
    assert excludes_zero(Estimate(0.2, 0.05, 0.1, 0.3, 9))
    assert excludes_zero(Estimate(-0.2, 0.05, -0.3, -0.1, 9))
    assert not excludes_zero(Estimate(0.1, 0.1, -0.1, 0.3, 9))
    assert not excludes_zero(Estimate(0.1, 0.05, 0.0, 0.2, 9))
    assert not excludes_zero(NOTHING)


# --- coverage -----------------------------------------------------------------------------------

RUNS = 20_000
HELD = 0.935, 0.965


def share_held(intervals, truth: float) -> float:
    """Return how many of the intervals hold the truth."""
    return float(np.mean([found.low <= truth <= found.high for found in intervals]))


PENTANOMIALS = [
    (0.05, 0.2, 0.5, 0.2, 0.05),
    (0.2, 0.0, 0.5, 0.0, 0.3),
    (0.02, 0.08, 0.2, 0.3, 0.4),
    (0.01, 0.09, 0.8, 0.09, 0.01),
]


@pytest.mark.slow
@pytest.mark.parametrize("chances", PENTANOMIALS)
@pytest.mark.parametrize("deals", [400, 3000])
def test_the_paired_interval_covers_the_true_score(chances, deals):
    counts = np.random.default_rng(20).multinomial(deals, chances, RUNS)
    truth = float(np.dot(chances, range(5))) / PAIR_STEP
    held = share_held([pentanomial(row, 0.95) for row in counts.tolist()], truth)
    assert HELD[0] <= held <= HELD[1]


@pytest.mark.slow
@pytest.mark.parametrize("chances", PENTANOMIALS)
def test_the_interval_of_the_elo_difference_covers_the_true_one(chances):
    counts = np.random.default_rng(21).multinomial(800, chances, RUNS)
    truth = elo_of_score(float(np.dot(chances, range(5))) / PAIR_STEP)
    held = share_held([elo_difference(pentanomial(row, 0.95)) for row in counts.tolist()], truth)
    assert HELD[0] <= held <= HELD[1]


@pytest.mark.slow
def test_the_interval_of_a_mean_of_points_covers_the_true_mean():
    """Margins as of games: a skewed lump of wins and losses, differences of two seatings."""
    rng = np.random.default_rng(22)
    margins = rng.gamma(2, 30, (RUNS, 300)) - rng.gamma(2, 25, (RUNS, 300))
    whole = np.rint(margins).astype(np.int64)
    totals, squares = whole.sum(axis=1).tolist(), np.square(whole).sum(axis=1).tolist()
    found = [paired_mean(300, *each, 0.95) for each in zip(totals, squares, strict=True)]
    assert HELD[0] <= share_held(found, 10.0) <= HELD[1]
