"""A layout drawn with line characters: tiles at the places that a page of the round shows them, in text.

One unit of a placing is two columns wide and one row high, so that a half is about square. Tiles that
touch share a line. The tile laid last has heavy lines, so that it is seen without colour too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reports.board.placing import Placing
from reports.board.spots import Bar, Box, Point, Spot
from reports.board.story import Laid

COLUMNS_A_UNIT = 2

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LIGHT = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
_HEAVY = " ╹╻┃╸┛┓┫╺┗┏┣━┻┳╋"
_BARS = ("┄", "┆")  # across, down
_PLAIN_BARS = (".", ":")
_HORIZONTAL = {_LEFT, _RIGHT, _LEFT | _RIGHT}
_VERTICAL = {_UP, _DOWN, _UP | _DOWN}


@dataclass(frozen=True)
class Cell:
    """One character of a drawing, and whether it belongs to the tile laid last."""

    text: str
    is_new: bool


@dataclass
class _Canvas:
    """Lines and characters by place, a column and a row."""

    lines: dict[Point, int] = field(default_factory=dict)
    heavy: set[Point] = field(default_factory=set)
    signs: dict[Point, str] = field(default_factory=dict)

    def line(self, start: Point, end: Point, is_heavy: bool) -> None:
        """Draw a line to the right or downwards."""
        forth, back = (_RIGHT, _LEFT) if start.y == end.y else (_DOWN, _UP)
        way = Point(1, 0) if start.y == end.y else Point(0, 1)
        for step in range(abs(end.x - start.x) + abs(end.y - start.y)):
            for place, side in ((start.towards(way, step), forth), (start.towards(way, step + 1), back)):
                self.lines[place] = self.lines.get(place, 0) | side
                if is_heavy:
                    self.heavy.add(place)

    def box(self, left: int, top: int, right: int, bottom: int, is_heavy: bool) -> None:
        """Draw the four edges of a rectangle."""
        corners = [Point(x, y) for y in (top, bottom) for x in (left, right)]
        for start, end in ((0, 1), (2, 3), (0, 2), (1, 3)):
            self.line(corners[start], corners[end], is_heavy)

    def cell(self, place: Point, is_utf8: bool) -> Cell:
        """Return the character at a place."""
        is_heavy = place in self.heavy
        if place in self.lines:
            sides = self.lines[place]
            text = (_HEAVY if is_heavy else _LIGHT)[sides] if is_utf8 else _plain(sides, is_heavy)
            return Cell(text, is_heavy)
        return Cell(self.signs.get(place, " "), is_heavy)


def units(width: int) -> int:
    """Return how wide a layout may be, in units, to fit into so many columns."""
    return max(0, (width - 1) // COLUMNS_A_UNIT)


def draw(laid: Sequence[Laid], placing: Placing, *, is_utf8: bool, new: int | None) -> list[list[Cell]]:
    """Return the rows of a drawing.

    Parameters
    ----------
    laid : the tiles that lie, the first ones of the layout that was placed.
    placing : where the tiles of the whole layout lie.
    is_utf8 : whether the screen shows line characters; else ASCII is used.
    new : the number of the tile with heavy lines, or None.
    """
    canvas = _Canvas()
    frame = placing.frame
    spots = placing.spots[: len(laid)]
    for spot in spots:
        if spot.bar is not None:
            _draw_bar(canvas, spot.bar, frame, is_utf8)
    for index, (tile, spot) in enumerate(zip(laid, spots, strict=True)):
        _draw_tile(canvas, tile, spot, frame, index == new)
    rows = [place.y for place in (*canvas.lines, *canvas.signs)]
    return [_row(canvas, row, is_utf8) for row in range(min(rows), max(rows) + 1)] if rows else []


def _row(canvas: _Canvas, row: int, is_utf8: bool) -> list[Cell]:
    filled = [place.x for place in (*canvas.lines, *canvas.signs) if place.y == row]
    return [canvas.cell(Point(column, row), is_utf8) for column in range(max(filled, default=-1) + 1)]


def _place(point: Point, frame: Box) -> Point:
    return Point(COLUMNS_A_UNIT * (point.x - frame.x), point.y - frame.y)


def _draw_tile(canvas: _Canvas, tile: Laid, spot: Spot, frame: Box, is_new: bool) -> None:
    box = spot.box
    start, end = _place(Point(box.x, box.y), frame), _place(Point(box.right, box.bottom), frame)
    canvas.box(start.x, start.y, end.x, end.y, is_new)
    near, far = (_place(half, frame) for half in spot.halves)
    middle = Point((near.x + far.x) // 2, (near.y + far.y) // 2)
    if near.y == far.y:
        canvas.line(Point(middle.x, start.y), Point(middle.x, end.y), is_new)
    else:
        canvas.line(Point(start.x, middle.y), Point(end.x, middle.y), is_new)
    for half, value in ((near, tile.near), (far, tile.far)):
        canvas.signs[half] = str(value)
        if is_new:
            canvas.heavy.add(half)


def _draw_bar(canvas: _Canvas, bar: Bar, frame: Box, is_utf8: bool) -> None:
    start, end = sorted(_place(point, frame) for point in bar)
    across, down = _BARS if is_utf8 else _PLAIN_BARS
    for column in range(start.x + 1, end.x):
        canvas.signs[Point(column, start.y)] = across
    for row in range(start.y + 1, end.y):
        canvas.signs[Point(start.x, row)] = down


def _plain(sides: int, is_heavy: bool) -> str:
    """Return the ASCII character for lines to these sides."""
    if sides in _HORIZONTAL:
        return "=" if is_heavy else "-"
    if sides in _VERTICAL:
        return "#" if is_heavy else "|"
    return "#" if is_heavy else "+"
