"""What stakes come to, as rows, JSON and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from analyzer.commission import CENT, SOURCE_NOTE, SOURCE_STAKE, Terms, break_even
from analyzer.commission_answer import Answer, Expected
from analyzer.commission_table import own_table
from analyzer.stats import Estimate

Row = dict[str, Any]
CURVE_POINTS = 200  # stakes of the table `stakes`


def summary(answer: Answer) -> list[Row]:
    """Return one row a quantity: quantity, value, low, high, unit; money has two decimals."""
    per_hour = answer.question.games_per_hour
    rows = [
        _row("commission", _cents(answer.mean("commission")), "money, each player"),
        _row("winner_receives", _cents(answer.mean("winner_receives")), "money"),
        _row("loser_loses", _cents(answer.mean("loss")), "money"),
        _row("break_even", answer.break_even, "rate"),
    ]
    if answer.expected is not None:
        rows.append(_estimate_row("win_rate", answer.expected.win_rate, "rate"))
        rows.append(_estimate_row("expected_per_game", answer.expected.money, "money"))
        if per_hour is not None:
            rows.append(_estimate_row("expected_per_hour", _times(answer.expected.money, per_hour), "money"))
    return [*rows, *_ruin_rows(answer)]


def _ruin_rows(answer: Answer) -> Iterator[Row]:
    if answer.needs is None:
        return
    asked = answer.question
    if asked.bankroll is not None:
        yield _estimate_row("risk_of_ruin", answer.needs.ruin(asked.bankroll, asked.confidence), "rate")
    value, low, high = map(_cents, answer.needs.bankroll(asked.confidence))
    yield _row("bankroll_for_5_percent", value, "money", low, high)


def brackets(answer: Answer) -> list[Row]:
    """Return one row a bracket: from, to, percent, break_even and edge, without rounding to cents."""
    rows = []
    for bracket in answer.terms.table.brackets:
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


def stakes(answer: Answer) -> list[Row]:
    """Return what other stakes would come to, the stake alone: for a curve of edge against stake."""
    last = answer.terms.table.brackets[-1].low or answer.terms.stake
    step = max((2 * last / CURVE_POINTS).quantize(CENT, ROUND_HALF_UP), CENT)
    rate = None if answer.expected is None else answer.expected.win_rate.estimate
    rows = []
    for number in range(1, CURVE_POINTS + 1):
        purse = Terms(number * step, Decimal(0), answer.terms.table).purse(0)
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


def sentences(answer: Answer) -> list[str]:
    """Return what the numbers mean, in words."""
    found = [_terms_sentence(answer)]
    if answer.expected is not None:
        found.append(_verdict(answer, answer.expected))
        found.append(
            f"Ruin and bankroll: {answer.question.paths:,} simulated rows of {answer.question.horizon:,} "
            f"games, seed {answer.question.seed}; ruined is who cannot stake the next game."
        )
    return [*found, *notes(answer)]


def _terms_sentence(answer: Answer) -> str:
    if answer.takes_differences:
        record = answer.question.record
        assert record is not None
        return (
            "Commission, receipts and loss are means over the points between the two in the run's games "
            f"to {record.target}."
        )
    (purse, _) = answer.purses[0]
    amount = purse.stake + purse.extra / 2
    return f"{_cents(amount)} is in {answer.terms.table.bracket(amount).name}: {purse.percent:f} % from each."


def _verdict(answer: Answer, expected: Expected) -> str:
    record = answer.question.record
    who = "This win rate" if record is None else f"{record.names[0]} against {record.names[1]}"
    low, high = expected.money.low, expected.money.high
    mean = expected.money.estimate
    assert mean is not None
    if low is not None and high is not None and low <= 0 <= high:
        return f"{who} may gain or lose: {mean:+.4f} a game, and the interval holds 0."
    if mean == 0:
        return f"{who} neither gains nor loses on average."
    return f"{who} {'gains' if mean > 0 else 'loses'} {abs(mean):.4f} a game on average."


def notes(answer: Answer) -> list[str]:
    """Return what the user should know of the source."""
    is_source = answer.terms.table.brackets == own_table().brackets
    return (
        [SOURCE_NOTE] if is_source and answer.terms.stake == SOURCE_STAKE and not answer.terms.price else []
    )


def as_dict(answer: Answer) -> dict[str, Any]:
    """Return all of it as plain JSON values; money is text with two decimals, expected values numbers."""
    rows = summary(answer)
    values = {row["quantity"]: row["value"] for row in rows}
    intervals = {row["quantity"]: [row["low"], row["high"]] for row in rows if row["low"] is not None}
    asked = answer.question
    return {
        "stake": _cents(answer.terms.stake),
        "point_price": _cents(answer.terms.price),
        "points": asked.points,
        "percent": None if answer.takes_differences else float(answer.purses[0][0].percent),
        **values,
        "intervals": intervals,
        "bankroll": None if asked.bankroll is None else _cents(asked.bankroll),
        "horizon": asked.horizon,
        "paths": asked.paths,
        "seed": asked.seed,
        "confidence": asked.confidence,
        "notes": notes(answer),
        "tables": {"brackets": brackets(answer), "stakes": stakes(answer)},
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
