"""What the totals of `compare` show of each pair and of each policy, as estimates.

`analyzer.paired` and `analyzer.ratings` have the formulas; docs/compare.md says in words what each number is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from analyzer import paired
from analyzer.duel_pairs import Pair, negated
from analyzer.duel_totals import DuelTotals
from analyzer.policies import Policy
from analyzer.ratings import LOST_ALL, WON_ALL, Cycle, PairScores, Rating, non_transitive, ratings
from analyzer.seatings import FIRST, SECOND, Seatings, pairs_of
from analyzer.stats import Estimate
from kernels.tallies import HALF, SHARE

NOTHING = Estimate(None, None, None, None, 0)
NO_RATING = "ratings are for two sides"


class Findings:
    """The totals of a comparison, read.

    Parameters
    ----------
    totals : of these policies, in this order.
    sides : number of sides.
    confidence : of the intervals.
    """

    def __init__(self, totals: DuelTotals, policies: Sequence[Policy], sides: int, confidence: float) -> None:
        self.totals, self.policies, self.confidence = totals, policies, confidence
        self.seatings = Seatings(sides)
        self.places = list(pairs_of(len(policies)))

    # --- units ----------------------------------------------------------------------------------

    @property
    def games(self) -> int:
        """Games of one pair."""
        return self.totals.deals * self.seatings.count

    @property
    def _win(self) -> int:
        """Units in one win per side held."""
        return SHARE * self.seatings.scale

    @property
    def _point(self) -> int:
        """Units in one raw point per side held."""
        return HALF * self.seatings.sides * self.seatings.scale

    # --- pairs ----------------------------------------------------------------------------------

    @cached_property
    def pairs(self) -> list[Pair]:
        """Each pair, in the order of the totals."""
        return [self._pair(number) for number in range(len(self.places))]

    @cached_property
    def _ranks(self) -> list[int]:
        """Each policy's place by name. All is computed in this order: no rounding tells the order given."""
        by_name = sorted(range(len(self.policies)), key=lambda place: self.policies[place].name)
        return [by_name.index(place) for place in range(len(self.policies))]

    def _sign(self, number: int) -> int:
        """Return -1 where the second policy of a pair comes first by name."""
        a, b = self.places[number]
        return 1 if self._ranks[a] < self._ranks[b] else -1

    def _pair(self, number: int) -> Pair:
        """Return what is found of a pair, computed with the policy first that comes first by name."""
        found = self._pair_by_name(number, self._sign(number))
        return found if self._sign(number) > 0 else found.turned()

    def _pair_by_name(self, number: int, sign: int) -> Pair:
        totals, games = self.totals, self.games
        a, b = (self.policies[place] for place in self.places[number][::sign])
        margin = sign * int(totals.margins[number])
        difference, elo = self._difference(number, sign, a == b)
        unpaired = paired.std_error(
            games, sign * int(totals.differences[number]), int(totals.game_squares[number]), self._win
        )
        return Pair(
            a=a,
            b=b,
            difference=difference,
            margin=paired.paired_mean(
                totals.deals,
                margin,
                int(totals.margin_squares[number]),
                self.confidence,
                self._point * self.seatings.count,
            ),
            elo=elo,
            unpaired_difference=unpaired,
            unpaired_margin=paired.std_error(
                games, margin, int(totals.margin_game_squares[number]), self._point
            ),
            unpaired_elo=self._unpaired_elo(difference, unpaired),
            pentanomial=self._pentanomial(number, sign),
        )

    def _pentanomial(self, number: int, sign: int) -> list[int] | None:
        return self.totals.pentanomial[number].tolist()[::sign] if self.seatings.sides == 2 else None

    def _difference(self, number: int, sign: int, same: bool) -> tuple[Estimate, Estimate]:
        """Return the differences of win rates and in Elo; a policy's against itself is surely 0."""
        if (counts := self._pentanomial(number, sign)) is not None and not same:
            score = paired.pentanomial(counts, self.confidence)
            return paired.win_rate_difference(score), paired.elo_difference(score)
        estimate = paired.paired_mean if same else paired.paired_difference
        difference = estimate(
            self.totals.deals,
            sign * int(self.totals.differences[number]),
            int(self.totals.products[number, number]),
            self.confidence,
            self._win * self.seatings.count,
        )
        if counts is None:
            return difference, NOTHING
        return difference, paired.elo_difference(paired.score_of_difference(difference))

    def _unpaired_elo(self, difference: Estimate, unpaired: float | None) -> float | None:
        if self.seatings.sides > 2:
            return None
        unsure = dataclasses.replace(difference, std_error=unpaired)
        return paired.elo_difference(paired.score_of_difference(unsure)).std_error

    # --- policies -------------------------------------------------------------------------------

    @cached_property
    def win_rates(self) -> list[Estimate]:
        """Each policy's wins per side held, over all its games; the deal is the unit."""
        step = self._win * self.seatings.count * (len(self.policies) - 1)
        # of a policy against itself all is known: an interval without width
        estimate = paired.paired_mean if self.policies[0] == self.policies[1] else paired.paired_score
        return [
            estimate(self.totals.deals, self._wins(place), int(squares), self.confidence, step)
            for place, squares in enumerate(self.totals.policy_squares)
        ]

    def _wins(self, place: int) -> int:
        return sum(
            int(self.totals.wins[number, pair.index(place)])
            for number, pair in enumerate(self.places)
            if place in pair
        )

    def against(self, place: int, other: int) -> float | None:
        """Return one policy's wins per side held in its games against another."""
        if place == other or self.games == 0:
            return None
        number = self.places.index((min(place, other), max(place, other)))
        return int(self.totals.wins[number, FIRST if place < other else SECOND]) / (self.games * self._win)

    @cached_property
    def ratings(self) -> list[Rating]:
        """Each policy's rating on the scale of Elo, mean 0; of two policies half their difference."""
        if self.seatings.sides > 2 or self.totals.deals == 0:
            return [Rating(NOTHING, NO_RATING)] * len(self.policies)
        if len(self.policies) > 2:
            by_name = ratings(len(self.policies), self._pair_scores(), self.confidence)
            return [by_name[rank] for rank in self._ranks]
        elo = self.pairs[0].elo
        if elo.estimate is None:
            reasons = (WON_ALL, LOST_ALL) if self._wins(FIRST) else (LOST_ALL, WON_ALL)
            return [Rating(elo, reason) for reason in reasons]
        return [Rating(elo.divided(2)), Rating(negated(elo).divided(2))]

    def _pair_scores(self) -> PairScores:
        """Return the pairs' scores a deal, 0 to 1, in units of 1/step, and their products; all by name."""
        totals, step = self.totals, self._win * self.seatings.count
        places = [tuple(sorted((self._ranks[a], self._ranks[b]))) for a, b in self.places]
        order = sorted(range(len(places)), key=lambda number: places[number])
        signs = np.array([self._sign(number) for number in order], object)
        values = signs * totals.differences[order]  # of each deal d = 2 score - step
        sums = step * (values[:, None] + values[None, :])
        crossed = signs[:, None] * signs[None, :] * totals.products[np.ix_(order, order)]
        products = (totals.deals * step**2 + sums + crossed) // 4
        scores = (totals.deals * step + values) // 2
        pairs = [(places[number][0], places[number][1]) for number in order]
        return PairScores(pairs, [totals.deals] * len(pairs), scores.tolist(), step, products.tolist())

    def cycles(self) -> list[Cycle]:
        """Return the triples of policies of which each beats the next and the last the first."""
        differences = [pair.difference for pair in self.pairs]
        return non_transitive(len(self.policies), dict(zip(self.places, differences, strict=True)))
