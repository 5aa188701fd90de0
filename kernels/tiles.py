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


def _mask_of(tiles: object) -> int:
    return sum(1 << int(tile) for tile in tiles)  # type: ignore[attr-defined]


def _by_values(belongs: object) -> np.ndarray:
    """Return the table: mask of values -> mask of the tiles for which `belongs(tile, values)`."""
    return np.array(
        [_mask_of(t for t in range(MAX_TILES) if belongs(t, values)) for values in range(VALUE_MASKS)],  # type: ignore[operator]
        np.int64,
    )


OF_LOW = _by_values(lambda tile, values: values >> LOW[tile] & 1)  # lower half among the values, doubles too
OF_HIGH = _by_values(lambda tile, values: values >> HIGH[tile] & 1 and HIGH[tile] != LOW[tile])
PLAYABLE = OF_LOW | OF_HIGH  # tiles with a half among the values
# Tiles whose lower (higher) half has binary digit d set, row d: pips of a mask are then a few popcounts
DIGITS = 4
LOW_DIGIT = np.array(
    [_mask_of(t for t in range(MAX_TILES) if LOW[t] >> d & 1) for d in range(DIGITS)], np.int64
)
HIGH_DIGIT = np.array(
    [_mask_of(t for t in range(MAX_TILES) if HIGH[t] >> d & 1) for d in range(DIGITS)], np.int64
)
DOUBLES = _mask_of(t for t in range(MAX_TILES) if HIGH[t] == LOW[t])
# Who opens by the highest double: doubles by value; below them all, the others by pips, then by higher half
_DOUBLE_RANK = 1000
OPENING_RANK = np.where(HIGH == LOW, _DOUBLE_RANK + HIGH, 2 * VALUES * PIPS + HIGH)

# Tiles that bring the count to a positive multiple of five: row = count before, column = way to join
FIVES = 5
END_LOW, END_HIGH, SIDE_LOW, SIDE_HIGH, LINE_LOW, LINE_HIGH = range(6)  # LINE: completes the double's line
_CHANGES = (
    lambda high, low: low if high == low else high - low,
    lambda high, low: low - high,
    lambda high, low: high,
    lambda high, low: low,
    lambda high, low: high - 2 * low,
    lambda high, low: low - 2 * high,
)


def _scores(count: int) -> bool:
    return count > 0 and count % FIVES == 0


FIVES_FROM = np.zeros((COUNTS, 8), np.int64)  # a row is one line of the cache
for _count in range(COUNTS):
    for _column, _change in enumerate(_CHANGES):
        FIVES_FROM[_count, _column] = _mask_of(
            t for t in range(MAX_TILES) if _scores(_count + _change(int(HIGH[t]), int(LOW[t])))
        )
FIVES_LEAD = _mask_of(t for t in range(MAX_TILES) if _scores(int(PIPS[t])))
