"""Estimates from deals that every policy plays in every seating: the deal is the unit, its value a mean.

As everywhere, sums are whole numbers and each is divided once. The variance of the deals' values has
divisor n: var = sum((x - mean)^2) / n, and std_error = sqrt(var / n).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from statistics import NormalDist

from analyzer.errors import FivesError
from analyzer.stats import Estimate, normal_quantile, wilson_interval

ELO_SCALE = 400 / math.log(10)  # Elo in one unit of log odds
PAIR_RESULTS = 5  # a deal played twice, seats swapped, scores 0, 1/2, 1, 3/2 or 2
PAIR_STEP = PAIR_RESULTS - 1
GAME_STEP = 2  # a game scores 0, 1/2 or 1


# --- means --------------------------------------------------------------------------------------


def std_error(n: int, total: int, squares: int, step: int = 1) -> float | None:
    """Return the standard error of the mean of n values, variance with divisor n; None for n = 0.

    Parameters
    ----------
    n, total, squares : number of values, their sum and the sum of their squares, in units of 1/step.
    step : whole-number units in one unit of the metric.

    Raises
    ------
    ValueError
        For sums that no values can have, as after an overflow.

    Notes
    -----
    Over the values of the deals it is the paired error; over those of the single games, taken as if they
    were independent, the unpaired one.
    """
    if n == 0:
        return None
    spread = n * squares - total * total
    if spread < 0:
        raise ValueError(f"no {n} values have the sum {total} and the sum of squares {squares}")
    return math.sqrt(spread / n**3) / step


def paired_mean(n: int, total: int, squares: int, confidence: float, step: int = 1) -> Estimate:
    """Return the mean of the values of n deals with its normal interval; one deal alone has no error.

    Parameters are those of `std_error`.
    """
    error = std_error(n, total, squares, step)
    if error is None:
        return Estimate(None, None, None, None, 0)
    mean = total / (n * step)
    if n == 1:
        return Estimate(mean, None, None, None, 1)
    reach = normal_quantile(confidence) * error
    return Estimate(mean, error, mean - reach, mean + reach, n)


def paired_score(n: int, total: int, squares: int, confidence: float, step: int = 1) -> Estimate:
    """Return the mean of n deals' scores, which lie in [0, 1], its interval cut to [0, 1].

    Where every deal scores 0 or 1, or all score the same, the interval is Wilson's with n deals: so its
    width is never 0. The standard error stays that of `std_error`, 0 where all score the same.
    """
    error = std_error(n, total, squares, step)
    if error is None:
        return Estimate(None, None, None, None, 0)
    score = total / (n * step)
    if error == 0 or squares == step * total:  # x (step - x) >= 0: the sum is 0 where each is 0 or step
        return Estimate(score, error, *wilson_interval(score, n, confidence), n)
    reach = normal_quantile(confidence) * error
    return Estimate(score, error, max(score - reach, 0.0), min(score + reach, 1.0), n)


def paired_difference(n: int, total: int, squares: int, confidence: float, step: int = 1) -> Estimate:
    """Return the mean of n deals' win rate differences, each in [-1, 1], its interval cut to that.

    It is that of the scores (1 + difference) / 2, so `score_of_difference` gives back what `paired_score`
    makes of these. Parameters are those of `std_error`.
    """
    shifted_squares = n * step * step + 2 * step * total + squares
    return win_rate_difference(paired_score(n, n * step + total, shifted_squares, confidence, 2 * step))


# --- counts -------------------------------------------------------------------------------------


def pentanomial(counts: Sequence[int], confidence: float) -> Estimate:
    """Return the score per game from the counts n0..n4 of deals that scored 0, 1/2, 1, 3/2, 2 of two.

    The pair is the unit, as in the pentanomial model of M. Van den Bergh's that fishtest uses. A pair's
    value is its score / 2, and n the number of pairs.

    Raises
    ------
    FivesError
        Unless there are five counts, none negative.
    """
    check_counts(counts)
    return _of_counts(counts, PAIR_STEP, confidence)


def trinomial(wins: int, ties: int, losses: int, confidence: float) -> Estimate:
    """Return the score per game of independent games, a tie counting 1/2: the mean of 0, 1/2 and 1."""
    return _of_counts((losses, ties, wins), GAME_STEP, confidence)


def _of_counts(counts: Sequence[int], step: int, confidence: float) -> Estimate:
    total = sum(value * count for value, count in enumerate(counts))
    squares = sum(value * value * count for value, count in enumerate(counts))
    return paired_score(sum(counts), total, squares, confidence, step)


def check_counts(counts: Sequence[int]) -> None:
    """Raise FivesError unless these are five counts of pairs, none of them negative."""
    if len(counts) != PAIR_RESULTS or any(count < 0 for count in counts):
        given = ",".join(str(count) for count in counts)
        raise FivesError(
            f"pairs is {given}: give five numbers from 0 up, of pairs that scored 0, 1/2, 1, 3/2 and 2."
        )


# --- what a score comes to ----------------------------------------------------------------------


def win_rate_difference(score: Estimate) -> Estimate:
    """Return A's win rate less B's, 2 score - 1, as the two rates add up to 1."""
    return dataclasses.replace(
        score,
        estimate=_doubled(score.estimate, 1),
        std_error=_doubled(score.std_error, 0),
        low=_doubled(score.low, 1),
        high=_doubled(score.high, 1),
    )


def score_of_difference(difference: Estimate) -> Estimate:
    """Return the score (1 + d) / 2 of a win rate difference d: what `win_rate_difference` undoes."""
    return difference.shifted(1).divided(2)


def _doubled(value: float | None, less: float) -> float | None:
    return None if value is None else 2 * value - less


def elo_of_score(score: float | None) -> float | None:
    """Return the Elo difference that expects this score; None at 0 and 1, where none does.

    A. Elo, *The Rating of Chessplayers* (1978), in its logistic form: -400 log10(1 / score - 1).
    """
    if score is None or not 0 < score < 1:
        return None
    return ELO_SCALE * (math.log(score) - math.log1p(-score))


def score_of_elo(elo: float) -> float:
    """Return the score that an Elo difference expects: 1 / (1 + 10^(-elo / 400))."""
    return 1 / (1 + math.exp(-elo / ELO_SCALE))


def elo_difference(score: Estimate) -> Estimate:
    """Return the Elo difference of a score: null at 0 and 1.

    The bounds are those of the score, transformed, null where they are 0 or 1. The standard error is
    first-order: that of the score times the slope 400 / (ln 10 · score (1 - score)).
    """
    elo = elo_of_score(score.estimate)
    if elo is None or score.estimate is None:
        return Estimate(None, None, None, None, score.n)
    slope = ELO_SCALE / (score.estimate * (1 - score.estimate))
    error = None if score.std_error is None else slope * score.std_error
    return Estimate(elo, error, elo_of_score(score.low), elo_of_score(score.high), score.n)


def likelihood_of_superiority(difference: float | None, std_error: float | None) -> float | None:
    """Return the normal chance that the true difference is above 0: Phi(difference / std_error).

    At a standard error of 0 it is the limit: 1 for a difference above 0, 0 below, and 0.5 at 0.
    """
    if difference is None or std_error is None:
        return None
    if std_error == 0:
        return 0.5 + 0.5 * ((difference > 0) - (difference < 0))
    return NormalDist().cdf(difference / std_error)


def games_saved(paired: float | None, unpaired: float | None) -> float | None:
    """Return (unpaired / paired)^2: how many times as many independent games would be as sure.

    None where a standard error is missing or the paired one is 0.
    """
    if not paired or unpaired is None:
        return None
    return (unpaired / paired) ** 2


def excludes_zero(difference: Estimate) -> bool:
    """Return whether the interval tells the difference from 0."""
    return (difference.low is not None and difference.low > 0) or (
        difference.high is not None and difference.high < 0
    )
