"""The section on stakes of a report: what the commission leaves of the edge that a comparison found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer import commission_report
from analyzer.commission import Terms, money
from analyzer.commission_answer import Answer, Question
from analyzer.commission_runs import Record, record_in
from analyzer.commission_table import load_table, own_table
from analyzer.compare import Comparison
from analyzer.errors import FivesError
from analyzer.plans import Result
from analyzer.stats import Estimate

NO_PRICE = "0"


@dataclass(frozen=True)
class Stakes:
    """What the two policies of a comparison play for.

    Attributes
    ----------
    stake : of each player, such as "12.50".
    target : of the games; None: the run's, whatever the table of commissions is for.
    point_price : what the loser pays for each raw point between the two.
    table : another table of commissions than the source's, a TOML file.
    bankroll : the money at hand, for the risk of ruin.
    """

    stake: str
    target: int | None = None
    point_price: str = NO_PRICE
    table: str | None = None
    bankroll: str | None = None

    @property
    def options(self) -> list[str]:
        """The options of `fives report` that say the same."""
        given = {
            "--stake": self.stake,
            "--target": self.target,
            "--point-price": None if self.point_price == NO_PRICE else self.point_price,
            "--table": self.table,
            "--bankroll": self.bankroll,
        }
        return [word for name, value in given.items() if value is not None for word in (name, str(value))]


def stakes_told(result: Result, stakes: Stakes) -> dict[str, Any]:
    """Return what stakes come to for the first policy of a comparison against its second, as plain values.

    Raises
    ------
    FivesError
        For amounts that are none, a table that is unfit or for another target, and for a run that is no
        comparison of two policies on two sides, game by game.
    """
    record = _record(result, stakes)
    table = own_table() if stakes.table is None else load_table(Path(stakes.table))
    table.check_target(stakes.target)
    terms = Terms(money("stake", stakes.stake), money("point price", stakes.point_price, zero=True), table)
    bankroll = None if stakes.bankroll is None else money("bankroll", stakes.bankroll, zero=True)
    confidence = result.plan.confidence
    answer = Answer(Question(terms=terms, record=record, bankroll=bankroll, confidence=confidence))
    expected = answer.expected
    assert expected is not None
    rows = {row["quantity"]: row for row in commission_report.summary(answer)}
    return {
        "names": list(record.names),
        "target": record.target,
        "stake": float(terms.stake),
        "price": float(terms.price),
        "percent": None if answer.takes_differences else float(answer.purses[0][0].percent),
        "commission": float(rows["commission"]["value"]),
        "winner_receives": float(rows["winner_receives"]["value"]),
        "break_even": answer.break_even,
        "win_rate": _bounds(expected.win_rate),
        "expected": _bounds(expected.money),
        "bankroll": None if bankroll is None else float(bankroll),
        "risk": None
        if bankroll is None
        else [rows["risk_of_ruin"][name] for name in ("value", "low", "high")],
        "needed": float(rows["bankroll_for_5_percent"]["value"]),
        "games": answer.question.horizon,
        "paths": answer.question.paths,
        "is_own_table": table.brackets == own_table().brackets,
        "brackets": commission_report.brackets(answer),
        "stakes": commission_report.stakes(answer),
    }


def _record(result: Result, stakes: Stakes) -> Record:
    plan = result.plan
    if not isinstance(plan, Comparison):
        raise FivesError(
            f"stakes are for games of two policies and this is a run of {plan.command}: leave --stake out."
        )
    record = record_in(plan, result.total, "the run")
    if stakes.target is not None and stakes.target != record.target:
        raise FivesError(
            f"target is {stakes.target} and the run's games go to {record.target}: leave --target out."
        )
    return record


def _bounds(found: Estimate) -> list[float | None]:
    return [found.estimate, found.low, found.high]
