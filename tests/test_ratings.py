"""Ratings against statsmodels on one row a deal, and who gets none."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from analyzer.paired import ELO_SCALE, elo_difference, pentanomial, score_of_elo
from analyzer.ratings import (
    ALONE,
    APART,
    BUT_THOSE,
    LOST_ALL,
    WON_ALL,
    Cycle,
    PairScores,
    non_transitive,
    ratings,
)
from analyzer.stats import Estimate

STEP = 4


def pairs_of(policies: int) -> list[tuple[int, int]]:
    return list(combinations(range(policies), 2))


def played(strengths, deals: int, rng: np.random.Generator) -> np.ndarray:
    """Return the score of each pair and deal, int64[pairs, deals]; the pairs of a deal share its luck."""
    luck = rng.normal(0, 60, deals)
    rows = []
    for a, b in pairs_of(len(strengths)):
        expected = [score_of_deal(strengths[a] - strengths[b] + sign * luck) for sign in (1, -1)]
        rows.append(sum(2 * (rng.random(deals) < chance).astype(np.int64) for chance in expected))
    return np.array(rows)


def score_of_deal(elos: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-elos / ELO_SCALE))


def sums_of(scores: np.ndarray, policies: int, products: bool = True) -> PairScores:
    """Return the whole-number sums of scores in quarters."""
    return PairScores(
        pairs_of(policies),
        [scores.shape[1]] * len(scores),
        scores.sum(axis=1).tolist(),
        STEP,
        (scores @ scores.T).tolist() if products else None,
    )


def by_rows(scores: np.ndarray, policies: int, **options: object):
    """Return statsmodels' fit on one row a pair and deal, as differences from the first policy, in Elo."""
    design = np.zeros((len(scores), policies))
    for row, (a, b) in enumerate(pairs_of(policies)):
        design[row, a], design[row, b] = 1, -1
    rows = np.repeat(design[:, 1:], scores.shape[1], axis=0)
    fit = GLM(scores.ravel() / STEP, rows, family=Binomial()).fit(
        tol=1e-12, tol_criterion="params", **options
    )
    change = np.vstack([np.zeros(policies - 1), np.eye(policies - 1)])
    change = change - change.mean(axis=0)
    covariance = change @ fit.cov_params() @ change.T
    return ELO_SCALE * change @ fit.params, ELO_SCALE * np.sqrt(np.diag(covariance))


def estimates(found) -> tuple[list[float], list[float]]:
    return [r.estimate.estimate for r in found], [r.estimate.std_error for r in found]


# --- the fit ------------------------------------------------------------------------------------


@pytest.mark.parametrize("policies", [2, 3, 5])
def test_ratings_are_statsmodels_clustered_by_deal(policies):
    scores = played(np.linspace(-80, 90, policies), 700, np.random.default_rng(1))
    groups = np.tile(np.arange(700), len(scores))
    options = {"cov_type": "cluster", "cov_kwds": {"groups": groups, "use_correction": False}}
    expected, errors = by_rows(scores, policies, **options)
    found, std_errors = estimates(ratings(policies, sums_of(scores, policies), 0.95))
    assert found == pytest.approx(expected, rel=1e-8, abs=1e-8)
    assert std_errors == pytest.approx(errors, rel=1e-8)


def test_without_products_the_errors_are_fishers():
    scores = played([50, 0, -40], 500, np.random.default_rng(2))
    expected, errors = by_rows(scores, 3, scale=1.0)
    found, std_errors = estimates(ratings(3, sums_of(scores, 3, products=False), 0.95))
    assert found == pytest.approx(expected, rel=1e-8)
    assert std_errors == pytest.approx(errors, rel=1e-6)


def test_ratings_have_mean_0_and_normal_intervals():
    scores = played([120, 10, -30, -100], 400, np.random.default_rng(3))
    found = ratings(4, sums_of(scores, 4), 0.9)
    assert sum(r.estimate.estimate for r in found) == pytest.approx(0, abs=1e-9)
    for rating in found:
        each = rating.estimate
        reach = 1.6448536269514722 * each.std_error
        assert (each.low, each.high) == pytest.approx((each.estimate - reach, each.estimate + reach))
        assert each.n == 3 * 400


