"""What a report is made of: the tables of one run and the facts that its captions tell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas


@dataclass(frozen=True)
class Material:
    """The tables of one run, and what was run.

    Attributes
    ----------
    command : the kind of run: "simulate", "compare", "sweep", "openings".
    rules : every field of the rule set, by its name; in a sweep those of its first cell.
    rules_told : the rule set in a few words.
    policies : the name of each seat's policy; in a comparison of each policy compared.
    unit : what was played, in the plural: "games", "rounds" or "deals".
    done : how many of them.
    seed, confidence : as run; 0.95 for intervals of 95 %.
    summary : metric, scope, estimate, std_error, low, high, n, unit.
    tables : the other tables by name.
    facts : what else is on record of the run, by the keys of its manifest.
    """

    command: str
    rules: Mapping[str, Any]
    rules_told: str
    policies: tuple[str, ...]
    unit: str
    done: int
    seed: int
    confidence: float
    summary: pandas.DataFrame
    tables: Mapping[str, pandas.DataFrame]
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sides(self) -> int:
        """Number of sides that hold a score."""
        return len(set(self.rules["sides"]))

    @property
    def has_exact_target(self) -> bool:
        """Whether games went to a target that refuses what would pass it."""
        return self.rules["target"] is not None and self.rules["target_kind"] == "exact"

    @property
    def by_games(self) -> bool:
        """Whether games to a target were played, not single rounds."""
        return self.unit == "games" or (self.unit == "deals" and self.rules["target"] is not None)

    def metric(self, name: str, scope: str = "all") -> Measured | None:
        """Return a row of the summary, or None where the run has no such row or no value in it."""
        found = self.summary[(self.summary["metric"] == name) & (self.summary["scope"] == scope)]
        if found.empty or pandas.isna(found["estimate"].iloc[0]):
            return None
        row = found.iloc[0]
        return Measured(float(row["estimate"]), float(row["low"]), float(row["high"]), int(row["n"]))

    def scopes(self, name: str) -> dict[str, Measured]:
        """Return the rows of a metric that have a value, by scope, in the order of the summary."""
        labels = self.summary.loc[self.summary["metric"] == name, "scope"]
        found = {str(label): self.metric(name, str(label)) for label in labels}
        return {label: row for label, row in found.items() if row is not None}


@dataclass(frozen=True)
class Measured:
    """An estimate with its interval and the number of its cases; the bounds are NaN where there is none."""

    estimate: float
    low: float
    high: float
    n: int

    @property
    def has_interval(self) -> bool:
        """Whether both bounds are known; one case has none."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    def holds(self, value: float) -> bool:
        """Whether the interval holds a value, or is missing, so that a claim about it must be hedged."""
        return not self.has_interval or self.low <= value <= self.high
