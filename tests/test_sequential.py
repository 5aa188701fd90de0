"""The sequential test against SciPy, and both stopping rules by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import FivesError
from analyzer.paired import (
    ELO_SCALE,
    PAIR_STEP,
    elo_difference,
    elo_of_score,
    paired_mean,
    pentanomial,
    score_of_elo,
)
from analyzer.sequential import (
    FIRST_CHECKPOINT,
    Sprt,
    bounds,
    check_width,
    checkpoints,
    llr,
    regularised,
    width_verdict,
)

SCORES = np.arange(5) / PAIR_STEP


# --- checkpoints --------------------------------------------------------------------------------


def test_checkpoints_grow_by_a_quarter_from_100():
    assert checkpoints(500) == (100, 125, 156, 195, 243, 303, 378, 472)
    assert checkpoints(100) == ()
    assert checkpoints(101) == (100,)


@given(st.integers(1, 10**7), st.integers(1, 10**7))
def test_a_longer_run_looks_at_the_same_places_first(one, other):
    short, long = sorted([one, other])
    found = checkpoints(long)
    assert checkpoints(short) == tuple(deals for deals in found if deals < short)
    assert list(found) == sorted(set(found))
    assert all(FIRST_CHECKPOINT <= deals < long for deals in found)


# --- the likelihood ratio -----------------------------------------------------------------------


def fitted(counts, score: float) -> np.ndarray:
    """Return the distribution with this mean that fits regularised counts best, found by SciPy's search."""
    weights = np.array(regularised(counts))
    observed = weights / weights.sum()

    def slope(tilt):
        return (observed * (SCORES - score) / (1 + tilt * (SCORES - score))).sum()

    edges = -1 / (1 - score) * (1 - 1e-12), 1 / score * (1 - 1e-12)
    return observed / (1 + scipy.optimize.brentq(slope, *edges, xtol=1e-14) * (SCORES - score))