def test_two_policies_are_rated_half_their_elo_difference():
    counts = [10, 30, 40, 70, 20]
    squares = sum(value * value * count for value, count in enumerate(counts))
    total = sum(value * count for value, count in enumerate(counts))
    found = ratings(2, PairScores([(0, 1)], [170], [total], STEP, [[squares]]), 0.95)
    elo = elo_difference(pentanomial(counts, 0.95))
    assert estimates(found)[0] == pytest.approx([elo.estimate / 2, -elo.estimate / 2])
    assert estimates(found)[1] == pytest.approx([elo.std_error / 2] * 2)


def test_another_order_of_the_policies_reorders_the_ratings():
    scores = played([70, -20, 0, -50], 250, np.random.default_rng(5))
    order = [2, 0, 3, 1]
    table = dict(zip(pairs_of(4), scores, strict=True))
    swapped = [
        table[order[a], order[b]] if order[a] < order[b] else STEP - table[order[b], order[a]]
        for a, b in pairs_of(4)
    ]
    found = ratings(4, sums_of(np.array(swapped), 4), 0.95)
    expected = ratings(4, sums_of(scores, 4), 0.95)
    assert estimates(found)[0] == pytest.approx([expected[k].estimate.estimate for k in order])
    assert estimates(found)[1] == pytest.approx([expected[k].estimate.std_error for k in order])


def test_ratings_are_the_same_whatever_the_processor():
    code = (
        "pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]\n"
        "scores = PairScores(pairs, [300] * 6, [157, 270, 111, 263, 103, 21])\n"
        "told = repr([each.estimate for each in ratings(4, scores, 0.95)])\n"
    )
    here = {"PairScores": PairScores, "ratings": ratings}
    exec(code, here)
    there = subprocess.run(
        [sys.executable, "-c", f"from analyzer.ratings import PairScores, ratings\n{code}print(told)"],
        env={**os.environ, "OPENBLAS_CORETYPE": "Nehalem"},  # older than any that the tests run on
        check=True,
        capture_output=True,
        text=True,
    )
    assert there.stdout.strip() == here["told"]


def test_equal_policies_are_equal_without_an_error():
    found = ratings(3, sums_of(np.full((3, 20), 2), 3), 0.95)
    assert estimates(found)[0] == pytest.approx([0, 0, 0], abs=1e-9)
    assert estimates(found)[1] == pytest.approx([0, 0, 0], abs=1e-6)


def test_pairs_that_played_more_deals_weigh_more():
    """A beats B by 100 Elo over many deals; what both did against C over few hardly shifts that."""
    heavy, even = score_of_elo(100), 0.5
    totals = [round(10**6 * heavy), round(100 * even), round(100 * even)]
    found = ratings(3, PairScores([(0, 1), (0, 2), (1, 2)], [10**6, 100, 100], totals), 0.95)
    assert found[0].estimate.estimate - found[1].estimate.estimate == pytest.approx(100, abs=0.5)


def test_products_over_different_deals_are_refused():
    with pytest.raises(ValueError, match="same deals"):
        ratings(2, PairScores([(0, 1), (0, 1)], [5, 6], [2, 3], 1, [[2, 1], [1, 3]]), 0.95)


# --- who has no rating --------------------------------------------------------------------------


def matrix(policies: int, *shares: float) -> PairScores:
    """Return pairs that played 100 deals each, with A's share in the order of `pairs_of`."""
    return PairScores(pairs_of(policies), [100] * len(shares), [round(100 * share) for share in shares])


