"""What duplicate deals show of one pair of policies, in numbers and in words."""

from __future__ import annotations

import dataclasses

from analyzer import paired
from analyzer.policies import Policy
from analyzer.stats import Estimate

DIFFERENCE, MARGIN, ELO = "win_rate_difference", "margin_difference", "elo_difference"


@dataclasses.dataclass(frozen=True)
class Pair:
    """What the deals show of one pair of policies.

    Attributes
    ----------
    a, b : the two policies.
    difference, margin, elo : A's less B's, the deal being the unit; `elo` is null with more than two sides.
    unpaired_difference, unpaired_margin, unpaired_elo : the standard errors that as many independent games
        would have.
    pentanomial : deals by A's score of two games; None with more than two sides.
    """

    a: Policy
    b: Policy
    difference: Estimate
    margin: Estimate
    elo: Estimate
    unpaired_difference: float | None
    unpaired_margin: float | None
    unpaired_elo: float | None
    pentanomial: list[int] | None

    def turned(self) -> Pair:
        """Return the same with B first."""
        counts = self.pentanomial
        return dataclasses.replace(
            self,
            a=self.b,
            b=self.a,
            difference=negated(self.difference),
            margin=negated(self.margin),
            elo=negated(self.elo),
            pentanomial=None if counts is None else counts[::-1],
        )

    @property
    def name(self) -> str:
        """A/B."""
        return f"{self.a.name}/{self.b.name}"

    def estimate(self, metric: str) -> Estimate:
        """Return the estimate of DIFFERENCE, MARGIN or ELO."""
        return {DIFFERENCE: self.difference, MARGIN: self.margin, ELO: self.elo}[metric]

    def verdict(self) -> str:
        """Return in words which policy wins more often, as far as the interval tells."""
        found = self.difference.estimate
        if found is None or not paired.excludes_zero(self.difference):
            return f"{self.a.name} and {self.b.name} are not distinguishable: the interval holds 0"
        better, worse = (self.a, self.b) if found > 0 else (self.b, self.a)
        return f"{better.name} wins more often than {worse.name}"


def negated(found: Estimate) -> Estimate:
    """Return the estimate of minus what was estimated."""
    return dataclasses.replace(
        found, estimate=_minus(found.estimate), low=_minus(found.high), high=_minus(found.low)
    )


def _minus(value: float | None) -> float | None:
    return None if value is None else 0.0 - value
