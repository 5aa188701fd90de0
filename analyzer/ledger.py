"""What of a range of games has been played, and what that added up to.

Parts may come in any order, so what is done is a set of spans. A part is anything with `+`; totals are whole
numbers, so the order leaves no trace in them.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from analyzer.errors import FivesError


class Part(Protocol):
    """Whole-number totals of some games."""

    def __add__(self, other: Any) -> Any:
        """Return the totals of both."""
        ...


T = TypeVar("T", bound=Part)
Span = tuple[int, int]  # first game, and the game after the last


class Ledger(Generic[T]):
    """Spans of games that are done and the totals of all of them; safe to use from several threads.

    Parameters
    ----------
    total : the totals of no games, or of the spans in `done`.
    done : spans that are already counted in `total`.
    """

    def __init__(self, total: T, done: Sequence[Span] = ()) -> None:
        self._lock = threading.Lock()
        self._total = total
        self._done = joined(done)

    def add(self, span: Span, part: T) -> None:
        """Count a part.

        Raises
        ------
        FivesError
            Where some of its games are counted already.
        """
        with self._lock:
            self._done = joined([*self._done, span])
            self._total = self._total + part

    def state(self) -> tuple[list[Span], T]:
        """Return the spans that are done and their totals, as of one moment."""
        with self._lock:
            return list(self._done), self._total

    @property
    def games(self) -> int:
        """Number of games that are done."""
        return sum(stop - start for start, stop in self.state()[0])

    def missing(self, span: Span) -> list[Span]:
        """Return what of a span is not done yet, in ascending order."""
        gaps = []
        first, last = span
        for start, stop in self.state()[0]:
            if stop <= first or start >= last:
                continue
            if start > first:
                gaps.append((first, start))
            first = max(first, stop)
        if first < last:
            gaps.append((first, last))
        return gaps


def joined(spans: Sequence[Span]) -> list[Span]:
    """Return spans in ascending order, those that touch made one; FivesError where two overlap."""
    result: list[Span] = []
    for start, stop in sorted(spans):
        if result and start < result[-1][1]:
            raise FivesError(f"games {start} to {min(stop, result[-1][1]) - 1} are counted twice.")
        if result and start == result[-1][1]:
            result[-1] = (result[-1][0], stop)
        else:
            result.append((start, stop))
    return result