def test_who_won_or_lost_all_has_no_rating_and_the_others_have():
    found = ratings(4, matrix(4, 1, 1, 1, 0.6, 1, 1), 0.95)
    assert [r.why_none for r in found] == [WON_ALL, None, None, LOST_ALL]
    assert found[0].estimate == Estimate(None, None, None, None, 300)
    alone = ratings(2, matrix(2, 0.6), 0.95)
    assert [r.estimate.estimate for r in found[1:3]] == pytest.approx([r.estimate.estimate for r in alone])


def test_what_is_won_against_those_left_is_set_aside_too():
    found = ratings(5, matrix(5, 1, 1, 1, 1, 1, 1, 1, 0.6, 0.5, 0.4), 0.95)
    assert [r.why_none for r in found] == [WON_ALL, WON_ALL + BUT_THOSE, None, None, None]


def test_a_strict_ladder_has_no_ratings():
    found = ratings(3, matrix(3, 1, 1, 1), 0.95)
    assert [r.why_none for r in found] == [WON_ALL, ALONE, LOST_ALL]


def test_two_policies_of_which_one_won_all():
    assert [r.why_none for r in ratings(2, matrix(2, 1), 0.95)] == [WON_ALL, LOST_ALL]


def test_groups_apart_have_no_ratings():
    found = ratings(4, matrix(4, 0.6, 1, 1, 1, 1, 0.3), 0.95)
    assert [r.why_none for r in found] == [APART] * 4


def test_a_circle_of_certain_wins_is_rated():
    found = ratings(3, matrix(3, 1, 0, 1), 0.95)
    assert estimates(found)[0] == pytest.approx([0, 0, 0], abs=1e-9)


# --- cycles -------------------------------------------------------------------------------------


def difference(value: float, reach: float = 0.05) -> Estimate:
    return Estimate(value, reach / 2, value - reach, value + reach, 100)


def test_a_cycle_is_named_from_its_first_policy_on():
    values = {(0, 1): difference(0.1), (1, 2): difference(0.2), (0, 2): difference(-0.1)}
    assert non_transitive(3, values) == [Cycle((0, 1, 2), certain=True)]
    turned = {pair: difference(-each.estimate) for pair, each in values.items()}
    assert non_transitive(3, turned) == [Cycle((0, 2, 1), certain=True)]


def test_a_cycle_by_the_estimates_alone_is_flagged():
    values = {(0, 1): difference(0.01), (1, 2): difference(0.2), (0, 2): difference(-0.1)}
    assert non_transitive(3, values) == [Cycle((0, 1, 2), certain=False)]


@pytest.mark.parametrize("last", [0.1, 0.0])
def test_an_order_is_no_cycle(last):
    values = {(0, 1): difference(0.1), (1, 2): difference(0.2), (0, 2): difference(last)}
    assert non_transitive(3, values) == []


def test_triples_that_did_not_all_meet_are_left_out():
    values = {(0, 1): difference(0.1), (1, 2): difference(0.2)}
    assert non_transitive(3, values) == []


# --- coverage -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_interval_of_a_rating_covers_the_true_one():
    """Each game is a Bradley-Terry trial; one of the two of a deal joins all pairs by its luck."""
    rng = np.random.default_rng(6)
    truth = np.array([60.0, 0.0, -20.0, -40.0])
    held = np.zeros(4)
    for _ in range(3000):
        scores = two_games_of_a_deal(truth, 600, rng)
        held += [
            each.estimate.low <= true <= each.estimate.high
            for each, true in zip(ratings(4, sums_of(scores, 4), 0.95), truth, strict=True)
        ]
    assert ((held / 3000 >= 0.935) & (held / 3000 <= 0.965)).all()


def two_games_of_a_deal(truth: np.ndarray, deals: int, rng: np.random.Generator) -> np.ndarray:
    """Return scores in quarters whose luck, one number a deal, decides all pairs of the deal together."""
    luck = rng.random(deals)
    chances = [score_of_elo(truth[a] - truth[b]) for a, b in pairs_of(len(truth))]
    return np.array([2 * (luck < p).astype(np.int64) + 2 * (rng.random(deals) < p) for p in chances])