def plain_llr(counts, elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of the two fits."""
    with_elo0, with_elo1 = (fitted(counts, score_of_elo(elo)) for elo in (elo0, elo1))
    return float((np.array(regularised(counts)) * np.log(with_elo1 / with_elo0)).sum())


MATCHES = [
    (1, 3, 4, 7, 2),
    (100, 300, 400, 700, 200),
    (20, 0, 60, 0, 20),
    (0, 0, 100, 0, 0),
    (0, 0, 0, 0, 100),
    (3, 90, 800, 107, 0),
]


@pytest.mark.parametrize("counts", MATCHES)
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 5), (-20, 20), (100, 300)])
def test_llr_is_that_of_scipys_fits(counts, elo0, elo1):
    assert llr(counts, elo0, elo1) == pytest.approx(plain_llr(counts, elo0, elo1), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("score", [0.4, 0.55])
def test_no_distribution_with_the_mean_fits_better(score):
    counts = MATCHES[0]
    best = fitted(counts, score)
    assert best.sum() == pytest.approx(1)
    assert best @ SCORES == pytest.approx(score)
    reached = np.array(counts) @ np.log(best)
    searched = scipy.optimize.minimize(
        lambda p: -np.array(counts) @ np.log(p),
        np.full(5, 0.2),
        bounds=[(1e-6, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ SCORES - score},
        ],
    )
    assert -searched.fun == pytest.approx(reached, abs=1e-4)


def test_llr_of_many_pairs_is_the_normal_approximation():
    """n (s1 - s0) (2 s - s0 - s1) / (2 var), to which the ratio tends as the Elos come close."""
    counts = np.array([300, 900, 1200, 1000, 300])
    n, mean = counts.sum(), counts @ SCORES / counts.sum()
    variance = counts @ (SCORES - mean) ** 2 / n
    s0, s1 = score_of_elo(0), score_of_elo(5)
    expected = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert llr(counts.tolist(), 0, 5) == pytest.approx(expected, rel=0.01)


@given(st.lists(st.integers(0, 500), min_size=5, max_size=5), st.integers(-200, 200), st.integers(1, 100))
def test_llr_turns_with_the_pair_and_with_the_hypotheses(counts, elo, gap):
    found = llr(counts, elo, elo + gap)
    assert llr(counts[::-1], -elo - gap, -elo) == pytest.approx(-found, rel=1e-6, abs=1e-6)
    assert llr(counts, elo + gap, elo) == pytest.approx(-found, rel=1e-9, abs=1e-9)


def test_llr_of_no_pairs_is_0():
    assert llr([0, 0, 0, 0, 0], 0, 5) == 0.0


# --- the test -----------------------------------------------------------------------------------


def test_bounds_are_walds():
    assert bounds(0.05, 0.1) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


def test_a_test_accepts_or_goes_on():
    test = Sprt(0, 50)
    assert test.accepted([100, 300, 400, 700, 200]) == "elo1"
    assert test.accepted([200, 700, 400, 300, 100]) == "elo0"
    assert test.verdict([1, 3, 4, 7, 2]) is None
    found = test.verdict([100, 300, 400, 700, 200])
    assert found == "SPRT accepts elo1 = 50: LLR 78.58, bounds -2.94 and 2.94"


def test_a_test_as_plain_values():
    found = Sprt(0, 5, 0.05, 0.1).as_dict([1, 3, 4, 7, 2])
    assert list(found) == ["elo0", "elo1", "alpha", "beta", "llr", "lower", "upper", "verdict"]
    assert (found["lower"], found["upper"]) == bounds(0.05, 0.1)
    assert found["verdict"] == "go on"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((5, 0), "elo0 must be the lower"),
        ((0, 0), "elo0 must be the lower"),
        ((math.nan, 5), "elo0 is nan"),
        ((0, math.inf), "elo1 is inf"),
        ((-2000, 0), "from -1000 to 1000"),
        ((0, 5, 0, 0.05), "alpha is 0"),
        ((0, 5, 0.05, 0.5), "beta is 0.5"),
        ((0, 5, 0.05, math.nan), "beta is nan"),
    ],
)
def test_a_test_out_of_range_is_refused(values, sentence):
    with pytest.raises(FivesError, match=sentence):
        Sprt(*values)


def test_counts_that_are_no_pairs_are_refused():
    with pytest.raises(FivesError, match="five numbers"):
        Sprt(0, 5).accepted([1, 2, 3])


# --- the width ----------------------------------------------------------------------------------


def test_width_verdict():
    assert width_verdict(0.4, 0.45, 0.02) is None
    assert width_verdict(None, 0.45, 0.02) is None
    assert width_verdict(0.25, 0.5, 0.25) == "the interval is 0.25 wide, within the 0.25 asked for"


@pytest.mark.parametrize("width", [0, -0.1, math.nan, math.inf])
def test_a_width_out_of_range_is_refused(width):
    with pytest.raises(FivesError, match="until-width"):
        check_width(width)


# --- by simulation ------------------------------------------------------------------------------

RUNS = 3000
LONGEST = 2_000_000  # deals


def pair_chances(score: float, draws: float, luck: float) -> np.ndarray:
    """Return the chances of n0..n4: games with this draw rate, one with the luck of the deal, one against."""

    def game(expected: float) -> np.ndarray:
        win = expected - draws / 2
        return np.array([1 - draws - win, draws, win])

    chances = np.convolve(game(score + luck), game(score - luck))
    assert chances.min() >= 0
    return chances / chances.sum()


def accepted_in_a_run(test: Sprt, chances: np.ndarray, rng: np.random.Generator) -> str | None:
    """Play pairs until the test ends, and return what it accepts."""
    counts = np.zeros(5, np.int64)
    for deals in checkpoints(LONGEST):
        counts += rng.multinomial(deals - int(counts.sum()), chances)
        if (found := test.accepted(counts.tolist())) is not None:
            return found
    return None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("elo0", "elo1", "draws", "luck", "alpha", "beta"),
    [
        (0, 5, 0.0, 0.2, 0.05, 0.05),
        (0, 20, 0.0, 0.0, 0.05, 0.05),
        (0, 20, 0.5, 0.1, 0.05, 0.05),
        (-10, 10, 0.9, 0.0, 0.05, 0.05),
        (0, 10, 0.95, 0.0, 0.05, 0.05),
        (0, 2, 0.99, 0.0, 0.05, 0.05),
        (40, 60, 0.3, 0.0, 0.1, 0.02),
        (0, 15, 0.1, 0.3, 0.01, 0.1),
    ],
)
def test_the_error_rates_of_the_sequential_test(elo0, elo1, draws, luck, alpha, beta):
    test = Sprt(elo0, elo1, alpha, beta)
    for seed, truth, wrong, risk in ((31, elo0, "elo1", alpha), (32, elo1, "elo0", beta)):
        rng = np.random.default_rng(seed)
        chances = pair_chances(score_of_elo(truth), draws, luck)
        found = [accepted_in_a_run(test, chances, rng) for _ in range(RUNS)]
        assert found.count(None) == 0
        assert found.count(wrong) / RUNS <= risk + 3 * math.sqrt(risk * (1 - risk) / RUNS)


WIDTH_RUNS = 10_000


def held_at_the_stop(estimates, truth: float, width: float) -> float:
    """Return how many runs, each of (deals so far → estimate), stop with an interval that holds the truth."""
    held = 0
    for estimate in estimates:
        for deals in checkpoints(LONGEST):
            found = estimate(deals)
            if width_verdict(found.low, found.high, width) is not None:
                held += found.low <= truth <= found.high
                break
        else:
            pytest.fail("a run never became narrow enough")
    return held / WIDTH_RUNS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chances", "width"),
    [
        ((0.05, 0.2, 0.5, 0.2, 0.05), 0.05),
        ((0.05, 0.2, 0.5, 0.2, 0.05), 0.02),
        ((0.25, 0.0, 0.45, 0.0, 0.3), 0.08),
        ((0.02, 0.08, 0.2, 0.3, 0.4), 0.03),
        ((0.01, 0.09, 0.8, 0.09, 0.01), 0.02),
        ((0.01, 0.0, 0.08, 0.0, 0.91), 0.016),
    ],
)
@pytest.mark.parametrize("by_elo", [False, True])
def test_the_interval_of_a_score_at_a_width_covers_the_truth(chances, width, by_elo):
    rng = np.random.default_rng(33)
    truth = float(np.dot(chances, SCORES))
    if by_elo:  # the same precision, in Elo
        width, truth = width * ELO_SCALE / (truth * (1 - truth)), elo_of_score(truth)

    def run():
        counts = np.zeros(5, np.int64)

        def estimate(deals):
            nonlocal counts
            counts = counts + rng.multinomial(deals - int(counts.sum()), chances)
            score = pentanomial(counts.tolist(), 0.95)
            return elo_difference(score) if by_elo else score

        return estimate

    assert 0.935 <= held_at_the_stop((run() for _ in range(WIDTH_RUNS)), truth, width) <= 0.965


@pytest.mark.slow
@pytest.mark.parametrize("width", [12, 4])
def test_the_interval_of_a_margin_at_a_width_covers_the_truth(width):
    rng = np.random.default_rng(34)

    def run():
        n = total = squares = 0

        def estimate(deals):
            nonlocal n, total, squares
            more = deals - n
            margins = np.rint(rng.gamma(2, 15, more) - rng.gamma(2, 10, more)).astype(np.int64)
            n, total, squares = deals, total + int(margins.sum()), squares + int((margins**2).sum())
            return paired_mean(n, total, squares, 0.95)

        return estimate

    assert 0.935 <= held_at_the_stop((run() for _ in range(WIDTH_RUNS)), 10.0, width) <= 0.965
