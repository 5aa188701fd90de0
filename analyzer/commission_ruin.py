"""Risk of ruin: how much money a player needs to be able to stake a number of games in a row.

A path is a row of games whose results are drawn independently from a distribution. A player who began with B
is ruined at the first game before which the money left is less than one stake, so what a path needs is one
stake plus the deepest loss before any of its games. The share of paths that need more than B is the risk of
ruin, and the 95 % quantile of what paths need is the bankroll for 5 %.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from analyzer.commission import CENT
from analyzer.errors import FivesError
from analyzer.stats import Estimate, normal_quantile, wilson

RISK = 0.05
CENTS = 100
MOST_CENTS = 10**18  # that a path may come to: below what an int64 holds


@dataclass(frozen=True)
class Needs:
    """What simulated paths need to be played to their end, ascending.

    Attributes
    ----------
    cents : int64 (paths,).
    """

    cents: NDArray[np.int64]

    def ruin(self, bankroll: Decimal, confidence: float) -> Estimate:
        """Return the share of paths that a bankroll does not see to their end, with Wilson's interval."""
        ruined = int(np.count_nonzero(self.cents > int(bankroll * CENTS)))
        return wilson(ruined, len(self.cents), confidence)

    def bankroll(self, confidence: float) -> tuple[Decimal, Decimal, Decimal]:
        """Return the bankroll for a risk of 5 %, and the bounds of its interval.

        The interval of a quantile by order statistics (David and Nagaraja, *Order Statistics*, 2003, section
        7.1), with the normal approximation of the binomial.
        """
        paths = len(self.cents)
        centre = paths * (1 - RISK)
        reach = normal_quantile(confidence) * math.sqrt(centre * RISK)
        places = (math.ceil(centre) - 1, math.floor(centre - reach) - 1, math.ceil(centre + reach))
        kept = [int(self.cents[min(max(place, 0), paths - 1)]) for place in places]
        value, low, high = (Decimal(cents) / CENTS for cents in kept)
        return value, low, high


def needs_of(results: Mapping[Decimal, float], stake: Decimal, *, games: int, paths: int, seed: int) -> Needs:
    """Return what paths of a number of games need.

    Parameters
    ----------
    results : what a game brings, in money, and its probability.
    seed : of NumPy's PCG64; the result depends on it alone.

    Raises
    ------
    FivesError
        Where a path could lose more than can be counted.
    """
    largest = max(stake, *map(abs, results)) * CENTS
    if largest * (games + 1) > MOST_CENTS:
        raise FivesError(
            f"a row of {games:,} games can come to more than {MOST_CENTS // CENTS:,}, too much to count: "
            "ask for a shorter --horizon or smaller amounts."
        )
    draws = np.random.Generator(np.random.PCG64(seed))
    cents = np.array([int(money / CENT) for money in results], np.int64)
    steps = np.cumsum(list(results.values()))
    money, deepest = np.zeros(paths, np.int64), np.zeros(paths, np.int64)
    for _ in range(games):
        np.minimum(deepest, money, out=deepest)
        drawn = np.searchsorted(steps, draws.random(paths) * steps[-1], side="right")
        money += cents[drawn]
    return Needs(np.sort(int(stake * CENTS) - deepest))
