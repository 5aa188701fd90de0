"""What stakes come to in numbers: commission, break-even, expected value, and what bad luck takes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from analyzer.commission import Purse, Terms, break_even
from analyzer.duel_totals import MOST_MARGIN
from analyzer.errors import FivesError
from analyzer.stats import Estimate, normal_quantile

if TYPE_CHECKING:
    from analyzer.commission_ruin import Needs
    from analyzer.commission_runs import Record


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked about stakes.

    Attributes
    ----------
    terms : what is played for.
    points : points between the two; None: the stake alone, or, with a price, the differences of `record`.
    win_rate : typed in; None: that of `record`, if there is one.
    record : the games of a run.
    games_per_hour : None: nothing by the hour.
    bankroll : None: the bankroll for a risk of 5 % alone is found.
    horizon, paths, seed : games of a path, and paths of the simulation of ruin.
    confidence : of the intervals.
    """

    terms: Terms
    points: int | None = None
    win_rate: float | None = None
    record: Record | None = None
    games_per_hour: float | None = None
    bankroll: Decimal | None = None
    horizon: int = 1000
    paths: int = 10_000
    seed: int = 1
    confidence: float = 0.95


@dataclass(frozen=True)
class Expected:
    """What a game brings on average: the win rate, and money in the currency of the stake."""

    win_rate: Estimate
    money: Estimate


class Answer:
    """The answer to a question.

    Raises
    ------
    FivesError
        Where a price has neither points nor a run to take them from, or a run's differences are too large or
        all 0.
    """

    def __init__(self, question: Question) -> None:
        self.question, self.terms = question, question.terms
        if self.terms.price and question.points is None and question.record is None:
            raise FivesError("a price of a point needs the points: give --points D, or a run with --run DIR.")
        if not self.terms.price and question.points is not None:
            raise FivesError("points need their price: give --point-price P, or leave --points out.")
        if self.takes_differences and MOST_MARGIN in map(abs, self._margins):
            raise FivesError(
                f"the run has games that end {MOST_MARGIN:,} points apart or more, counted as one: "
                "give --points D."
            )
        if self.takes_differences and not any(self._margins):
            raise FivesError("nobody won a game of the run, so no points can be priced: give --points D.")

    # --- one game -------------------------------------------------------------------------------

    @property
    def takes_differences(self) -> bool:
        """Whether the points between the two are those of the run's games."""
        return bool(self.terms.price) and self.question.points is None

    @property
    def _margins(self) -> Mapping[int, int]:
        return {} if self.question.record is None else self.question.record.margins

    @cached_property
    def purses(self) -> list[tuple[Purse, int]]:
        """The money of the games asked about, and how many there are of each."""
        if not self.takes_differences:
            return [(self.terms.purse(self.question.points or 0), 1)]
        return [(self.terms.purse(abs(margin)), games) for margin, games in self._margins.items() if margin]

    def mean(self, part: str) -> Decimal:
        """Return the mean over the games asked about of a part of `Purse`, by its name."""
        total = sum((getattr(purse, part) * games for purse, games in self.purses), Decimal(0))
        return total / sum(games for _, games in self.purses)

    @cached_property
    def break_even(self) -> float:
        """The win rate at which gains and losses cancel, whatever the points between the two."""
        return break_even(self.mean("gain"), self.mean("loss"))

    # --- many games -----------------------------------------------------------------------------

    @cached_property
    def results(self) -> dict[Decimal, float] | None:
        """What a game brings and its probability; None where nothing tells who wins."""
        found: dict[Decimal, float] = {}
        if self.question.record is not None:
            games = sum(self._margins.values())
            for margin, count in self._margins.items():
                money = self._settled(margin)
                found[money] = found.get(money, 0.0) + count / games
        elif self.question.win_rate is not None:
            (purse, _) = self.purses[0]
            found = {purse.gain: self.question.win_rate, -purse.loss: 1 - self.question.win_rate}
        return found or None

    def _settled(self, margin: int) -> Decimal:
        if self.takes_differences or margin == 0:
            return self.terms.settled(margin)
        return self.terms.settled((self.question.points or 1) * (1 if margin > 0 else -1))

    @cached_property
    def expected(self) -> Expected | None:
        """The win rate and what a game brings; None where nothing tells who wins."""
        if self.results is None:
            return None
        mean = sum(float(money) * share for money, share in self.results.items())
        record = self.question.record
        if record is None:
            assert self.question.win_rate is not None
            exact = Estimate(self.question.win_rate, None, None, None, 0)
            return Expected(exact, Estimate(mean, None, None, None, 0))
        games = sum(record.margins.values())
        if self.takes_differences:  # games as if independent; exchanged seats make them surer than that
            variance = sum((float(money) - mean) ** 2 * share for money, share in self.results.items())
            error = math.sqrt(variance / max(games - 1, 1))
            reach = normal_quantile(self.question.confidence) * error
            return Expected(record.win_rate, Estimate(mean, error, mean - reach, mean + reach, games))
        return Expected(record.win_rate, self._by_win_rate(record.win_rate, mean, games))

    def _by_win_rate(self, rate: Estimate, mean: float, games: int) -> Estimate:
        """Return a mean result with the error of the win rate, whose unit is the deal."""
        (purse, _) = self.purses[0]
        scale = float(purse.gain + purse.loss)
        if rate.estimate is None or rate.std_error is None or rate.low is None or rate.high is None:
            return Estimate(mean, None, None, None, games)
        low, high = ((bound - rate.estimate) * scale for bound in (rate.low, rate.high))
        return Estimate(mean, rate.std_error * scale, mean + low, mean + high, games)

    @cached_property
    def needs(self) -> Needs | None:
        """What simulated paths need; None where nothing tells who wins."""
        from analyzer.commission_ruin import needs_of

        if self.results is None:
            return None
        asked = self.question
        return needs_of(
            self.results, self.terms.stake, games=asked.horizon, paths=asked.paths, seed=asked.seed
        )
