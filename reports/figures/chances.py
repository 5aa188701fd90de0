"""The chances of a race, read from its table of scores, and what may be said of two of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from reports.figures.claims import are_apart, as_one_of
from reports.figures.forest import Point, points_of

if TYPE_CHECKING:
    import pandas

    from reports.material import Material

OWN, OTHER = "own", "other"
_CHANCE = ("win_rate", "low", "high")


@dataclass(frozen=True)
class Step:
    """Two own scores against one other: the chances at the lower and at the higher."""

    low: int
    high: int
    other: int
    lower: Point
    higher: Point


class Chances:
    """The table `scores` of a race for scores that are not negative, the own side opening.

    Parameters
    ----------
    material : of a race.
    """

    def __init__(self, material: Material) -> None:
        table = material.tables["scores"]
        is_drawn = (table["own"] >= 0) & (table["other"] >= 0) & (table["opener"] == OWN)
        self.table = table[is_drawn].reset_index(drop=True)
        self.confidence = material.confidence
        places = self.table[["own", "other"]].itertuples(index=False, name=None)
        points = points_of(self.table, [""] * len(self.table), _CHANCE)
        self._found: dict[tuple[int, int], Point] = dict(zip(places, points, strict=True))

    @cached_property
    def scores(self) -> list[int]:
        """All scores, ascending."""
        return sorted(set(self.table["own"].tolist()))

    def at(self, own: int, other: int) -> Point:
        """Return the chance with an own and an other score."""
        return self._found[own, other]

    def rows(self, own: Sequence[int], other: Sequence[int]) -> pandas.DataFrame:
        """Return the rows of these scores."""
        chosen = self.table["own"].isin(own) & self.table["other"].isin(other)
        return self.table[chosen].reset_index(drop=True)

    def worst_step(self, scores: Sequence[int]) -> Step | None:
        """Return where a higher own score lowers the chance most, of all pairs of these own scores."""
        steps = [
            Step(low, high, other, self.at(low, other), self.at(high, other))
            for low, high in itertools.combinations(scores, 2)
            for other in scores
        ]
        worst = max(steps, key=lambda step: step.lower.estimate - step.higher.estimate, default=None)
        return worst if worst is not None and worst.lower.estimate > worst.higher.estimate else None

    def is_told(self, step: Step, among: int) -> bool:
        """Whether a step is one beyond the intervals, widened for so many that it was picked from."""
        widened = [as_one_of(point, among, self.confidence) for point in (step.lower, step.higher)]
        return are_apart(*widened)
