"""How an answer tells a number: with its interval, and with as many digits as the interval bears."""

from __future__ import annotations

from math import ceil, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.material import Measured
    from reports.words import Words

_MOST_DIGITS = 3


def digits_of(width: float) -> int:
    """Return how many decimals show an interval of this width: its first digit and one more, 1 to 3."""
    if width <= 0:
        return 1
    return min(max(ceil(-log10(width)) + 1, 1), _MOST_DIGITS)


def rate(found: Measured, words: Words) -> str:
    """Return a rate with its interval: "67.3 % (66.8 % to 67.8 %)"."""
    digits = digits_of(100 * (found.high - found.low))
    low, high = (words.percent(bound, digits) for bound in (found.low, found.high))
    return words(
        "{estimate} ({interval})",
        estimate=words.percent(found.estimate, digits),
        interval=words.interval(low, high),
    )


def number(found: Measured, words: Words, *, signed: bool = False) -> str:
    """Return a number with its interval: "+4.26 (+3.94 to +4.59)" where it is signed."""
    digits = digits_of(found.high - found.low)
    low, high = (words.number(bound, digits, signed=signed) for bound in (found.low, found.high))
    return words(
        "{estimate} ({interval})",
        estimate=words.number(found.estimate, digits, signed=signed),
        interval=words.interval(low, high),
    )


def percentage_points(found: Measured, words: Words, *, signed: bool = True) -> str:
    """Return a difference of rates with its interval, in percentage points without their name."""
    digits = digits_of(100 * (found.high - found.low))
    low, high = (words.points(bound, digits, signed=signed) for bound in (found.low, found.high))
    return words(
        "{estimate} ({interval})",
        estimate=words.points(found.estimate, digits, signed=signed),
        interval=words.interval(low, high),
    )
