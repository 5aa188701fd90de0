"""Tile numbers and lookup tables, one numbering for the double-six and the double-nine set.

Tile a-b with a >= b has the number a(a+1)/2 + b, so the double-six set is the first 28 of the 55.
A set of tiles is an int64 mask of these numbers, a set of values an int64 mask of 10 bits.
"""

from __future__ import annotations

import numpy as np

from kernels.bounds import COUNTS

MAX_TILES = 55
VALUES = 10
VALUE_MASKS = 1 << VALUES
ROOM = 64  # tables over tiles have room for every 6-bit index, so that none needs a check

HIGH = np.zeros(ROOM, np.int64)  # the tile's higher half
LOW = np.zeros(ROOM, np.int64)
for _high in range(VALUES):
    for _low in range(_high + 1):
        HIGH[_high * (_high + 1) // 2 + _low] = _high
        LOW[_high * (_high + 1) // 2 + _low] = _low
PIPS = HIGH + LOW
VALUES_OF = (1 << HIGH) | (1 << LOW)  # mask of the tile's one or two values
IDENTITY = np.arange(MAX_TILES)  # the unshuffled order


_TILES = np.arange(MAX_TILES)
_HIGH, _LOW = HIGH[:MAX_TILES], LOW[:MAX_TILES]


def masks(belongs: np.ndarray, places: np.ndarray = _TILES) -> np.ndarray:
    """Return masks from flags.

    Parameters
    ----------
    belongs : bool or 0 and 1 (..., n).
    places : int64 (n,), the bit of each.
    """
    return (belongs.astype(np.int64) << places).sum(axis=-1)


# By mask of values
_VALUES = np.arange(VALUE_MASKS)[:, None]
OF_LOW = masks(_VALUES >> _LOW & 1)  # tiles with the lower half among the values, doubles too
OF_HIGH = masks((_VALUES >> _HIGH & 1) * (_HIGH != _LOW))
PLAYABLE = OF_LOW | OF_HIGH  # tiles with a half among the values
# Tiles whose lower (higher) half has binary digit d set, row d: pips of a mask are then a few popcounts
DIGITS = 4
LOW_DIGIT = masks(_LOW >> np.arange(DIGITS)[:, None] & 1)
HIGH_DIGIT = masks(_HIGH >> np.arange(DIGITS)[:, None] & 1)
DOUBLES = int(masks(_HIGH == _LOW))
# Who opens by the highest double: doubles by value; below them all, the others by pips, then by higher half
_DOUBLE_RANK = 1000
OPENING_RANK = np.where(HIGH == LOW, _DOUBLE_RANK + HIGH, 2 * VALUES * PIPS + HIGH)

# Tiles that bring the count to a positive multiple of five: row = count before, column = way to join
FIVES = 5
END_LOW, END_HIGH, SIDE_LOW, SIDE_HIGH, LINE_LOW, LINE_HIGH = range(6)  # LINE: completes the double's line
_CHANGES = (
    np.where(_HIGH == _LOW, _LOW, _HIGH - _LOW),
    _LOW - _HIGH,
    _HIGH,
    _LOW,
    _HIGH - 2 * _LOW,
    _LOW - 2 * _HIGH,
)


def scores(counts: np.ndarray) -> np.ndarray:
    """Return whether counts are positive multiples of five."""
    return (counts > 0) & (counts % FIVES == 0)


FIVES_FROM = np.zeros((COUNTS, 8), np.int64)  # a row is one line of the cache
for _column, _change in enumerate(_CHANGES):
    FIVES_FROM[:, _column] = masks(scores(np.arange(COUNTS)[:, None] + _change))
FIVES_LEAD = int(masks(scores(PIPS[:MAX_TILES])))
