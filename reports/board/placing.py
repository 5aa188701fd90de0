"""Where the tiles of a layout lie, none overlapping: compact where the search finds room, else stretched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from reports.board.search import Effort, search
from reports.board.spots import Box, Joint, Spot
from reports.board.stretched import stretched

DEFAULT_WIDTH = 40  # units, ten tiles in a line: still legible on a phone


@dataclass(frozen=True)
class Placing:
    """Where the tiles of a layout lie.

    Attributes
    ----------
    spots : one a tile, in the order of play.
    frame : the rectangle that holds them all, in units.
    """

    spots: tuple[Spot, ...]
    frame: Box


def efforts(width: int) -> list[Effort]:
    """Return what is tried in turn: wide and low first, then higher, then wider, then harder."""
    return [
        Effort(width, breadth=12, height_cost=1.3, upright_cost=1.0),
        Effort(width, breadth=12, height_cost=1.3),
        Effort(width, breadth=24, height_cost=0.8),
        Effort(width * 3 // 2, breadth=12, height_cost=0.8, upright_cost=0.5),
        Effort(width * 3 // 2, breadth=40, height_cost=0.5),
        Effort(width * 5 // 2, breadth=40, height_cost=1.0),
    ]


def place(joints: Sequence[Joint], width: int = DEFAULT_WIDTH) -> Placing:
    """Return where each tile lies; a tile keeps its place whatever part of the layout is shown.

    Parameters
    ----------
    joints : what each tile joins, in the order of play; at least the lead.
    width : how wide the whole may be, in units (half a tile is 2); exceeded only where nothing else fits.
    """
    for effort in efforts(width):
        spots = search(joints, effort)
        if spots is not None:
            return _placing(spots)
    return _placing(stretched(joints))


def _placing(spots: Sequence[Spot]) -> Placing:
    return Placing(tuple(spots), reduce(Box.joined, (spot.box for spot in spots)))
