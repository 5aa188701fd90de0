"""Dominoes in SVG: the faces of halves, single tiles, and the tiles of a layout at their places.

One unit of a placing is 10 units of the drawing. A half is drawn around its centre, as it lies in an upright
tile, and turned by a right angle in a tile that lies flat. Colours are classes, filled by the page's styles.
"""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from reports.board.placing import Placing
from reports.board.spots import Box, Point, Spot
from reports.board.story import Face, Laid

SCALE = 10
EDGE = 6  # around the frame of a layout
LEAST_SIZE = (240, 110)  # of a drawing, so that a few tiles do not look like giants
_LEFT, _MIDDLE, _RIGHT = -5.4, 0.0, 5.4
_DIAGONAL = [(_LEFT, _LEFT), (_RIGHT, _RIGHT)]
_CORNERS = [*_DIAGONAL, (_RIGHT, _LEFT), (_LEFT, _RIGHT)]
_COLUMNS = [(_LEFT, _MIDDLE), (_RIGHT, _MIDDLE)]
_ROWS = [(_MIDDLE, _LEFT), (_MIDDLE, _RIGHT)]
_CENTRE = [(_MIDDLE, _MIDDLE)]
PIPS = [
    [],
    _CENTRE,
    _DIAGONAL,
    [*_DIAGONAL, *_CENTRE],
    _CORNERS,
    [*_CORNERS, *_CENTRE],
    [*_CORNERS, *_COLUMNS],
    [*_CORNERS, *_COLUMNS, *_CENTRE],
    [*_CORNERS, *_COLUMNS, *_ROWS],
    [*_CORNERS, *_COLUMNS, *_ROWS, *_CENTRE],
]
PIP_RADIUS = 2.1


@dataclass(frozen=True)
class Drawing:
    """A layout as SVG.

    Attributes
    ----------
    view_box : of the whole layout.
    tiles : each tile with its connector, to be defined once and used in every step.
    """

    view_box: str
    tiles: tuple[Markup, ...]


def half_symbol(value: int) -> Markup:
    """Return the pips of a half with `value` pips, around the point 0, 0."""
    return Markup("").join(
        Markup('<circle cx="{:g}" cy="{:g}" r="{:g}"/>').format(x, y, PIP_RADIUS) for x, y in PIPS[value]
    )


def upright_tile(face: Face) -> Markup:
    """Return a tile that stands upright, in a box of 24 by 44 around the point 0, 0."""
    return _tile(Point(0, -10), Point(0, 10), (face.high, face.low), Box(-10, -20, 20, 40))


def draw(laid: tuple[Laid, ...], placing: Placing) -> Drawing:
    """Return the tiles of a layout at their places."""
    tiles = tuple(_laid_tile(tile, spot) for tile, spot in zip(laid, placing.spots, strict=True))
    return Drawing(_view_box(placing.frame), tiles)


def _view_box(frame: Box) -> str:
    """Return the part of the plane that is shown: the frame in the middle, with room around it."""
    x, y, *size = (SCALE * value for value in frame)
    width, height = (max(side + 2 * EDGE, least) for side, least in zip(size, LEAST_SIZE, strict=True))
    return f"{x - (width - size[0]) // 2} {y - (height - size[1]) // 2} {width} {height}"


def _laid_tile(tile: Laid, spot: Spot) -> Markup:
    near, far = (Point(SCALE * point.x, SCALE * point.y) for point in spot.halves)
    drawn = _tile(near, far, (tile.near, tile.far), Box(*(SCALE * value for value in spot.box)))
    if spot.bar is None:
        return drawn
    ends = [SCALE * value for point in spot.bar for value in point]
    return Markup('<line class="bar" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(*ends) + drawn


def _tile(near: Point, far: Point, values: tuple[int, int], box: Box) -> Markup:
    """Return a tile with its two halves around `near` and `far`, in units of the drawing."""
    rectangle = Markup('<rect class="tile" x="{:g}" y="{:g}" width="{:g}" height="{:g}" rx="3.2"/>').format(
        box.x + 0.6, box.y + 0.6, box.width - 1.2, box.height - 1.2
    )
    is_flat = near.y == far.y
    middle = Point((near.x + far.x) // 2, (near.y + far.y) // 2)
    reach = Point(0, 6) if is_flat else Point(6, 0)
    line = Markup('<line class="middle" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(
        middle.x - reach.x, middle.y - reach.y, middle.x + reach.x, middle.y + reach.y
    )
    pips = Markup("").join(
        Markup('<use href="#half-{0}" class="half-{0}" transform="translate({1} {2}){3}"/>').format(
            value, at.x, at.y, " rotate(90)" if is_flat else ""
        )
        for value, at in zip(values, (near, far), strict=True)
        if value
    )
    return rectangle + line + pips
