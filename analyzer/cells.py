"""The cells of a sweep: each a rule set with its policies, and how it differs from the others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from analyzer import grid, limits, rulesets
from analyzer.errors import FivesError
from analyzer.policies import Policy, policy, seat_policies
from analyzer.rulesets import RuleSet

Named = str | Policy


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes
    ----------
    values : the varied fields and their values here, as they are shown.
    rules : without a target where rounds are played.
    policies : one a seat.
    """

    values: Mapping[str, Any]
    rules: RuleSet
    policies: tuple[Policy, ...]

    @property
    def label(self) -> str:
        """The values in a few words."""
        return label_of(self.values)

    def shares_deals_with(self, other: Cell) -> bool:
        """Return whether both are dealt from the same shuffles: same set, same number of players."""
        return (self.rules.set, self.rules.players) == (other.rules.set, other.rules.players)

    def as_dict(self) -> dict[str, Any]:
        """Return the cell as plain JSON values."""
        return {
            "values": dict(self.values),
            "rules": self.rules.as_dict(),
            "policies": [policy.as_dict() for policy in self.policies],
        }


def label_of(values: Mapping[str, Any]) -> str:
    """Return values as "hand=5,spinner=none"."""
    return ",".join(f"{field}={value}" for field, value in values.items())


@contextmanager
def naming(values: Mapping[str, Any]) -> Iterator[None]:
    """Put the cell of these values in front of the sentence of a mistake."""
    try:
        yield
    except FivesError as error:
        raise FivesError(f"cell {label_of(values)}: {error}") from error


def cells_of(
    name: str,
    axes: Sequence[grid.Axis],
    base: Mapping[str, Any],
    policies: Named | Sequence[Named],
    by_games: bool,
) -> tuple[Cell, ...]:
    """Return a cell for each combination of values, the base first; the last field varies fastest.

    Parameters
    ----------
    name : of the rule set. What is neither varied nor in `base` is the set's own for the players of the cell.
    base : fields of the rule set and their values in every cell.
    policies : one for all seats, one a side, or one a seat; a varied policy replaces them.
    by_games : whether games are played; else the cells have no target.

    Raises
    ------
    FivesError
        Where a cell cannot be played; it names the cell.
    """
    grid.check_size(axes)
    fields = [field for field, _ in axes]
    _check_fields(fields, base, by_games)
    found = []
    for combination in itertools.product(*(values for _, values in axes)):
        values = dict(zip(fields, combination, strict=True))
        shown = {field: value.name if isinstance(value, Policy) else value for field, value in values.items()}
        with naming(shown):
            rules = _rules(name, {**base, **values}, by_games)
            found.append(Cell(shown, rules, _seats(policies, values, rules)))
    return tuple(found)


def _check_fields(fields: Sequence[str], base: Mapping[str, Any], by_games: bool) -> None:
    for field in [*fields, *base]:
        grid.check_field(field)
    for field in base:
        if field in fields:
            raise FivesError(f"{field} is varied and given for all cells too: leave one of the two out.")
    if not by_games and "target" in (*fields, *base):
        raise FivesError("target is for games: rounds are played without one, so leave it out.")


def _rules(name: str, chosen: Mapping[str, Any], by_games: bool) -> RuleSet:
    fields = {field: value for field, value in chosen.items() if field in grid.RULE_FIELDS}
    if isinstance(fields.get("sides"), str):
        players = fields.get("players", rulesets.DEFAULT_PLAYERS)
        partners = fields["sides"] == grid.PARTNERS
        fields["sides"] = rulesets.PARTNERS if partners else tuple(range(players))
    rules = rulesets.rule_set(name, **fields)
    if by_games and rules.target is None:
        raise limits.no_target()
    return rules if by_games else rules.replace(target=None)


def _seats(
    policies: Named | Sequence[Named], values: Mapping[str, Any], rules: RuleSet
) -> tuple[Policy, ...]:
    """Return the policy of each seat: the varied one of all seats or of its side, else the one given."""
    seats = list(seat_policies(values.get(grid.POLICY, policies), rules.sides))
    for field, value in values.items():
        side = None if field in grid.RULE_FIELDS else grid.policy_side(field)
        if side is None:
            continue
        if side >= rules.side_count:
            raise FivesError(f"{field} has no side: the sides are 0 to {rules.side_count - 1}.")
        chosen = value if isinstance(value, Policy) else policy(value)
        seats = [chosen if own == side else held for own, held in zip(rules.sides, seats, strict=True)]
    return tuple(seats)
