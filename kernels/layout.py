"""The layout as seven whole numbers: what may be played, and the running count.

Per value v nothing matters but the number of ordinary ends of v and the sides taken of the double v-v:

    ends       4 bits a value: ordinary ends of value v (at most 9)
    sides      4 bits a value: 0 while v-v is not on the table, else 1 + its sides taken (0 to 4)
    open_ends  mask of the values with an ordinary end
    open_sides mask of the values whose standing double has a side that may be played on
    one_taken  mask of the values whose standing double has exactly one side taken: the next one completes its line
    four_sided mask of the values whose double is a spinner
    count      sum of the ends; a double counts twice its value until both in-line sides are taken

Arms need no rule of their own: sides are taken in the order in line, in line, arm, arm, since an arm may start
only when both in-line sides are taken.

A placement is one whole number, `tile + GROUP * group`. The four groups, in the order in which ties are listed:
joining an ordinary end by the tile's lower half (doubles too), by its higher half, joining a free side of a
double by the lower half, by the higher half.
"""

from __future__ import annotations

from typing import NamedTuple

from kernels.jit import kernel
from kernels.rules import SPINNER_ALL, SPINNER_FIRST
from kernels.tiles import HIGH, LOW

GROUP = 64
TILE = GROUP - 1  # bits of the tile in a placement
BY_HIGH = GROUP  # bit: the tile's higher half joins
AT_SIDE = 2 * GROUP  # bit: at a free side of a standing double
ALL_VALUES = 0x3FF


class Layout(NamedTuple):
    """See the module's text; all fields int64."""

    ends: int
    sides: int
    open_ends: int
    open_sides: int
    one_taken: int
    four_sided: int
    count: int


@kernel
def open_layout(tile, spinner):
    """Return the layout after the lead of `tile`."""
    high, low = HIGH[tile], LOW[tile]
    if high != low:
        four_sided = ALL_VALUES if spinner == SPINNER_ALL else 0
        ends = (1 << 4 * high) | (1 << 4 * low)
        return Layout(ends, 0, (1 << high) | (1 << low), 0, 0, four_sided, high + low)
    four_sided = ALL_VALUES if spinner == SPINNER_ALL else (1 << high if spinner == SPINNER_FIRST else 0)
    return Layout(0, 1 << 4 * high, 0, 1 << high, 0, four_sided, 2 * high)


@kernel
def place_at_end(layout, joined, other, spinner):
    """Return the layout after a tile's half `joined` has met an ordinary end; other == joined: a double."""
    ends = layout.ends - (1 << 4 * joined)
    open_ends = layout.open_ends
    if ends >> 4 * joined & 15 == 0:
        open_ends &= ~(1 << joined)
    if joined == other:
        four_sided = layout.four_sided
        if spinner == SPINNER_FIRST and layout.sides == 0:
            four_sided = 1 << joined
        return Layout(
            ends,
            layout.sides | (2 << 4 * joined),
            open_ends,
            layout.open_sides | (1 << joined),
            layout.one_taken | (1 << joined),
            four_sided,
            layout.count + joined,
        )
    return Layout(
        ends + (1 << 4 * other),
        layout.sides,
        open_ends | (1 << other),
        layout.open_sides,
        layout.one_taken,
        layout.four_sided,
        layout.count + other - joined,
    )


@kernel
def place_at_side(layout, joined, other):
    """Return the layout after a tile's half `joined` has met a free side of the standing double."""
    taken = (layout.sides >> 4 * joined & 15) - 1
    bit = 1 << joined
    count = layout.count + other - (2 * joined if taken == 1 else 0)
    open_sides = layout.open_sides
    if taken + 1 == (4 if layout.four_sided >> joined & 1 else 2):
        open_sides ^= bit
    return Layout(
        layout.ends + (1 << 4 * other),
        layout.sides + (1 << 4 * joined),
        layout.open_ends | (1 << other),
        open_sides,
        layout.one_taken | bit if taken == 0 else layout.one_taken & ~bit,
        layout.four_sided,
        count,
    )


@kernel
def place(layout, placement, spinner):
    """Return the layout after a placement."""
    tile = placement & TILE
    if placement & BY_HIGH:
        joined, other = HIGH[tile], LOW[tile]
    else:
        joined, other = LOW[tile], HIGH[tile]
    if placement & AT_SIDE:
        return place_at_side(layout, joined, other)
    return place_at_end(layout, joined, other, spinner)


@kernel
def count_after(layout, placement):
    """Return the count that `place` would leave."""
    tile = placement & TILE
    if placement & BY_HIGH:
        joined, other = HIGH[tile], LOW[tile]
    else:
        joined, other = LOW[tile], HIGH[tile]
    if placement & AT_SIDE:
        return layout.count + other - (2 * joined if layout.one_taken >> joined & 1 else 0)
    return layout.count + (joined if joined == other else other - joined)
