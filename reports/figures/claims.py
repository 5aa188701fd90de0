"""What may be claimed of an estimate: only what its interval leaves no doubt about.

A missing bound (None or NaN) is doubt, so nothing is claimed without an interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Protocol, TypeVar

from reports.figures.forest import Point, number_or_none


class Bounded(Protocol):
    """Anything with an estimate and an interval."""

    @property
    def estimate(self) -> float:
        """Its value."""
        ...

    @property
    def low(self) -> float | None:
        """Lower bound of its interval."""
        ...

    @property
    def high(self) -> float | None:
        """Upper bound of its interval."""
        ...


_Any = TypeVar("_Any", bound=Bounded)


def is_above(found: Bounded, value: float) -> bool:
    """Return whether the whole interval lies above a value."""
    return found.low is not None and found.low > value


def is_below(found: Bounded, value: float) -> bool:
    """Return whether the whole interval lies below a value."""
    return found.high is not None and found.high < value


def are_apart(one: Bounded, other: Bounded) -> bool:
    """Return whether two intervals have nothing in common."""
    return any(
        a.low is not None and b.high is not None and a.low > b.high for a, b in ((one, other), (other, one))
    )


def extremes(found: Sequence[_Any]) -> tuple[_Any, _Any]:
    """Return those of the highest and of the lowest estimate, the first of equal ones."""
    return max(found, key=lambda each: each.estimate), min(found, key=lambda each: each.estimate)


def row(name: str, found: Bounded, group: int = 0) -> Point:
    """Return an estimate as a named row, with None for bounds that it lacks."""
    return Point(name, found.estimate, number_or_none(found.low), number_or_none(found.high), group)


def as_one_of(point: Point, many: int, confidence: float) -> Point:
    """Return an estimate that was picked from many, its interval widened to allow for that (Bonferroni).

    Parameters
    ----------
    many : how many it was picked from.
    confidence : of its interval, taken as a normal one on each side.
    """
    if point.low is None or point.high is None:
        return point
    normal = NormalDist()
    wider = normal.inv_cdf(1 - (1 - confidence) / (2 * many)) / normal.inv_cdf((1 + confidence) / 2)
    low = point.estimate - wider * (point.estimate - point.low)
    high = point.estimate + wider * (point.high - point.estimate)
    return Point(point.name, point.estimate, low, high, point.group)
