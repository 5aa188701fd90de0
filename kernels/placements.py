"""The legal placements of a hand, as four masks of tiles, and those of them that score."""

from __future__ import annotations

from typing import NamedTuple

from kernels.bounds import COUNTS
from kernels.jit import inlined
from kernels.tiles import (
    END_HIGH,
    END_LOW,
    FIVES_FROM,
    FIVES_LEAD,
    LINE_HIGH,
    LINE_LOW,
    OF_HIGH,
    OF_LOW,
    SIDE_HIGH,
    SIDE_LOW,
)


class Groups(NamedTuple):
    """The legal placements: for each group of `kernels.layout` the mask of its tiles."""

    end_low: int
    end_high: int
    side_low: int
    side_high: int


NO_PLACEMENTS = Groups(0, 0, 0, 0)


@inlined
def added(groups, group, tile):
    """Return the placements and one more."""
    bit = 1 << tile
    return Groups(
        groups.end_low | (bit if group == 0 else 0),
        groups.end_high | (bit if group == 1 else 0),
        groups.side_low | (bit if group == 2 else 0),
        groups.side_high | (bit if group == 3 else 0),
    )


@inlined
def placements(hand, layout):
    """Return the legal placements of a hand."""
    return Groups(
        hand & OF_LOW[layout.open_ends],
        hand & OF_HIGH[layout.open_ends],
        hand & OF_LOW[layout.open_sides],
        hand & OF_HIGH[layout.open_sides],
    )


@inlined
def scoring_placements(hand, layout, is_lead):
    """Return the placements that bring the count to a positive multiple of five, without a look at each."""
    if is_lead:
        return Groups(hand & FIVES_LEAD, 0, 0, 0)
    line = layout.open_sides & layout.one_taken
    other = layout.open_sides ^ line
    row = layout.count & (COUNTS - 1)
    return Groups(
        hand & OF_LOW[layout.open_ends] & FIVES_FROM[row, END_LOW],
        hand & OF_HIGH[layout.open_ends] & FIVES_FROM[row, END_HIGH],
        hand & (OF_LOW[line] & FIVES_FROM[row, LINE_LOW] | OF_LOW[other] & FIVES_FROM[row, SIDE_LOW]),
        hand & (OF_HIGH[line] & FIVES_FROM[row, LINE_HIGH] | OF_HIGH[other] & FIVES_FROM[row, SIDE_HIGH]),
    )
