"""The search of `fives tune`: weights as points, generations of candidates, and what is played to rank them.

The method is CMA-ES (Hansen and Ostermeier, *Completely derandomized self-adaptation in evolution
strategies*, Evolutionary Computation 9, 2001) as the package `cmaes` has it. All candidates of a generation
meet the rival on the same deals in every seating; each generation has deals of its own. Only the ranks of
whole-number wins go back into the search, so a search is a function of its settings, and one that was
stopped goes on by repeating what it was told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from analyzer.duel_totals import DuelTotals
from analyzer.duels import Duels
from analyzer.errors import FivesError, unknown
from analyzer.policies import FEATURES, MAX_WEIGHT, Policy
from analyzer.rulesets import RuleSet

Point = NDArray[np.float64]
Wins = NDArray[np.int64]

STEP = 0.3  # the search's first step, in lengths of the start

# How far a feature typically differs between the placements of a turn, in its own unit (`wins` seldom does):
# one step along any coordinate then changes about as much as along any other
SPREAD = {
    "points": 8.0,
    "accepted": 8.0,
    "wins": 0.02,
    "pips": 3.0,
    "double": 0.5,
    "count": 5.0,
    "mobility": 1.0,
    "reply": 5.0,
    "scores": 1.0,
    "near": 8.0,
    "companions": 1.0,
    "variety": 0.7,
    "playable": 1.0,
    "follow": 5.0,
    "bare_spinner": 0.5,
    "rush": 3.0,
    "lacked": 0.7,
    "stuck": 160.0,
    "threat": 500.0,
    "live": 3.0,
    "closing": 3.0,
}


def start_point(policy: Policy, features: Sequence[str]) -> Point:
    """Return a policy as a point of length 1; FivesError where none of the features weighs in it."""
    point = np.array([policy.weights.get(feature, 0) * SPREAD[feature] for feature in features], float)
    length = float(np.sqrt((point * point).sum()))
    if length == 0:
        raise FivesError(f"{policy.name} weighs none of the features to tune: choose another --start.")
    return point / length


def weights_at(point: Point, features: Sequence[str]) -> dict[str, int]:
    """Return the weights of a point: whole numbers, the largest MAX_WEIGHT; those of 0 are left out."""
    weights = point / np.array([SPREAD[feature] for feature in features])
    weights *= MAX_WEIGHT / np.abs(weights).max()
    rounded = (int(weight) for weight in np.rint(weights))
    return {feature: weight for feature, weight in zip(features, rounded, strict=True) if weight}


class Search:
    """CMA-ES over the weights of some features.

    Parameters
    ----------
    features : names, in the order of `FEATURES`.
    start : where it begins.
    seed : of its own draws.
    """

    def __init__(self, features: Sequence[str], start: Policy, seed: int) -> None:
        from cmaes import CMA

        self.features = features
        self._cma = CMA(start_point(start, features), STEP, seed=seed % (1 << 32))  # all that NumPy takes
        self._points: list[Point] = []

    @property
    def population(self) -> int:
        """Candidates of a generation."""
        return int(self._cma.population_size)

    @property
    def step(self) -> float:
        """The search's step now."""
        return float(self._cma._sigma)

    def ask(self) -> list[dict[str, int]]:
        """Return the weights of the next generation's candidates."""
        self._points = [self._cma.ask() for _ in range(self.population)]
        return [weights_at(point, self.features) for point in self._points]

    def tell(self, wins: Sequence[Sequence[int]]) -> None:
        """Tell how often each candidate and its rival won."""
        values = [-own / max(1, own + other) for own, other in wins]
        self._cma.tell(list(zip(self._points, values, strict=True)))

    def centre(self) -> dict[str, int]:
        """Return the weights in the middle of what the search expects now."""
        return weights_at(np.asarray(self._cma.mean, float), self.features)


@dataclass(frozen=True)
class Generation:
    """The work of one generation: each candidate against the rival on the same deals.

    Game i of its span is deal `first + i % deals` of candidate `i // deals`.

    Attributes
    ----------
    first, deals : the first deal, and how many.
    """

    rules: RuleSet
    candidates: Sequence[Mapping[str, int]]
    rival: Policy
    seed: int
    first: int
    deals: int

    def none(self) -> Wins:
        """Return the wins of no games: int64[candidates, 2]."""
        return np.zeros((len(self.candidates), 2), np.int64)

    def player(self) -> Callable[[int, int], Wins]:
        """Return a function that plays (first game, number of games)."""

        @cache  # a chunk meets few candidates, often one
        def player_of(number: int) -> Callable[[int, int], DuelTotals]:
            candidate = Policy(f"candidate {number}", "", self.candidates[number])
            return Duels(self.rules, [candidate, self.rival], self.seed).player()

        def play(first: int, games: int) -> Wins:
            wins = self.none()
            while games:
                candidate, deal = divmod(first, self.deals)
                deals = min(games, self.deals - deal)
                wins[candidate] += player_of(candidate)(self.first + deal, deals).wins[0].astype(np.int64)
                first, games = first + deals, games - deals
            return wins

        return play

    @property
    def games(self) -> int:
        """Deals in all, over the candidates."""
        return len(self.candidates) * self.deals


def named_features(text: str | None, rules: RuleSet) -> tuple[str, ...]:
    """Return the features of a comma-separated list, in the order of `FEATURES`.

    Without a list, all that differ under the rule set but `points` and `reply`: `accepted` and `threat` say
    the same and know more.
    """
    if text is None:
        never = {"points", "reply"}
        never |= set() if rules.target_kind == "exact" else {"near"}
        never |= (
            set()
            if rules.score_multiple or rules.second_multiple
            else {"accepted", "wins", "scores", "near", "follow", "threat"}
        )
        never |= set() if rules.spinner != "none" else {"bare_spinner"}
        return tuple(feature for feature in FEATURES if feature not in never)
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in FEATURES:
            raise unknown("feature", name, FEATURES)
    return tuple(feature for feature in FEATURES if feature in names)
