"""How an answer tells a number: with its interval, and with as many digits as the interval bears."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.material import Measured
    from reports.words import Words

_MOST_DIGITS = 3


def digits_of(width: float) -> int:
    """Return how many decimals show an interval of this width: its first digit and one more, 1 to 3."""
    if not width > 0:  # NaN where there is no interval
        return 1
    return min(max(ceil(-log10(width)) + 1, 1), _MOST_DIGITS)


def rate(found: Measured, words: Words) -> str:
    """Return a rate with its interval: "67.3 % (66.8 % to 67.8 %)"."""
    digits = digits_of(100 * (found.high - found.low))
    return _told(found, lambda share: words.percent(share, digits), words)


def number(found: Measured, words: Words, *, signed: bool = False) -> str:
    """Return a number with its interval: "+4.26 (+3.94 to +4.59)" where it is signed."""
    digits = digits_of(found.high - found.low)
    return _told(found, lambda value: words.number(value, digits, signed=signed), words)


def percentage_points(found: Measured, words: Words, *, signed: bool = True) -> str:
    """Return a difference of rates with its interval, in percentage points without their name."""
    digits = digits_of(100 * (found.high - found.low))
    return _told(found, lambda share: words.points(share, digits, signed=signed), words)


def _told(found: Measured, tell: Callable[[float], str], words: Words) -> str:
    """Return an estimate with its interval, or that it has none."""
    bounds = words.interval(tell(found.low), tell(found.high)) if found.has_interval else words("no interval")
    return words("{estimate} ({interval})", estimate=tell(found.estimate), interval=bounds)
