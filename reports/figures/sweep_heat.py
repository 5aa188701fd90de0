"""A metric over two axes of a sweep as a heat map, with the values where there is room."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from reports.drawing import Drawing
from reports.figures.cells import Axis, Cell, Sweep
from reports.figures.heat import MIDDLE, diverging, draw_heat, fits, rising, size
from reports.figures.scale import PERCENT, POINTS, Scale
from reports.figures.sweep_rows import caption_of, key_of, table_of, told_cells
from reports.labels import field_axis
from reports.style import HEAT

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

    from reports.figures.heat import Key


def sweep_heat(sweep: Sweep, cells: list[Cell], place: int, across: Axis, down: Axis) -> Drawing:
    """Draw a metric over two axes: the first across, the second down."""
    words, scale = sweep.words, sweep.scale(cells)
    if len(across.values) > len(down.values) and not fits([""] * len(across.values), [["00.0%"]]):
        across, down = down, across
    found = {(cell.values[down.field], cell.values[across.field]): cell.own for cell in cells}
    estimates = {at: point.estimate for at, point in found.items() if point is not None}
    least, most = min(estimates.values()), max(estimates.values())
    places = [[(row, column) for column in across.values] for row in down.values]
    steps = [
        [_step(estimates[at], least, most, sweep.null) if at in estimates else None for at in row]
        for row in places
    ]
    told = [[_cell(scale, estimates.get(at)) for at in row] for row in places]
    rows, columns = [str(value) for value in down.values], [str(value) for value in across.values]
    has_room = fits(columns, told)
    labels = (field_axis(across.field, words), field_axis(down.field, words))
    key = () if has_room else _key(scale, least, most, sweep.null)

    def draw(figure: FigureBase) -> None:
        draw_heat(figure, rows, columns, steps, cells=told if has_room else None, labels=labels, key=key)

    return Drawing(
        key=key_of("sweep-heat", place),
        title=sweep.finding(cells),
        caption=caption_of(
            sweep, cells, words("{metric}; the intervals are in the table.", metric=sweep.label)
        ),
        alt=words("Heat map of {metric}: {told}.", metric=sweep.label, told=told_cells(sweep, cells)),
        draw=draw,
        table=table_of(sweep, cells),
        size=size(rows, columns, has_key=bool(key)),
    )


def _cell(scale: Scale, value: float | None) -> str:
    """Return a value for a cell, without the sign of percent; nothing where nothing was observed."""
    bare = dataclasses.replace(scale, form=POINTS) if scale.form == PERCENT else scale
    return "" if value is None else bare.tell(value)


def _step(value: float, least: float, most: float, null: float | None) -> int:
    if null is None:
        return rising(value, least, most)
    reach = max(abs(least - null), abs(most - null))
    return diverging(value, null - reach, null, null + reach)


def _key(scale: Scale, least: float, most: float, null: float | None) -> Key:
    """Return some steps with the values that they stand for."""
    if null is None:
        return [(MIDDLE + i, scale.tell(least + (most - least) * i / MIDDLE)) for i in range(MIDDLE + 1)]
    reach = max(abs(least - null), abs(most - null))
    last = len(HEAT) - 1
    return [
        (step, scale.tell(null + reach * (step - MIDDLE) / MIDDLE)) for step in (0, 2, MIDDLE, last - 2, last)
    ]
