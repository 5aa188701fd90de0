"""What an opening by the highest double tells of the hands as dealt.

The seat that was dealt the tile of the highest rank opens (`kernels.tiles`: OPENING_RANK). So no hand as
dealt holds a tile above the opener's highest; where it must lead that tile, the lead shows it to all.
"""

from __future__ import annotations

from typing import NamedTuple

from kernels.bits import lowest
from kernels.jit import kernel
from kernels.tiles import OPENING_RANK

NO_RANK = -1  # below all tiles
NOBODY = -1


class Opening(NamedTuple):
    """Who opened the round, as far as it tells of the hands, and what the seat that looks was dealt."""

    opener: int  # seat that was dealt the highest double; NOBODY where the opener was named otherwise
    dealt: int  # mask of the tiles dealt to the seat that looks; not looked at where that is NOBODY


@kernel
def highest_rank(tiles):
    """Return the highest rank of the tiles of a mask."""
    highest = NO_RANK
    while tiles:
        highest = max(highest, OPENING_RANK[lowest(tiles)])
        tiles &= tiles - 1
    return highest


@kernel
def opening_seen(table, seat):
    """Return what a seat knows of the opening of the round on a table."""
    if table.by_highest == 0:
        return Opening(NOBODY, 0)
    return Opening(table.opener, table.dealt[seat])
