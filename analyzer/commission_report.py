"""What stakes come to: commission, break-even, expected value and the risk of ruin, as rows and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from analyzer.commission import CENT, SOURCE_NOTE, SOURCE_STAKE, Purse, Terms, break_even
from analyzer.commission_table import own_table
from analyzer.duel_totals import MOST_MARGIN
from analyzer.errors import FivesError
from analyzer.stats import Estimate, normal_quantile

if TYPE_CHECKING:
    from analyzer.commission_ruin import Needs
    from analyzer.commission_runs import Record

Row = dict[str, Any]
CURVE_POINTS = 200  # stakes of the table `stakes`


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
        Where a price has neither points nor a run to take them from, or a run's differences are too large.
    """

    def __init__(self, question: Question) -> None:
        self.question, self.terms = question, question.terms
        if self.terms.price and question.points is None and question.record is None:
            raise FivesError("a price of a point needs the points: give --points D, or a run with --run DIR.")
        if not self.terms.price and question.points is not None:
            raise FivesError("points need their price: give --point-price P, or leave --points out.")
        if self._takes_differences and MOST_MARGIN in map(abs, self._margins):
            raise FivesError(
                f"the run has games that end {MOST_MARGIN:,} points apart or more, counted as one: "
                "give --points D."
            )

    # --- one game -------------------------------------------------------------------------------

    @property
    def _takes_differences(self) -> bool:
        """Whether the points between the two are those of the run's games."""
        return bool(self.terms.price) and self.question.points is None

    @property
    def _margins(self) -> Mapping[int, int]:
        return {} if self.question.record is None else self.question.record.margins

    @cached_property
    def purses(self) -> list[tuple[Purse, int]]:
        """The money of the games asked about, and how many there are of each."""
        if not self._takes_differences:
            return [(self.terms.purse(self.question.points or 0), 1)]
        return [(self.terms.purse(abs(margin)), games) for margin, games in self._margins.items() if margin]

    def _mean(self, part: str) -> Decimal:
        total = sum((getattr(purse, part) * games for purse, games in self.purses), Decimal(0))
        return total / sum(games for _, games in self.purses)

    @cached_property
    def break_even(self) -> float:
        """The win rate at which gains and losses cancel, whatever the points between the two."""
        return break_even(self._mean("gain"), self._mean("loss"))

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
        if self._takes_differences or margin == 0:
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
        if self._takes_differences:  # games as if independent; exchanged seats make them surer than that
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

    # --- as rows --------------------------------------------------------------------------------

    def summary(self) -> list[Row]:
        """Return one row a quantity: quantity, value, low, high, unit; money has two decimals."""
        per_hour = self.question.games_per_hour
        rows = [
            _row("commission", _cents(self._mean("commission")), "money, each player"),
            _row("winner_receives", _cents(self._mean("winner_receives")), "money"),
            _row("loser_loses", _cents(self._mean("loss")), "money"),
            _row("break_even", self.break_even, "rate"),
        ]
        if self.expected is not None:
            rows.append(_estimate_row("win_rate", self.expected.win_rate, "rate"))
            rows.append(_estimate_row("expected_per_game", self.expected.money, "money"))
            if per_hour is not None:
                rows.append(
                    _estimate_row("expected_per_hour", _times(self.expected.money, per_hour), "money")
                )
        return [*rows, *self._ruin_rows()]

    def _ruin_rows(self) -> Iterator[Row]:
        if self.needs is None:
            return
        asked = self.question
        if asked.bankroll is not None:
            yield _estimate_row("risk_of_ruin", self.needs.ruin(asked.bankroll, asked.confidence), "rate")
        value, low, high = map(_cents, self.needs.bankroll(asked.confidence))
        yield _row("bankroll_for_5_percent", value, "money", low, high)

    def brackets(self) -> list[Row]:
        """Return one row a bracket: from, to, percent, break_even and edge, without rounding to cents."""
        rows = []
        for bracket in self.terms.table.brackets:
            rate = break_even(100 - 2 * bracket.percent, Decimal(100))
            rows.append(
                {
                    "from": float(bracket.low),
                    "to": None if bracket.high is None else float(bracket.high),
                    "percent": float(bracket.percent),
                    "break_even": rate,
                    "edge": rate - 0.5,
                }
            )
        return rows

    def stakes(self) -> list[Row]:
        """Return what other stakes would come to, the stake alone: for a curve of edge against stake."""
        last = self.terms.table.brackets[-1].low or self.terms.stake
        step = max((2 * last / CURVE_POINTS).quantize(CENT, ROUND_HALF_UP), CENT)
        rate = None if self.expected is None else self.expected.win_rate.estimate
        rows = []
        for number in range(1, CURVE_POINTS + 1):
            purse = Terms(number * step, Decimal(0), self.terms.table).purse(0)
            gain, loss = float(purse.gain), float(purse.loss)
            rows.append(
                {
                    "stake": float(purse.stake),
                    "percent": float(purse.percent),
                    "commission": float(purse.commission),
                    "winner_receives": float(purse.winner_receives),
                    "break_even": purse.break_even,
                    "edge": purse.break_even - 0.5,
                    "expected_per_game": None if rate is None else rate * gain - (1 - rate) * loss,
                }
            )
        return rows

    # --- as words -------------------------------------------------------------------------------

    def sentences(self) -> list[str]:
        """Return what the numbers mean, in words."""
        found = [self._terms_sentence()]
        if self.expected is not None:
            found.append(self._verdict(self.expected))
            found.append(
                f"Ruin and bankroll: {self.question.paths:,} simulated rows of {self.question.horizon:,} "
                f"games, seed {self.question.seed}; ruined is who cannot stake the next game."
            )
        return [*found, *self.notes()]

    def _terms_sentence(self) -> str:
        if self._takes_differences:
            record = self.question.record
            assert record is not None
            return (
                "Commission, receipts and loss are means over the points between the two in the run's games "
                f"to {record.target}."
            )
        (purse, _) = self.purses[0]
        amount = purse.stake + purse.extra / 2
        return (
            f"{_cents(amount)} is in {self.terms.table.bracket(amount).name}: {purse.percent:f} % from each."
        )

    def _verdict(self, expected: Expected) -> str:
        record = self.question.record
        who = "This win rate" if record is None else f"{record.names[0]} against {record.names[1]}"
        low, high = expected.money.low, expected.money.high
        mean = expected.money.estimate
        assert mean is not None
        if low is not None and high is not None and low <= 0 <= high:
            return f"{who} may gain or lose: {mean:+.4f} a game, and the interval holds 0."
        return f"{who} {'gains' if mean > 0 else 'loses'} {abs(mean):.4f} a game on average."

    def notes(self) -> list[str]:
        """Return what the user should know of the source."""
        is_source = self.terms.table.brackets == own_table().brackets
        return (
            [SOURCE_NOTE] if is_source and self.terms.stake == SOURCE_STAKE and not self.terms.price else []
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain JSON values; money is text with two decimals, expected values numbers."""
        summary = {row["quantity"]: row for row in self.summary()}
        values = {name: row["value"] for name, row in summary.items()}
        intervals = {
            name: [row["low"], row["high"]] for name, row in summary.items() if row["low"] is not None
        }
        asked = self.question
        return {
            "stake": _cents(self.terms.stake),
            "point_price": _cents(self.terms.price),
            "points": asked.points,
            "percent": None if self._takes_differences else float(self.purses[0][0].percent),
            **values,
            "intervals": intervals,
            "bankroll": None if asked.bankroll is None else _cents(asked.bankroll),
            "horizon": asked.horizon,
            "paths": asked.paths,
            "seed": asked.seed,
            "confidence": asked.confidence,
            "notes": self.notes(),
            "tables": {"brackets": self.brackets(), "stakes": self.stakes()},
        }


def _cents(amount: Decimal) -> str:
    return f"{amount.quantize(CENT, ROUND_HALF_UP):f}"


def _row(quantity: str, value: object, unit: str, low: object = None, high: object = None) -> Row:
    return {"quantity": quantity, "value": value, "low": low, "high": high, "unit": unit}


def _estimate_row(quantity: str, found: Estimate, unit: str) -> Row:
    return _row(quantity, found.estimate, unit, found.low, found.high)


def _times(found: Estimate, factor: float) -> Estimate:
    scaled = [
        None if part is None else part * factor
        for part in (found.estimate, found.std_error, found.low, found.high)
    ]
    return Estimate(scaled[0], scaled[1], scaled[2], scaled[3], found.n)
