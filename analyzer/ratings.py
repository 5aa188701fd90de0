"""Bradley-Terry ratings of policies from the scores of each pair, and the cycles that no rating can show.

R. Bradley and M. Terry, *Rank analysis of incomplete block designs: I. The method of paired comparisons*,
Biometrika 39 (1952): A is expected to score 1 / (1 + 10^(-(a - b) / 400)) against B, a and b their
ratings. A tie counts as half a win. Ratings have mean 0 and the scale of Elo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from analyzer.paired import ELO_SCALE, excludes_zero
from analyzer.stats import Estimate, normal_quantile

Pair = tuple[int, int]  # places of two policies in the list, the first below the second

WON_ALL = "it won every game"
LOST_ALL = "it lost every game"
APART = "the policies fall into groups, and one won every game against another"
ALONE = "no other policy is left to rate it against"
DIGITS = 9  # decimals of an Elo: later ones depend on the processor for which linear algebra was compiled
BUT_THOSE = ", but for those with policies that won or lost all"


@dataclass(frozen=True)
class PairScores:
    """Exact sums over deals of the scores of pairs of policies.

    Attributes
    ----------
    pairs : the pairs that met.
    deals : of each pair.
    totals : of each pair (A, B), the sum of A's score a deal, in units of 1/step.
    step : whole-number units in a score of 1.
    products : of pairs i and j, the sum over deals of the product of their two scores, in units of
        1/step²: known only where all pairs play the same deals, else None.
    """

    pairs: Sequence[Pair]
    deals: Sequence[int]
    totals: Sequence[int]
    step: int = 1
    products: Sequence[Sequence[int]] | None = None

    def among(self, kept: Sequence[int]) -> PairScores:
        """Return the pairs whose two policies are both kept, renumbered by their place in `kept`."""
        place = {policy: i for i, policy in enumerate(kept)}
        where = [i for i, (a, b) in enumerate(self.pairs) if a in place and b in place]
        products = self.products
        return PairScores(
            [(place[self.pairs[i][0]], place[self.pairs[i][1]]) for i in where],
            [self.deals[i] for i in where],
            [self.totals[i] for i in where],
            self.step,
            None if products is None else [[products[i][j] for j in where] for i in where],
        )


@dataclass(frozen=True)
class Rating:
    """The rating of a policy in Elo with its interval, or None and why there is none."""

    estimate: Estimate
    why_none: str | None = None


def ratings(policies: int, scores: PairScores, confidence: float) -> list[Rating]:
    """Return the rating of each policy; those that have one have mean 0.

    The ratings maximise the likelihood of independent games. Their intervals do not rest on independence:
    where products are given they are those of the sandwich estimator with the deal as the cluster (K.-Y.
    Liang and S. Zeger, *Longitudinal data analysis using generalized linear models*, Biometrika 73, 1986),
    else those of Fisher's information with one game a deal.

    A policy that won or lost everything has no finite rating: it is set aside, again and again among
    those that are left.

    Parameters
    ----------
    policies : how many there are.
    scores : their sums.

    Raises
    ------
    ValueError
        For products over pairs that did not play the same number of deals.
    """
    if scores.products is not None and len(set(scores.deals)) > 1:
        raise ValueError("products need pairs that play the same deals")
    reasons = _unrated(_beaten(policies, scores))
    kept = [policy for policy in range(policies) if policy not in reasons]
    found = dict(zip(kept, _fitted(len(kept), scores.among(kept), confidence), strict=True))
    return [
        Rating(found[policy])
        if policy in found
        else Rating(Estimate(None, None, None, None, _deals_of(policy, scores)), reasons[policy])
        for policy in range(policies)
    ]


def _deals_of(policy: int, scores: PairScores) -> int:
    return sum(deals for pair, deals in zip(scores.pairs, scores.deals, strict=True) if policy in pair)


# --- who can be rated ---------------------------------------------------------------------------


def _beaten(policies: int, scores: PairScores) -> NDArray[np.bool_]:
    """Return a square matrix: whether the row's policy scored anything against the column's."""
    beaten = np.zeros((policies, policies), np.bool_)
    for (a, b), deals, total in zip(scores.pairs, scores.deals, scores.totals, strict=True):
        beaten[a, b] = total > 0
        beaten[b, a] = total < deals * scores.step
    return beaten


def _unrated(beaten: NDArray[np.bool_]) -> dict[int, str]:
    """Return the policies without a finite rating, and why.

    L. Ford, *Solution of a ranking problem from binary comparisons*, American Mathematical Monthly 64
    (1957): finite ratings exist where no group of policies won every game against all others.
    """
    reasons: dict[int, str] = {}
    left = list(range(len(beaten)))
    while extremes := _extremes(beaten, left):
        suffix = BUT_THOSE if reasons else ""
        reasons |= {policy: why if why == ALONE else why + suffix for policy, why in extremes.items()}
        left = [policy for policy in left if policy not in extremes]
    if not _hangs_together(beaten[np.ix_(left, left)]):
        reasons |= dict.fromkeys(left, APART)
    return reasons


def _extremes(beaten: NDArray[np.bool_], left: list[int]) -> dict[int, str]:
    """Return the policies that won or lost everything among those left."""
    if len(left) == 1:
        return {left[0]: ALONE}
    found = {policy: LOST_ALL for policy in left if not beaten[policy, left].any()}
    return found | {policy: WON_ALL for policy in left if not beaten[left, policy].any()}


def _hangs_together(beaten: NDArray[np.bool_]) -> bool:
    """Return whether each policy scored against each other, perhaps by way of others."""
    reaches = beaten | np.eye(len(beaten), dtype=np.bool_)
    for _ in range(len(beaten)):
        reaches = reaches @ reaches
    return bool(reaches.all())


# --- the fit ------------------------------------------------------------------------------------


def _fitted(policies: int, scores: PairScores, confidence: float) -> list[Estimate]:
    """Return the ratings of policies that all have one."""
    if policies == 0:
        return []
    design = _design(policies, scores.pairs)
    deals = np.array(scores.deals, np.float64)
    strengths = _strengths(design, np.array(scores.totals, np.float64) / scores.step, deals)
    expected = 1 / (1 + np.exp(-design @ strengths))
    bread = np.linalg.pinv(design.T @ np.diag(deals * expected * (1 - expected)) @ design, hermitian=True)
    meat = design.T @ _spread(scores, expected) @ design
    spreads = ELO_SCALE * np.sqrt(np.maximum(np.diag(bread @ meat @ bread), 0))
    z = normal_quantile(confidence)
    elos, errors = (values.round(DIGITS).tolist() for values in (ELO_SCALE * strengths, spreads))
    return [
        Estimate(elo, error, elo - z * error, elo + z * error, _deals_of(policy, scores))
        for policy, (elo, error) in enumerate(zip(elos, errors, strict=True))
    ]


def _design(policies: int, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Return one row a pair: 1 for its first policy, -1 for its second."""
    design = np.zeros((len(pairs), policies))
    for row, (a, b) in enumerate(pairs):
        design[row, a], design[row, b] = 1, -1
    return design


