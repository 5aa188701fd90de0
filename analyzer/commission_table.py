"""The table of commissions: brackets of stakes, each with the percentage that each player pays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

from analyzer.errors import FivesError, shown
from analyzer.tomlfile import read_toml

OWN_TABLE = Path(__file__).with_name("commission.toml")
MOST_PERCENT = 50
MOST_AMOUNT = 10**18  # more than any stake with the worth of its points
MOST_DECIMALS = 12


@dataclass(frozen=True)
class Bracket:
    """Stakes from `low` up to, and without, `high` (None: without end), and the percentage of them."""

    low: Decimal
    high: Decimal | None
    percent: Decimal

    def holds(self, amount: Decimal) -> bool:
        """Whether the amount lies in the bracket."""
        return self.low <= amount and (self.high is None or amount < self.high)

    @property
    def name(self) -> str:
        """The bracket as a half-open interval: [10, 20)."""
        return f"[{self.low:f}, {'∞' if self.high is None else format(self.high, 'f')})"


@dataclass(frozen=True)
class CommissionTable:
    """A complete table: its brackets hold every amount from 0 once.

    Attributes
    ----------
    brackets : in ascending order.
    targets : raw points of the targets for which it is; empty: for any.
    """

    brackets: tuple[Bracket, ...]
    targets: tuple[int, ...]

    def bracket(self, amount: Decimal) -> Bracket:
        """Return the bracket of an amount of 0 or more."""
        return next(bracket for bracket in self.brackets if bracket.holds(amount))

    def check_target(self, target: int | None) -> None:
        """Raise FivesError where the table is not for games to this target."""
        if target is not None and self.targets and target not in self.targets:
            known = ", ".join(map(str, self.targets))
            raise FivesError(f"target is {target}: the table of commissions is for {known}.")


def own_table() -> CommissionTable:
    """Return the table of the rules' source."""
    return load_table(OWN_TABLE)


def load_table(path: Path) -> CommissionTable:
    """Return the table of a TOML file.

    Raises
    ------
    FivesError
        Where it cannot be read, is no such table, or leaves a gap or an overlap between brackets.
    """
    data = read_toml(path, "table of commissions", Decimal)
    try:
        return _table(data)
    except FivesError as error:
        raise FivesError(f"{path}: {error}") from error


def _table(data: Mapping[str, Any]) -> CommissionTable:
    if (other := next((key for key in data if key not in ("targets", "bracket")), None)) is not None:
        raise FivesError(
            f"{shown(other)} is no key of a table of commissions: it has targets and [[bracket]]."
        )
    rows = data.get("bracket")
    if not isinstance(rows, list) or not rows:
        raise FivesError("it has no brackets: give each as [[bracket]] with from, to and percent.")
    brackets = sorted((_bracket(row) for row in rows), key=lambda bracket: bracket.low)
    _check_whole(brackets)
    return CommissionTable(tuple(brackets), _targets(data.get("targets", [])))


def _bracket(row: Any) -> Bracket:
    if not isinstance(row, dict) or not {"from", "percent"} <= set(row) <= {"from", "to", "percent"}:
        raise FivesError(f"bracket {shown(row)} does not have from, percent and, but for the last, to.")
    low, percent = _number(row, "from"), _number(row, "percent")
    high = _number(row, "to") if "to" in row else None
    if high is not None and high <= low:
        raise FivesError(f"the bracket from {low:f} to {high:f} is empty: to must be more than from.")
    if percent >= MOST_PERCENT:
        raise FivesError(f"percent is {percent:f}: it must be less than {MOST_PERCENT}, or no winner gains.")
    return Bracket(low, high, percent)


def _number(row: Mapping[str, Any], key: str) -> Decimal:
    value = row[key]
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not Decimal(value).is_finite():
        told = value if isinstance(value, Decimal) else shown(value)
        raise FivesError(f"{key} is {told}: it must be a number.")
    number = Decimal(value)
    exponent = number.as_tuple().exponent
    if not 0 <= number <= MOST_AMOUNT:
        raise FivesError(f"{key} is {number:.10g}: it must be from 0 to {MOST_AMOUNT:,}.")
    if isinstance(exponent, int) and exponent < -MOST_DECIMALS:
        raise FivesError(f"{key} is {number:.10g}: it must have at most {MOST_DECIMALS} decimals.")
    return number


def _check_whole(brackets: Sequence[Bracket]) -> None:
    """Raise FivesError unless ascending brackets hold every amount from 0 exactly once."""
    if brackets[0].low != 0:
        raise FivesError(f"the brackets leave a gap below {brackets[0].low:f}: the first must begin at 0.")
    for one, two in pairwise(brackets):
        if one.high is None or one.high > two.low:
            raise FivesError(f"the brackets {one.name} and {two.name} overlap: each stake must be in one.")
        if one.high < two.low:
            raise FivesError(f"the brackets leave a gap from {one.high:f} to {two.low:f}: close it.")
    if brackets[-1].high is not None:
        raise FivesError(f"the brackets end at {brackets[-1].high:f}: leave out the last one's to.")


def _targets(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(type(each) is int and each > 0 for each in value):
        raise FivesError(f"targets is {shown(value)}: it must be a list of whole numbers above 0.")
    return tuple(value)
