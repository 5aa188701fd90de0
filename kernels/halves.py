"""Hands of the double-six set as masks of halves, so that one AND lists the placements.

Bit t of a mask of halves is the lower half of tile t, bit TILES + t its higher half: that is the order in
which ties are listed. A double has one way to join, at its lower half. 56 halves fit one int64; the
double-nine set's 110 do not, so it is played by tiles alone (`kernels.placements`).
"""

from __future__ import annotations

import numpy as np

from kernels.bounds import COUNTS
from kernels.jit import inlined
from kernels.tiles import FIVES, HIGH, LOW, PIPS

TILES = 28
VALUES = 7
HALVES = 2 * TILES
TILE_MASK = (1 << TILES) - 1
COUNT_MASK = COUNTS // 2 - 1  # no layout of this set counts so much
LEADS_FROM = COUNT_MASK  # stands for the count before the lead


def ways(half: int) -> tuple[int, int]:
    """Return the value of a half, and that of the other half of its tile."""
    low, high = int(LOW[half % TILES]), int(HIGH[half % TILES])
    return (low, high) if half < TILES else (high, low)


def _all_halves() -> list[int]:
    """Return the halves that may join: of a double only the lower one."""
    return [half for half in range(HALVES) if half < TILES or ways(half)[0] != ways(half)[1]]


def _mask_of(halves: object) -> int:
    return sum(1 << half for half in halves)  # type: ignore[attr-defined]


# by value: the halves of that value
JOINING = np.array([_mask_of(half for half in _all_halves() if ways(half)[0] == v) for v in range(VALUES)])


@inlined
def halves_of(hand):
    """Return a mask of tiles as a mask of both halves of each; the higher half of a double joins nothing."""
    return hand | hand << TILES


@inlined
def tiles_of(halves):
    """Return the mask of the tiles that have a half in the mask."""
    return (halves | halves >> TILES) & TILE_MASK


# Halves by the count that they leave: at an ordinary end, where they complete a double's line, at another
# side of a double. Leads are listed as ends. A row is half a line of the cache.
LEAVING = np.dtype(
    (np.record, [("end", np.int64), ("line", np.int64), ("side", np.int64), ("unused", np.int64)])
)


def _leaving(count: int, wanted: object) -> tuple[int, int, int, int]:
    """Return the halves that turn this count into one that is wanted."""
    if count == LEADS_FROM:
        return _mask_of(tile for tile in range(TILES) if wanted(int(PIPS[tile]))), 0, 0, 0  # type: ignore[operator]
    found = [0, 0, 0]
    for half in _all_halves():
        joined, other = ways(half)
        at_end = joined if joined == other else other - joined
        for way, change in enumerate((at_end, other - 2 * joined, other)):
            if wanted(count + change):  # type: ignore[operator]
                found[way] |= 1 << half
    return found[0], found[1], found[2], 0


# by count: the halves that leave a positive multiple of five
SCORING = np.array(
    [_leaving(c, lambda left: left > 0 and left % FIVES == 0) for c in range(COUNT_MASK + 1)], LEAVING
)

# the same apart by what they leave, from the highest multiple down; no placement changes a count by more
_REACH = 12
LEVELS = 2 * _REACH // FIVES + 1


def _level(count: int, level: int) -> int:
    """Return the multiple of five that a level of a count stands for."""
    highest = _REACH if count == LEADS_FROM else count + _REACH
    return (highest // FIVES - level) * FIVES


BY_LEVEL = np.array(
    [
        [_leaving(c, lambda left, c=c, level=level: left == _level(c, level) > 0) for level in range(LEVELS)]
        for c in range(COUNT_MASK + 1)
    ],
    LEAVING,
)