def _strengths(
    design: NDArray[np.float64], won: NDArray[np.float64], deals: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the log odds of each policy, mean 0: a logistic regression with the first policy as zero.

    A pair has two rows, its wins as ones and its losses as zeros, each weighted by how many there are.
    """
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    outcomes = np.repeat([1.0, 0.0], len(won))
    rows = np.vstack([design, design])[:, 1:]
    model = GLM(outcomes, rows, family=Binomial(), var_weights=np.concatenate([won, deals - won]))
    fit = model.fit(tol=1e-12, tol_criterion="params")
    strengths = np.concatenate([[0.0], fit.params])
    centred: NDArray[np.float64] = strengths - strengths.mean()
    return centred


def _spread(scores: PairScores, expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a square matrix over pairs: the sums over deals of the products of score - expected."""
    deals = np.array(scores.deals, np.float64)
    if scores.products is None:
        return np.diag(deals * expected * (1 - expected))
    mixed = np.outer(expected, np.array(scores.totals, np.float64) / scores.step)
    products = np.array(scores.products, np.float64) / scores.step**2
    spread: NDArray[np.float64] = products - mixed - mixed.T + deals[0] * np.outer(expected, expected)
    return spread


# --- cycles -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cycle:
    """Three policies of which each beats the next and the last the first.

    Attributes
    ----------
    policies : their places in the list, the lowest first.
    certain : whether all three intervals exclude 0; else only the estimates say so.
    """

    policies: tuple[int, int, int]
    certain: bool


def non_transitive(policies: int, differences: Mapping[Pair, Estimate]) -> list[Cycle]:
    """Return every cycle of three policies.

    Parameters
    ----------
    policies : how many there are.
    differences : of each pair (A, B), A below B in the list, A's win rate less B's.
    """
    found = []
    for a, b, c in combinations(range(policies), 3):
        if not {(a, b), (b, c), (a, c)} <= differences.keys():
            continue
        signs = [_sign(differences[a, b]), _sign(differences[b, c]), -_sign(differences[a, c])]
        if abs(sum(signs)) == 3:
            certain = all(excludes_zero(differences[pair]) for pair in ((a, b), (b, c), (a, c)))
            found.append(Cycle((a, b, c) if signs[0] > 0 else (a, c, b), certain))
    return found


def _sign(difference: Estimate) -> int:
    value = difference.estimate or 0.0
    return (value > 0) - (value < 0)
