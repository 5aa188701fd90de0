"""A metric over one axis of a sweep, a series for each value of a second: lines with bands, or points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports.drawing import Drawing
from reports.figures.cells import Axis, Cell, Sweep
from reports.figures.forest import Point
from reports.figures.heat import LETTER
from reports.figures.scale import Scale, lines_of, tick
from reports.figures.sweep_rows import caption_of, key_of, table_of, told_cells
from reports.labels import field_axis, field_label
from reports.style import LINES, MARKERS, MUTED, SERIES, WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

_FEW = 4  # values of an axis whose intervals are bars; with more they are bands
_TICKS = 9  # an axis of no more values has a tick at each
_APART = {True: 0.012, False: 0.12}  # of the axis's width or of a category: how far series stand apart
_TITLE_LETTERS = 68


@dataclass(frozen=True)
class Series:
    """The points of one series: their places on the axis, and what was measured."""

    name: str
    places: list[float]
    points: list[Point]


def sweep_lines(sweep: Sweep, cells: list[Cell], place: int, across: Axis, by: Axis | None = None) -> Drawing:
    """Draw a metric over an axis, with a series for each value of another."""
    words = sweep.words
    series = _series(cells, across, by)

    def draw(figure: FigureBase) -> None:
        labels = (field_axis(across.field, words), sweep.label)
        axes = draw_lines(figure, series, across, sweep.scale(cells), labels, sweep.null)
        if by is not None:
            draw_legend(figure, axes, field_axis(by.field, words))

    kind = words("bands") if _has_bands(across) else words("bars")
    return Drawing(
        key=key_of("sweep", place),
        title=sweep.finding(cells),
        caption=caption_of(sweep, cells, words("Intervals as {kind}.", kind=kind)),
        alt=words(
            "{metric} by {field}: {told}.",
            metric=sweep.label,
            field=field_label(across.field, words),
            told=told_cells(sweep, cells),
        ),
        draw=draw,
        table=table_of(sweep, cells),
        size=(WIDTH, 3.3 if by is None else 3.8),
    )


def line_of(points: Sequence[tuple[Any, Point]]) -> Series:
    """Return a series without a name, of points by their value on a numeric axis."""
    return Series("", [float(value) for value, _ in points], [point for _, point in points])


def draw_lines(
    figure: FigureBase,
    series: Sequence[Series],
    across: Axis,
    scale: Scale,
    labels: tuple[str, str],
    null: float | None,
) -> Axes:
    """Draw series over an axis on an empty figure.

    Parameters
    ----------
    labels : of the axis and of the values.
    null : where a dashed line is drawn; None without one.
    """
    axes = figure.subplots()
    if null is not None:
        axes.axhline(null, color=MUTED, linestyle=LINES[1], linewidth=1.1, zorder=1)
    for number, each in enumerate(series):
        _draw_series(axes, number, each, _shift(number, len(series), across), across)
    _draw_across(axes, across)
    tick(axes.yaxis, scale.words, scale.form, signed=scale.signed)
    axes.set_xlabel(lines_of(labels[0]))
    axes.set_title(lines_of(labels[1], _TITLE_LETTERS), loc="left", fontsize=9.5)
    return axes


def _series(cells: list[Cell], across: Axis, by: Axis | None) -> list[Series]:
    places = {value: float(value if across.is_numeric else i) for i, value in enumerate(across.values)}
    found = []
    for value in (None,) if by is None else by.values:
        of_value = {cell.values[across.field]: cell.own for cell in cells if _is_of(cell, by, value)}
        seen = [(places[at], point) for at in across.values if (point := of_value.get(at)) is not None]
        found.append(Series(str(value), [at for at, _ in seen], [point for _, point in seen]))
    return found


def _is_of(cell: Cell, by: Axis | None, value: Any) -> bool:
    return by is None or bool(cell.values[by.field] == value)


def _has_bands(across: Axis) -> bool:
    return across.is_numeric and len(across.values) > _FEW


def _shift(number: int, series: int, across: Axis) -> float:
    """Return how far a series stands from its place, so that bars of intervals do not hide each other."""
    if _has_bands(across) or series < 2:
        return 0.0
    width = float(across.values[-1] - across.values[0]) if across.is_numeric else 1.0
    return width * _APART[across.is_numeric] * (number - (series - 1) / 2)


def _draw_series(axes: Axes, number: int, series: Series, shift: float, across: Axis) -> None:
    colour, places = SERIES[number], [at + shift for at in series.places]
    estimates = [point.estimate for point in series.points]
    axes.plot(
        places,
        estimates,
        marker=MARKERS[number],
        linestyle=LINES[number] if across.is_numeric else "none",
        color=colour,
        label=series.name,
        markevery=max(1, len(places) // _TICKS),
    )
    if _has_bands(across):
        _draw_band(axes, colour, places, series.points)
        return
    for at, point in zip(places, series.points, strict=True):
        if point.low is not None and point.high is not None:
            reach = [[max(point.estimate - point.low, 0.0)], [max(point.high - point.estimate, 0.0)]]
            axes.errorbar(at, point.estimate, yerr=reach, fmt="none", color=colour, elinewidth=1.4)


def _draw_band(axes: Axes, colour: str, places: Sequence[float], points: Sequence[Point]) -> None:
    """Fill the intervals of a line; without one the band closes up on the line."""
    lows = [point.estimate if point.low is None else point.low for point in points]
    highs = [point.estimate if point.high is None else point.high for point in points]
    axes.fill_between(places, lows, highs, color=colour, alpha=0.17, linewidth=0)


def _draw_across(axes: Axes, across: Axis) -> None:
    """Write the values of the axis below it."""
    if not across.is_numeric:
        letters = int((WIDTH - 1.0) / len(across.values) / LETTER) - 1
        axes.set_xticks(range(len(across.values)), [lines_of(str(value), letters) for value in across.values])
        axes.set_xlim(-0.5, len(across.values) - 0.5)
        axes.grid(axis="x", visible=False)
    elif len(across.values) <= _TICKS:
        axes.set_xticks(list(across.values), [str(value) for value in across.values])


def draw_legend(figure: FigureBase, axes: Axes, title: str) -> None:
    """Draw the legend of the series below a figure, in as many columns as fit."""
    handles, names = axes.get_legend_handles_labels()
    columns = min(max(1, int((WIDTH - 0.2) / (LETTER * (max(map(len, names)) + 7)))), len(names))
    order = [place for column in range(columns) for place in range(column, len(names), columns)]
    figure.legend(  # which fills column by column, and is read row by row
        [handles[place] for place in order],
        [names[place] for place in order],
        title=lines_of(title),
        loc="outside lower center",
        ncols=columns,
        handlelength=3.2,
    )
