"""How sure an order of placements is: gaps to the best, chances of being best, when the best is separated.

All placements are played in the same worlds, so what counts is the spread of their differences. Its exact
sums follow from the sums of products of `analyzer.search.Values`.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from analyzer.paired import std_error
from analyzer.search import Values

DRAWS = 20_000  # of the joint normal
_SEED = 0  # of the draws: the chances are a function of the sums alone
_JITTER = 1e-10  # of the largest variance: placements that always differ by the same have none of their own


def gap(values: Values, best: int, other: int) -> tuple[float, float]:
    """Return by how much one placement's mean is above another's, and the standard error of that.

    Both are in the unit of a game or of raw points; exact values have no error.
    """
    total = int(values.sums[best]) - int(values.sums[other])
    if values.is_exact:
        return float(total * values.unit), 0.0
    step = int(1 / values.unit)
    error = std_error(values.worlds, total, _squares(values, best, other), step)
    assert error is not None
    return total / (values.worlds * step), error


def _squares(values: Values, one: int, other: int) -> int:
    """Return the sum over worlds of the squared difference of two placements."""
    products = values.products
    return int(products[one, one] - 2 * products[one, other] + products[other, other])


def is_separated(values: Values, best: int, look: int, risk: float) -> bool:
    """Whether the best placement is so far above each other one that looking so often cannot explain it.

    At look k a risk of r / (k (k + 1)) is spent, whose sum over all looks is r, and it is shared by the m - 1
    others (Bonferroni): each gap must be above z(1 - r / (k (k + 1) (m - 1))) of its standard errors. So the
    chance that a placement is ever told apart as best while another one is better is at most r, as far as
    the means are normal. The spending of a risk over looks is that of K. K. G. Lan and D. L. DeMets,
    *Discrete sequential boundaries for clinical trials*, Biometrika 70 (1983).

    Parameters
    ----------
    look : from 1, how often it was asked of these worlds, this time included.
    risk : 1 - confidence.
    """
    others = [other for other in range(len(values.moves)) if other != best]
    if not others:
        return False
    quantile = NormalDist().inv_cdf(1 - risk / (look * (look + 1) * len(others)))
    gaps = [gap(values, best, other) for other in others]
    return all(size > 0 and size > quantile * error for size, error in gaps)


def chances_of_best(values: Values) -> list[float]:
    """Return for each placement the chance that none is better, given these worlds.

    The means are taken as jointly normal around those that were seen, with their covariance: the posterior
    under a flat prior, as in C.-H. Chen, J. Lin, E. Yücesan and S. E. Chick, *Simulation budget allocation
    for further enhancing the efficiency of ordinal optimization*, Discrete Event Dynamic Systems 10 (2000).
    The chance is the share of DRAWS draws in which a placement is highest. Placements that were worth the
    same in every world share theirs; so do exact ties. One world tells nothing of a spread, so a flat prior
    leaves all placements alike.
    """
    if values.worlds == 1 and not values.is_exact:
        return [1 / len(values.moves)] * len(values.moves)
    groups = _equal(values)
    firsts = [group[0] for group in groups]
    shares = _shares(values, firsts) if not values.is_exact else _exact_shares(values, firsts)
    chances = [0.0] * len(values.moves)
    for group, share in zip(groups, shares, strict=True):
        for member in group:
            chances[member] = share / len(group)
    return chances


def _equal(values: Values) -> list[list[int]]:
    """Return the placements in groups that cannot be told apart."""
    groups: list[list[int]] = []
    for placement in range(len(values.moves)):
        for group in groups:
            same = values.sums[group[0]] == values.sums[placement]
            if same and (values.is_exact or _squares(values, group[0], placement) == 0):
                group.append(placement)
                break
        else:
            groups.append([placement])
    return groups


def _exact_shares(values: Values, firsts: Sequence[int]) -> list[float]:
    highest = max(values.sums[first] for first in firsts)
    return [float(values.sums[first] == highest) for first in firsts]


def _shares(values: Values, firsts: Sequence[int]) -> list[float]:
    n = values.worlds
    sums = [int(values.sums[first]) for first in firsts]
    products = values.products[np.ix_(firsts, firsts)]
    covariance = np.array(
        [
            [(n * int(products[i, j]) - sums[i] * sums[j]) / n**3 for j in range(len(sums))]
            for i in range(len(sums))
        ]
    )
    means = np.array([(total - max(sums)) / n for total in sums])
    spread = covariance.diagonal().max()
    if spread == 0.0:
        return [float(mean == 0.0) for mean in means]
    covariance += _JITTER * spread * np.eye(len(sums))
    draws = np.random.default_rng(_SEED).multivariate_normal(means, covariance, DRAWS, method="cholesky")
    counts = np.bincount(draws.argmax(axis=1), minlength=len(sums))
    return [int(count) / DRAWS for count in counts]
