"""Hands of the double-six set as masks of halves, so that one AND lists the placements.

Bit t of a mask of halves is the lower half of tile t, bit TILES + t its higher half: that is the order in
which ties are listed. A double has one way to join, at its lower half. 56 halves fit one int64; the
double-nine set's 110 do not, so it is played by tiles alone (`kernels.placements`).
"""

from __future__ import annotations

import numpy as np

from kernels.bounds import COUNTS
from kernels.jit import inlined
from kernels.tiles import FIVES, HIGH, LOW, PIPS, masks, scores

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


# the halves that may join, of a double only the lower one; the values of each and across it
_JOINS = np.array([half for half in range(HALVES) if half < TILES or ways(half)[0] != ways(half)[1]])
_JOINED, _OTHER = np.array([ways(int(half)) for half in _JOINS]).T

# by value: the halves of that value
JOINING = masks(np.arange(VALUES)[:, None] == _JOINED, _JOINS)


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
_CHANGES = {
    "end": np.where(_JOINED == _OTHER, _JOINED, _OTHER - _JOINED),
    "line": _OTHER - 2 * _JOINED,
    "side": _OTHER,
}
_COUNTS = np.arange(COUNT_MASK + 1)
# by way and count: the counts that the halves leave
_LEFT = {way: _COUNTS[:, None] + change for way, change in _CHANGES.items()}
_LEFT["end"][LEADS_FROM] = np.where(_JOINS < TILES, PIPS[_JOINS % TILES], 0)
_LEFT["line"][LEADS_FROM] = _LEFT["side"][LEADS_FROM] = 0

# by count: the halves that leave a positive multiple of five
SCORING = np.zeros(COUNT_MASK + 1, LEAVING)
for _way, _left in _LEFT.items():
    SCORING[_way] = masks(scores(_left), _JOINS)

# the same apart by the multiple that they leave, from the highest down; no placement changes a count by more
_REACH = 12
LEVELS = 2 * _REACH // FIVES + 1
# by count and level: the multiple that the level stands for; below 1 none does
_HIGHEST = (np.where(_COUNTS == LEADS_FROM, 0, _COUNTS) + _REACH) // FIVES * FIVES
LEVEL_COUNTS = _HIGHEST[:, None] - FIVES * np.arange(LEVELS)
BY_LEVEL = np.zeros((COUNT_MASK + 1, LEVELS), LEAVING)
for _way, _left in _LEFT.items():
    BY_LEVEL[_way] = masks((_left[:, None] == LEVEL_COUNTS[:, :, None]) & (_left[:, None] > 0), _JOINS)
