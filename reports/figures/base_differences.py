"""How far the cells of a sweep are from the base cell, with the intervals of the differences."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from reports.drawing import Drawing
from reports.figures import forest
from reports.figures.cells import Cell, Sweep
from reports.figures.claims import as_one_of
from reports.figures.forest import Point
from reports.figures.scale import PERCENT, POINTS, Scale, scale_of
from reports.figures.sweep_lines import draw_lines, line_of
from reports.labels import cell_label, field_axis, metric_label, metric_unit, sentence, with_unit
from reports.style import WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

_PAIRED, _INDEPENDENT = 0, 1
_MOST_ROWS_OF_A_LINE = 12


def base_differences(sweep: Sweep) -> Drawing | None:
    """Draw each cell's difference to the base; None where no cell has one."""
    words = sweep.words
    base = next(cell for cell in sweep.cells if cell.base)
    found = [_named(sweep, cell) for cell in sweep.cells if not cell.base and cell.difference is not None]
    if not found:
        return None
    form = POINTS if sweep.form == PERCENT else sweep.form
    scale = scale_of(words, form, [point.width for point in found], signed=True)
    is_line = len(sweep.axes) == 1 and sweep.axes[0].is_numeric and len(found) > _MOST_ROWS_OF_A_LINE
    shown = found if is_line else _furthest(found)
    name = f"{sweep.metric.partition(':')[0]}_difference"
    label = with_unit(
        words("{metric}, less the base cell's", metric=metric_label(sweep.metric, words)),
        metric_unit(name, words),
        words,
    )

    def draw(figure: FigureBase) -> None:
        if is_line:
            _draw_line(figure, sweep, scale, label)
        else:
            forest.draw_forest(figure, shown, scale, label, null=0.0, head=sweep.head)

    told = [f"{point.name} {scale.tell_all(point.estimate, point.low, point.high)}" for point in shown]
    return Drawing(
        key="sweep-differences",
        title=_title(sweep, scale, base, found),
        caption=" ".join([*_caption(sweep, base, found, len(shown)), sweep.source]),
        alt=words("Points with intervals, {label}: {told}.", label=label, told=words.joined(told)),
        draw=draw,
        table=sweep.table.drop(columns=["estimate", "low", "high"]),
        size=(WIDTH, 3.3) if is_line else forest.size(shown, sweep.head),
    )


def _draw_line(figure: FigureBase, sweep: Sweep, scale: Scale, label: str) -> None:
    across = sweep.axes[0]
    found = [
        (cell.values[across.field], cell.difference) for cell in sweep.cells if cell.difference is not None
    ]
    found.sort(key=lambda pair: pair[0])
    labels = (field_axis(across.field, sweep.words), sentence(label))
    draw_lines(figure, [line_of(found)], across, scale, labels, 0.0)


def _furthest(points: list[Point]) -> list[Point]:
    """Return the points in their order; of too many those that are furthest from 0."""
    ranked = sorted(range(len(points)), key=lambda place: -abs(points[place].estimate))
    return [points[place] for place in sorted(ranked[: forest.MOST_ROWS])]


def _named(sweep: Sweep, cell: Cell) -> Point:
    assert cell.difference is not None
    name = sweep.name_of(cell)
    return dataclasses.replace(cell.difference, name=name, group=_PAIRED if cell.paired else _INDEPENDENT)


def _title(sweep: Sweep, scale: Scale, base: Cell, found: list[Point]) -> str:
    words = sweep.words
    names = {"metric": sweep.told, "base": cell_label(base.values, words)}
    confidence = sweep.material.confidence
    apart = [point for point in found if as_one_of(point, len(found), confidence).is_told_from(0)]
    if len(found) > 1 and apart:
        return words(
            "{metric}: {told} of {cells} cells can be told from the base, {base}",
            told=len(apart),
            cells=len(found),
            **names,
        )
    if len(found) > 1:
        return words("{metric}: no cell can be told from the base, {base}", **names)
    return _title_of_one(sweep, scale, found[0], names)


def _title_of_one(sweep: Sweep, scale: Scale, point: Point, names: dict[str, str]) -> str:
    words = sweep.words
    told = scale.tell_all(point.estimate, point.low, point.high)
    if scale.form == POINTS:
        told = words("{value} percentage points", value=told)
    values = next(cell.values for cell in sweep.cells if not cell.base and cell.difference is not None)
    cell = cell_label(values, words)
    if not point.is_told_from(0):
        return words(
            "{metric}: no difference between {cell} and {base} can be told, {told}",
            cell=cell,
            told=told,
            **names,
        )
    if point.estimate > 0:
        return words("{metric}: higher at {cell} than at {base}, by {told}", cell=cell, told=told, **names)
    return words("{metric}: lower at {cell} than at {base}, by {told}", cell=cell, told=told, **names)


def _caption(sweep: Sweep, base: Cell, found: list[Point], shown: int) -> list[str]:
    words = sweep.words
    told = [
        words(
            "Each cell less the base, {base}; hollow: the interval holds 0.",
            base=cell_label(base.values, words),
        )
    ]
    groups = {point.group for point in found}
    if groups == {_PAIRED}:
        told.append(words("Cells are compared over the same deals."))
    elif groups == {_INDEPENDENT}:
        told.append(words("The cells share no deals and are compared as independent."))
    else:
        told.append(words("Circles: over the same deals; squares: as independent."))
    if len(found) > 1:
        told.append(words("Each interval stands for itself."))
        told.append(words("The title allows for its choice among {cells} cells.", cells=len(found)))
    if shown < len(found):
        told.append(
            words(
                "Only the {shown} of {cells} cells that differ most are drawn; the table has all.",
                shown=shown,
                cells=len(found),
            )
        )
    return told
