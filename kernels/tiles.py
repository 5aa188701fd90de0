"""Tile numbers and lookup tables, one numbering for the double-six and the double-nine set.

Tile a-b with a >= b has the number a(a+1)/2 + b, so the double-six set is the first 28 of the 55.
A set of tiles is an int64 mask of these numbers, a set of values an int64 mask of 10 bits.
"""

from __future__ import annotations

import numpy as np

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
DOUBLES = _mask_of(t for t in range(MAX_TILES) if HIGH[t] == LOW[t])

# Tiles that bring a count of residue r (mod 5) to a multiple of five: row r of each table
FIVES = 5


def _by_residue(change: object) -> np.ndarray:
    return np.array(
        [_mask_of(t for t in range(MAX_TILES) if (r + change(t)) % FIVES == 0) for r in range(FIVES)],  # type: ignore[operator]
        np.int64,
    )


FIVES_LEAD = _by_residue(lambda tile: PIPS[tile])
FIVES_END_LOW = _by_residue(lambda tile: HIGH[tile] - LOW[tile] or LOW[tile])  # a double adds its value
FIVES_END_HIGH = _by_residue(lambda tile: LOW[tile] - HIGH[tile])
FIVES_SIDE_LOW = _by_residue(lambda tile: HIGH[tile])
FIVES_SIDE_HIGH = _by_residue(lambda tile: LOW[tile])
FIVES_LINE_LOW = _by_residue(lambda tile: HIGH[tile] - 2 * LOW[tile])  # completes the double's line
FIVES_LINE_HIGH = _by_residue(lambda tile: LOW[tile] - 2 * HIGH[tile])


def full_set(tiles: int) -> int:
    """Return the mask of all tiles of a set of 28 or 55."""
    return (1 << tiles) - 1
