"""Stopping rules that survive peeking: a sequential test, and an interval that is narrow enough.

Both are asked at fixed checkpoints alone, whatever the threads or the saves of a run, so that a rule stops
at the same deal each time and few looks are taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.errors import FivesError
from analyzer.paired import PAIR_STEP, check_counts, score_of_elo

FIRST_CHECKPOINT = 100  # deals; fewer show too little of the variance
GROWTH = 5, 4  # each checkpoint has 5/4 the deals of the one before
PRIOR = 0.001  # pairs put in place of each count of 0, as fishtest does
ELO_LIMIT = 1000.0
DEFAULT_RISK = 0.05  # alpha and beta

_HALVINGS = 80  # of an interval of tilts: past the last bit of a float


def checkpoints(total: int) -> tuple[int, ...]:
    """Return the ascending numbers of deals, below `total`, at which a rule may stop.

    100, 125, 156, 195, …: each is 5/4 of the one before, rounded down. They do not depend on `total`,
    so a longer run looks at the same places first. At `total` itself a run ends anyway.
    """
    found = []
    deals = FIRST_CHECKPOINT
    while deals < total:
        found.append(deals)
        deals = deals * GROWTH[0] // GROWTH[1]
    return tuple(found)


# --- an interval that is narrow enough ----------------------------------------------------------


def check_width(width: float) -> None:
    """Raise FivesError unless the width to reach is a positive number."""
    if not (math.isfinite(width) and width > 0):
        raise FivesError(f"until-width is {width:g}: it must be above 0, such as 0.02.")


def width_verdict(low: float | None, high: float | None, width: float) -> str | None:
    """Return why to stop where high - low is `width` or less, else None.

    Chow and Robbins, *On the asymptotic theory of fixed-width sequential confidence intervals for the
    mean*, Annals of Mathematical Statistics 36 (1965): coverage tends to the nominal as width falls,
    since when to stop depends on the variance, not on the mean.
    """
    if low is None or high is None or high - low > width:
        return None
    return f"the interval is {high - low:.5g} wide, within the {width:g} asked for"


# --- the sequential test ------------------------------------------------------------------------


def regularised(counts: Sequence[int]) -> list[float]:
    """Return the counts, each 0 made 0.001: a result that was not seen may still occur.

    Without it no distribution over the results seen has a mean beyond them, as where all pairs are even.
    """
    return [count or PRIOR for count in counts]


def llr(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the generalised log-likelihood ratio of elo1 against elo0, given pentanomial counts.

    Each hypothesis is granted the pentanomial distribution with its mean score that fits the regularised
    counts best: p_i = f_i / (1 + t (a_i - s)), with t such that its mean is s. M. Van den Bergh, *A
    practical introduction to the GSPRT* and *The generalized maximum likelihood ratio for the expectation
    value of a distribution*; X. Li, J. Liu and Z. Ying, *Generalized sequential probability ratio
    test for separate families of hypotheses*, Sequential Analysis 33 (2014).

    Parameters
    ----------
    counts : n0..n4, pairs that scored 0, 1/2, 1, 3/2, 2 of two games.
    elo0, elo1 : logistic Elo differences.

    Returns
    -------
    float
        In nats; 0 where there are no pairs.
    """
    if not any(counts):
        return 0.0
    weights = regularised(counts)
    score0, score1 = score_of_elo(elo0), score_of_elo(elo1)
    tilt0, tilt1 = _tilt(weights, score0), _tilt(weights, score1)
    return sum(
        weight * math.log((1 + tilt0 * (i / PAIR_STEP - score0)) / (1 + tilt1 * (i / PAIR_STEP - score1)))
        for i, weight in enumerate(weights)
    )


def _tilt(weights: Sequence[float], score: float) -> float:
    """Return t with sum w_i (a_i - s) / (1 + t (a_i - s)) = 0 and all denominators positive.

    The sum falls in t, from +inf to -inf between the bounds, so halving finds its only root.
    """
    gaps = [i / PAIR_STEP - score for i in range(len(weights))]
    low, high = -1 / gaps[-1], -1 / gaps[0]
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        slope = sum(weight * gap / (1 + middle * gap) for weight, gap in zip(weights, gaps, strict=True))
        if slope > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return the LLRs at or beyond which the test ends: ln(beta / (1 - alpha)) and ln((1 - beta) / alpha).

    A. Wald, *Sequential Tests of Statistical Hypotheses*, Annals of Mathematical Statistics 16 (1945).
    """
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


@dataclass(frozen=True)
class Sprt:
    """A sequential test of elo1 against elo0.

    Attributes
    ----------
    elo0, elo1 : logistic Elo differences of the two hypotheses, elo0 < elo1.
    alpha : the risk of accepting elo1 where elo0 holds.
    beta : the risk of accepting elo0 where elo1 holds.

    Raises
    ------
    FivesError
        For Elos or risks out of range.
    """

    elo0: float
    elo1: float
    alpha: float = DEFAULT_RISK
    beta: float = DEFAULT_RISK

    def __post_init__(self) -> None:
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not -ELO_LIMIT <= elo <= ELO_LIMIT:
                raise FivesError(f"{name} is {elo:g}: it must be from -{ELO_LIMIT:g} to {ELO_LIMIT:g}.")
        if not self.elo0 < self.elo1:
            raise FivesError(f"elo0 is {self.elo0:g} and elo1 {self.elo1:g}: elo0 must be the lower.")
        for name, risk in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < risk < 0.5:
                raise FivesError(f"{name} is {risk:g}: it must lie between 0 and 0.5, such as 0.05.")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLRs at or beyond which elo0 and elo1 are accepted."""
        return bounds(self.alpha, self.beta)

    def llr(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of pentanomial counts."""
        check_counts(counts)
        return llr(counts, self.elo0, self.elo1)

    def accepted(self, counts: Sequence[int]) -> str | None:
        """Return "elo0" or "elo1" where the test ends with it, else None."""
        lower, upper = self.bounds
        ratio = self.llr(counts)
        if ratio <= lower:
            return "elo0"
        return "elo1" if ratio >= upper else None

    def verdict(self, counts: Sequence[int]) -> str | None:
        """Return why to stop, as a phrase with the LLR and its bounds, or None to go on."""
        accepted = self.accepted(counts)
        if accepted is None:
            return None
        elo = self.elo0 if accepted == "elo0" else self.elo1
        lower, upper = self.bounds
        shown = f"LLR {self.llr(counts):.2f}, bounds {lower:.2f} and {upper:.2f}"
        return f"SPRT accepts {accepted} = {elo:g}: {shown}"

    def as_dict(self, counts: Sequence[int]) -> dict[str, Any]:
        """Return the test on these counts as plain JSON values; `verdict` is elo0, elo1 or "go on"."""
        lower, upper = self.bounds
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "alpha": self.alpha,
            "beta": self.beta,
            "llr": self.llr(counts),
            "lower": lower,
            "upper": upper,
            "verdict": self.accepted(counts) or "go on",
        }
