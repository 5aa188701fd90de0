"""How the values of one figure are told and ticked: as percentages, percentage points or plain numbers."""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matplotlib.ticker import FuncFormatter, MaxNLocator

if TYPE_CHECKING:
    from matplotlib.axis import Axis

    from reports.words import Words

PERCENT, POINTS, NUMBER = "percent", "points", "number"
_MOST_DIGITS = 3
_LABEL_LETTERS = 50  # a line of an axis label: half of a figure's width stays free for tick labels


@dataclass(frozen=True)
class Scale:
    """How values are told.

    Attributes
    ----------
    form : "percent" for shares; "points" for differences of shares, in percentage points; "number".
    digits : decimals.
    signed : whether a positive value has its sign.
    words : of the reader's language.
    """

    form: str
    digits: int
    signed: bool
    words: Words

    def tell(self, value: float) -> str:
        """Return a value in words."""
        return _told(self.words, self.form, value, self.digits, self.signed)

    def interval(self, low: float | None, high: float | None) -> str:
        """Return an interval in words; that there is none where a bound is missing."""
        if low is None or high is None:
            return self.words("no interval")
        return self.words.interval(self.tell(low), self.tell(high))

    def tell_all(self, value: float, low: float | None, high: float | None) -> str:
        """Return a value and its interval in words."""
        return self.words(
            "{estimate} ({interval})", estimate=self.tell(value), interval=self.interval(low, high)
        )


def scale_of(words: Words, form: str, widths: Iterable[float], *, signed: bool = False) -> Scale:
    """Return the scale that tells values to the digits that the narrowest of their intervals needs.

    Parameters
    ----------
    widths : of the intervals, in the unit of the values; those that are 0 or NaN say nothing.
    """
    factor = 1 if form == NUMBER else 100
    told = [factor * width for width in widths if width > 0]
    digits = math.ceil(-math.log10(min(told) / 2)) + 1 if told else 1
    fewest = 1 if form != NUMBER else 0
    return Scale(form, min(max(digits, fewest), _MOST_DIGITS), signed, words)


def tick(axis: Axis, words: Words, form: str, *, signed: bool = False, most: int = 6) -> None:
    """Write an axis's ticks in words, with as many decimals as tell them apart."""
    axis.set_major_locator(MaxNLocator(nbins=most - 1, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(_ticks(axis, words, form, signed)))


def _ticks(axis: Axis, words: Words, form: str, signed: bool) -> Callable[[float, int | None], str]:
    factor = 1 if form == NUMBER else 100

    def tell(value: float, _: int | None) -> str:
        places = sorted(axis.get_majorticklocs())
        steps = [b - a for a, b in itertools.pairwise(places)]
        digits = _decimals(factor * min(steps)) if steps else 1
        return _told(words, form, value, digits, signed)

    return tell


def _decimals(step: float) -> int:
    """Return the decimals that a step of 1, 2, 2.5 or 5 times a power of ten has."""
    return next((digits for digits in range(6) if math.isclose(step, round(step, digits), rel_tol=1e-6)), 6)


def _told(words: Words, form: str, value: float, digits: int, signed: bool) -> str:
    if form == PERCENT:
        return words.percent(value, digits, signed=signed)
    if form == POINTS:
        return words.points(value, digits, signed=signed)
    return words.number(value, digits, signed=signed)


def lines_of(text: str, letters: int = _LABEL_LETTERS) -> str:
    """Return a text in lines of at most so many letters, for a label that matplotlib would cut."""
    return textwrap.fill(text, letters)


def more_lines(texts: Iterable[str], letters: int) -> int:
    """Return how many lines the longest of some texts takes beyond its first."""
    return max((lines_of(text, letters).count("\n") for text in texts), default=0)
