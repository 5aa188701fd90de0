"""The layout as seven whole numbers: what may be played, and the running count.

Per value v nothing matters but the number of ordinary ends of v and the sides taken of the double v-v:

    ends       4 bits a value: ordinary ends of value v (at most 9)
    sides      4 bits a value: 0 while v-v is not on the table, else 1 + its sides taken (0 to 4)
    open_ends  mask of the values with an ordinary end
    open_sides mask of the values whose standing double has a side that may be played on
    one_taken  mask of the values whose standing double has one side taken: the next one completes its line
    four_sided mask of the values whose double is a spinner
    count      sum of the ends; a double counts twice its value until both in-line sides are taken

Arms need no rule of their own: sides are taken in the order in line, in line, arm, arm, since an arm may
start only when both in-line sides are taken.

A placement is one whole number, `tile + GROUP * group`. The first four groups, in the order in which ties
are listed: joining an ordinary end by the tile's lower half (doubles too), by its higher half, joining a
free side of a double by the lower half, by the higher half. The fifth is the lead. What a placement does is
a row of tables, so that no step of `place` has to guess which kind it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kernels.jit import inlined
from kernels.rules import SPINNER_ALL, SPINNER_FIRST
from kernels.tiles import HIGH, LOW, MAX_TILES, ROOM

GROUP = ROOM
TILE = GROUP - 1  # bits of the tile in a placement
BY_HIGH = GROUP  # bit: the tile's higher half joins
AT_SIDE = 2 * GROUP  # bit: at a free side of a standing double
LEAD = 4 * GROUP
PLACEMENTS = 512  # room of the tables: five groups, to the next power of two
ALL_VALUES = 0x3FF
FIELD = 4  # bits a value in `ends` and `sides`
FIELD_MASK = 15


class Layout(NamedTuple):
    """See the module's text; all fields int64."""

    ends: int
    sides: int
    open_ends: int
    open_sides: int
    one_taken: int
    four_sided: int
    count: int


# What a placement adds to `ends` and `sides`, and to `count`: the second half of COUNT_CHANGE is for those
# that complete a double's line; the value that joins; the mask of values that become ordinary ends
ENDS_CHANGE = np.zeros(PLACEMENTS, np.int64)
SIDES_CHANGE = np.zeros(PLACEMENTS, np.int64)
COUNT_CHANGE = np.zeros(2 * PLACEMENTS, np.int64)
JOINED = np.zeros(PLACEMENTS, np.int64)
NEW_ENDS = np.zeros(PLACEMENTS, np.int64)


def _one(value: int) -> int:
    return 1 << FIELD * value


def _fill_at_end(row: int, joined: int, other: int) -> None:
    JOINED[row] = joined
    if joined == other:
        ENDS_CHANGE[row], SIDES_CHANGE[row], COUNT_CHANGE[row] = -_one(joined), 2 * _one(joined), joined
    else:
        ENDS_CHANGE[row], COUNT_CHANGE[row] = _one(other) - _one(joined), other - joined
        NEW_ENDS[row] = 1 << other


def _fill_at_side(row: int, joined: int, other: int) -> None:
    JOINED[row], COUNT_CHANGE[row + PLACEMENTS] = joined, other - 2 * joined
    ENDS_CHANGE[row], SIDES_CHANGE[row], COUNT_CHANGE[row] = _one(other), _one(joined), other
    NEW_ENDS[row] = 1 << other


def _fill_lead(row: int, high: int, low: int) -> None:
    JOINED[row], COUNT_CHANGE[row] = high, high + low
    if high == low:
        SIDES_CHANGE[row] = _one(high)
    else:
        ENDS_CHANGE[row], NEW_ENDS[row] = _one(high) + _one(low), 1 << high | 1 << low


for _tile in range(MAX_TILES):
    _high, _low = int(HIGH[_tile]), int(LOW[_tile])
    _fill_at_end(_tile, _low, _high)
    _fill_at_end(_tile | BY_HIGH, _high, _low)
    _fill_at_side(_tile | AT_SIDE, _low, _high)
    _fill_at_side(_tile | AT_SIDE | BY_HIGH, _high, _low)
    _fill_lead(_tile | LEAD, _high, _low)
# at an end nothing is completed, whatever stands elsewhere with the value that joins
_AT_END = [row for row in range(PLACEMENTS) if not row & AT_SIDE]
COUNT_CHANGE[[row + PLACEMENTS for row in _AT_END]] = COUNT_CHANGE[_AT_END]


@inlined
def empty_layout(spinner):
    """Return the layout before the lead."""
    return Layout(0, 0, 0, 0, 0, ALL_VALUES if spinner == SPINNER_ALL else 0, 0)


# Bit s of each: whether a double with the field s in `sides` may be played on, by whether it is a spinner
_OPEN_PLAIN = 0b00110
_OPEN_SPINNER_MORE = 0b11000
_ONE_TAKEN = 0b00100


@inlined
def count_after(layout, placement):
    """Return the count that `place` would leave."""
    row = placement & (PLACEMENTS - 1)
    completes = layout.one_taken >> (JOINED[row] & FIELD_MASK) & 1
    return layout.count + COUNT_CHANGE[row + PLACEMENTS * completes]


@inlined
def place(layout, placement, spinner):
    """Return the layout after a placement, the lead included; arithmetic, since a branch would be a guess."""
    row = placement & (PLACEMENTS - 1)
    joined = JOINED[row] & FIELD_MASK
    keep = ~(1 << joined)
    ends = layout.ends + ENDS_CHANGE[row]
    sides = layout.sides + SIDES_CHANGE[row]
    four_sided = layout.four_sided
    if spinner == SPINNER_FIRST and layout.sides == 0 and sides != 0:
        four_sided = 1 << joined
    is_end = 1 if ends >> FIELD * joined & FIELD_MASK else 0
    field = sides >> FIELD * joined & FIELD_MASK
    is_spinner = four_sided >> joined & 1
    may_play = (_OPEN_PLAIN | _OPEN_SPINNER_MORE & -is_spinner) >> field & 1
    return Layout(
        ends,
        sides,
        layout.open_ends & keep | NEW_ENDS[row] | is_end << joined,
        layout.open_sides & keep | may_play << joined,
        layout.one_taken & keep | (_ONE_TAKEN >> field & 1) << joined,
        four_sided,
        count_after(layout, placement),
    )
