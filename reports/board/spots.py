"""Where one tile of a layout can lie, given where the tile that it joins lies.

Lengths are in units: half a tile is a square of 2 by 2 units, so that all centres of halves have whole
coordinates. x grows to the right, y downwards. A line of play has a direction; a tile that is no double
lies along it, a double across it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import NamedTuple

IN_LINE = (0, 1)  # exits of a double: the side towards what it joined, the opposite side
ARMS = (2, 3)

_CACHED = 20_000  # spots whose ways are kept


@dataclass(frozen=True)
class Joint:
    """What one tile of a layout joins.

    Attributes
    ----------
    parent : the number of the tile joined, counted from 0 in the order of play; None for the lead.
    exit : where it joins: 0 or 1 for a half of the lead that is no double; 1 for the free half of any other
        tile that is no double; 0 or 1 for a side in line of a double, 2 or 3 for an arm.
    is_double : whether this tile is a double.
    """

    parent: int | None
    exit: int
    is_double: bool


class Point(NamedTuple):
    """A place or a direction, in units."""

    x: int
    y: int

    def towards(self, way: Point, length: int) -> Point:
        """Return the point `length` units away in a direction."""
        return Point(self.x + way.x * length, self.y + way.y * length)


EAST, SOUTH, WEST, NORTH = Point(1, 0), Point(0, 1), Point(-1, 0), Point(0, -1)


def turned(way: Point) -> Point:
    """Return a direction turned clockwise by a right angle."""
    return Point(-way.y, way.x)


def opposite(way: Point) -> Point:
    """Return the opposite direction."""
    return Point(-way.x, -way.y)


class Box(NamedTuple):
    """A rectangle: its upper left corner and its size, in units."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The x of its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The y of its lower edge."""
        return self.y + self.height

    def overlaps(self, other: Box) -> bool:
        """Whether the insides of both meet; edges may touch."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def around(self, margin: int) -> Box:
        """Return the rectangle with a margin on each side."""
        return Box(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)

    def joined(self, other: Box) -> Box:
        """Return the least rectangle that holds both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)


def box_between(one: Point, other: Point, margin: int) -> Box:
    """Return the rectangle with two corners, and a margin around it."""
    x, y = min(one.x, other.x), min(one.y, other.y)
    return Box(x, y, abs(one.x - other.x), abs(one.y - other.y)).around(margin)


class Bar(NamedTuple):
    """A thin connector between two tiles that do not touch: the middles of the two edges that it ties."""

    start: Point
    end: Point

    @property
    def box(self) -> Box:
        """The lane, 2 units wide, that it lies in; no other tile lies there."""
        one, other = sorted((self.start, self.end))
        if one.y == other.y:
            return Box(one.x, one.y - 1, other.x - one.x, 2)
        return Box(one.x - 1, one.y, 2, other.y - one.y)


class Spot(NamedTuple):
    """Where one tile lies.

    Attributes
    ----------
    centre : of the half that joins; of the whole tile for a double.
    way : the direction of its line of play.
    is_double : whether it lies across that line.
    bar : the connector to the tile that it joins, or None where they touch.
    """

    centre: Point
    way: Point
    is_double: bool
    bar: Bar | None = None

    @property
    def halves(self) -> tuple[Point, Point]:
        """The centres of the half that joins and of the other one; of a double's two halves."""
        if not self.is_double:
            return self.centre, self.centre.towards(self.way, 2)
        across = turned(self.way)
        return self.centre.towards(across, -1), self.centre.towards(across, 1)

    @property
    def box(self) -> Box:
        """The rectangle of the tile: 4 by 2 units, or 2 by 4."""
        return box_between(*self.halves, margin=1)


def lead_spot(joint: Joint) -> Spot:
    """Return where the lead lies: in the middle, its line from left to right."""
    return Spot(Point(0, 0), EAST, joint.is_double)


class Way(NamedTuple):
    """One way to join a tile that lies: from a point, in a direction.

    Attributes
    ----------
    start : the centre of the half that is joined; of the whole tile for a double.
    way : the direction of the new tile's line.
    edge : units from `start` to the edge of the tile that lies.
    is_turn : whether the line turns there.
    """

    start: Point
    way: Point
    edge: int
    is_turn: bool = False

    def spot(self, is_double: bool, gap: int = 0) -> Spot:
        """Return where the new tile lies, with a connector of `gap` units."""
        edge = self.start.towards(self.way, self.edge)
        beyond = edge.towards(self.way, gap)
        bar = Bar(edge, beyond) if gap else None
        return Spot(beyond.towards(self.way, 1), self.way, is_double, bar)

    def lane_to_edge(self, frame: Box) -> Box:
        """Return the lane, 4 units wide, from the tile that lies to the edge of a frame around it."""
        start = self.start.towards(self.way, self.edge)
        if self.way.x:
            end = frame.right if self.way.x > 0 else frame.x
            return Box(min(start.x, end), start.y - 2, abs(end - start.x), 4)
        end = frame.bottom if self.way.y > 0 else frame.y
        return Box(start.x - 2, min(start.y, end), 4, abs(end - start.y))


def straight_ways(spot: Spot, exit_: int) -> tuple[Way, ...]:
    """Return the ways out of a lying tile at one exit without a turn; an arm may go right or left."""
    if not spot.is_double:
        near, far = spot.halves
        return (Way(far, spot.way, 1) if exit_ else Way(near, opposite(spot.way), 1),)
    if exit_ in ARMS:
        right = turned(spot.way)
        return Way(spot.centre, right, 2), Way(spot.centre, opposite(right), 2)
    return (Way(spot.centre, spot.way if exit_ else opposite(spot.way), 1),)


@functools.lru_cache(_CACHED)
def ways(spot: Spot, exit_: int) -> tuple[Way, ...]:
    """Return all ways out of a lying tile at one exit. A line turns only at a tile that is no double."""
    straight = straight_ways(spot, exit_)
    if spot.is_double:
        return straight
    (ahead,) = straight
    right = turned(ahead.way)
    return ahead, *(ahead._replace(way=way, is_turn=True) for way in (right, opposite(right)))
